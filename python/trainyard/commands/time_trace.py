"""trainyard time TRACE.et: an execution trace of another accelerator, timed on a system."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trainyard import UsageError
from trainyard.commands import exit_codes, output

if TYPE_CHECKING:
    from trainyard.execution import Timing
    from trainyard.execution.schedule import Row

SCHEMA = "trainyard.execution_trace/1"
ROWS_MAX = 12


def is_trace(script: str) -> bool:
    """Whether the command's script is an execution trace."""
    return Path(script).suffix == ".et"


def run(options: argparse.Namespace) -> int:
    """Times the trace; its arguments may be cast=bf16."""
    from trainyard.execution import read, time_on

    if options.what_if or options.baseline or options.fail_if or options.interval:
        raise UsageError("an execution trace is timed alone: leave out what-if and comparisons")
    cast = ""
    for argument in options.arguments:
        name, _, value = argument.partition("=")
        if name != "cast" or not value:
            raise UsageError(f"{argument!r}: an execution trace takes cast=bf16 or cast=fp8")
        cast = value
    trace = read(options.script)
    timing = time_on(
        trace,
        options.machine or "trn3-gen2",
        None if options.ranks == 1 else options.ranks,
        cast=cast,
        overrides=tuple(options.overrides),
    )
    document = {"trace": options.script, "version": trace.version} | timing.as_dict()
    output.show(options.json, SCHEMA, document, _lines(options.script, timing))
    return exit_codes.OK


def _lines(script: str, timing: Timing) -> Iterator[str]:
    each = "1 chip" if timing.ranks == 1 else f"each of {timing.ranks} chips"
    yield f"{script} on {each} of {timing.system}: {timing.total_us:,.1f} us"
    yield (
        f"  compute {timing.compute_us:,.1f} us at peak rates; collectives "
        f"{timing.collective_us:,.1f} us, of which {timing.exposed_us:,.1f} us while nothing is "
        "computed"
    )
    yield f"  where it was recorded, the accelerator worked {timing.recorded_us:,.0f} us"
    yield ""
    yield f"{'us':>12} {'recorded':>12} {'nodes':>7} {'Gop':>10} {'MB':>10}  what"
    for row in timing.rows[:ROWS_MAX]:
        yield _row(row)
    if len(timing.rows) > ROWS_MAX:
        rest = timing.rows[ROWS_MAX:]
        yield (
            f"{sum(row.us for row in rest):12,.1f} {sum(row.recorded_us for row in rest):12,.0f} "
            f"{sum(row.nodes for row in rest):7d} {'':>10} {'':>10}  {len(rest)} others (--json)"
        )
    if not timing.unknown:
        return
    yield ""
    yield "The trace does not say:"
    for row in timing.unknown:
        nodes = f" ({row.nodes} nodes, {row.recorded_us:,.0f} us as recorded)" if row.nodes else ""
        yield f"  {row.name}{nodes}"


def _row(row: Row) -> str:
    return (
        f"{row.us:12,.1f} {row.recorded_us:12,.0f} {row.nodes:7d} {row.operations / 1e9:10,.2f} "
        f"{row.bytes / 1e6:10,.2f}  {row.name} ({row.lane})"
    )
