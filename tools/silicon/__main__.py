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
from pathlib import Path
from typing import Any
from unittest import mock

import nki
import trainyard

from silicon import (
    autocomp,
    cs149,
    kernel_fusion,
    moe_megakernel,
    neuron_sdk,
    nki_autotune,
    nki_library,
    nkibench,
    samples,
)
from silicon.case import Case, NotReproducibleError
from silicon.report import Result, text
from silicon.rows import Row, read


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
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(seconds)
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
        signal.alarm(0)
    return result


def main(argv: list[str] | None = None) -> int:
    """Reads the arguments, simulates, prints."""
    parser = argparse.ArgumentParser(prog="nki_suite --time", description=__doc__.split("\n", 1)[0])
    parser.add_argument("measurements", type=Path)
    parser.add_argument("--nki-library", type=Path, help="checkout of aws-neuron/nki-library")
    parser.add_argument(
        "--moe-megakernel", type=Path, help="git repository of KevGomes1403/nki-moe-megakernel"
    )
    parser.add_argument("--autocomp", type=Path, help="checkout of ucb-bar/autocomp")
    parser.add_argument(
        "--kernel-fusion", type=Path, help="checkout of allenkchau/trainium-kernel-fusion"
    )
    parser.add_argument("--accelopt", type=Path, help="checkout of zhang677/AccelOpt")
    parser.add_argument("--cs149", type=Path, help="checkout of stanford-cs149/asst4-trainium2")
    parser.add_argument("--nki-samples", type=Path, help="checkout of aws-neuron/nki-samples")
    parser.add_argument("--nki-autotune", type=Path, help="checkout of awslabs/nki-autotune")
    parser.add_argument("--neuron-sdk", type=Path, help="checkout of aws-neuron/aws-neuron-sdk")
    parser.add_argument("--only", default="", help="rows whose id begins with this")
    parser.add_argument("--every", type=int, default=1, help="every n-th row of a collection")
    parser.add_argument("--seconds", type=int, default=60, help="for one row")
    parser.add_argument("--json", type=Path, help="write the results here, too")
    arguments = parser.parse_args(argv)
    sources = {}
    if arguments.nki_library:
        sys.path.insert(0, str(arguments.nki_library / "src/nkilib_src"))
        sources |= dict.fromkeys(("NKILIB", "T2RQ", "SSS"), nki_library.case_of)
    if arguments.moe_megakernel:
        case_of = moe_megakernel.finder(arguments.moe_megakernel)
        sources |= {"T3MOE": case_of, "T2KEV": case_of, "T2KEVP": case_of}
    if arguments.autocomp:
        sources["AUTOCOMP"] = autocomp.finder(arguments.autocomp)
    if arguments.kernel_fusion:
        case_of = kernel_fusion.finder(arguments.kernel_fusion)
        sources |= {"T2FUSE": case_of, "T2TRACEK": case_of}
    if arguments.accelopt:
        sources["ACCEL"] = nkibench.finder(arguments.accelopt)
    if arguments.cs149:
        sources["CS149"] = cs149.finder(arguments.cs149)
    if arguments.nki_samples:
        sources["T1MB"] = samples.finder(arguments.nki_samples)
    if arguments.neuron_sdk:
        sources |= dict.fromkeys(("T1MM", "T2MM"), neuron_sdk.finder(arguments.neuron_sdk))
    if arguments.nki_autotune:
        sources["AUTOT"] = nki_autotune.finder(arguments.nki_autotune)
    rows = [r for r in read(arguments.measurements) if r.id.startswith(arguments.only)]
    machines: dict[str, Any] = {}
    results = []
    for row in rows[:: arguments.every]:
        results.append(run(row, sources.get(row.collection), machines, arguments.seconds))
        print(f"{len(results)}: {row.id}", file=sys.stderr)
    print(text(results))
    if arguments.json:
        arguments.json.write_text(json.dumps([r.record() for r in results], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
