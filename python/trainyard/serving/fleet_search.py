"""The fewest chips that serve a load: fleets behind a router, by size of a replica, pieces of
prompts, requests at once, number of replicas, and with or without replicas that read prompts for
the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from trainyard import _core
from trainyard.serving import fleets, planned, replicas
from trainyard.serving.fleets import Fleet, FleetServed
from trainyard.serving.measures import Slo
from trainyard.serving.planned import Load, Tell
from trainyard.serving.replicas import Asked, Replica
from trainyard.usage import UsageError

CHUNKS = (256, 512, 1024, 2048)  # tokens of a prompt in a step
BATCHES = (16, 32, 64, 128, 256, 512, 1024)  # requests at once in a replica
BETTER = 1.02  # a bisection to 1 % knows no less
POWERS = 10  # of two, of tp and dp
SHAPES, KINDS = 12, 3  # replicas that are tried alone, and in fleets
SECONDS = 20.0  # of arrivals at least, so that queues show
ALONE = 800  # requests to rank replicas by
REQUESTS_MAX, FLEET_MAX = 200_000, 4096


@dataclass(frozen=True)
class Trial:
    """A fleet that was simulated, and whether it keeps the service level."""

    served: FleetServed
    keeps: bool

    @property
    def chips(self) -> int:
        """Of all replicas."""
        fleet = self.served.fleet
        return (fleet.replicas + fleet.readers) * self.served.replica.chips

    @property
    def chunk(self) -> int:
        """Tokens of a prompt in a step."""
        return self.served.replica.asked.chunk_tokens_max

    @property
    def batch(self) -> int:
        """Requests at once in a replica, at most."""
        return self.served.replica.asked.requests_max

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        replica, fleet, bench = self.served.replica, self.served.fleet, self.served.bench
        found: dict[str, Any] = {"tp": replica.tp, "dp": replica.dp, "chips": self.chips}
        found |= {"replicas": fleet.replicas, "readers": fleet.readers, "chunk": self.chunk}
        found["max_num_seqs"] = self.batch
        found |= {"keeps": self.keeps, "good_share": self.served.good_share}
        found |= {name: bench[name] for name in ("p99_ttft_ms", "p99_tpot_ms")}
        hourly = replica.usd(3600.0)
        whole = fleet.replicas + fleet.readers
        found["usd_per_hour"] = None if hourly is None else hourly * whole
        return found


@dataclass(frozen=True)
class FleetPlan:
    """The answer of plan(). tried: every fleet that was simulated, the best first; `checked`: the
    best one's share within the level with arrivals that nothing was chosen by."""

    slo: Slo
    share: float
    rate: float
    tried: tuple[Trial, ...]
    checked: float | None = None
    alone: tuple[tuple[Replica, float], ...] = ()  # requests a second of one replica

    @property
    def best(self) -> Trial | None:
        """None: none keeps the level."""
        return self.tried[0] if self.tried and self.tried[0].keeps else None

    @property
    def chips(self) -> int | None:
        """Of the best."""
        return self.best.chips if self.best else None

    def why_not_fewer(self) -> str | None:
        """Of the fleets with fewer chips, the nearest to the level."""
        if self.best is None:
            return None
        fewer = [one for one in self.tried if one.chips < self.best.chips]
        if not fewer:
            return "one replica has as many"
        near = max(fewer, key=lambda one: (one.chips, one.served.good_share))
        bench = near.served.bench
        return (
            f"{name_of(near)}, {near.chips} chips: {100 * near.served.good_share:.1f} % within "
            f"the level, TTFT p99 {bench['p99_ttft_ms']:.0f} ms, TPOT p99 "
            f"{bench['p99_tpot_ms']:.1f} ms"
        )


def name_of(trial: Trial) -> str:
    """A fleet in words."""
    replica, fleet = trial.served.replica, trial.served.fleet
    size = f"(tp {replica.tp}, dp {replica.dp})" if replica.dp > 1 else f"(tp {replica.tp})"
    if fleet.readers:
        return f"{fleet.readers} prefill + {fleet.replicas} decode x {size}"
    return f"{fleet.replicas} x {size}"


def plan(
    model: str,
    machine: str,
    load: Load,
    slo: str | Slo = "ttft=500ms,tpot=30ms",
    rate: float | None = None,
    share: float = 0.99,
    routing: str = "least",
    tell: Tell | None = None,
    chunks: tuple[int, ...] = CHUNKS,
    batches: tuple[int, ...] = BATCHES,
    **options: Any,
) -> FleetPlan:
    """The fleet with the fewest chips that serves `rate` requests a second (None: the trace as it
    was recorded), `share` of them within the service level.

    Every size of a replica that holds the model is first tried alone, the best of them, by requests
    a chip, also with other `chunks` and `batches`, where these hold what is asked for; then in
    fleets, whose numbers are found by bisection. Options: fields of replicas.Asked.
    Raises InputError and UsageError as planned.plan() does.
    """
    level = slo if isinstance(slo, Slo) else Slo.parse(slo)
    if rate is None:
        if load.trace is None:
            raise UsageError("a search over fleets needs a rate, users or a trace")
        rate = load.trace.rate
    asked = Asked(model, machine, **options)
    search = _Search(_long(load, rate), level, rate, share, routing, tell or (lambda _: None))
    alone = search.alone(asked, chunks, batches)
    for replica, able in alone[:KINDS]:
        search.together(replica, able)
        search.apart(replica, able)
    search.trim()
    tried = tuple(sorted(search.tried, key=_rank))
    found = FleetPlan(level, share, rate, tried, None, tuple(alone))
    if found.best is None:
        return found
    return search.confirmed(found)


def _rank(one: Trial) -> tuple[bool, int, float]:
    return not one.keeps, one.chips, -one.served.good_share


def _ranked(found: list[tuple[Replica, float]]) -> list[tuple[Replica, float]]:
    """Most requests a chip first; of equals the first."""
    return sorted(found, key=lambda one: -one[1] / one[0].chips)


def _long(load: Load, rate: float) -> Load:
    if load.trace is not None:
        return load
    wanted = min(REQUESTS_MAX, math.ceil(rate * SECONDS))
    return replace(load, requests=max(load.requests, wanted))


class _Search:
    def __init__(
        self, load: Load, slo: Slo, rate: float, share: float, routing: str, tell: Tell
    ) -> None:
        self._load, self._slo, self._rate, self._share = load, slo, rate, share
        self._routing, self._tell = routing, tell
        self.tried: list[Trial] = []

    def alone(
        self, asked: Asked, chunks: tuple[int, ...], batches: tuple[int, ...]
    ) -> list[tuple[Replica, float]]:
        """Replicas and the rate that each keeps, most requests a chip first: by size, then the best
        sizes by pieces of prompts and requests at once."""
        found = _ranked([self._able(one) for one in _shapes(asked, self._load)])
        found = [one for one in found if one[1] > 0][:KINDS]
        if asked.chunk_tokens_max in chunks:
            found = [self._by_chunks(one, chunks) for one in found]
        if asked.requests_max in batches:
            found = [self._by_batches(one, batches) for one in found]
        return _ranked(found)

    def _able(self, replica: Replica, requests: int = ALONE) -> tuple[Replica, float]:
        """A replica and the requests a second that it serves within the level."""
        few = self._load
        if few.trace is None:
            few = replace(few, requests=min(few.requests, requests))
        found = planned.search(replica, few, self._slo, self._share)
        speed = (found.rate or found.bench["request_throughput"]) if found else 0.0
        asked = replica.asked
        self._tell(
            f"tp {replica.tp}, dp {replica.dp}, pieces of {asked.chunk_tokens_max}, "
            f"{asked.requests_max} at once: {speed:.3g} requests/s"
        )
        return replica, speed

    def _other(self, replica: Replica, **changes: int) -> Replica:
        wanted = replace(replica.asked, tp=replica.tp, dp=replica.dp, **changes)
        return replicas.build(wanted, *self._load.means, self._load.longest)

    def _by_chunks(
        self, first: tuple[Replica, float], chunks: tuple[int, ...]
    ) -> tuple[Replica, float]:
        """The best with another length of pieces."""
        replica = first[0]
        others = [one for one in chunks if one != replica.asked.chunk_tokens_max]
        made = [self._able(self._other(replica, chunk_tokens_max=one)) for one in others]
        return _ranked([first, *made])[0]

    def _by_batches(
        self, first: tuple[Replica, float], batches: tuple[int, ...]
    ) -> tuple[Replica, float]:
        """The best with more requests at once, or with fewer, as far as each is better than the
        one before: a limit keeps the time of a token, and makes who comes wait."""
        ordered = sorted(batches)
        start = best = self._able(first[0], ALONE * KINDS)  # a queue needs more requests than seats
        at = ordered.index(first[0].asked.requests_max)
        for way in (ordered[at + 1 :], ordered[:at][::-1]):
            for batch in way:
                other = self._able(self._other(first[0], requests_max=batch), ALONE * KINDS)
                if other[1] < BETTER * best[1]:
                    break
                best = other
            if best is not start:
                break
        return first if best is start else best

    def _try(self, replica: Replica, writers: int, readers: int = 0) -> Trial:
        fleet = Fleet(writers, readers, self._routing)
        served = fleets.serve(replica, self._load, fleet, self._rate, self._slo)
        made = Trial(served, bool(served.good_share >= self._share))
        self.tried.append(made)
        self._tell(f"{name_of(made)}: {100 * served.good_share:.1f} % within the service level")
        return made

    def _keeps(self, replica: Replica, readers: int, writers: int) -> bool:
        return self._try(replica, writers, readers).keeps

    def together(self, replica: Replica, able: float) -> None:
        """The fewest replicas that read and write."""
        first = max(1, math.ceil(self._rate / able))
        _fewest(partial(self._keeps, replica, 0), first)

    def apart(self, replica: Replica, able: float) -> None:
        """The fewest that write, for a few numbers of those that read."""
        read = _read_rate(replica, self._load, self._slo, self._share)
        if read <= 0 or not replica.found["send_bytes_per_second"]:
            return
        fewest = min((one.chips for one in self.tried if one.keeps), default=None)
        first = max(1, math.ceil(self._rate / able))
        least = max(1, math.ceil(self._rate / read))
        for readers in dict.fromkeys((least, least + 1, math.ceil(1.25 * least))):
            most = FLEET_MAX
            if fewest is not None:  # more chips than the best would be no answer
                most = fewest // replica.chips - readers
            if most >= 1:
                start = min(most, max(1, first - readers))
                _fewest(partial(self._keeps, replica, readers), start, most)
            kept = [one.chips for one in self.tried if one.keeps]
            fewest = min(kept, default=None)

    def trim(self) -> None:
        """One fewer of each kind of replica than the best has, as long as one of them will do."""
        while best := min((one for one in self.tried if one.keeps), key=_rank, default=None):
            fleet, replica = best.served.fleet, best.served.replica
            fewer = [(fleet.replicas - 1, fleet.readers), (fleet.replicas, fleet.readers - 1)]
            known = {(name_of(one), one.chunk, one.batch) for one in self.tried}
            for writers, readers in fewer:
                if writers < 1 or readers < min(1, fleet.readers):
                    continue
                made = replace(best.served, fleet=Fleet(writers, readers, self._routing))
                if (name_of(Trial(made, False)), best.chunk, best.batch) in known:
                    continue
                if self._try(replica, writers, readers).keeps:
                    break
            else:
                return

    def confirmed(self, found: FleetPlan) -> FleetPlan:
        """With other arrivals; the best fleet that keeps the level then, too, comes first."""
        again = _Search(
            replace(self._load, seed=self._load.seed + 1),
            *(self._slo, self._rate, self._share, self._routing, self._tell),
        )
        if self._load.trace is not None:
            return replace(found, checked=None)
        tried = list(found.tried)
        for one in found.tried:
            if not one.keeps:
                break
            fleet = one.served.fleet
            other = again._try(one.served.replica, fleet.replicas, fleet.readers)
            if other.keeps:
                return replace(found, tried=tuple(tried), checked=other.served.good_share)
            tried.remove(one)
            tried.append(replace(one, keeps=False))
        best = next(one for one in found.tried if one.keeps)
        fleet = best.served.fleet
        for more in range(1, max(2, fleet.replicas)):
            larger = self._try(best.served.replica, fleet.replicas + more, fleet.readers)
            other = again._try(best.served.replica, fleet.replicas + more, fleet.readers)
            tried.append(replace(larger, keeps=larger.keeps and other.keeps))
            if tried[-1].keeps:
                ranked = tuple(sorted(tried, key=_rank))
                return replace(found, tried=ranked, checked=other.served.good_share)
        return replace(found, tried=tuple(sorted(tried, key=_rank)))


def _fewest(keeps: Callable[[int], bool], first: int, most: int = FLEET_MAX) -> None:
    """Tries numbers until the smallest that keeps the level is known, from a guess."""
    low, high = 0, min(first, most)
    while not keeps(high):
        if high >= most:
            return
        low, high = high, min(most, max(high + 1, math.ceil(1.3 * high)))
    step = 1
    while high - low > 1:
        # Near the guess at first: it is seldom far off.
        middle = max(low + 1, high - step) if low == 0 else (low + high) // 2
        if keeps(middle):
            high, step = middle, 2 * step
        else:
            low = middle


def _read_rate(replica: Replica, load: Load, slo: Slo, share: float) -> float:
    """Prompts a second that one replica reads within the level's first token."""
    if load.trace is not None:
        rows = tuple((at, prompt, 1, held) for at, prompt, _, held in load.trace.rows)
        load = replace(load, trace=replace(load.trace, rows=rows))
    else:
        load = replace(load, osl=1, requests=min(load.requests, ALONE))
    found = planned.search(replica, load, replace(slo, tpot=None, e2el=None), share)
    return (found.rate or found.bench["request_throughput"]) if found else 0.0


def _shapes(asked: Asked, load: Load) -> Iterator[Replica]:
    """Replicas that hold the model within a system: by tp, and where experts are spread by dp."""
    means, longest = load.means, load.longest
    if asked.tp or asked.dp:
        yield replicas.build(asked, *means, longest)
        return
    has_experts = replicas.choose(asked, *means)[1] > 1
    refused: Exception | None = None
    made = 0
    sizes = [
        (2**first, 2**second)
        for first in range(POWERS)
        for second in range(POWERS if has_experts else 1)
    ]
    for tp, dp in sorted(sizes, key=lambda one: (one[0] * one[1], one[0])):
        try:
            replica = replicas.build(replace(asked, tp=tp, dp=dp), *means, longest)
        except _core.InputError as error:
            refused = error
            continue
        if replica.chips <= replica.found["system_chips"] and made < SHAPES:
            made += 1
            yield replica
    if not made:
        raise refused or UsageError(f"{asked.machine} has too few chips")
