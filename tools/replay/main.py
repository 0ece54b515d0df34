"""tools/replay_profile PROFILE.json ...: simulates what a profile shows and compares.

Each PROFILE.json is the full JSON report of a Neuron profile of one kernel. Its instructions are
given to the simulator as they are, engine by engine, with their operands, addresses and waits, so
that only the machine is compared and no compiler. Exit codes: 0, or 2 for a file that cannot be
replayed.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import trainyard
from suite.refusal import Refused, above_zero, to_write, told, write

from replay.kernel import kernel_of
from replay.profile import Instruction, read

TRACKS = ("tensor", "vector", "scalar", "gpsimd", "sync")


def replayed(path: Path, machine: Any) -> list[dict]:
    """One row an instruction, in the order of the profile.

    Times are those at which an instruction began, of a transfer those at which it had been issued.
    """
    profile = read(path)
    instructions = profile.instructions
    # The runtime lets engines begin one after the other: the clock starts at the last to begin.
    origin = max(first_of_engines(instructions).values(), key=lambda i: instructions[i].begin_ns)
    if profile.clock_change_ns is not None:
        figures = {entry["key"]: entry["value"] for entry in machine.provenance()}
        window = float(figures["throttle.window"])  # ns
        since = (profile.clock_change_ns - instructions[origin].begin_ns) % window
        machine = machine.with_overrides([f"throttle.phase={(window - since) % window:.3f}ns"])
    _, result = kernel_of(instructions).run(
        np.zeros(1, np.float32),
        machine=machine,
        timed=True,
        values=False,
        record=True,
        schedule="author",
    )
    spans: dict[int, list[float]] = {}
    for row in result.timeline:
        if row["track"] in TRACKS and row["reason"] in ("working", "overhead"):
            span = spans.setdefault(row["instruction"], [row["begin_ns"], 0.0])
            span[1] = row["end_ns"]
    rows = []
    latest: dict[str, list[float]] = {}
    for i, one in enumerate(instructions):
        # A trigger has no interval of its own where its engine is at work all the while.
        spans.setdefault(i, latest.get(one.engine, [0.0, 0.0]))
        latest[one.engine] = spans[i]
        issued = one.opcode == "DMA_DIRECT2D"
        measured = (one.end_ns if issued else one.begin_ns) - instructions[origin].begin_ns
        simulated = spans[i][issued] - spans[origin][0]
        rows.append(
            {
                "engine": one.engine,
                "opcode": one.opcode,
                "measured_ns": measured,
                "simulated_ns": simulated,
                "gap_ns": simulated - measured,
                "operands": one.operands.text.strip(),
            }
        )
    add_own_gaps(instructions, rows)
    return rows


def first_of_engines(instructions: list[Instruction]) -> dict[str, int]:
    """The first instruction of every engine that begins by itself, without waiting for another."""
    first: dict[str, int] = {}
    for i, one in enumerate(instructions):
        first.setdefault(one.engine, i)
    return {engine: i for engine, i in first.items() if not instructions[i].producers}


def add_own_gaps(instructions: list[Instruction], rows: list[dict]) -> None:
    """Adds to each row how much of its gap is its own: not that of an instruction it had to wait
    for, on its engine or by a semaphore."""
    index = {id(one): i for i, one in enumerate(instructions)}
    last: dict[str, int] = {}
    for i, one in enumerate(instructions):
        before = [index[id(p)] for p in one.producers]
        before += [last[one.engine]] if one.engine in last else []
        gaps = [rows[i]["gap_ns"] - rows[j]["gap_ns"] for j in before] or [0.0]
        rows[i]["own_gap_ns"] = min(gaps, key=abs)
        last[one.engine] = i


def summary(path: Path, rows: list[dict], tolerance_ns: float) -> dict:
    """How long both are, how far starts are apart, and where they first part."""
    parted = (row for row in rows if abs(row["own_gap_ns"]) > tolerance_ns)
    return {
        "profile": str(path),
        "instructions": len(rows),
        "measured_ns": rows[-1]["measured_ns"],
        "simulated_ns": rows[-1]["simulated_ns"],
        "error": rows[-1]["simulated_ns"] / rows[-1]["measured_ns"] - 1,
        "median_gap_ns": statistics.median(abs(row["gap_ns"]) for row in rows),
        "median_own_gap_ns": statistics.median(abs(row["own_gap_ns"]) for row in rows),
        "first_divergence": next(parted, None),
    }


def main() -> int:
    """Replays every file and prints what came out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profiles", nargs="+", type=Path, metavar="PROFILE.json")
    parser.add_argument("--machine", default="trn2")
    parser.add_argument("--tolerance", type=above_zero, default=200.0, metavar="NS")
    parser.add_argument("--rows", action="store_true", help="every instruction, not a summary only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all of it there")
    options = parser.parse_args()
    return told("replay_profile", lambda: _main(options))


def _main(options: argparse.Namespace) -> int:
    try:
        machine = trainyard.load_machine(options.machine)
    except trainyard.InputError as error:
        raise Refused(str(error)) from error
    output = to_write(options.json) if options.json else None
    everything = []
    for path in options.profiles:
        try:
            rows = replayed(path, machine)
        except OSError as error:
            raise Refused(f"cannot read {path}: {error.strerror}") from error
        except ValueError as error:
            raise Refused(f"{path} cannot be replayed: {error}") from error
        except (LookupError, AttributeError) as error:  # operands of another form
            raise Refused(f"{path} cannot be replayed: {type(error).__name__}: {error}") from error
        found = summary(path, rows, options.tolerance)
        everything.append(found | {"rows": rows})
        print(
            f"{path}: {found['instructions']} instructions, measured "
            f"{found['measured_ns']:.0f} ns, simulated {found['simulated_ns']:.0f} ns "
            f"({found['error']:+.1%}); in the median, "
            f"starts are {found['median_gap_ns']:.0f} ns apart, of which "
            f"{found['median_own_gap_ns']:.0f} ns their own"
        )
        if (row := found["first_divergence"]) is not None:
            print(f"  first to part by more than {options.tolerance:.0f} ns:")
            print(f"  {_line(row)}")
        if options.rows:
            print("\n".join(_line(row) for row in rows))
    if output:
        write(output, json.dumps(everything, indent=1) + "\n")
    return 0


def _line(row: dict) -> str:
    return (
        f"{row['measured_ns']:9.0f} {row['simulated_ns']:9.0f} {row['gap_ns']:+8.0f} "
        f"{row['own_gap_ns']:+8.0f}  {row['engine']:7} {row['opcode']:14} {row['operands'][:90]}"
    )
