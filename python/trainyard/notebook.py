"""How results, kernels, programs and machines look in a notebook and at the prompt of Python."""

from __future__ import annotations

import html
import inspect
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from trainyard import plots
from trainyard._core import Machine, Program

_ROWS_MAX = 12
_LINES_MAX = 60


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """An HTML table; numbers stand on the right."""

    def cell(value: object) -> str:
        align = "right" if isinstance(value, (int, float)) else "left"
        text = (
            f"{value:,.4g}"
            if isinstance(value, float)
            else f"{value:,}"
            if (isinstance(value, int))
            else str(value)
        )
        return f'<td style="text-align:{align}">{html.escape(text)}</td>'

    head = "".join(f'<th style="text-align:left">{html.escape(one)}</th>' for one in heads)
    body = "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def time_text(ns: float) -> str:
    """A time in the unit that suits it."""
    if ns >= 1e6:
        return f"{ns / 1e6:.3f} ms"
    return f"{ns / 1e3:.3f} us" if ns >= 1e3 else f"{ns:.1f} ns"


def size_text(count: float) -> str:
    """Bytes with a unit that suits them: "1.5 MiB"."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def of_result(result: Any) -> str:
    """The tables and pictures of a Result."""
    parts = [f"<b>{html.escape(repr(result))}</b>"]
    if result.runs[0].timed:
        parts.append(_result_timeline(result))
        picture = plots.roofline(result.report, f"{result.name}: roofline")
        parts += [picture or "", *_result_tables(result.report)]
    if result.findings:
        rows = [(one["label"], one["rule"], one["found"], one["place"]) for one in result.findings]
        parts.append(table(("finding", "rule", "found", "place"), rows, "Findings"))
    return "<div>" + "\n".join(part for part in parts if part) + "</div>"


def _result_timeline(result: Any) -> str:
    title = f"{result.name} on {result.machine.name}: {time_text(result.time_ns)}"
    return result.timeline_svg() if result.recorded else plots.utilisation(result.report, title)


def _result_tables(report: dict[str, Any]) -> list[str]:
    made = []
    length = report["duration_ticks"]
    rows = []
    for track, shares in plots.shares(report).items():
        parts = dict(shares)
        working, idle = parts.pop("working", 0.0), parts.pop("idle", 0.0)
        if not working:
            continue
        waits = sorted(parts.items(), key=lambda one: -one[1])[:2]
        why = ", ".join(f"{reason} {100 * part:.1f} %" for reason, part in waits if part)
        columns = (f"{100 * part:.1f} %" for part in (working, sum(parts.values()), idle))
        rows.append((track, *columns, why))
    made.append(table(("track", "working", "waiting", "idle", "most waits"), rows, "Time"))
    lines = []
    for line in report.get("lines", [])[:_ROWS_MAX]:
        ticks = sum(line["engine_ticks"].values())
        share = f"{100 * ticks / length:.1f} %"
        lines.append((line["place"], line["mnemonics"], line["executions"], share))
    if lines:
        heads = ("line", "instructions", "executions", "engine time")
        made.append(table(heads, lines, "Source lines"))
    traffic = [
        (row["memory"], row["bytes"]["read"], row["bytes"]["written"])
        for row in report.get("traffic", [])
    ]
    if traffic:
        made.append(table(("memory", "bytes read", "bytes written"), traffic, "Traffic"))
    return made


def of_kernel(kernel: Any) -> str:
    """A Kernel: its signature, where it stands, its documentation, and its last result."""
    function = inspect.unwrap(kernel.function)
    rows = [("signature", kernel_signature(kernel)), ("defined at", place_of(function))]
    if kernel.grid:
        rows.append(("grid", str(kernel.grid)))
    text = inspect.getdoc(function)
    made = f"<b>{html.escape(repr(kernel))}</b>" + table(("kernel", ""), rows)
    if text:
        made += f"<pre>{html.escape(text)}</pre>"
    last = getattr(kernel, "result", None)
    return f"<div>{made}{of_result(last) if last is not None else ''}</div>"


def kernel_signature(kernel: Any) -> str:
    """The kernel's name and parameters."""
    function = kernel.function
    name = getattr(function, "__name__", "kernel")
    try:
        return f"{name}{inspect.signature(function)}"
    except (TypeError, ValueError):
        return f"{name}(...)"


def place_of(function: Any) -> str:
    """FILE:LINE of a function, as far as it is known."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else "unknown"


def _program_html(program: Program) -> str:
    counts = Counter(program.mnemonic(i) for i in range(len(program)))
    rows = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    text = str(program).splitlines()
    shown = "\n".join(text[:_LINES_MAX])
    more = f"\n... {len(text) - _LINES_MAX} more lines" if len(text) > _LINES_MAX else ""
    return (
        f"<div><b>{html.escape(repr(program))}</b>"
        + table(("instruction", "count"), rows)
        + f"<details><summary>text</summary><pre>{html.escape(shown + more)}</pre></details></div>"
    )


def _machine_html(machine: Machine) -> str:
    rows = [
        (one["key"], str(one["value"]), one["unit"], one["kind"], one["source"])
        for one in machine.provenance()
    ]
    kinds = Counter(row[3] for row in rows)
    figures = table(("figure", "value", "unit", "kind", "source"), rows)
    summary = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return (
        f"<div><b>{html.escape(repr(machine))}</b>"
        f"<details><summary>{len(rows)} figures: {summary}</summary>{figures}</details></div>"
    )


def of_core(value: Program | Machine) -> str:
    """A program or a machine: what the notebook shows of it."""
    return _program_html(value) if isinstance(value, Program) else _machine_html(value)
