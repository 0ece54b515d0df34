"""Charts of a comparison."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from trainyard.planner import svg, text

if TYPE_CHECKING:
    from trainyard.planner.results import Comparison, Estimate

_LEFT, _WIDTH, _ROW = 150, 760, 30


def bars(comparison: Comparison, value: str) -> svg.Drawing:
    """One bar a machine with its interval. Raises KeyError for a value that there is not."""
    headings = dict(text.columns(comparison))
    found = {row.machine: row.values[value] for row in comparison.rows if value in row.values}
    if not found and value not in headings:
        raise KeyError(value)
    missing = [row.machine for row in comparison.rows if value not in row.values]
    heading = headings[value] if value in headings else next(iter(found.values())).unit
    title = f"{comparison.model['title']}: {heading} ({value})"
    return interval_bars(title, found, missing)


def interval_bars(
    title: str, found: dict[str, Estimate], missing: list[str] | None = None
) -> svg.Drawing:
    """Horizontal bars with intervals; `missing` are named without a bar."""
    names = [*found, *(missing or [])]
    drawing = svg.Drawing(_WIDTH, 60 + _ROW * len(names), title)
    drawing.text(10, 20, title)
    most = max((one.high for one in found.values()), default=0) or 1.0
    scale = (_WIDTH - _LEFT - 220) / most
    for i, name in enumerate(names):
        y = 40 + _ROW * i
        drawing.text(_LEFT - 8, y + 15, name, "end")
        one = found.get(name)
        if one is None:
            drawing.text(_LEFT, y + 15, "no answer", color=svg.MUTED)
            continue
        drawing.rectangle(_LEFT, y, max(1.0, one.value * scale), 20, svg.COLORS[i % 8])
        low, high = _LEFT + one.low * scale, _LEFT + one.high * scale
        drawing.line([(low, y + 10), (high, y + 10)], svg.INK, 1.5)
        for end in (low, high):
            drawing.line([(end, y + 5), (end, y + 15)], svg.INK, 1.5)
        drawing.text(high + 8, y + 15, str(one))
    return drawing


def tornado(title: str, estimate: Estimate) -> svg.Drawing:
    """How far each figure alone moves a value."""
    rows = estimate.moved_by[:8]
    drawing = svg.Drawing(_WIDTH, 60 + 24 * len(rows), title)
    drawing.text(10, 20, title)
    ends = [end for one in rows for end in (one.at_low, one.at_high)] + [estimate.value]
    low, high = min(ends), max(ends)
    left, right = 260, _WIDTH - 70
    scale = (right - left) / ((high - low) or 1)
    for i, one in enumerate(rows):
        y = 36 + 24 * i
        begin, end = sorted((one.at_low, one.at_high))
        drawing.text(left - 64, y + 13, one.key, "end")
        drawing.rectangle(
            left + (begin - low) * scale, y, max(1.0, (end - begin) * scale), 17, svg.COLORS[0]
        )
        drawing.text(left + (begin - low) * scale - 4, y + 13, text.number(begin), "end", svg.MUTED)
        drawing.text(left + (end - low) * scale + 4, y + 13, text.number(end), color=svg.MUTED)
    middle = left + (estimate.value - low) * scale
    drawing.line([(middle, 32), (middle, 38 + 24 * len(rows))], svg.INK)
    return drawing


def pareto(comparison: Comparison) -> svg.Drawing:
    """Output a chip over speed for a user, both in powers of ten."""
    title = f"{comparison.model['title']}: output tok/s/chip over tok/s/user"
    drawing = svg.Drawing(_WIDTH, 420, title)
    drawing.text(10, 20, title)
    curves = {
        row.machine: [(p["mean_intvty"], p["output_tput_per_gpu"]) for p in row.frontier]
        for row in comparison.rows
        if row.frontier
    }
    points = [point for curve in curves.values() for point in curve]
    if not points:
        drawing.text(10, 50, "no curves: a plan was given, or the model makes no tokens")
        return drawing
    x_axis = Axis([x for x, _ in points], 60, _WIDTH - 170)
    y_axis = Axis([y for _, y in points], 380, 50)
    for decade in x_axis.decades():
        drawing.line([(x_axis(decade), 50), (x_axis(decade), 380)], svg.GRID)
        drawing.text(x_axis(decade), 396, text.number(decade), "middle", svg.MUTED)
    for decade in y_axis.decades():
        drawing.line([(60, y_axis(decade)), (_WIDTH - 170, y_axis(decade))], svg.GRID)
        drawing.text(54, y_axis(decade) + 4, text.number(decade), "end", svg.MUTED)
    for i, (name, curve) in enumerate(curves.items()):
        color = svg.COLORS[i % 8]
        drawing.line([(x_axis(x), y_axis(y)) for x, y in curve], color, 2)
        for x, y in curve:
            drawing.dot(x_axis(x), y_axis(y), 2.5, color)
        drawing.dot(_WIDTH - 150, 60 + 20 * i, 5, color)
        drawing.text(_WIDTH - 138, 64 + 20 * i, name)
    return drawing


class Axis:
    """A logarithmic axis: values to pixels."""

    def __init__(self, values: list[float], begin: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.begin, self.end = begin, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Once, twice and five times each power of ten within the values' range of decades."""
        return [step * decade for decade in self.decades()[:-1] for step in (1, 2, 5)] + [
            self.decades()[-1]
        ]

    def decades(self) -> list[float]:
        """The powers of ten on the axis."""
        return [10.0**power for power in range(self.low, self.high + 1)]
