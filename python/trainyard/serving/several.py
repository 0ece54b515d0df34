"""Several servers behind a router, on one clock: data-parallel replicas, each with a scheduler and
a cache of its own. To the worker they are one server; the rules are those of src/serving/fleet.h,
also of replicas that are lost and come back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.serving.losses import Loss
from trainyard.serving.sampling import Chosen
from trainyard.serving.stepping import Asked, Begun, Live, Moved, Server, Stops
from trainyard.usage import UsageError

ROUTINGS = ("least", "round-robin", "random", "prefix")


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

    def choose(self, asked: Asked, open_: Sequence[int], able: Sequence[int] | None = None) -> int:
        """A replica by its place. open_: requests of each that are not over; able: the places of
        those that serve, all without."""
        able = range(len(open_)) if able is None else able
        if self._how == "random":
            return able[int(self._random.integers(len(able)))]
        if self._how == "round-robin":
            self._turn += 1
            return able[(self._turn - 1) % len(able)]
        fewest = min(able, key=lambda place: open_[place])
        if self._how == "least" or len(asked.prompt) < self._block:
            return fewest
        key = (asked.adapter, *asked.prompt[: self._block])
        known = self._last.get(key)
        crowd = 2 * sum(open_[place] for place in able) // len(able) + 1
        if known is None or known not in able or open_[known] > crowd:
            known = fewest
        self._last[key] = known
        return known


@dataclass
class Task:
    """Something besides requests that a replica computes between two steps. done(came, end): when
    it is over, ticks; came is None where no replica is left to compute it."""

    ticks: int
    joules: float
    done: Callable[[int | None, int], None]
    came: int = 0


@dataclass
class _Step:
    """Of a replica, under way: of its requests, or a task."""

    began: int
    end: int
    begun: Begun | None = None
    task: Task | None = None


@dataclass(eq=False)
class _Member:
    """A replica. numbers: of its requests, by their numbers there."""

    server: Server
    numbers: dict[int, int] = field(default_factory=dict)
    step: _Step | None = None
    tasks: deque[Task] = field(default_factory=deque)
    had_task: bool = False  # in its last step
    is_lost: bool = False


class Replicas:
    """Servers as one, each with a number of its own for a request."""

    def __init__(
        self, servers: Sequence[Server], router: Router, losses: Sequence[Loss] = ()
    ) -> None:
        self._members, self._router = [_Member(one) for one in servers], router
        self.engine = servers[0].engine
        self.now = 0
        self.moved = 0  # requests that another replica had to take over
        self.lost: list[Loss] = []  # that have happened
        self.over: list[Callable[[], None]] = []  # of tasks, since somebody last looked
        self._places: list[tuple[_Member, Any, int] | None] = []  # by number
        self.scheduler = _Schedulers(self._members, self._places)
        self._dropped: set[int] = set()  # that a step under way still computes
        changes = [(one.at, 0, one.replica, one) for one in losses]
        changes += [(one.back, 1, one.replica, one) for one in losses if one.back is not None]
        self._changes = deque(sorted(changes, key=lambda one: one[:2]))

    @property
    def servers(self) -> list[Server]:
        """All of them."""
        return [one.server for one in self._members]

    @property
    def is_gone(self) -> bool:
        """Whether every replica is lost and none comes back."""
        comes_back = any(is_back for _, is_back, *_ in self._changes)
        return not comes_back and all(one.is_lost for one in self._members)

    def add(self, asked: Asked) -> int | None:
        """As Server has it. One that finds no replica waits for one that comes back."""
        self._pass(self.now)
        number = len(self._places)
        self._places.append(None)
        live = Live(asked, list(asked.prompt), np.random.default_rng(asked.sampling.seed))
        return number if self._give(number, live, None) else None

    def _give(self, number: int, live: Live, moved: Moved | None) -> bool:
        """To a replica; whether one takes it, or it waits for one."""
        able = [place for place, one in enumerate(self._members) if not one.is_lost]
        if not able:
            self.scheduler.homeless[number] = live, moved
            if moved is None:
                arrival = round(live.asked.arrival * _core.TICKS_PER_SECOND)
                begun = {"arrival": arrival, "prompt": len(live.asked.prompt)}
                self.scheduler.keep(number, NOT_YET | begun)
            return True
        schedulers = [one.server.scheduler for one in self._members]
        open_ = [one.running + one.waiting for one in schedulers]
        member = self._members[self._router.choose(live.asked, open_, able)]
        server = member.server
        local = server.add(live.asked) if moved is None else server.adopt(live, moved)
        if local is None:
            return False
        member.numbers[local] = number
        self._places[number] = member, server.scheduler, local
        return True

    def cancel(self, number: int) -> None:
        """At once, or at the end of the step that computes it."""
        place = self._places[number]
        if place is None:
            self.scheduler.homeless.pop(number, None)
            return
        member, scheduler, local = place
        if scheduler is not member.server.scheduler:
            return
        if member.step is None:
            member.server.now = self.now
            member.server.cancel(local)
            member.numbers.pop(local, None)
        else:
            self._dropped.add(number)

    def forget(self, number: int) -> None:
        """As Server has it."""
        if (place := self._places[number]) is not None:
            place[0].server.forget(place[2])
            place[0].numbers.pop(place[2], None)

    def perform(self, task: Task) -> None:
        """Between two steps of the replica with the fewest requests, tasks counted."""
        self._pass(self.now)
        task.came = self.now
        self._place(task)

    def _place(self, task: Task) -> None:
        able = [one for one in self._members if not one.is_lost]
        if not able and not self.is_gone:
            self.scheduler.waiting_tasks.append(task)
            return
        if not able:
            self.over.append(partial(task.done, None, self.now))
            return

        def load(one: _Member) -> int:
            scheduler = one.server.scheduler
            return int(scheduler.running + scheduler.waiting + len(one.tasks))

        min(able, key=load).tasks.append(task)

    def step(self, stops: Stops | None = None, until: int | None = None) -> dict[int, list[Chosen]]:
        """Goes on to the end of the step that ends first, or to `until` where that is before."""
        self.scheduler.ended = []
        while True:
            self._begin()
            ends = [(one.step.end, place) for place, one in enumerate(self._members) if one.step]
            times = [min(ends)[0]] if ends else []
            times += [self._changes[0][0]] if self._changes else []
            if not times or (not ends and self.scheduler.is_idle):
                return {}
            if until is not None and until < min(times):
                self.now = max(self.now, until)
                return {}
            if self._changes and self._changes[0][0] <= times[0]:
                self._pass(self._changes[0][0])
                continue
            self.now, place = min(ends)
            return self._finish(self._members[place], stops)

    def _begin(self) -> None:
        """A step of each replica that has none."""
        for member in self._members:
            if member.step is not None or member.is_lost:
                continue
            server = member.server
            server.now = self.now
            if member.tasks and not (member.had_task and not server.scheduler.is_idle):
                task = member.tasks.popleft()
                member.step = _Step(self.now, self.now + task.ticks, task=task)
            elif not server.scheduler.is_idle and (begun := server.begin()) is not None:
                member.step = _Step(self.now, self.now + begun.ticks, begun)
            member.had_task = member.step is not None and member.step.task is not None

    def _finish(self, member: _Member, stops: Stops | None) -> dict[int, list[Chosen]]:
        server, step = member.server, member.step
        assert step is not None
        member.step = None
        numbers, given, ended = member.numbers, {}, []
        if step.begun is None:
            assert step.task is not None
            server.spend((step.end - step.began) / _core.TICKS_PER_SECOND, step.task.joules)
            self.over.append(partial(step.task.done, step.task.came, step.end))
        else:

            def is_end(local: int, token: int) -> bool:
                assert stops is not None
                return numbers[local] not in self._dropped and stops(numbers[local], token)

            given = server.finish(step.begun, is_end if stops else None)
            ended = [numbers[local] for local in server.scheduler.ended]
        dropped = {local for local, number in numbers.items() if number in self._dropped}
        made = {numbers[local]: one for local, one in given.items() if local not in dropped}
        self.scheduler.ended = [number for number in ended if number not in self._dropped]
        for local in dropped:
            number = numbers.pop(local)
            if number not in ended:
                server.cancel(local)
            self._dropped.discard(number)
        return made

    def _pass(self, time: int) -> None:
        """What is lost and comes back until then."""
        while self._changes and self._changes[0][0] <= time:
            at, is_back, replica, loss = self._changes.popleft()
            self.now = max(self.now, at)
            assert replica is not None
            member = self._members[replica]
            if not is_back:
                self._lose(member, loss)
            elif member.is_lost:
                member.is_lost = False
                self._bring_back()

    def _lose(self, member: _Member, loss: Loss) -> None:
        if member.is_lost:
            return
        member.is_lost = True
        self.lost.append(loss)
        server, step = member.server, member.step
        if step is not None:
            server.busy += self.now - step.began  # which gave nothing
        member.step = None
        tasks = [*([step.task] if step and step.task else []), *member.tasks]
        member.tasks.clear()
        self.scheduler.left.append(server.scheduler.counters())
        numbers, member.numbers = member.numbers, {}
        for live, moved in server.leave():
            number = numbers[moved.number]
            if number in self._dropped:
                self._dropped.discard(number)
                continue
            self.moved += 1
            self.scheduler.keep(number, moved.record)
            self._places[number] = None
            if not self._give(number, live, moved):
                self.scheduler.failed.append(number)
        for task in tasks:
            self._place(task)

    def _bring_back(self) -> None:
        waiting, self.scheduler.homeless = self.scheduler.homeless, {}
        for number, (live, moved) in waiting.items():
            if not self._give(number, live, moved):
                self.scheduler.failed.append(number)
        tasks, self.scheduler.waiting_tasks = self.scheduler.waiting_tasks, []
        for task in tasks:
            self._place(task)

    @property
    def first_end(self) -> int | None:
        """Of the steps under way."""
        return min((one.step.end for one in self._members if one.step), default=None)

    def __getattr__(self, name: str) -> Any:
        """Sums of what each has done."""
        if name in ("busy", "joules", "drafts", "guessed", "accepted"):
            return sum(getattr(one.server, name) for one in self._members)
        raise AttributeError(name)


SUMMED = ("prefill_ticks", "decode_ticks", "joules", "chunks", "decodes", "preemptions")


class _Schedulers:
    """What the worker and the metrics ask of a scheduler, of all of them."""

    def __init__(
        self, members: Sequence[_Member], places: Sequence[tuple[_Member, Any, int] | None]
    ) -> None:
        self._members, self._places = members, places
        self.ended: list[int] = []
        self.failed: list[int] = []  # that no replica could take over
        self.left: list[dict[str, int]] = []  # counters of those that were lost
        self.homeless: dict[int, tuple[Live, Moved | None]] = {}  # who wait for a replica
        self.waiting_tasks: list[Task] = []
        self._before: dict[int, dict[str, Any]] = {}  # records on replicas that were lost

    def keep(self, number: int, record: dict[str, Any]) -> None:
        """What a request had on a replica that is lost."""
        before = self._before.get(number)
        self._before[number] = _joined(before, record) if before else record

    @property
    def _all(self) -> list[Any]:
        return [one.server.scheduler for one in self._members]

    @property
    def is_idle(self) -> bool:
        """Whether all are, and nobody waits for one."""
        tasks = any(one.tasks or (one.step and one.step.task) for one in self._members)
        waits = self.homeless or self.waiting_tasks or tasks
        return not waits and all(one.is_idle for one in self._all)

    @property
    def running(self) -> int:
        """Requests of all."""
        return sum(one.running for one in self._all)

    @property
    def waiting(self) -> int:
        """Requests of all, and those that no replica has."""
        return sum(one.waiting for one in self._all) + len(self.homeless)

    @property
    def used_blocks(self) -> float:
        """Of a cache, in the mean."""
        return sum(one.used_blocks for one in self._all) / len(self._all)

    def record(self, number: int) -> Any:
        """Of a request, with what it had on replicas that were lost."""
        place, before = self._places[number], self._before.get(number)
        if place is None:
            return before
        member, scheduler, local = place
        record = scheduler.record(local) | {"replica": self._members.index(member)}
        return _joined(before, record) if before else record

    def counters(self) -> dict[str, int]:
        """Sums; a peak is that of the highest."""
        found = [*(one.counters() for one in self._all), *self.left]
        return {
            name: (max if name.startswith("peak") else sum)(one[name] for one in found)
            for name in found[0]
        }


# Of a request that waits for the first replica that comes back.
NOT_YET = dict.fromkeys(("first_scheduled", "first_token", "end"), -1)
NOT_YET |= dict.fromkeys(("arrival", "prompt", "output", "cached", *SUMMED), 0)


def _joined(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """A request's record from those of two replicas, one behind the other."""
    made = after | {name: before[name] + after[name] for name in SUMMED}
    made["arrival"] = before["arrival"]
    if before["first_scheduled"] >= 0:
        made |= {name: before[name] for name in ("first_scheduled", "cached")}
    return made


def engines_of(engine: Any, many: int) -> list[Any]:
    """The engine and others like it: compiled once, with the same weights and caches of their
    own."""
    return [engine, *(engine.replicated() for _ in range(many - 1))]
