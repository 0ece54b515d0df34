"""Draws loss curves as a PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 540, 70, 30, 50, 50
COLOURS = ("#b5651d", "#3b6ea5", "#4f7f4f")


def draw(path: Path, title: str, curves: Mapping[str, Sequence[float]]) -> None:
    """One line a curve: loss over step, from 0."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    canvas = ImageDraw.Draw(image)
    values = [value for curve in curves.values() for value in curve]
    steps = max(2, *(len(curve) for curve in curves.values()))
    low, high = min(values), max(max(values), min(values) + 1e-6)

    def place(step: float, value: float) -> tuple[float, float]:
        across = step / (steps - 1) * (WIDTH - LEFT - RIGHT)
        return LEFT + across, TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    canvas.text((LEFT, 15), title, fill="black")
    for i in range(5):
        value = low + i * (high - low) / 4
        _, y = place(0, value)
        canvas.line((LEFT, y, WIDTH - RIGHT, y), fill="#dddddd")
        canvas.text((15, y - 6), f"{value:.2f}", fill="black")
        step = round(i * (steps - 1) / 4)
        canvas.text((place(step, low)[0] - 8, HEIGHT - BOTTOM + 12), str(step), fill="black")
    # The curve that comes first lies on top, thinner, so that equal ones are both seen.
    for number, (name, curve) in reversed(list(enumerate(curves.items()))):
        points = [place(step, value) for step, value in enumerate(curve)]
        colour = COLOURS[number % len(COLOURS)]
        canvas.line(points, fill=colour, width=2 + 3 * number)
        canvas.text((WIDTH - 330, TOP + 8 + 18 * number), name, fill=colour)
    image.save(path)
