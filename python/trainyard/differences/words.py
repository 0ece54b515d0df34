"""A diff in words: text for a terminal, Markdown for a pull request, tables for a notebook."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from trainyard import notebook

if TYPE_CHECKING:
    from trainyard.differences.runs import Change, Diff, LineChange, RunDiff
    from trainyard.view.sheet import Sheet

ROWS_MAX = 12
WIDTH = 120
_LINE_HEADS = ("executions", "line", "source")


@dataclass(frozen=True)
class Table:
    """A caption, heads and rows of text; columns in `numbers` are aligned right."""

    caption: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    numbers: frozenset[int]
    left_out: int = 0

    @property
    def title(self) -> str:
        """The caption, and how many rows are not shown."""
        return f"{self.caption} ({self.left_out} more)" if self.left_out else self.caption


def plain(diff: Diff, rows_max: int, width: int) -> str:
    """The whole diff for a terminal."""
    parts = []
    for one in diff.runs:
        lines = [headline(one), *(f"  {line}" for line in _facts(one))]
        parts.append("\n".join(lines))
        parts += [_plain_table(table, width) for table in _tables(one, rows_max)]
    return "\n\n".join([*parts, *_unmatched(diff)]) + "\n"


def markdown(diff: Diff, rows_max: int) -> str:
    """The whole diff as Markdown."""
    parts = []
    for one in diff.runs:
        parts.append(f"### {headline(one)}")
        parts.append("\n".join(f"- {line}" for line in _facts(one)))
        parts += [_markdown_table(table) for table in _tables(one, rows_max)]
    return "\n\n".join([*parts, *_unmatched(diff)]) + "\n"


def as_html(diff: Diff) -> str:
    """The whole diff as tables for a notebook."""
    parts = []
    for one in diff.runs:
        parts.append(f"<b>{html.escape(headline(one))}</b>")
        facts = "".join(f"<li>{html.escape(line)}</li>" for line in _facts(one))
        parts.append(f"<ul>{facts}</ul>" if facts else "")
        parts += [notebook.table(t.heads, t.rows, t.title) for t in _tables(one, ROWS_MAX)]
    parts += [f"<p>{html.escape(line)}</p>" for line in _unmatched(diff)]
    return "<div>" + "\n".join(part for part in parts if part) + "</div>"


def sheet_of(diff: Diff) -> Sheet:
    """The whole diff as a page."""
    from trainyard.view.sheet import Sheet

    sheet = Sheet("What changed between two runs")
    for one in diff.runs:
        sheet.heading(headline(one))
        for line in _facts(one):
            sheet.text(line)
        times = {"before": one.time.before, "after": one.time.after}
        sheet.bars("time", {name: (_time(ns), ns, ns, ns) for name, ns in times.items() if ns})
        for found in _tables(one, ROWS_MAX):
            sheet.heading(found.caption)
            sheet.table(found.heads, found.rows)
    for line in _unmatched(diff):
        sheet.text(line)
    return sheet


def headline(one: RunDiff) -> str:
    """The kernel, both times and how far they are apart."""
    name = one.after.title
    if one.before.kernel != one.after.kernel:
        name = f"{one.before.title} -> {name}"
    times = f"{_time(one.time.before)} -> {_time(one.time.after)}"
    if one.time.difference == 0:
        return f"{name}: {_time(one.time.after)} in both"
    return f"{name}: {times}, {_word(one.time)}"


def _word(time: Change) -> str:
    faster = "shorter" if time.difference < 0 else "longer"
    share = abs(100 * (time.share or 0.0))
    return f"{_time(abs(time.difference))} ({share:.2f} %) {faster}"


def _facts(one: RunDiff) -> Iterable[str]:
    if one.bound[0] == one.bound[1]:
        yield f"bound by {one.bound[1]} in both"
    else:
        yield f"bound by {one.bound[0]} -> {one.bound[1]}"
    if one.light.before is not None and one.light.after is not None:
        shares = f"{100 * one.light.before:.1f} % -> {100 * one.light.after:.1f} %"
        yield f"speed of light: {shares}"
    if one.as_written.before != one.as_written.after:
        yield f"as written: {_time(one.as_written.before)} -> {_time(one.as_written.after)}"
    yield from one.notes


def _tables(one: RunDiff, rows_max: int) -> Iterable[Table]:
    def made(
        caption: str, heads: Sequence[str], rows: list[tuple[str, ...]], numbers: set[int]
    ) -> Iterable[Table]:
        if rows:
            shown = rows[:rows_max]
            yield Table(caption, tuple(heads), shown, frozenset(numbers), len(rows) - len(shown))

    waits = [
        (*_numbers(change, _time), reason.replace("waiting_", "waiting for "), track)
        for track, reason, change in one.waits
    ]
    heads = ("before", "after", "change")
    yield from made("Engines and queues", (*heads, "doing", "track"), waits, {0, 1, 2})
    traffic = [
        (*_numbers(change, _bytes), f"{memory} {direction}")
        for memory, direction, change in one.traffic
        if change.difference
    ]
    yield from made("Bytes", (*heads, "memory"), traffic, {0, 1, 2})
    differing = [line for line in one.lines if line.differs]
    with_path = any(line.path is not None for line in differing)
    rows = [_line_row(line, with_path) for line in differing]
    columns = (*heads, "waits", *(("critical path",) if with_path else ()), *_LINE_HEADS)
    numbers = set(range(len(columns) - len(_LINE_HEADS)))
    yield from made("Source lines, by engine time", columns, rows, numbers)
    instructions = [
        (*_numbers(row.busy, _time), _counts(row.executions), row.mnemonics)
        for row in one.instructions
        if row.differs
    ]
    columns = (*heads, "executions", "instruction")
    yield from made("Instructions, by engine time", columns, instructions, {0, 1, 2})


def _numbers(change: Change, unit: Callable[[float | None], str]) -> tuple[str, str, str]:
    return unit(change.before), unit(change.after), _signed(change.difference, unit)


def _signed(difference: float, unit: Callable[[float | None], str]) -> str:
    return f"{'-' if difference < 0 else '+'}{unit(abs(difference))}" if difference else "="


def _line_row(line: LineChange, with_path: bool) -> tuple[str, ...]:
    changes = [line.waiting.difference]
    if with_path:
        changes.append(line.path.difference if line.path else 0.0)
    shown = (_signed(one, _time) for one in changes)
    text = line.source or line.mnemonics
    return (*_numbers(line.busy, _time), *shown, _counts(line.executions), _places(line), text)


def _places(line: LineChange) -> str:
    before, after = (
        PurePath(place.splitlines()[0]).name if place else ""
        for place in (line.place_before, line.place_after)
    )
    if not before and not after:
        return "unknown"
    if not before or not after:
        return f"{after} (new)" if after else f"{before} (gone)"
    if before == after:
        return after
    file, _, number = after.rpartition(":")
    return f"{before} -> {number}" if before.rpartition(":")[0] == file else f"{before} -> {after}"


def _counts(change: Change) -> str:
    before, after = int(change.before or 0), int(change.after or 0)
    return f"x{after}" if before == after else f"x{before} -> x{after}"


def _time(ns: float | None) -> str:
    return "-" if ns is None else notebook.time_text(ns)


def _bytes(count: float | None) -> str:
    if count is None:
        return "-"
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if abs(count) >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count:.0f} B"


def _unmatched(diff: Diff) -> list[str]:
    lines = []
    for runs, which in ((diff.only_before, "before"), (diff.only_after, "after")):
        if runs:
            lines.append(f"only {which}: {', '.join(run.title for run in runs)}")
    return lines


def _plain_table(table: Table, width: int) -> str:
    cells = [table.heads, *table.rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.heads))]

    def line(row: Sequence[str]) -> str:
        columns = (
            cell.rjust(wide) if i in table.numbers else cell.ljust(wide)
            for i, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        text = f"  {'  '.join(columns)}".rstrip()
        return text if len(text) <= width else f"{text[: width - 3]}..."

    return "\n".join([table.title, *map(line, cells)])


def _markdown_table(table: Table) -> str:
    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    bars = ("--:" if i in table.numbers else "---" for i in range(len(table.heads)))
    rows = (
        (*row[:-1], f"`{row[-1].replace('`', chr(39))}`") if table.heads[-1] == "source" else row
        for row in table.rows
    )
    return "\n".join(
        [f"**{table.title}**", "", line(table.heads), f"|{'|'.join(bars)}|", *map(line, rows)]
    )
