"""Collectives on a system of chips: groups of ranks, prices with their intervals.

`price()` is what planners call; `trainyard cc-test` and `trainyard claims` print what it says.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from trainyard._core import Fabric, bus_factor, load_system
from trainyard.usage import UsageError

# At the ends of an interval, an algorithm that takes more events to simulate, such as a ring of a
# thousand ranks, counts as fast as its bound where another one is simulated.
EVENTS_MAX = 2e6
ALL_TO_ALL_V = "all_to_all_v"
# As nccom-test names them.
NCCOM_OPERATIONS = {
    "allr": "all_reduce",
    "allg": "all_gather",
    "redsct": "reduce_scatter",
    "alltoall": "all_to_all",
    "alltoallv": ALL_TO_ALL_V,
    "permute": "permute",
    "sendrecv": "send_receive",
    "bcast": "broadcast",
    "barrier": "barrier",
}
# By the number that Chakra has (CollectiveCommType). A reduction to one rank is as long as one
# to all at most, and so are a gather and a scatter.
CHAKRA_OPERATIONS = {
    0: "all_reduce",
    1: "all_reduce",
    2: "all_gather",
    3: "all_gather",
    4: "broadcast",
    5: "broadcast",
    6: "all_to_all",
    7: "reduce_scatter",
    8: "reduce_scatter",
    9: "barrier",
}


@dataclass(frozen=True)
class Setting:
    """A system, altered or not, and the cores of a rank."""

    system: str
    cores_per_rank: int = 1
    overrides: tuple[str, ...] = ()

    def fabric(self) -> Any:
        """Its links; made once."""
        return _fabric(self, None)

    def description(self) -> Any:
        """The system itself."""
        return _system(self, None)


@dataclass
class Request:
    """A collective: what, how much, over whom."""

    operation: str
    bytes: float
    groups: Sequence[Sequence[int]]
    algorithm: str = ""
    faults: Sequence[str] = field(default_factory=tuple)
    folds: bool = True  # of ranks that do the same, one is simulated
    sbuf: bool = False  # where the buffers are, else in HBM
    # Of all_to_all_v: what each rank sends to each one, in any unit; none: equal parts.
    counts: Sequence[Sequence[float]] | None = None


@functools.cache
def _system(setting: Setting, slow: bool | None) -> Any:
    system = load_system(setting.system).with_overrides(list(setting.overrides))
    return system if slow is None else system.at_ends(slow)


@functools.cache
def _fabric(setting: Setting, slow: bool | None) -> Any:
    return Fabric(_system(setting, slow), setting.cores_per_rank)


def price(setting: Setting, request: Request, interval: bool = True) -> dict[str, Any]:
    """What a collective takes, with all uncertain figures at their fast and at their slow ends."""

    def of(fabric: Any, events_max: float = math.inf) -> dict[str, Any]:
        groups = [list(group) for group in request.groups]
        if request.operation == ALL_TO_ALL_V:
            return exchange_of(fabric, request, groups)
        found: dict[str, Any] = fabric.price(
            request.operation,
            request.bytes,
            groups,
            request.algorithm,
            request.folds,
            list(request.faults),
            events_max=events_max,
            sbuf=request.sbuf,
        )
        return found

    result = of(setting.fabric())
    low = high = result["time_us"]
    if interval and not result["stuck"]:
        fast, slow = (of(_fabric(setting, end), EVENTS_MAX) for end in (False, True))
        low = min(fast["time_us"], *(one["time_us"] for one in fast["candidates"]))
        high = slow["time_us"]
    result["low_us"], result["high_us"] = min(low, result["time_us"]), max(high, result["time_us"])
    seconds = 0.0 if result["stuck"] else result["time_us"] / 1e6
    result["algbw"] = request.bytes / seconds if seconds > 0 else 0.0
    known = "all_to_all" if request.operation == ALL_TO_ALL_V else request.operation
    result["busbw"] = result["algbw"] * bus_factor(known, result["ranks"])
    return result


def exchange_of(fabric: Any, request: Request, groups: list[list[int]]) -> dict[str, Any]:
    """An all-to-all whose parts differ. Raises UsageError for several groups."""
    if len(groups) > 1:
        raise UsageError(f"{len(groups)} groups: an all_to_all_v has one; leave out the parts")
    ranks = len(groups[0])
    counts = request.counts or [[1.0] * ranks for _ in range(ranks)]
    rows = [[float(count) for count in row] for row in counts]
    found: dict[str, Any] = fabric.exchange(
        rows, request.bytes, groups[0], request.folds, list(request.faults), request.sbuf
    )
    return found


@dataclass(frozen=True)
class Job:
    """A collective of ranks of its own that shares the fabric with another one."""

    operation: str
    bytes: float
    ranks: tuple[int, ...]
    algorithm: str = ""


def beside(setting: Setting, jobs: Sequence[Job], sbuf: bool = False) -> list[dict[str, Any]]:
    """Of each job: its `algorithm`, `alone_us`, `beside_us` and how many `runs` ended.

    All begin at once; all but the first begin again when they end, until the first one has ended.
    """
    wanted = [(job.operation, job.bytes, list(job.ranks), job.algorithm) for job in jobs]
    found: list[dict[str, Any]] = setting.fabric().beside(wanted, sbuf)
    return found


def group_of(setting: Setting, ranks: int, nodes: int = 1) -> list[int]:
    """The first ranks of a system, or of each of its nodes: as many on every one."""
    fabric, system = setting.fabric(), setting.description()
    networks = [level for level in system.levels if level["join"] == "network"]
    if nodes > 1 and (not networks or ranks % nodes):
        raise UsageError(
            f"{ranks} ranks on {nodes} nodes of {system.name}: name a cluster, whose nodes are "
            "joined by a network, and a number of ranks that the nodes divide"
        )
    each = ranks // max(nodes, 1)
    stride = fabric.ranks
    if nodes > 1:
        stride = networks[0]["chips"] // networks[0]["size"] * fabric.ranks_per_chip
    if ranks < 1:
        raise UsageError(f"{ranks} ranks: a group has one or more")
    if each > stride or (nodes - 1) * stride + each > fabric.ranks:
        spread = f" on {nodes} nodes" if nodes > 1 else ""
        cores = "1 core" if setting.cores_per_rank == 1 else f"{setting.cores_per_rank} cores"
        raise UsageError(
            f"{ranks} ranks{spread}: {system.name} has {fabric.ranks} ranks of {cores}; "
            "name fewer, another --lnc or a larger system"
        )
    return [node * stride + rank for node in range(nodes) for rank in range(each)]


def check_values(setting: Setting, request: Request, dtype: str) -> bool:
    """Whether the schedule leaves every rank with what plain sums and copies say.

    The inputs are small whole numbers, whose sums are exact in any order.
    """
    import numpy as np

    group = list(request.groups[0])
    ranks, width = len(group), {"float32": 4, "bfloat16": 2, "float16": 2}.get(dtype, 1)
    count = max(int(request.bytes) // width // ranks, 1) * ranks
    shard = count // ranks if request.operation == "all_gather" else count
    limit = max(256 // ranks, 2) if width < 4 else 100
    given = np.random.default_rng(1).integers(0, limit, (ranks, shard))
    narrow = {"float32": _float32, "bfloat16": _bfloat16, "float16": _float16}.get(dtype, _byte)
    inputs = [narrow(row) for row in given]
    results = setting.fabric().execute(
        request.operation, dtype, inputs, group, request.algorithm, 0
    )
    total = given.sum(axis=0)
    match request.operation:
        case "all_reduce":
            expected = [total] * ranks
        case "reduce_scatter":
            expected = list(total.reshape(ranks, -1))
        case "all_gather":
            expected = [given.reshape(-1)] * ranks
        case "all_to_all":
            expected = list(given.reshape(ranks, ranks, -1).swapaxes(0, 1).reshape(ranks, -1))
        case "permute":
            expected = list(np.roll(given, 1, axis=0))
        case "broadcast":
            expected = [given[0]] * ranks
        case _:  # a message: only the last rank gets something
            return bytes(results[-1]) == inputs[0]
    return all(bytes(got) == narrow(row) for got, row in zip(results, expected, strict=True))


def _float32(row: Any) -> bytes:
    return bytes(row.astype("float32").tobytes())


def _float16(row: Any) -> bytes:
    return bytes(row.astype("float16").tobytes())


def _bfloat16(row: Any) -> bytes:
    """Whole numbers up to 256 have no more bits than bfloat16 keeps."""
    return bytes((row.astype("float32").view("uint32") >> 16).astype("uint16").tobytes())


def _byte(row: Any) -> bytes:
    return bytes((row % 256).astype("uint8").tobytes())
