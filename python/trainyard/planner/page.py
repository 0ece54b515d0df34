"""A comparison as one page: answers, plots, what moves them, every input with its source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from trainyard import _core
from trainyard.planner import text
from trainyard.view.sheet import Sheet, quantity

if TYPE_CHECKING:
    from trainyard.planner.results import Comparison, Estimate, Row


def sheet_of(result: Comparison, command: str) -> Sheet:
    """The whole page."""
    sheet = Sheet(f"{result.model['title']}: {result.phase}")
    columns = text.columns(result)
    sheet.text(
        "One analytic model for every machine: rooflines by phase and format, collectives by "
        "schedule where the links are described, else by ring, tree or switch. Each value stands "
        "with the bracket that the documented ranges of its inputs allow."
    )
    sheet.table(
        ["machine", "plan", *(heading for _, heading in columns)],
        [
            [one.machine, how, *(_cell(values.get(name)) for name, _ in columns)]
            for one in result.rows
            for how, values in _ways(one)
        ],
    )
    _add_exact(sheet, result, columns[0])
    for row in result.rows:
        if row.plan and (line := text.collectives_text(row)):
            sheet.text(f"{row.machine}: {line}")
    if never := text.unchecked(result):
        sheet.text(
            "Never checked against a published measurement of a whole model: "
            f"{', '.join(never)}; their reach is an estimate."
        )
    if unknown := sorted({key for row in result.rows for key in row.unknown}):
        sheet.text(f"Not published: {', '.join(unknown)}.")
    _add_charts(sheet, result, columns)
    sheet.heading("Inputs")
    for row in result.rows:
        add_inputs(sheet, row.machine)
    sheet.heading("To repeat it")
    if command:
        sheet.code(command)
    sheet.code(json.dumps(result.asked, indent=1))
    return sheet


def _cell(estimate: Estimate | None) -> Any:
    """A value with its bracket below."""
    if estimate is None:
        return ""
    shown, _, bracket = str(estimate).partition(" (")
    return quantity(shown, estimate.value, f"({bracket}" if bracket else "")


def _ways(row: Row) -> list[tuple[str, dict[str, Estimate]]]:
    """The answers of a row: of simulated layers those of the analytic model, too."""
    if row.plan is None:
        return [(row.why, {})]
    plan = text.plan_text(row.plan)
    if not row.analytic:
        return [(plan, row.values)]
    return [(f"{plan}: simulated layers", row.values), (f"{plan}: modelled", row.analytic)]


def bar_of(estimate: Estimate | None) -> tuple[str, float, float, float] | None:
    """An estimate as a bar of a chart."""
    if estimate is None:
        return None
    return str(estimate), estimate.value, estimate.low, estimate.high


def _add_charts(sheet: Sheet, result: Comparison, columns: tuple[tuple[str, str], ...]) -> None:
    for name, heading in columns:
        if any(name in row.values for row in result.rows):
            bars = {row.machine: bar_of(row.values.get(name)) for row in result.rows}
            sheet.bars(f"{heading} ({name})", bars)
    if any(row.frontier for row in result.rows):
        sheet.lines(
            "Output of a chip over speed for a user",
            "tok/s/user",
            "tok/s/chip",
            {
                row.machine: [(p["mean_intvty"], p["output_tput_per_gpu"]) for p in row.frontier]
                for row in result.rows
                if row.frontier
            },
        )
    sheet.heading("What moves the answers")
    first = columns[0][0]
    for row in result.rows:
        if first in row.values and (moved := row.values[first].moved_by):
            ends = [(one.key, one.at_low, one.at_high) for one in moved[:8]]
            sheet.tornado(f"{row.machine}: {first}", row.values[first].value, ends)


def _add_exact(sheet: Sheet, result: Comparison, headline: tuple[str, str]) -> None:
    """The simulated layers of each row."""
    simulated = [row for row in result.rows if row.exact is not None]
    if not simulated:
        return
    sheet.heading("Exact layers")
    sheet.text(
        "One core's share of the plan's layers, simulated instruction by instruction, their "
        "collectives on the links of the system; beside the analytic model. Bars show answers by "
        "simulated layers where there are any, curves of throughput over speed the model's."
    )
    for row in simulated:
        lines = [*text.tried_lines(row, *headline), *text.exact_lines(row.exact)]
        sheet.code("\n".join([f"{row.machine}", *lines]).strip())


def add_inputs(sheet: Sheet, machine: str) -> None:
    """Every figure of a machine with its source, folded up."""
    described = json.loads(_core.accelerator_document(machine))
    sheet.table(
        ["figure", "value", "kind", "date", "source"],
        [
            [
                one["key"],
                text.interval(one["low"], one["value"], one["high"], one["unit"]),
                one["kind"],
                one["date"],
                one["source"],
            ]
            for one in described["figures"]
        ],
        folded=described["title"],
    )
