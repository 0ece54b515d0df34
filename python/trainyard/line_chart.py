"""Lines on two logarithmic axes, as a drawing that is saved as SVG or PNG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from trainyard.planner.svg import COLORS, GRID, Drawing

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 30, 60, 50
SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
TICKS = 7


def size_text(value: float) -> str:
    """ "64 KiB"."""
    for unit, name in SIZES:
        if value >= unit:
            return f"{value / unit:g} {name}"
    return f"{value:g} B"


def log_log(title: str, series: Mapping[str, Sequence[tuple[float, float]]]) -> Drawing:
    """Lines of (bytes, value), one colour a series."""
    points = [point for line in series.values() for point in line if min(point) > 0]
    points = points or [(1.0, 1.0)]
    xs, ys = [math.log2(x) for x, _ in points], [math.log10(y) for _, y in points]
    left, right = min(xs), max(max(xs), min(xs) + 1)
    low, high = math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log2(x) - left) / (right - left)
        up = (math.log10(y) - low) / (high - low)
        wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP
        return LEFT + across * wide, HEIGHT - BOTTOM - up * tall

    drawing = Drawing(WIDTH, HEIGHT, title)
    drawing.rectangle(0, 0, WIDTH, HEIGHT, "#ffffff")
    drawing.text(20, 26, title)
    for power in range(low, high + 1):
        _, y = place(2**left, 10**power)
        drawing.line([(LEFT, y), (WIDTH - RIGHT, y)], GRID)
        drawing.text(LEFT - 8, y + 4, f"{10.0**power:g}", "end")
    for power in range(math.ceil(left), math.floor(right) + 1, max(1, int(right - left) // TICKS)):
        x, _ = place(2.0**power, 10.0**low)
        drawing.text(x, HEIGHT - 28, size_text(2.0**power), "middle")
    for index, (name, line) in enumerate(series.items()):
        color = COLORS[index % len(COLORS)]
        shown = [place(x, y) for x, y in line if min(x, y) > 0]
        drawing.line(shown, color, 2)
        for x, y in shown:
            drawing.dot(x, y, 3, color)
        drawing.text(LEFT + 12, 48 + 16 * index, name, color=color)
    return drawing
