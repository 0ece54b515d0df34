"""`trainyard plan serve`: what a service needs, by the scheduler over tables of step times.

plan() answers one load; search() finds the highest rate within a service level, and curve() what
users get as more of them share a replica.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from trainyard import _core
from trainyard.serving import bounds, measures, replicas
from trainyard.serving.measures import Slo
from trainyard.serving.replicas import Asked, Replica
from trainyard.serving.traces import Trace
from trainyard.usage import UsageError

RATE_STEPS = 40  # of a search: each halves or doubles, or halves what is left
RATE_PRECISION = 0.01
TP_POWERS = 8  # up to 128 chips
CANDIDATES = 4
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Load:
    """Requests that arrive: drawn from a seed, or recorded."""

    isl: float = 1024
    osl: float = 128
    spread: float = 0.0  # lengths are uniform within this share of the mean
    requests: int = 4000
    burstiness: float = 1.0
    shared: int = 0
    prefixes: int = 1
    seed: int = 0
    trace: Trace | None = None

    def __post_init__(self) -> None:
        for name in ("requests", "burstiness", "shared", "prefixes", "seed"):
            bounds.check(name, getattr(self, name))
        bounds.check("prompt", self.isl, "isl")
        bounds.check("output", self.osl, "osl")
        bounds.check("range", self.spread, "spread")

    @property
    def longest(self) -> int:
        """Tokens of a request at most, with one to spare for rounding."""
        if self.trace:
            return self.trace.longest
        return math.ceil(self.isl * (1 + self.spread)) + math.ceil(self.osl * (1 + self.spread))

    @property
    def means(self) -> tuple[float, float]:
        """Of prompts and answers."""
        return (self.trace.mean(1), self.trace.mean(2)) if self.trace else (self.isl, self.osl)

    def core(self, rate: float) -> Any:
        """As the core takes it."""
        load = _core.ServingLoad()
        load.requests, load.rate, load.burstiness = self.requests, rate, self.burstiness
        load.prompt, load.output, load.range = self.isl, self.osl, self.spread
        load.shared, load.prefixes, load.seed = self.shared, self.prefixes, self.seed
        return load


@dataclass(frozen=True)
class Served:
    """A load as one replica serves it."""

    replica: Replica
    rate: float | None  # of one replica; None: so many users, each with one request at a time
    users: int
    slo: Slo
    run: Any = field(repr=False)
    bench: dict[str, Any] = field(repr=False)

    @property
    def good_share(self) -> float:
        """Of all requests, those within the service level."""
        asked = self.bench["completed"] + self.bench["failed"]
        return self.bench["request_goodput"] * self.bench["duration"] / asked

    @property
    def chip_seconds(self) -> float:
        """Of all its chips."""
        return float(self.bench["duration"]) * self.replica.chips

    @property
    def idle_seconds(self) -> float:
        """Of the run, in which nothing was computed."""
        busy = float(self.run.busy) / _core.TICKS_PER_SECOND
        return max(0.0, float(self.bench["duration"]) - busy)

    @property
    def values(self) -> dict[str, float | None]:
        """What it takes and costs, in InferenceX's names."""
        bench, replica = self.bench, self.replica
        chip_seconds = self.chip_seconds
        chips = chip_seconds / bench["duration"]  # in the mean
        joules = self.run.joules + replica.found["idle_watts"] * self.idle_seconds
        if replica.found["unknown"]:
            joules = None
        usd = replica.usd(chip_seconds / replica.chips)
        watts = replica.found["provisioned_watts"]
        tpot = bench["mean_tpot_ms"]
        out = bench["output_throughput"]

        def per_token(value: float | None, tokens: int, scale: float = 1.0) -> float | None:
            return value * scale / tokens if value is not None and tokens else None

        written, read = bench["total_output_tokens"], bench["total_input_tokens"]
        return {
            "tput_per_gpu": bench["total_token_throughput"] / chips,
            "output_tput_per_gpu": out / chips,
            "output_tput_per_mw": out / chips / (watts / 1e6) if watts else None,
            "mean_intvty": 1e3 / tpot if tpot else None,
            "avg_power_w": joules / chip_seconds if joules is not None else None,
            "joules_per_output_token": per_token(joules, written),
            "joules_per_total_token": per_token(joules, written + read),
            "joules_per_million_output_tokens": per_token(joules, written, 1e6),
            "usd_per_million_output_tokens": per_token(usd, written, 1e6),
            "usd_per_million_total_tokens": per_token(usd, written + read, 1e6),
        }

    def as_dict(self) -> dict[str, Any]:
        """For JSON: vLLM's fields, then the replica's."""
        replica, counters = self.replica, self.run.counters()
        found: dict[str, Any] = dict.fromkeys(("backend", "endpoint_type"), "trainyard")
        found |= dict.fromkeys(("model_id", "tokenizer_id"), replica.asked.model)
        found |= {"num_prompts": self.bench["completed"] + self.bench["failed"]} | self.bench
        found |= {"request_rate": self.rate, "max_concurrency": self.users or None}
        found |= {"good_share": self.good_share, "tp": replica.tp, "dp": replica.dp}
        found |= {"ep": replica.ep or None}
        found |= {"num_chips": replica.chips, "weights": replica.weights}
        return found | self.values | {"scheduler": counters}


def serve(
    replica: Replica,
    load: Load,
    rate: float | None = None,
    users: int = 0,
    slo: Slo | None = None,
    watched: int = -1,
    keeps_steps: bool = False,
    detailed: bool = False,
) -> Served:
    """The load, arriving at `rate` a second, or asked by `users` who wait for each answer."""
    simulation = _core.ServingSimulation()
    simulation.users, simulation.watched, simulation.keeps_steps = users, watched, keeps_steps
    simulation.acceptance, simulation.seed = replica.asked.acceptance, load.seed
    settings, costs = replica.settings, replica.costs
    if load.trace:
        trace = load.trace.at_rate(rate) if rate else load.trace
        rows = list(trace.rows)
        run = _core.simulate_trace(rows, trace.content_tokens, settings, costs, simulation)
    else:
        run = _core.simulate_load(load.core(rate or 0.0), settings, costs, simulation)
    bench = measures.bench(run, slo or Slo(), detailed)
    return Served(replica, rate, users, slo or Slo(), run, bench)


def search(
    replica: Replica, load: Load, slo: Slo, share: float = 0.99, tell: Tell | None = None
) -> Served | None:
    """The highest rate of one replica at which `share` of the requests keep the service level.

    None: not even a request alone keeps it. By bisection, to 1 %.
    """

    def tried(rate: float) -> Served:
        found = serve(replica, load, rate, slo=slo)
        if tell:
            tell(f"{rate:.3g} requests/s: {100 * found.good_share:.1f} % within the service level")
        return found

    alone = serve(replica, load, users=1, slo=slo)
    if alone.good_share < share:
        return None
    low = 0.1 * alone.bench["request_throughput"]
    best = tried(low)
    if best.good_share < share:
        return alone
    high = 2 * low
    for _ in range(RATE_STEPS):
        found = tried(high)
        if found.good_share < share:
            break
        if found.bench["request_throughput"] < 0.5 * high:
            return found  # all of a short load arrives at once, and still is within the level
        best, low, high = found, high, 2 * high
    while high > low * (1 + RATE_PRECISION):
        middle = (low + high) / 2
        found = tried(middle)
        if found.good_share >= share:
            best, low = found, middle
        else:
            high = middle
    return best


def curve(replica: Replica, load: Load, slo: Slo) -> list[Served]:
    """Throughput against interactivity: 1, 2, 4, ... users, each with one request at a time."""
    points = []
    users = 1
    while users <= replica.settings.requests_max:
        points.append(serve(replica, load, users=users, slo=slo))
        users *= 2
    return points


def pareto(points: list[Served]) -> list[Served]:
    """Those that no other point beats in tokens a second for a chip and for a user, best chip
    first."""
    ranked = sorted(points, key=lambda one: -(one.values["output_tput_per_gpu"] or 0))
    front: list[Served] = []
    for one in ranked:
        if not front or (one.values["mean_intvty"] or 0) > (front[-1].values["mean_intvty"] or 0):
            front.append(one)
    return front


@dataclass(frozen=True)
class Plan:
    """The answer of plan(): one replica, how many are needed, and what they give."""

    served: Served | None
    slo: Slo
    share: float
    rate: float | None  # of the whole service
    tried: tuple[tuple[Replica, Served | None], ...] = ()  # each at its best rate
    front: tuple[Served, ...] = ()

    @property
    def replicas(self) -> int:
        """That carry the rate of the service; 1 where none is asked."""
        if self.served is None or not self.rate or not self.served.rate:
            return 1
        return max(1, math.ceil(self.rate / self.served.rate - 1e-9))

    @property
    def chips(self) -> int:
        """Of all replicas."""
        return self.replicas * self.served.replica.chips if self.served else 0


def plan(
    model: str,
    machine: str,
    load: Load | None = None,
    slo: str | Slo = "ttft=500ms,tpot=30ms",
    share: float = 0.99,
    rate: float | None = None,
    draws_curve: bool = False,
    tell: Tell | None = None,
    **options: Any,
) -> Plan:
    """The replicas that serve `rate` requests a second within the service level, and their cost.

    Without tp, the powers of two that hold the model within a system are tried, with ep "auto" each
    with whole and with divided experts, and the one with the most requests for a chip is taken.
    Options: fields of replicas.Asked. Raises InputError for
    names that are unknown and UsageError for what cannot be meant.
    """
    load = load or Load()
    level = slo if isinstance(slo, Slo) else Slo.parse(slo)
    if not 0 < share <= 1:
        raise UsageError(f"a share of requests is above 0, up to 1, not {share}", "share")
    asked = Asked(model, machine, **options)
    tried = []
    points: list[Served] = []
    for replica in _layouts(asked, load):
        if tell:
            tell(f"{model} on {machine}, {replica.words}")
        tried.append((replica, search(replica, load, level, share, tell)))
        if draws_curve:
            points += curve(replica, load, level)
    found = [one for _, one in tried if one is not None]
    best = max(found, key=lambda one: _rate_of(one) / one.replica.chips, default=None)
    return Plan(best, level, share, rate, tuple(tried), tuple(pareto(points)))


def run(
    model: str,
    machine: str,
    load: Load | None = None,
    slo: str | Slo = "ttft=500ms,tpot=30ms",
    rate: float | None = None,
    users: int = 0,
    share: float = 0.99,
    watched: int = -1,
    keeps_steps: bool = False,
    detailed: bool = False,
    **options: Any,
) -> Plan:
    """One replica at a rate, with so many users, or with a trace as it was recorded."""
    bounds.check("users", users or None)
    load = load or Load()
    level = slo if isinstance(slo, Slo) else Slo.parse(slo)
    asked = Asked(model, machine, **options)
    replica = replica_of(asked, load)
    served = serve(replica, load, rate, users, level, watched, keeps_steps, detailed)
    return Plan(served, level, share, None, ((replica, served),))


def replica_of(asked: Asked, load: Load) -> Replica:
    """The one that is asked for, or the first that holds the model."""
    if asked.tp or asked.dp:
        return replicas.build(asked, *load.means, load.longest)
    return _candidates(asked, load)[0]


def _rate_of(served: Served) -> float:
    return served.rate or served.bench["request_throughput"]


def _layouts(asked: Asked, load: Load) -> Iterator[Replica]:
    """The candidates, of a model with experts each with every way that is asked for to share them
    out."""
    for replica in _candidates(asked, load):
        if not replica.ep or asked.ep != "auto":
            yield replica
            continue
        for ep in replicas.LAYOUTS:
            wanted = replace(asked, tp=replica.tp, dp=replica.dp, ep=ep)
            try:
                yield replicas.build(wanted, *load.means, load.longest)
            except _core.InputError as error:
                if [one.label for one in error.violations] != ["serve.experts"]:
                    raise


def _candidates(asked: Asked, load: Load) -> list[Replica]:
    """Replicas to try: the one that is asked for, the planner's best plan where that spreads
    experts over groups, and those of the four fewest powers of two of chips that hold the model."""
    means, longest = load.means, load.longest
    if asked.tp or asked.dp:
        return [replicas.build(asked, *means, longest)]
    tp, dp, _ = replicas.choose(asked, *means)
    spread = [replace(asked, tp=tp, dp=dp)] if dp > 1 else []
    return [*(replicas.build(one, *means, longest) for one in spread), *_by_tp(asked, load, dp > 1)]


def _by_tp(asked: Asked, load: Load, is_more: bool) -> list[Replica]:
    """Replicas of one group. is_more: there are others, so that there need not be one."""
    means, longest = load.means, load.longest
    found: list[Replica] = []
    refused: Exception | None = None
    for tp in (2**power for power in range(TP_POWERS)):
        try:
            replica = replicas.build(replace(asked, tp=tp), *means, longest)
        except _core.InputError as error:
            if [one.label for one in error.violations] != ["serve.fit"]:
                raise
            refused = error
            continue
        if tp <= replica.found["system_chips"] and len(found) < CANDIDATES:
            found.append(replica)
    if not found and not is_more:
        raise refused or UsageError(f"{asked.machine} has too few chips")
    return found
