"""Simulates published kernels from their checkouts and compares the times.

    tools/nki_suite --time MEASUREMENTS.csv --nki-library CHECKOUT

MEASUREMENTS.csv holds the published times (its columns: silicon/rows.py); it is no part of this
repository. A checkout is a work tree at the commit that the rows name.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import nki
import trainyard
from suite.refusal import Refused, at_least_one, to_write, told, write

from silicon import (
    autocomp,
    cs149,
    kernel_fusion,
    moe_megakernel,
    neuron_sdk,
    nki_autotune,
    nki_library,
    nkibench,
    operatorx,
    samples,
)
from silicon.case import Case, NotReproducibleError
from silicon.report import Result, text
from silicon.rows import Row, read

EPILOG = """exit codes: 0 done; 2 wrong arguments or files; 3 this Python lacks a module."""


class TooSlowError(Exception):
    """A row took longer than --seconds."""


def _too_slow(*_: Any) -> None:
    raise TooSlowError("takes longer than --seconds")


def simulate(case: Case, machine: Any) -> tuple[float, str]:
    """Microseconds with the launch, and the bound."""
    kernel = case.kernel if hasattr(case.kernel, "bench") else nki.jit(case.kernel)
    if case.grid > 1:
        kernel = kernel[case.grid]
    # The measured programs went through AWS's compiler, which reorders; neuronxcc does by itself.
    order = {"schedule": "list"} if isinstance(kernel, nki.Kernel) else {}
    result = kernel.bench(*case.positional, machine=machine, **order, **case.arguments)
    time_us = result.time_ns / 1e3 + case.launch_us
    if case.then is not None:
        time_us += simulate(case.then, machine)[0]
    return time_us, str(result.bound)


# What an engine or a transfer did, not how long the kernel took.
PART_OF_A_KERNEL = re.compile("_active|_wait|_instr_time|packet_time")


def _why_not(row: Row, find: Any) -> str:
    if "upper_bound" in row.metric:
        return "a bound that a test sets, not a measured time"
    if PART_OF_A_KERNEL.search(row.metric):
        return f"the time of a part of a kernel: {PART_OF_A_KERNEL.search(row.metric).group()[1:]}"
    return "no builder, or its checkout was not given"


def run(row: Row, find: Any, machines: dict[str, Any], seconds: int) -> Result:
    """One row."""
    result = Result(row.id, row.machine, "", row.workload, row.published_us, source=row.repository)
    if find is None or PART_OF_A_KERNEL.search(row.metric) or "upper_bound" in row.metric:
        result.reason = _why_not(row, find)
        return result
    if row.machine not in machines:
        machines[row.machine] = trainyard.load_machine(row.machine)
    # Processor time, so that other work on the host does not count.
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            with mock.patch.dict(
                os.environ
            ):  # what a checkout's modules set is for its own harness
                case = find(row)
            result.ladder = case.ladder
            result.simulated_us, result.bound = simulate(case, machines[row.machine])
    except NotReproducibleError as error:
        result.reason = str(error)
    except Exception as error:  # whatever a public kernel trips over is a line of the report
        result.reason = f"{type(error).__name__}: {str(error).strip().splitlines()[0][:120]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
    return result


@dataclass(frozen=True)
class Checkout:
    """Kernels that somebody measured: their option, and what makes cases of rows."""

    option: str
    repository: str
    mark: str  # a path that it has
    collections: tuple[str, ...]
    finder: Callable[[Path], Callable[[Row], Case]]


CHECKOUTS = (
    Checkout(
        "nki-library",
        "aws-neuron/nki-library",
        "src/nkilib_src/nkilib",
        ("NKILIB", "T2RQ", "SSS"),
        nki_library.finder,
    ),
    Checkout(
        "moe-megakernel",
        "KevGomes1403/nki-moe-megakernel",
        "",  # a git repository, bare or with a work tree: asked below
        ("T3MOE", "T2KEV", "T2KEVP"),
        moe_megakernel.finder,
    ),
    Checkout("autocomp", "ucb-bar/autocomp", "examples", ("AUTOCOMP",), autocomp.finder),
    Checkout(
        "kernel-fusion",
        "allenkchau/trainium-kernel-fusion",
        "kernels/fused",
        ("T2FUSE", "T2TRACEK"),
        kernel_fusion.finder,
    ),
    Checkout("accelopt", "zhang677/AccelOpt", "NKIBench/kernels", ("ACCEL",), nkibench.finder),
    Checkout(
        "cs149", "stanford-cs149/asst4-trainium2", "part1/kernels.py", ("CS149",), cs149.finder
    ),
    Checkout("nki-samples", "aws-neuron/nki-samples", samples.MAMBA, ("T1MB",), samples.finder),
    Checkout("nki-autotune", "awslabs/nki-autotune", "nkigym", ("AUTOT",), nki_autotune.finder),
    Checkout(
        "operatorx", "SemiAnalysisAI/InferenceX", operatorx.BACKEND, ("T3GEMM",), operatorx.finder
    ),
    Checkout("neuron-sdk", "aws-neuron/aws-neuron-sdk", "", ("T1MM", "T2MM"), neuron_sdk.finder),
)


def finder_of(known: Checkout, path: Path) -> Callable[[Row], Case]:
    """What makes cases of its rows. Raises Refused when `path` is another thing."""
    option = f"--{known.option} {path}"
    if not path.is_dir():
        raise Refused(f"{option}: there is no such directory")
    if not (path / known.mark).exists():
        raise Refused(f"{option} is no checkout of {known.repository}: {known.mark} is missing")
    try:
        return known.finder(path)
    except (OSError, NotReproducibleError) as error:
        raise Refused(f"{option} is no checkout of {known.repository}: {error}") from error


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        prog="nki_suite --time", description=__doc__.split("\n", 1)[0], epilog=EPILOG
    )
    options.add_argument("measurements", type=Path, help="the published times, a CSV file")
    for known in CHECKOUTS:
        options.add_argument(f"--{known.option}", type=Path, help=f"checkout of {known.repository}")
    options.add_argument("--only", default="", help="rows whose id begins with this")
    options.add_argument(
        "--every", type=at_least_one, default=1, help="every n-th row of a collection"
    )
    options.add_argument(
        "--seconds", type=at_least_one, default=300, help="processor time for one row"
    )
    options.add_argument("--json", type=Path, help="write the results here, too")
    return options


def main(argv: list[str] | None = None) -> int:
    """Reads the arguments, simulates, prints."""
    given = parser().parse_args(argv)
    return told("nki_suite --time", lambda: _main(given))


def _main(arguments: argparse.Namespace) -> int:
    given = [(known, getattr(arguments, known.option.replace("-", "_"))) for known in CHECKOUTS]
    sources = {}
    for known, path in given:
        if path is not None:
            sources |= dict.fromkeys(known.collections, finder_of(known, path))
    rows = [r for r in read(arguments.measurements) if r.id.startswith(arguments.only)]
    if not rows:
        raise Refused(f"no time of {arguments.measurements} has an id from {arguments.only!r} on")
    output = to_write(arguments.json) if arguments.json else None
    machines: dict[str, Any] = {}
    results = []
    try:
        for row in rows[:: arguments.every]:
            results.append(run(row, sources.get(row.collection), machines, arguments.seconds))
            print(f"{len(results)}: {row.id}", file=sys.stderr)
    finally:  # Ctrl-C or a fault of the tool takes no row that is there
        print(text(results))
        if output:
            write(output, json.dumps([r.record() for r in results], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
