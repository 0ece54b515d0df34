"""Pictures of a run as SVG: where each engine and queue spent the time, and the roofline.

The text is the same for the same run on every host, so that pictures in documents can be compared.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable
from typing import Any

_WIDTH, _LEFT, _ROW = 860, 170, 18
_COLUMNS = 600  # of the timeline's time axis
_KINDS = {
    "engine": "#2563a8",
    "queue": "#3c8f5a",
    "dma": "#7a5fb0",
    "memory": "#b0722e",
    "other": "#5a6570",
}
_WAITING, _TEXT, _AXIS = "#ead9c2", "#24292f", "#8c959f"
_ENGINES = ("tensor", "vector", "scalar", "gpsimd", "sync")


DMA_ENGINES = "DMA engines"


def merged(track: str) -> str:
    """The row that a track is shown in: the DMA engines, which work side by side, share one."""
    return DMA_ENGINES if re.fullmatch(r"dma\d+", track) else track


def shares(report: dict[str, Any]) -> dict[str, dict[str, float]]:
    """By row, the share of the run for each reason; of the DMA engines, their mean."""
    found: dict[str, list[dict[str, int]]] = {}
    for track in report["tracks"]:
        found.setdefault(merged(track["name"]), []).append(track["ticks"])
    made = {}
    for row, ticks in found.items():
        total = sum(sum(one.values()) for one in ticks) or 1
        reasons = sorted({reason for one in ticks for reason in one})
        made[row] = {r: sum(one.get(r, 0) for one in ticks) / total for r in reasons}
    return made


def _kind(track: str) -> str:
    if track == DMA_ENGINES:
        return "dma"
    if track in _ENGINES:
        return "engine"
    if track.startswith("hbm"):
        return "memory"
    if track.startswith("dma"):
        return "dma"
    return "queue" if " " in track else "other"


def _svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    name = html.escape(title)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{name}" '
        'font-family="system-ui, sans-serif" font-size="11">',
        f"<title>{name}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = _TEXT) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}">{html.escape(text)}</text>'
    )


def _time(ns: float) -> str:
    if ns >= 1e6:
        return f"{ns / 1e6:.4g} ms"
    return f"{ns / 1e3:.4g} us" if ns >= 1e3 else f"{ns:.4g} ns"


def _ticks(top: float) -> list[float]:
    """Round numbers from 0 to at most `top`."""
    if top <= 0:
        return [0.0]
    step = 10.0 ** math.floor(math.log10(top))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if top / s <= 6)
    return [step * i for i in range(int(top / step) + 1)]


def _spans(rows: list[tuple[str, float, float]], end: float) -> list[tuple[int, int, str]]:
    """(first column, end, reason) for what fills most of each column of a track."""
    filled: list[dict[str, float]] = [{} for _ in range(_COLUMNS)]
    scale = _COLUMNS / end
    for reason, begin, stop in rows:
        a, b = begin * scale, stop * scale
        for column in range(int(a), min(math.ceil(b), _COLUMNS)):
            part = min(b, column + 1) - max(a, column)
            filled[column][reason] = filled[column].get(reason, 0.0) + part
    made: list[tuple[int, int, str]] = []
    for column, parts in enumerate(filled):
        reason = max(parts, key=lambda one: (parts[one], one)) if parts else "idle"
        if reason == "idle" and parts.get("working", 0.0) > 0.05:
            reason = "working"
        if made and made[-1][2] == reason:
            made[-1] = (made[-1][0], column + 1, reason)
        else:
            made.append((column, column + 1, reason))
    return made


def timeline(intervals: Iterable[tuple[str, str, float, float]], end_ns: float, title: str) -> str:
    """What each track did: (track, reason, begin, end in ns), as one row of colours a track.

    Tracks that never worked are left out. A column of the picture shows what filled most of it.
    """
    tracks: dict[str, list[tuple[str, float, float]]] = {}
    engines = set()
    for track, reason, begin, stop in intervals:
        row = merged(track)
        tracks.setdefault(row, []).append((reason, begin, stop))
        if row != track:
            engines.add(track)
    tracks = {
        track: rows for track, rows in tracks.items() if any(row[0] == "working" for row in rows)
    }
    order = sorted(tracks, key=lambda track: (list(_KINDS).index(_kind(track)), _place(track)))
    parts = [_text(8, 20, title)]
    y = 34
    for track in order:
        name = f"{track} ({len(engines)})" if track == DMA_ENGINES else track
        parts.append(_text(_LEFT - 8, y + 12, name, "end"))
        for first, stop, reason in _spans(tracks[track], end_ns):
            if reason == "idle":
                continue
            fill = _KINDS[_kind(track)] if reason == "working" else _WAITING
            parts.append(
                f'<rect x="{_LEFT + first}" y="{y}" width="{stop - first}" height="{_ROW - 4}" '
                f'fill="{fill}"><title>{html.escape(track)}: {html.escape(reason)}</title></rect>'
            )
        y += _ROW
    parts.append(f'<path d="M{_LEFT} {y + 2}H{_LEFT + _COLUMNS}" stroke="{_AXIS}"/>')
    for tick in _ticks(end_ns):
        x = _LEFT + tick / end_ns * _COLUMNS
        parts.append(f'<path d="M{x:.1f} {y + 2}v4" stroke="{_AXIS}"/>')
        parts.append(_text(round(x, 1), y + 17, _time(tick), "middle", _AXIS))
    parts.append(_legend(y + 30))
    return _svg(_WIDTH, y + 44, title, parts)


def _place(track: str) -> tuple[int, str]:
    return (_ENGINES.index(track) if track in _ENGINES else len(_ENGINES), track)


def _legend(y: float) -> str:
    parts, x = [], _LEFT
    names = {"engine": "engines", "queue": "DMA queues", "dma": "DMA engines", "memory": "HBM"}
    for fill, name in [*((_KINDS[kind], name) for kind, name in names.items()), (_WAITING, "wait")]:
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{fill}"/>')
        parts.append(_text(x + 14, y, name))
        x += 110
    return "".join(parts)


def utilisation(report: dict[str, Any], title: str) -> str:
    """The share of the run that each track worked and waited, for a run without a trace."""
    rows = [
        (row, parts["working"], 1 - parts["working"] - parts.get("idle", 0.0))
        for row, parts in shares(report).items()
        if parts.get("working")
    ]
    parts, y = [_text(8, 20, title)], 34
    for name, working, waiting in rows:
        parts.append(_text(_LEFT - 8, y + 12, name, "end"))
        wide, wait = working * _COLUMNS, waiting * _COLUMNS
        fill = _KINDS[_kind(name)]
        parts.append(
            f'<rect x="{_LEFT}" y="{y}" width="{wide:.1f}" height="{_ROW - 4}" fill="{fill}"/>'
            f'<rect x="{_LEFT + wide:.1f}" y="{y}" width="{wait:.1f}" height="{_ROW - 4}" '
            f'fill="{_WAITING}"/>'
        )
        parts.append(_text(_LEFT + _COLUMNS + 8, y + 12, f"{100 * working:.1f} %"))
        y += _ROW
    parts.append(_legend(y + 16))
    return _svg(_WIDTH, y + 30, title, parts)


def roofline(report: dict[str, Any], title: str) -> str | None:
    """Arithmetic against bytes of HBM on logarithmic axes; None for a run without arithmetic."""
    found = report.get("roofline") or {}
    reached, peak = found.get("teraflops", 0.0), found.get("teraflops_peak", 0.0)
    intensity, ridge = found.get("flop_per_hbm_byte", 0.0), found.get("ridge", 0.0)
    if min(reached, peak, intensity, ridge) <= 0:
        return None
    width, height, left, bottom, top = 520, 320, 70, 270, 44
    x0 = math.floor(math.log10(min(intensity, ridge) / 3))
    x1 = math.ceil(math.log10(max(intensity, ridge) * 3))
    attained = min(peak, peak * intensity / ridge)
    y0 = math.floor(math.log10(min(reached, attained, peak * 10.0**x0 / ridge)))
    y1 = math.ceil(math.log10(peak * 1.2))

    def x(value: float) -> float:
        return left + (math.log10(value) - x0) / (x1 - x0) * (width - left - 24)

    def y(value: float) -> float:
        return bottom - (math.log10(value) - y0) / (y1 - y0) * (bottom - top)

    parts = [_text(8, 20, title)]
    for power in range(x0, x1 + 1):
        at = x(10.0**power)
        parts.append(f'<path d="M{at:.1f} {top}V{bottom}" stroke="#e5e8eb"/>')
        parts.append(_text(round(at, 1), bottom + 16, f"{10.0**power:g}", "middle", _AXIS))
    for power in range(y0, y1 + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{left} {at:.1f}H{width - 24}" stroke="#e5e8eb"/>')
        parts.append(_text(left - 6, round(at + 4, 1), f"{10.0**power:g}", "end", _AXIS))
    low = 10.0**x0
    parts.append(
        f'<path d="M{x(low):.1f} {y(peak * low / ridge):.1f}L{x(ridge):.1f} {y(peak):.1f}'
        f'H{width - 24}" fill="none" stroke="{_KINDS["engine"]}" stroke-width="2"/>'
    )
    parts.append(
        f'<path d="M{x(intensity):.1f} {y(reached):.1f}V{y(attained):.1f}" stroke="{_AXIS}" '
        'stroke-dasharray="3 3"/>'
        f'<circle cx="{x(intensity):.1f}" cy="{y(reached):.1f}" r="5" fill="#c0392b"/>'
    )
    near = x(intensity) > width - 200
    label = f"{reached:.3g} of {attained:.3g} TFLOP/s"
    dx, anchor = (-9, "end") if near else (9, "start")
    parts.append(_text(round(x(intensity) + dx, 1), round(y(reached) + 4, 1), label, anchor))
    parts.append(_text(width - 24, round(y(peak) - 6, 1), f"peak {peak:.4g} TFLOP/s", "end"))
    parts.append(_text((left + width) / 2, bottom + 36, "FLOP per byte of HBM traffic", "middle"))
    parts.append(_text(8, top - 8, "TFLOP/s"))
    return _svg(width, height, title, parts)
