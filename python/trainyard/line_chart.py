"""Small pictures as SVG text, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, LEFT, BOTTOM = 720, 420, 70, 50
COLOURS = ("#3b6ea5", "#b5651d", "#4f7f4f", "#7a5195", "#8c564b", "#555555")
SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


def size_text(value: float) -> str:
    """ "64 KiB"."""
    for unit, name in SIZES:
        if value >= unit:
            return f"{value / unit:g} {name}"
    return f"{value:g} B"


def escape(text: str) -> str:
    """Text as it stands in XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def log_log(title: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Lines of (bytes, value) on two logarithmic axes, one colour a series."""
    points = [point for line in series.values() for point in line if min(point) > 0]
    if not points:
        points = [(1.0, 1.0)]
    xs, ys = [math.log2(x) for x, _ in points], [math.log10(y) for _, y in points]
    left, right = min(xs), max(max(xs), min(xs) + 1)
    low, high = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log2(x) - left) / (right - left)
        up = (math.log10(y) - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - 30), HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - 60)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="20" y="26" font-size="15">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        _, y = place(2**left, 10**power)
        parts.append(
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 30}" y2="{y:.1f}" stroke="#ddd"/>'
        )
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
        )
    for power in range(math.ceil(left), math.floor(right) + 1, max(1, int(right - left) // 7)):
        x, _ = place(2.0**power, 10.0**low)
        text = size_text(2.0**power)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 28}" text-anchor="middle">{text}</text>')
    for index, (name, line) in enumerate(series.items()):
        colour = COLOURS[index % len(COLOURS)]
        shown = [place(x, y) for x, y in line if min(x, y) > 0]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in shown)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in shown]
        y = 48 + 16 * index
        parts.append(f'<text x="{LEFT + 12}" y="{y}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
