"""Several replicas of the planned engine behind a router: what they serve together, when some are
lost, started or stopped by a policy, or read prompts for the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trainyard import _core
from trainyard.serving import bounds, measures
from trainyard.serving.host import Host
from trainyard.serving.measures import Slo
from trainyard.serving.planned import Load, Plan, Served, replica_of
from trainyard.serving.replicas import HOST_MACHINE, Asked, Replica
from trainyard.usage import UsageError

ROUTINGS = ("random", "round-robin", "least", "prefix")  # as serving::Routing has them
UNITS = {"ms": 1e-3, "s": 1.0, "min": 60.0}
TIME = r"([0-9]+(?:\.[0-9]+)?)(ms|s|min)"
FAULT = re.compile(rf"replica:([0-9]{{1,4}})@{TIME}=down(?:\+{TIME})?")


@dataclass(frozen=True)
class Outage:
    """A replica's devices are gone; seconds of the simulated clock, until None: for ever."""

    replica: int
    at: float
    until: float | None = None

    @staticmethod
    def parse(text: str) -> Outage:
        """Of "replica:1@10s=down" or "replica:1@10s=down+30s"."""
        match = FAULT.fullmatch(text)
        if not match:
            raise UsageError(
                f"{text!r} is no fault of a fleet: write replica:1@10s=down or "
                "replica:1@10s=down+30s, replicas from 0",
                "fault",
            )
        at = float(match[2]) * UNITS[match[3]]
        return Outage(
            int(match[1]), at, at + float(match[4]) * UNITS[match[5]] if match[4] else None
        )


@dataclass(frozen=True)
class Scaling:
    """As many replicas as requests that are not over divided by `target`, looked at each `every`
    seconds; fewer only where fewer were enough for `patience` seconds."""

    target: float
    least: int = 1
    most: int = 8
    every: float = 10.0
    patience: float = 60.0

    @staticmethod
    def parse(text: str) -> Scaling:
        """Of "target=24,least=1,most=8,every=10s,patience=60s", all but the target optional."""
        found: dict[str, Any] = {}
        for word in text.split(","):
            name, _, value = word.partition("=")
            number = re.fullmatch(TIME if name in ("every", "patience") else r"([0-9.]+)()", value)
            if name not in Scaling.__dataclass_fields__ or name in found or not number:
                raise UsageError(
                    f"{word!r} is no part of a policy: write "
                    "target=24,least=1,most=8,every=10s,patience=60s",
                    "autoscale",
                )
            try:
                amount = float(number[1]) * UNITS.get(number[2], 1.0)
                found[name] = int(number[1]) if name in ("least", "most") else amount
            except ValueError:
                raise UsageError(f"{word!r}: {value} is no number", "autoscale") from None
        if not found.get("target"):
            raise UsageError(
                "a policy has a target of requests for a replica, above 0", "autoscale"
            )
        return Scaling(**found)


@dataclass(frozen=True)
class Fleet:
    """What is asked of the replicas together."""

    replicas: int = 1
    readers: int = 0
    routing: str = "least"
    outages: Sequence[Outage] = ()
    scaling: Scaling | None = None
    cold_start: float | None = None  # seconds; None: weights over PCIe alone

    def __post_init__(self) -> None:
        if self.routing not in ROUTINGS:
            raise UsageError(f"a routing is {', '.join(ROUTINGS)}, not {self.routing}", "routing")
        bounds.check("replicas", self.replicas)
        bounds.check("readers", self.readers)
        bounds.check("cold_start", self.cold_start)

    def core(self, replica: Replica, seed: int) -> Any:
        """As the core takes it, for replicas like this one."""
        found = _core.FleetSettings()
        found.replicas, found.readers, found.seed = self.replicas, self.readers, seed
        found.routing = ROUTINGS.index(self.routing)
        told = replica.found
        size = told["group_bytes_per_token"]
        if self.readers:
            if not told["send_bytes_per_second"]:
                raise UsageError("no figure says how fast replicas of this machine send a cache")
            state = told["state_bytes"]
            found.sent = (
                told["send_latency"] + state / told["send_bytes_per_second"],
                state * told["send_joules_per_byte"],
            )
            found.sent_token = (
                size / told["send_bytes_per_second"],
                size * told["send_joules_per_byte"],
            )
        for one in self.outages:
            until = -1 if one.until is None else _ticks(one.until)
            found.add_outage(one.replica, _ticks(one.at), until)
        if (policy := self.scaling) is not None:
            found.scale(
                _ticks(policy.every),
                _ticks(self.start_seconds(replica)),
                _ticks(policy.patience),
                policy.target,
                policy.least,
                policy.most,
            )
        return found

    def start_seconds(self, replica: Replica) -> float:
        """From the decision until a replica serves: what is stated, or a chip's weights over PCIe
        (no machine, container or compilation)."""
        if self.cold_start is not None:
            return self.cold_start
        return Host.of(HOST_MACHINE).copy(replica.found["weight_bytes"])


@dataclass(frozen=True)
class FleetServed(Served):
    """A load as a fleet serves it."""

    fleet: Fleet = Fleet()

    @property
    def chip_seconds(self) -> float:
        """Of all chips that were paid for."""
        return float(self.run.paid) / _core.TICKS_PER_SECOND * self.replica.chips

    @property
    def idle_seconds(self) -> float:
        """Of all replicas."""
        idle = self.run.paid - sum(self.run.busy_of)
        return max(0.0, float(idle) / _core.TICKS_PER_SECOND)

    def as_dict(self) -> dict[str, Any]:
        """Those of a replica, and the fleet's."""
        scale = _core.TICKS_PER_SECOND
        sent = self.run.sent_ticks / scale
        found = {
            "replicas": self.fleet.replicas,
            "readers": self.fleet.readers,
            "routing": self.fleet.routing,
            "moved": self.run.moved,
            "replica_seconds": self.run.paid / scale,
            "mean_sent_ms": 1e3 * sent / self.bench["completed"] if self.fleet.readers else None,
            "sizes": [
                {"time": time / scale, "serving": serving, "starting": starting}
                for time, serving, starting in self.run.sizes()
            ],
        }
        if self.fleet.scaling:
            found["cold_start"] = self.fleet.start_seconds(self.replica)
        return super().as_dict() | {"fleet": found}


def _ticks(seconds: float) -> int:
    return round(seconds * _core.TICKS_PER_SECOND)


def serve(
    replica: Replica,
    load: Load,
    fleet: Fleet,
    rate: float | None = None,
    slo: Slo | None = None,
    detailed: bool = False,
) -> FleetServed:
    """The load, arriving at `rate` a second at all of them together, or as it was recorded."""
    simulation = _core.ServingSimulation()
    simulation.acceptance, simulation.seed = replica.asked.acceptance, load.seed
    settings, costs, core = replica.settings, replica.costs, fleet.core(replica, load.seed)
    if load.trace:
        trace = load.trace.at_rate(rate) if rate else load.trace
        rows = list(trace.rows)
        run = _core.fleet_trace(rows, trace.content_tokens, settings, costs, simulation, core)
    else:
        run = _core.fleet_load(load.core(rate or 0.0), settings, costs, simulation, core)
    bench = measures.bench(run, slo or Slo(), detailed)
    return FleetServed(replica, rate, 0, slo or Slo(), run, bench, fleet)


def run(
    model: str,
    machine: str,
    load: Load,
    fleet: Fleet,
    slo: str | Slo = "ttft=500ms,tpot=30ms",
    rate: float | None = None,
    detailed: bool = False,
    share: float = 0.99,
    **options: Any,
) -> Plan:
    """A fleet at a rate, or with a trace as it was recorded. Options: fields of replicas.Asked."""
    level = slo if isinstance(slo, Slo) else Slo.parse(slo)
    replica = replica_of(Asked(model, machine, **options), load)
    served = serve(replica, load, fleet, rate, level, detailed)
    return Plan(served, level, share, None, ((replica, served),))
