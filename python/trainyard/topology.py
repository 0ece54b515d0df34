"""How the chips of a system are joined, for people: levels, links, lanes, bisection, a picture."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

LANES_OF_A_LINK = 8  # PCIe x8, behind and between switches; of older links no lanes are published


def describe(system: Any) -> dict[str, Any]:
    """The levels with what a cut through the middle of each carries, as plain data."""
    levels = [dict(level, cut_gbps=_cut(system, level)) for level in system.levels]
    scale_up = [level for level in levels if level["join"] != "network"]
    outermost = [level for level in levels if level["size"] > 1][-1]
    return {
        "name": system.name,
        "title": system.title,
        "chips": system.chips,
        "cores": system.chips * system.chip.cores,
        "levels": levels,
        "chip_gbps": sum(_ways(level) * level["gbps"] for level in scale_up),
        "bisection_gbps": outermost["cut_gbps"],
        "bisection_at": outermost["name"],
    }


def _ways(level: dict[str, Any]) -> int:
    """Over how many ports of that rate a chip sends at once."""
    size = int(level["size"])
    if level["join"] == "ring":
        return min(size - 1, 2)
    return size - 1 if level["join"] == "direct" else min(size - 1, 1)


def _cut(system: Any, level: dict[str, Any]) -> float:
    """What crosses from one half of the level's members to the other, one direction, GB/s."""
    size, below = int(level["size"]), level["chips"] // level["size"]
    blocks = system.chips // level["chips"]
    half = size // 2
    if level["join"] == "ring":
        crossing = min(2, size - 1) * below
    elif level["join"] == "direct":
        crossing = half * (size - half) * below
    else:
        crossing = half * below / level["oversubscription"]
    return float(crossing * level["gbps"] * blocks)


def lines(topology: dict[str, Any]) -> Iterator[str]:
    """The description as text."""
    yield f"{topology['name']}: {topology['title']}"
    yield f"{topology['chips']} chips, {topology['cores']} cores"
    yield ""
    header = (
        "level",
        "join",
        "members",
        "chips",
        "links",
        "lanes",
        "GB/s a chip",
        "latency",
        "cut",
    )
    rows = [header] + [_row(level) for level in topology["levels"]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    yield f"a chip sends {topology['chip_gbps']:.0f} GB/s over all levels but the network"
    yield (
        f"bisection {topology['bisection_gbps'] / 1e3:.2f} TB/s one direction, "
        f"at {topology['bisection_at']}; payload, not the printed rates"
    )


def _row(level: dict[str, Any]) -> tuple[str, ...]:
    ways = _ways(level) if level["join"] in ("ring", "direct") else 1
    links = level["links"] * ways
    return (
        level["name"],
        level["join"],
        str(level["size"]),
        str(level["chips"]),
        str(links),
        str(links * LANES_OF_A_LINK) if level["join"] in ("switch", "direct") else "-",
        f"{level['gbps'] * ways:.0f}",
        f"{level['latency_ns']:.0f} ns",
        f"{level['cut_gbps'] / 1e3:.2f} TB/s",
    )


CHIP_FIGURES = {
    "dies": "chip.dies",
    "cores": "chip.cores",
    "cores of a logical core": "chip.cores_per_logical",
    "HBM stacks": "hbm.stacks",
    "cores of a stack": "hbm.cores_per_stack",
    "DMA engines of a core": "dma.engines",
    "DMA engines for the host": "chip.dma_engines_host",
    "collective cores": "chip.cc_cores",
    "collective streams": "collective.streams_max",
}


def chip(machine: Any) -> dict[str, Any]:
    """What a chip is made of, each with its kind and source."""
    figures = {figure["key"]: figure for figure in machine.provenance()}
    return {name: figures[key] for name, key in CHIP_FIGURES.items() if key in figures}


def chip_lines(title: str, parts: dict[str, Any]) -> Iterator[str]:
    """The same as text."""
    yield title
    yield ""
    for name, figure in parts.items():
        yield f"{name:26}{figure['value']:>6}  {figure['kind']:10} {figure['source']}"
    yield ""
    yield "its links are those of a system: trn1-server, trn2-ultraserver, trn3-gen2, ..."


def compared_lines(document: dict[str, Any]) -> Iterator[str]:
    """The levels of a machine that is only compared with: members, rates, ranges."""
    figures = {figure["key"]: figure for figure in document["figures"]}
    yield f"{document['name']}: {document['title']}"
    yield ""
    for level in (1, 2, 3):
        size = figures.get(f"scale_up.level{level}_size")
        rate = figures.get(f"scale_up.level{level}_bandwidth")
        if size is None or rate is None or size["value"] <= 1:
            continue
        yield f"level {level}: {size['value']:g} members, {_ranged(rate)}"
    for key in ("scale_out.bandwidth", "scale_up.all_to_all", "system.chips", "system.scale"):
        if key in figures:
            yield f"{key}: {_ranged(figures[key])}"


def _ranged(figure: dict[str, Any]) -> str:
    low, high = figure.get("low", figure["value"]), figure.get("high", figure["value"])
    spread = f" ({low:g} to {high:g})" if low != high else ""
    unit = "" if figure["unit"] in ("count", "fraction") else f" {figure['unit']}"
    return f"{figure['value']:g}{unit}{spread}, {figure['kind']}: {figure['source']}"


COLOURS = ("#3b6ea5", "#b5651d", "#4f7f4f", "#7a5195", "#8c564b")


def svg(topology: dict[str, Any]) -> str:
    """The levels as nested boxes, one member of each drawn whole, with links and rates."""
    levels = topology["levels"]
    width, row = 860, 84
    height = 60 + row * (len(levels) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="20" y="28" font-size="17" font-weight="bold">',
        f"{html.escape(topology['title'], quote=False)}</text>",
    ]
    for index, level in enumerate(reversed(levels)):
        parts += _level(level, 50 + index * row, COLOURS[index % len(COLOURS)])
    y = 50 + len(levels) * row
    parts += [
        f'<rect x="20" y="{y}" width="90" height="44" rx="5" fill="#333"/>',
        f'<text x="65" y="{y + 27}" fill="white" text-anchor="middle">chip</text>',
        f'<text x="130" y="{y + 18}">{topology["cores"] // topology["chips"]} cores, '
        f"{topology['chip_gbps']:.0f} GB/s to other chips, one direction</text>",
        f'<text x="130" y="{y + 37}">bisection of the system '
        f"{topology['bisection_gbps'] / 1e3:.2f} TB/s, at "
        f"{html.escape(topology['bisection_at'], quote=False)}</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _level(level: dict[str, Any], y: int, colour: str) -> list[str]:
    shown = min(int(level["size"]), 9)
    parts = [
        f'<rect x="20" y="{y}" width="820" height="72" rx="6" fill="none" stroke="{colour}"/>',
        f'<text x="30" y="{y + 19}" fill="{colour}" font-weight="bold">'
        f"{html.escape(level['name'], quote=False)}: {level['join']} of {level['size']}</text>",
    ]
    row = _row(level)
    parts.append(
        f'<text x="400" y="{y + 19}">{row[4]} links, {row[5]} lanes, {row[6]} GB/s a chip, '
        f"{row[7]}, cut {row[8]}</text>"
    )
    xs = [40 + i * 80 for i in range(shown)]
    middle = y + 50
    if level["join"] in ("switch", "network"):
        parts.append(
            f'<line x1="{xs[0]}" y1="{y + 30}" x2="{xs[-1] + 44}" y2="{y + 30}" '
            f'stroke="{colour}" stroke-width="4"/>'
        )
        parts += [
            f'<line x1="{x + 22}" y1="{y + 30}" x2="{x + 22}" y2="{middle - 11}" '
            f'stroke="{colour}"/>'
            for x in xs
        ]
    else:
        parts += [
            f'<line x1="{x + 44}" y1="{middle}" x2="{x + 80}" y2="{middle}" stroke="{colour}"/>'
            for x in xs[:-1]
        ]
        if level["join"] == "ring" and shown > 2:
            parts.append(
                f'<path d="M{xs[0] + 22} {middle + 11} v7 H{xs[-1] + 22} v-7" fill="none" '
                f'stroke="{colour}"/>'
            )
    parts += [
        f'<rect x="{x}" y="{middle - 11}" width="44" height="22" rx="3" fill="{colour}"/>'
        for x in xs
    ]
    if shown < level["size"]:
        parts.append(f'<text x="{xs[-1] + 56}" y="{middle + 5}">... {level["size"]}</text>')
    return parts
