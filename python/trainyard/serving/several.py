"""Several servers behind a router, on one clock: data-parallel replicas, each with a scheduler and
a cache of its own, and readers, which read prompts for the others. To the worker they are one
server; the rules are those of src/serving/fleet.h, also of replicas that are lost and come back.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.serving.losses import Loss
from trainyard.serving.sampling import Chosen
from trainyard.serving.schedulers import NOT_YET, Schedulers
from trainyard.serving.stepping import FRESH, Asked, Begun, Live, Moved, Server, Stops
from trainyard.serving.transfers import Sent
from trainyard.usage import UsageError

TICKS = _core.TICKS_PER_SECOND
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

    def choose(
        self,
        asked: Asked,
        open_: Sequence[int],
        able: Sequence[int] | None = None,
        reads: bool = True,
    ) -> int:
        """A replica by its place. open_: requests of each that are not over; able: the places of
        those that serve, all without; reads: whether it will read the prompt."""
        able = range(len(open_)) if able is None else able
        if self._how == "random":
            return able[int(self._random.integers(len(able)))]
        if self._how == "round-robin":
            self._turn += 1
            return able[(self._turn - 1) % len(able)]
        fewest = min(able, key=lambda place: open_[place])
        if self._how == "least" or len(asked.prompt) < self._block or not reads:
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
    is_reader: bool = False
    epoch: int = 0  # of its devices: what was sent before they were lost is void
    link_free: int = 0  # ticks, when a reader may send the next cache


@dataclass(frozen=True, order=True)
class _Flight:
    """A request on its way from a reader to a replica that writes its answer, first the one that
    comes first."""

    end: int
    order: int
    number: int
    live: Live = field(compare=False)
    moved: Moved = field(compare=False)
    sent: Sent = field(compare=False)
    reader: _Member = field(compare=False)
    epoch: int = field(compare=False)


class Replicas:
    """Servers as one, each with a number of its own for a request."""

    def __init__(
        self,
        servers: Sequence[Server],
        router: Router,
        losses: Sequence[Loss] = (),
        readers: int = 0,
    ) -> None:
        """readers: how many of the servers, the last ones, read prompts for the others."""
        self._members, self._router = [_Member(one) for one in servers], router
        for one in self._members[len(servers) - readers :]:
            one.is_reader = True
        self._has_readers = readers > 0
        self.sent_ticks = 0  # from a prompt that is read to who writes its answer
        self._flights: list[_Flight] = []  # a heap
        self._orders = itertools.count()
        self.engine = servers[0].engine
        self.now = 0
        self.moved = 0  # requests that another replica had to take over
        self.lost: list[Loss] = []  # that have happened
        self.failed: dict[int, Exception] = {}  # as Server has it
        self.over: list[Callable[[], None]] = []  # of tasks, since somebody last looked
        self._places: list[tuple[_Member, Any, int] | None] = []  # by number
        self.scheduler = Schedulers(self._members, self._places)
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
        """Whether all that read, or all that write, are lost and none comes back."""
        comes_back = any(is_back for _, is_back, *_ in self._changes)
        there = {one.is_reader for one in self._members if not one.is_lost}
        return not comes_back and there != {one.is_reader for one in self._members}

    def add(self, asked: Asked) -> int | None:
        """As Server has it. One that finds no replica waits for one that comes back."""
        self._pass(self.now)
        number = len(self._places)
        self._places.append(None)
        live = Live(asked, list(asked.prompt), np.random.default_rng(asked.sampling.seed))
        return number if self._give(number, live, None) else None

    def _give(self, number: int, live: Live, moved: Moved | None, sent: Sent | None = None) -> bool:
        """To a replica; whether one takes it, or it waits for one. sent: it is read."""
        reads = self._has_readers and sent is None
        able = [
            place
            for place, one in enumerate(self._members)
            if not one.is_lost and one.is_reader == reads
        ]
        if not able:
            self.scheduler.homeless[number] = live, moved, sent
            if moved is None:
                arrival = round(live.asked.arrival * TICKS)
                begun = {"arrival": arrival, "prompt": len(live.asked.prompt)}
                self.scheduler.keep(number, NOT_YET | begun)
            return True
        schedulers = [one.server.scheduler for one in self._members]
        open_ = [one.running + one.waiting for one in schedulers]
        member = self._members[self._router.choose(live.asked, open_, able, sent is None)]
        server, before = member.server, moved or FRESH
        local = server.adopt(live, before, sent, before.generated + 1 if reads else 0)
        if local is None:
            return False
        member.numbers[local] = number
        self._places[number] = member, server.scheduler, local
        return True

    def _send(self, member: _Member, local: int, table: np.ndarray) -> None:
        """Keys and values of what a reader has read leave it, one request after the other."""
        server, number = member.server, member.numbers.pop(local)
        live, record = server.live[local], server.scheduler.record(local)
        server.forget(local)
        tokens = len(live.tokens) - 1
        seconds, joules = server.engine.send_cost(tokens)
        record["joules"] += joules
        server.joules += joules
        member.link_free = max(member.link_free, self.now) + round(seconds * TICKS)
        self.sent_ticks += member.link_free - self.now
        self.scheduler.keep(number, record)
        self._places[number] = None
        written = len(live.tokens) - len(live.asked.prompt)
        moved = Moved(written, record["first_token"], self.now, record, -1)
        sent = server.engine.take_out(table, tokens)
        flight = _Flight(
            *(member.link_free, next(self._orders), number, live, moved, sent),
            *(member, member.epoch),
        )
        heapq.heappush(self._flights, flight)
        self.scheduler.flying[number] = flight

    def _deliver(self) -> None:
        """The first that is on its way. What a reader sent that was lost is read again."""
        one = heapq.heappop(self._flights)
        del self.scheduler.flying[one.number]
        self.now = max(self.now, one.end)
        is_whole = one.reader.epoch == one.epoch
        self.moved += not is_whole
        if not self._give(one.number, one.live, one.moved, one.sent if is_whole else None):
            self.scheduler.failed.append(one.number)

    def cancel(self, number: int) -> None:
        """At once, or at the end of the step that computes it."""
        place = self._places[number]
        if place is None:
            self.scheduler.homeless.pop(number, None)
            if self.scheduler.flying.pop(number, None):
                record = self.scheduler.record(number)
                record |= {"state": "cancelled", "end": self.now}
                self._flights = [one for one in self._flights if one.number != number]
                heapq.heapify(self._flights)
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
            ends = [(one.step.end, 1, i) for i, one in enumerate(self._members) if one.step]
            ends += [(one.end, 3, 0) for one in self._flights[:1]]
            if not ends and self.scheduler.is_idle:
                return {}
            first = min([*ends, *((one[0], 0, 0) for one in list(self._changes)[:1])], default=None)
            # Who arrives as a step ends finds it over, and is there before what lands then.
            if first is None or (until is not None and (until, 2) < first[:2]):
                self.now = max(self.now, until or 0)
                return {}
            if first[1] == 0:
                self._pass(first[0])
            elif first[1] == 3:
                self._deliver()
            else:
                self.now = first[0]
                return self._finish(self._members[first[2]], stops)

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
            self._fail(member)
            member.had_task = member.step is not None and member.step.task is not None

    def _fail(self, member: _Member) -> None:
        """Requests whose step failed, or what follows it."""
        failed, member.server.failed = member.server.failed, {}
        for local, error in failed.items():
            number = member.numbers.pop(local)
            if number in self._dropped:
                self._dropped.discard(number)
            else:
                self.failed[number] = error

    def _finish(self, member: _Member, stops: Stops | None) -> dict[int, list[Chosen]]:
        server, step = member.server, member.step
        assert step is not None
        member.step = None
        numbers, given, ended = member.numbers, {}, []
        tables: dict[int, np.ndarray] = {}
        stopped: set[int] = set()
        if step.begun is None:
            assert step.task is not None
            server.spend((step.end - step.began) / TICKS, step.task.joules)
            self.over.append(partial(step.task.done, step.task.came, step.end))
        else:

            def is_end(local: int, token: int) -> bool:
                is_own = numbers[local] not in self._dropped
                ends = stops(numbers[local], token) if stops and is_own else False
                if not stops:
                    ends = token in server.engine.model.stops
                if ends:
                    stopped.add(local)
                return ends

            # A request that is over has no table, and its blocks stay as they are until a step.
            tables = {
                one.number: server.table(one.number)
                for one in (step.begun.sampled if member.is_reader else ())
            }
            given = server.finish(step.begun, is_end)
            ended = [one for one in server.scheduler.ended if one not in server.failed]
            self._fail(member)
        dropped = {local for local, number in numbers.items() if number in self._dropped}
        made = {numbers[local]: one for local, one in given.items() if local not in dropped}
        over = []
        for local in ended:
            live = server.live[local]
            written = len(live.tokens) - len(live.asked.prompt)
            is_read = member.is_reader and local not in stopped | dropped
            if is_read and written < live.asked.output:
                self._send(member, local, tables[local])
            else:
                over.append(local)
        self.scheduler.ended = [numbers[local] for local in over if local not in dropped]
        for local in dropped:
            if local not in ended:
                server.cancel(local)
            self._dropped.discard(numbers.pop(local))
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
        member.epoch += 1
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
        for number, (live, moved, sent) in waiting.items():
            if not self._give(number, live, moved, sent):
                self.scheduler.failed.append(number)
        tasks, self.scheduler.waiting_tasks = self.scheduler.waiting_tasks, []
        for task in tasks:
            self._place(task)

    @property
    def first_end(self) -> int | None:
        """Of the steps and transfers under way."""
        steps = [one.step.end for one in self._members if one.step]
        return min([*steps, *(one.end for one in self._flights[:1])], default=None)

    def __getattr__(self, name: str) -> Any:
        """Sums of what each has done."""
        if name in ("busy", "joules", "drafts", "guessed", "accepted"):
            return sum(getattr(one.server, name) for one in self._members)
        raise AttributeError(name)


def engines_of(engine: Any, many: int) -> list[Any]:
    """The engine and others like it: compiled once, with the same weights and caches of their
    own."""
    return [engine, *(engine.replicated() for _ in range(many - 1))]
