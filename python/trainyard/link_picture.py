"""How busy a collective keeps every link of a system: a square a chip, a bar a port."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trainyard.planner.svg import GRID, Drawing
from trainyard.usage import UsageError

TILE, GAP, LEFT, TOP, BAR, MARGIN = 64, 8, 90, 66, 9, 20
COLUMNS, CHIPS_MAX = 12, 1152
# From idle to as busy as a link can be.
SHADES = ("#eef3f8", "#c6dbef", "#9ecae1", "#6baed6", "#fdae6b", "#f16913", "#b10026")


def shade(share: float) -> str:
    """The colour of a link that is busy for this share of the time."""
    return SHADES[min(int(share * len(SHADES)), len(SHADES) - 1)]


def draw(title: str, system: Any, loads: Sequence[dict[str, Any]]) -> Drawing:
    """`loads` of Fabric.link_loads(), chips in rows of whole blocks of the innermost level.

    Raises UsageError for more than 1,152 chips.
    """
    ports: dict[int, list[tuple[str, float]]] = {}
    shared = []
    for load in loads:
        found = re.fullmatch(r"chip (\d+), (.+)", load["name"])
        if found is None:
            shared.append(load)
        else:
            ports.setdefault(int(found[1]), []).append((found[2], load["share"]))
    if not 0 < len(ports) <= CHIPS_MAX:
        raise UsageError(f"{len(ports)} chips with links: a picture has 1 to {CHIPS_MAX}")
    block = system.levels[0]["size"]
    columns = min(len(ports), block * max(1, COLUMNS // block))
    rows = -(-len(ports) // columns)
    width = LEFT + columns * (TILE + GAP) + MARGIN
    below = TOP + rows * (TILE + GAP) + 18
    drawing = Drawing(max(width, 760), below + 40 + 18 * len(shared), title)
    drawing.rectangle(0, 0, drawing.width, drawing.height, "#ffffff")
    drawing.text(MARGIN, 26, title)
    names = ", ".join(name for name, _ in next(iter(ports.values())))
    drawing.text(MARGIN, 46, f"bars of a chip: {names}")
    for place, chip in enumerate(sorted(ports)):
        x = LEFT + place % columns * (TILE + GAP)
        y = TOP + place // columns * (TILE + GAP)
        if place % columns == 0:
            drawing.text(MARGIN, y + TILE / 2, f"chip {chip}")
        _chip(drawing, x, y, [share for _, share in ports[chip]])
    for index, color in enumerate(SHADES):
        drawing.rectangle(LEFT + index * 84, below - 10, 16, 12, color)
        drawing.text(LEFT + index * 84 + 20, below, f"{index / len(SHADES):.0%}")
    for index, load in enumerate(shared):
        drawing.text(MARGIN, below + 30 + 18 * index, f"{load['name']}: {load['share']:.0%}")
    return drawing


def _chip(drawing: Drawing, x: float, y: float, shares: Sequence[float]) -> None:
    corners = [(x, y), (x + TILE, y), (x + TILE, y + TILE), (x, y + TILE), (x, y)]
    drawing.line(corners, GRID)
    full = TILE - 8
    for index, share in enumerate(shares[: (TILE - 4) // BAR]):
        tall = full * min(share, 1)
        if tall > 0:
            drawing.rectangle(x + 4 + index * BAR, y + 4 + full - tall, BAR - 2, tall, shade(share))
