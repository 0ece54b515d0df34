"""When the nodes of a trace run on a simulated system, one rank a chip."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from trainyard import collectives
from trainyard._core import load_machine, machines
from trainyard.execution.nodes import Node, Trace
from trainyard.execution.work import Work, work_of
from trainyard.usage import UsageError

CASTS = ("bf16", "fp8")
Span = tuple[float, float]  # begin and end, in microseconds


@dataclass
class Machine:
    """The rates of one chip and what joins the chips."""

    setting: collectives.Setting | None  # of one chip alone: none
    ranks: int
    cast: str = ""  # products of wider formats are computed in this one
    rates: dict[str, float] = field(default_factory=dict)
    priced: dict[tuple[Any, ...], dict[str, Any]] = field(default_factory=dict)

    def compute_us(self, work: Work) -> float:
        """As long as the slower of its products and its bytes, both at the chip's peak."""
        format_ = self.cast if self.cast and work.format != "fp8" else work.format
        products = work.operations / self.rates[format_]
        return max(products, work.bytes / self.rates["bytes"]) * 1e6

    def price(self, operation: str, bytes_: float, group: tuple[int, ...]) -> dict[str, Any]:
        """A collective of these ranks, simulated once."""
        key = (operation, bytes_, group)
        if key not in self.priced:
            assert self.setting is not None, "ranks of several chips"
            request = collectives.Request(operation, bytes_, [list(group)])
            self.priced[key] = collectives.price(self.setting, request, interval=False)
        return self.priced[key]


def machine_of(system: str, ranks: int | None, cast: str, overrides: tuple[str, ...]) -> Machine:
    """The system with one rank a chip, or a chip. Raises UsageError."""
    setting, known = None, 1
    if system in machines():
        chip = load_machine(system).with_overrides(list(overrides))
    else:
        chip = collectives.Setting(system, 1, overrides).description().chip
        setting = collectives.Setting(system, chip.cores, overrides)
        known = setting.fabric().ranks
    if cast and cast not in CASTS:
        raise UsageError(f"cast={cast}: write one of {', '.join(CASTS)}")
    if ranks is not None and not 1 <= ranks <= known:
        raise UsageError(f"{ranks} ranks: {system} has 1 to {known} chips; name another --machine")
    figures = {one["key"]: float(one["value"]) for one in chip.provenance() if _is_number(one)}
    core = {"bf16": "core_bf16", "fp32": "core_fp32", "fp8": "core_fp8"}
    rates = {
        name: figures[f"headline.{key}"] * 1e12 * chip.cores
        for name, key in core.items()
        if figures.get(f"headline.{key}", 0) > 0
    }
    rates.setdefault("fp8", rates["bf16"])
    rates["bytes"] = _bytes_per_second(chip, "hbm.bandwidth")
    rates["host"] = _bytes_per_second(chip, "host.pcie")
    return Machine(setting, known if ranks is None else ranks, cast, rates)


def _is_number(figure: dict[str, Any]) -> bool:
    try:
        float(figure["value"])
    except ValueError:
        return False
    return True


def _bytes_per_second(chip: Any, key: str) -> float:
    units = {"B/s": 1.0, "GB/s": 1e9, "TB/s": 1e12}
    found = next(one for one in chip.provenance() if one["key"] == key)
    return float(found["value"]) * units[found["unit"]]


@dataclass
class Row:
    """All nodes of one sort: how many, what they take here and took where they were recorded."""

    name: str
    lane: str  # compute, collectives, host
    nodes: int = 0
    us: float = 0.0
    recorded_us: float = 0.0
    operations: float = 0.0
    bytes: float = 0.0


@dataclass
class Timing:
    """A trace on a system."""

    system: str
    ranks: int
    total_us: float
    compute_us: float
    collective_us: float
    exposed_us: float  # of collectives: while nothing is computed
    recorded_us: float  # of the accelerator's nodes, one after the other
    rows: list[Row]
    unknown: list[Row]  # what the trace does not say, and what was taken instead

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = {key: value for key, value in vars(self).items() if key not in ("rows", "unknown")}
        return plain | {
            "rows": [vars(row) for row in self.rows],
            "unknown": [vars(row) for row in self.unknown],
        }


class _Costs:
    """What each node takes, with what is known of it in tables."""

    def __init__(self, trace: Trace, machine: Machine) -> None:
        self.trace, self.machine = trace, machine
        self.rows: dict[tuple[str, str], Row] = {}
        self.unknown: dict[str, Row] = {}
        self.seen: Counter[tuple[str, str]] = Counter()

    def of(self, node: Node) -> tuple[str, float]:
        """The lane that a node runs on and its microseconds."""
        match node.type:
            case "compute" if not node.runs_on_host:
                return "compute", self._computed(node)
            case "collective" if not node.runs_on_host and "comm_size" in node.attributes:
                return "collectives", self._collective(node)
            case "send" | "receive" if not node.runs_on_host and "comm_size" in node.attributes:
                return "collectives", self._message(node)
            case "memory load" | "memory store" if not node.runs_on_host:
                return "host", self._memory(node)
        if node.type != "metadata":
            self._leave_out(node, "operators of the host, which cost nothing here")
        return "", 0.0

    def _computed(self, node: Node) -> float:
        launcher = self.trace.launcher(node)
        operator = launcher.operator if launcher else node.name[:60]
        work = work_of(operator, node)
        if work is None:
            self._leave_out(node, f"{operator}: no operands; as long as it was recorded")
            return self._count(operator, "compute", node, float(node.us), None)
        # Several kernels of one call do its work together: the first one is given all of it.
        key = (operator, node.operands)
        if node.operands and self.seen[key]:
            work = Work(0.0, 0.0, work.format)
        self.seen[key] += 1
        return self._count(operator, "compute", node, self.machine.compute_us(work), work)

    def _collective(self, node: Node) -> float:
        kind = int(node.attributes.get("comm_type", 0))
        operation = collectives.CHAKRA_OPERATIONS.get(kind)
        if operation is None:
            self._leave_out(node, f"collectives of kind {kind}, which nothing simulates")
            return float(node.us)
        name = f"{operation} of {int(node.attributes['comm_size']):,} bytes"
        if self.machine.ranks == 1:
            return self._count(name, "collectives", node, 0.0, None)
        if node.attributes.get("pg_name"):
            self._leave_out(node, "who is in a process group; taken as all ranks", counts=False)
        group = tuple(range(self.machine.ranks))
        bytes_ = 0.0 if operation == "barrier" else float(node.attributes["comm_size"])
        priced = self.machine.price(operation, bytes_, group)
        return self._count(name, "collectives", node, priced["time_us"], None)

    def _message(self, node: Node) -> float:
        ends = [node.attributes.get(key) for key in ("comm_src", "comm_dst")]
        if self.machine.ranks == 1 or None in ends or ends[0] == ends[1]:
            self._leave_out(node, "messages whose ends are not in the system; as recorded")
            return float(node.us)
        if node.type == "receive":
            self._leave_out(node, "when peers send; taken as at once", counts=False)
        group = tuple(int(one) for one in ends if one is not None)
        if not all(0 <= one < self.machine.ranks for one in group):
            self._leave_out(node, "messages whose ends are not in the system; as recorded")
            return float(node.us)
        priced = self.machine.price("send_receive", float(node.attributes["comm_size"]), group)
        name = f"{node.type} of {int(node.attributes['comm_size']):,} bytes"
        return self._count(name, "collectives", node, priced["time_us"], None)

    def _memory(self, node: Node) -> float:
        bytes_ = float(node.attributes.get("tensor_size", 0))
        us = bytes_ / self.machine.rates["host"] * 1e6
        return self._count(node.type, "host", node, us, Work(0.0, bytes_))

    def _count(self, name: str, lane: str, node: Node, us: float, work: Work | None) -> float:
        row = self.rows.setdefault((lane, name), Row(name, lane))
        row.nodes, row.us, row.recorded_us = row.nodes + 1, row.us + us, row.recorded_us + node.us
        if work is not None:
            row.operations, row.bytes = row.operations + work.operations, row.bytes + work.bytes
        return us

    def _leave_out(self, node: Node, why: str, counts: bool = True) -> None:
        row = self.unknown.setdefault(why, Row(why, ""))
        row.nodes += 1
        row.recorded_us += node.us if counts else 0


def time_on(
    trace: Trace,
    system: str = "trn3-gen2",
    ranks: int | None = None,
    *,
    cast: str = "",
    overrides: tuple[str, ...] = (),
) -> Timing:
    """What one step of `trace` takes on `system`, one rank a chip; `ranks`: all chips.

    Compute nodes run one after the other, as do collectives, both when what comes before has
    ended. `cast` computes FP32 products in "bf16" or "fp8". Raises UsageError.
    """
    machine = machine_of(system, ranks, cast, overrides)
    costs = _Costs(trace, machine)
    spans = _spans(trace, {node.id: costs.of(node) for node in trace.nodes})
    if ranks is None and machine.ranks > 1:
        why = f"how many ranks take part; taken as all {machine.ranks} chips"
        costs.unknown[why] = Row(why, "")
    busy = {lane: sum(end - begin for begin, end in list_) for lane, list_ in spans.items()}
    device = [node.us for node in trace.nodes if not node.runs_on_host and node.type != "metadata"]
    return Timing(
        system=system,
        ranks=machine.ranks,
        total_us=max((end for list_ in spans.values() for _, end in list_), default=0.0),
        compute_us=busy.get("compute", 0.0),
        collective_us=busy.get("collectives", 0.0),
        exposed_us=_outside(spans.get("collectives", []), spans.get("compute", [])),
        recorded_us=float(sum(device)),
        rows=sorted(costs.rows.values(), key=lambda row: -row.us),
        unknown=sorted(costs.unknown.values(), key=lambda row: -row.recorded_us),
    )


def _spans(
    trace: Trace, costs: dict[int, tuple[str, float]]
) -> dict[str, list[tuple[float, float]]]:
    """By lane, when its nodes run. Raises UsageError where nodes wait for each other."""
    known = trace.by_id
    waits = {node.id: sum(one in known for one in node.before) for node in trace.nodes}
    after: dict[int, list[int]] = defaultdict(list)
    for node in trace.nodes:
        for one in node.before:
            if one in known:
                after[one].append(node.id)
    ready = [(0.0, node.id) for node in trace.nodes if waits[node.id] == 0]
    heapq.heapify(ready)
    earliest: dict[int, float] = defaultdict(float)
    free: dict[str, float] = defaultdict(float)
    spans: dict[str, list[Span]] = defaultdict(list)
    ended = 0
    while ready:
        time, number = heapq.heappop(ready)
        lane, us = costs[number]
        begin = max(time, free[lane]) if lane else time
        end = begin + us
        if lane:
            free[lane] = end
            spans[lane].append((begin, end))
        ended += 1
        for other in after[number]:
            earliest[other] = max(earliest[other], end)
            waits[other] -= 1
            if waits[other] == 0:
                heapq.heappush(ready, (earliest[other], other))
    if ended < len(known):
        raise UsageError(
            f"{trace.path}: {len(known) - ended} of {len(known)} nodes wait for each other; "
            "remove a dependence from the trace"
        )
    return spans


def _outside(intervals: list[Span], covers: list[Span]) -> float:
    """The time of `intervals` while none of `covers` goes on; both in order, none overlapping."""
    total, at = 0.0, 0
    for begin, end in intervals:
        total += end - begin
        while at < len(covers) and covers[at][1] <= begin:
            at += 1
        index = at
        while index < len(covers) and covers[index][0] < end:
            total -= min(end, covers[index][1]) - max(begin, covers[index][0])
            index += 1
    return total
