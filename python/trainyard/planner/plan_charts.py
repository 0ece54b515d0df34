"""Charts of plans, and the page that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainyard.planner import page, svg
from trainyard.planner.charts import Axis
from trainyard.planner.text import GIB, number
from trainyard.view.sheet import Sheet, quantity

if TYPE_CHECKING:
    from trainyard.planner.plans import TrainPlan, TrainPlans

_WIDTH, _HEIGHT = 760, 420


def days_and_dollars(plans: TrainPlans) -> svg.Drawing:
    """Dollars over days, both in powers of ten; chip hours where no price is public."""
    priced = all("usd" in one.values for one in plans)
    value = "usd" if priced else "chip_hours"
    what = "USD" if priced else "chip hours"
    title = f"{plans.model['title']} on {plans.machine['title']}: {what} over days"
    drawing = svg.Drawing(_WIDTH, _HEIGHT, title)
    drawing.text(10, 20, title)
    if not plans.plans:
        drawing.text(10, 50, plans.why)
        return drawing
    x_axis = Axis([one.values["elapsed_days"] for one in plans], 70, _WIDTH - 150)
    y_axis = Axis([one.values[value] for one in plans], 380, 50)
    for tick in x_axis.ticks():
        drawing.line([(x_axis(tick), 50), (x_axis(tick), 380)], svg.GRID)
        drawing.text(x_axis(tick), 396, number(tick), "middle", svg.MUTED)
    for tick in y_axis.ticks():
        drawing.line([(70, y_axis(tick)), (_WIDTH - 150, y_axis(tick))], svg.GRID)
        drawing.text(64, y_axis(tick) + 4, number(tick), "end", svg.MUTED)
    counts = list(dict.fromkeys(one.asked_chips for one in plans))
    for one in plans:
        color = svg.COLORS[counts.index(one.asked_chips) % 8]
        drawing.dot(x_axis(one.values["elapsed_days"]), y_axis(one.values[value]), 2.5, color)
    best = [(x_axis(p.values["elapsed_days"]), y_axis(p.values[value])) for p in plans.frontier()]
    if len(best) > 1:
        drawing.line(best, svg.INK, 1.5)
    for i, count in enumerate(counts):
        drawing.dot(_WIDTH - 130, 60 + 20 * i, 5, svg.COLORS[i % 8])
        drawing.text(_WIDTH - 118, 64 + 20 * i, f"{count:,} chips")
    return drawing


_HEADS = (
    "chips", "tp", "cp", "ep", "pp", "dp", "microbatch", "recompute", "ZeRO", "schedule", "place",
    "GiB", "step, s", "MFU, %", "bubble, %", "days", "USD",
)  # fmt: skip


def _ranked(plans: TrainPlans) -> list[TrainPlan]:
    return sorted(plans, key=lambda one: one.values["elapsed_days"])


def _cells(plan: TrainPlan) -> list[Any]:
    values = plan.values
    turns = f"{plan.schedule} x{plan.interleave}" if plan.interleave > 1 else plan.schedule
    sizes = [plan.chips, plan.tp, plan.cp, plan.ep, plan.pp, plan.dp, plan.microbatch]
    times = [values["step_seconds"], 100 * values["mfu"], 100 * values["bubble"]]
    rates = [plan.bytes / GIB, *times, values["elapsed_days"]]
    shown = [quantity(number(one), one) for one in rates]
    dollars = quantity(number(values["usd"]), values["usd"]) if "usd" in values else ""
    return [*sizes, plan.recompute, plan.sharing, turns, plan.placement, *shown, dollars]


def sheet_of(plans: TrainPlans, command: str = "") -> Sheet:
    """The page: the ranked table, plots, what moves the answers, every input's source."""
    sheet = Sheet(f"{plans.model['title']} on {plans.machine['title']}: training")
    sheet.code(str(plans))
    if plans.plans:
        sheet.heading("Plans", "by days; click a heading to sort")
        sheet.table(_HEADS, [_cells(plan) for plan in _ranked(plans)])
    priced = all("usd" in one.values for one in plans)
    value, what = ("usd", "USD") if priced else ("chip_hours", "chip hours")
    frontier = [(one.values["elapsed_days"], one.values[value]) for one in plans.frontier()]
    if len(frontier) > 1:
        title = f"{what} over days, of plans that no other one betters"
        sheet.lines(title, "days", what, {plans.machine["name"]: frontier})
    if plans.best is not None:
        sheet.heading("What moves the answers")
        for name in ("elapsed_days", "usd"):
            if (estimate := plans.values.get(name)) and (moved := estimate.moved_by):
                ends = [(one.key, one.at_low, one.at_high) for one in moved[:8]]
                sheet.tornado(f"{plans.machine['name']}: {name}", estimate.value, ends)
    sheet.heading("Inputs")
    page.add_inputs(sheet, plans.machine["name"])
    if command:
        sheet.heading("To repeat it")
        sheet.code(command)
    return sheet
