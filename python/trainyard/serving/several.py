"""Several servers behind a router, on one clock: data-parallel replicas, each with a scheduler and
a cache of its own. To the worker they are one server; the rules are those of src/serving/fleet.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trainyard.serving.sampling import Chosen
from trainyard.serving.stepping import Asked, Begun, Server, Stops
from trainyard.usage import UsageError

ROUTINGS = ("least", "round-robin", "random", "prefix")


@dataclass
class _Step:
    """Of a replica, under way."""

    end: int
    begun: Begun


class Router:
    """Which replica gets a request: `least` has the fewest that are not over, the first of equals;
    `prefix` the one that last had the same first block of tokens, unless it has more than twice the
    mean, and one."""

    def __init__(self, how: str, block_tokens: int, seed: int = 0) -> None:
        if how not in ROUTINGS:
            raise UsageError(f"a routing is {', '.join(ROUTINGS)}, not {how}")
        self._how, self._block = how, block_tokens
        self._random = np.random.default_rng(seed)
        self._turn = 0
        self._last: dict[tuple[int, ...], int] = {}

    def choose(self, asked: Asked, open_: Sequence[int]) -> int:
        """A replica by its place. open_: requests of each that are not over."""
        if self._how == "random":
            return int(self._random.integers(len(open_)))
        if self._how == "round-robin":
            self._turn += 1
            return (self._turn - 1) % len(open_)
        fewest = open_.index(min(open_))
        if self._how == "least" or len(asked.prompt) < self._block:
            return fewest
        key = (asked.adapter, *asked.prompt[: self._block])
        known = self._last.get(key)
        if known is None or open_[known] > 2 * sum(open_) // len(open_) + 1:
            known = fewest
        self._last[key] = known
        return known


class Replicas:
    """Servers as one. The number of a request is its replica's number and its own in one."""

    def __init__(self, servers: Sequence[Server], router: Router) -> None:
        self.servers, self._router = list(servers), router
        self.engine = servers[0].engine
        self.scheduler = _Schedulers(self.servers)
        self.now = 0
        self._steps: list[_Step | None] = [None] * len(servers)
        self._dropped: set[int] = set()  # that a step under way still computes

    def _split(self, number: int) -> tuple[int, int]:
        local, replica = divmod(number, len(self.servers))
        return replica, local

    def add(self, asked: Asked) -> int | None:
        """As Server has it."""
        schedulers = [one.scheduler for one in self.servers]
        replica = self._router.choose(asked, [one.running + one.waiting for one in schedulers])
        local = self.servers[replica].add(asked)
        return None if local is None else local * len(self.servers) + replica

    def cancel(self, number: int) -> None:
        """At once, or at the end of the step that computes it."""
        replica, local = self._split(number)
        if self._steps[replica] is None:
            self.servers[replica].now = self.now
            self.servers[replica].cancel(local)
        else:
            self._dropped.add(number)

    def forget(self, number: int) -> None:
        """As Server has it."""
        replica, local = self._split(number)
        self.servers[replica].forget(local)

    def step(self, stops: Stops | None = None, until: int | None = None) -> dict[int, list[Chosen]]:
        """Goes on to the end of the step that ends first, or to `until` where that is before."""
        for replica, server in enumerate(self.servers):
            if self._steps[replica] is None and not server.scheduler.is_idle:
                server.now = self.now
                if (begun := server.begin()) is not None:
                    self._steps[replica] = _Step(self.now + begun.ticks, begun)
        ends = [(one.end, place) for place, one in enumerate(self._steps) if one]
        if not ends:
            return {}
        end, replica = min(ends)
        if until is not None and until < end:
            self.now = max(self.now, until)
            return {}
        self.now = end
        return self._finish(replica, stops)

    def _finish(self, replica: int, stops: Stops | None) -> dict[int, list[Chosen]]:
        server, step = self.servers[replica], self._steps[replica]
        assert step is not None
        self._steps[replica] = None
        many = len(self.servers)

        def whole(local: int) -> int:
            return local * many + replica

        def is_end(local: int, token: int) -> bool:
            assert stops is not None
            return whole(local) not in self._dropped and stops(whole(local), token)

        given = server.finish(step.begun, is_end if stops else None)
        ended = [whole(local) for local in server.scheduler.ended]
        dropped = [number for number in self._dropped if number % many == replica]
        for number in dropped:
            if number not in ended:
                server.cancel(number // many)
            self._dropped.discard(number)
        self.scheduler.ended = [number for number in ended if number not in dropped]
        return {
            whole(local): chosen for local, chosen in given.items() if whole(local) not in dropped
        }

    @property
    def first_end(self) -> int | None:
        """Of the steps under way."""
        return min((one.end for one in self._steps if one), default=None)

    def __getattr__(self, name: str) -> Any:
        """Sums of what each has done."""
        if name in ("busy", "joules", "drafts", "guessed", "accepted"):
            return sum(getattr(one, name) for one in self.servers)
        raise AttributeError(name)


class _Schedulers:
    """What the worker and the metrics ask of a scheduler, of all of them."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self._all = [one.scheduler for one in servers]
        self.ended: list[int] = []

    @property
    def is_idle(self) -> bool:
        """Whether all are."""
        return all(one.is_idle for one in self._all)

    @property
    def running(self) -> int:
        """Requests of all."""
        return sum(one.running for one in self._all)

    @property
    def waiting(self) -> int:
        """Requests of all."""
        return sum(one.waiting for one in self._all)

    @property
    def used_blocks(self) -> float:
        """Of a cache, in the mean."""
        return sum(one.used_blocks for one in self._all) / len(self._all)

    def record(self, number: int) -> Any:
        """Of a request."""
        return self._all[number % len(self._all)].record(number // len(self._all))

    def counters(self) -> dict[str, int]:
        """Sums; a peak is that of the highest."""
        found = [one.counters() for one in self._all]
        return {
            name: (max if name.startswith("peak") else sum)(one[name] for one in found)
            for name in found[0]
        }


def engines_of(engine: Any, many: int) -> list[Any]:
    """The engine and others like it: compiled once, with the same weights and caches of their
    own."""
    return [engine, *(engine.replicated() for _ in range(many - 1))]
