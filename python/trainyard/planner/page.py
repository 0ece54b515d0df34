"""A comparison as one HTML page: answers, plots, what moves them, every input with its source."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING

from trainyard import _core
from trainyard.planner import charts, text

if TYPE_CHECKING:
    from trainyard.planner.results import Comparison, Estimate, Row

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2933; max-width: 1200px; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: 3px 12px 3px 0;
  text-align: left; border-bottom: 1px solid #e4e7eb; vertical-align: top; }
small, .muted { color: #52606d; } .answers td, .answers small { white-space: nowrap; }
pre { background: #f5f7fa; padding: 8px; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
"""


def document(title: str, body: list[str]) -> str:
    """A page that needs no other file."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body>\n"
        f"<h1>{html.escape(title)}</h1>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def table(heads: list[str], rows: list[list[str]]) -> str:
    """An HTML table of plain texts."""
    head = "".join(f"<th>{html.escape(one)}</th>" for one in heads)
    lines = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n"
        for row in rows
    )
    return f"<table><tr>{head}</tr>\n{lines}</table>"


def answers(heads: list[str], rows: list[list[str]]) -> str:
    """A table whose cells have their interval, "(1 to 3)", on a line of its own."""
    whole = table(heads, rows).replace(
        "<table>", '<div style="overflow-x: auto"><table class=answers>'
    )
    return (
        re.sub(r"<td>([^<]*) (\([^<]* to [^<]*\))</td>", r"<td>\1<br><small>\2</small></td>", whole)
        + "</div>"
    )


def comparison(result: Comparison, command: str) -> str:
    """The whole page."""
    columns = text.columns(result)
    body = [
        "<p>One analytic model for every machine: rooflines by phase and format, collectives by "
        "schedule where the links are described, else by ring, tree or switch. Each value stands "
        "with the bracket that the documented ranges of its inputs allow.</p>",
        answers(
            ["machine", "plan", *(heading for _, heading in columns)],
            [
                [one.machine, how, *(str(values.get(name, "")) for name, _ in columns)]
                for one in result.rows
                for how, values in _ways(one)
            ],
        ),
    ]
    body += _exact(result, columns[0])
    collectives = [(row.machine, text.collectives_text(row)) for row in result.rows if row.plan]
    if any(line for _, line in collectives):
        lines = [f"{machine}: {line}" for machine, line in collectives if line]
        body.append("<p>" + "<br>".join(html.escape(line) for line in lines) + "</p>")
    never = text.unchecked(result)
    if never:
        body.append(
            f"<p>Never checked against a published measurement of a whole model: "
            f"{html.escape(', '.join(never))}; "
            "their reach is an estimate.</p>"
        )
    unknown = sorted({key for row in result.rows for key in row.unknown})
    if unknown:
        body.append(f"<p>Not published: {html.escape(', '.join(unknown))}.</p>")
    for name, _ in columns:
        if any(name in row.values for row in result.rows):
            body.append(charts.bars(result, name).svg)
    if any(row.frontier for row in result.rows):
        body.append(charts.pareto(result).svg)
    body += ["<h2>What moves the answers</h2>"]
    first = columns[0][0]
    for row in result.rows:
        if first in row.values and row.values[first].moved_by:
            body.append(charts.tornado(f"{row.machine}: {first}", row.values[first]).svg)
    body += ["<h2>Inputs</h2>", *(inputs(row.machine) for row in result.rows)]
    body += [_repeat(result, command)]
    return document(f"{result.model['title']}: {result.phase}", body)


def _ways(row: Row) -> list[tuple[str, dict[str, Estimate]]]:
    """The answers of a row: of simulated layers those of the analytic model, too."""
    if row.plan is None:
        return [(row.why, {})]
    plan = text.plan_text(row.plan)
    if not row.analytic:
        return [(plan, row.values)]
    return [(f"{plan}: simulated layers", row.values), (f"{plan}: modelled", row.analytic)]


def _exact(result: Comparison, headline: tuple[str, str]) -> list[str]:
    """The simulated layers of each row."""
    simulated = [row for row in result.rows if row.exact is not None]
    if not simulated:
        return []
    body = [
        "<h2>Exact layers</h2>",
        "<p>One core's share of the plan's layers, simulated instruction by instruction, their "
        "collectives on the links of the system; beside the analytic model. Bars show answers by "
        "simulated layers where there are any, curves of throughput over speed the model's.</p>",
    ]
    for row in simulated:
        lines = [*text.tried_lines(row, *headline), *text.exact_lines(row.exact)]
        shown = html.escape("\n".join(lines).strip())
        body.append(f"<h3>{html.escape(row.machine)}</h3><pre>{shown}</pre>")
    return body


def inputs(machine: str) -> str:
    """Every figure of a machine with its source, folded up."""
    described = json.loads(_core.accelerator_document(machine))
    rows = [
        [
            one["key"],
            text.interval(one["low"], one["value"], one["high"], one["unit"]),
            one["kind"],
            one["date"],
            one["source"],
        ]
        for one in described["figures"]
    ]
    heads = ["figure", "value", "kind", "date", "source"]
    title = html.escape(described["title"])
    return f"<details><summary>{title}</summary>{table(heads, rows)}</details>"


def _repeat(result: Comparison, command: str) -> str:
    asked = html.escape(json.dumps(result.asked, indent=1))
    line = f"<pre>{html.escape(command)}</pre>" if command else ""
    return (
        f"<h2>To repeat it</h2>{line}<pre>{asked}</pre>"
        f"<p class=muted>trainyard {_core.__version__}</p>"
    )
