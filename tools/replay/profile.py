"""The instructions of a kernel in a Neuron profile (`neuron-profile view --output-format json`)."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from replay.operands import Operands, parse

# What the runtime puts around a kernel, and what our machine does by itself.
SURROUNDINGS = {
    "ACT_TABLE_LOAD",
    "COMPARE_BRANCH",
    "DRAIN",
    "EVENT_SEMAPHORE",
    "EVENT_SEMAPHORE_RANGE_CLEAR",
    "NOP",
    "NOTIFY",
    "SET_ORDERING_MODE",
    "TENSOR_LOAD",
    "WRITE",
}


COLUMNS = {
    "subgraph": str,
    "subgroup": str,
    "opcode": str,
    "operands": str,
    "timestamp": int | float,
    "duration": int | float,
}


@dataclass
class Instruction:
    """One instruction of the kernel; a pair of LDWEIGHTS and MATMUL is one, and so are the two
    pairs of an fp32 product."""

    engine: str  # "tensor", "vector", "scalar", "gpsimd" or "sync"
    opcode: str
    begin_ns: float
    end_ns: float
    operands: Operands
    waits: list[tuple[int, int]]
    signals: list[tuple[int, int]]
    weights: Operands | None = None
    producers: list["Instruction"] = field(default_factory=list)


@dataclass(frozen=True)
class Profile:
    """What a profile says about the kernel on its first core."""

    instructions: list[Instruction]  # in the order they started, each knowing whom it waits for
    clock_change_ns: float | None  # when the limit of the tensor engine's clock changed, once


def read(path: Path) -> Profile:
    """The content of a JSON report. Raises ValueError for any other file."""
    report = json.loads(path.read_text(encoding="utf-8"))
    rows = report.get("instruction") if isinstance(report, dict) else None
    if not isinstance(rows, list) or not rows:
        raise ValueError("no list 'instruction': is it a full JSON report?")
    for number, row in enumerate(rows):
        for name, kind in COLUMNS.items():
            if not isinstance(row, dict) or not isinstance(row.get(name), kind):
                raise ValueError(f"instruction {number} has no '{name}', or one of another kind")
    first = min(row["subgraph"] for row in rows)
    streams = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["timestamp"]):
        if row["subgraph"] == first:
            streams[row["subgroup"].lower()].append(row)
    found = [one for engine, stream in streams.items() for one in _of_engine(engine, stream)]
    found.sort(key=lambda one: one.begin_ns)
    _connect(found)
    changes = [row["timestamp"] for row in report.get("ham", []) if row["subgraph"] == first]
    return Profile(found, min(changes, default=None))


def _of_engine(engine: str, stream: list[dict]) -> list[Instruction]:
    found: list[Instruction] = []
    waits, weights = [], None
    for row in stream:
        operands = parse(row["operands"])
        waits += operands.waits
        if row["opcode"] in SURROUNDINGS:
            continue
        if row["opcode"] == "LDWEIGHTS":
            weights = operands
            continue
        begin, end = float(row["timestamp"]), float(row["timestamp"] + row["duration"])
        signals = list(operands.signals)
        if row["opcode"] == "MATMUL" and weights and weights.fields.get("fp32_mode") == "HIGH":
            found[-1].end_ns = end
            found[-1].signals += signals
            found[-1].waits += waits
        else:
            found.append(
                Instruction(engine, row["opcode"], begin, end, operands, waits, signals, weights)
            )
        waits = []
    return found


def _connect(instructions: list[Instruction]) -> None:
    """Finds for every wait the instruction whose signal brings the semaphore to the count.

    Semaphores of engines count on through the kernel; those of transfers are cleared once waited
    for, so the last transfer that began before is meant.
    """
    signalled: dict[int, list[tuple[int, Instruction]]] = defaultdict(list)
    for one in instructions:  # those of one semaphore are of one engine or queue, hence in order
        for semaphore, amount in one.signals:
            before = signalled[semaphore][-1][0] if signalled[semaphore] else 0
            signalled[semaphore].append((before + amount, one))
    for one in instructions:
        for semaphore, count in one.waits:
            earlier = [entry for entry in signalled[semaphore] if entry[1].begin_ns < one.begin_ns]
            if earlier and earlier[0][1].opcode == "DMA_DIRECT2D":
                one.producers.append(earlier[-1][1])
            else:
                one.producers += [p for total, p in earlier if total >= count][:1]
