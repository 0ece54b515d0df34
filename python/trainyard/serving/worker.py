"""The thread that runs the exact engine's steps, and hands tokens to the server's event loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from trainyard import _core
from trainyard.serving import sampling, stepping
from trainyard.serving.losses import Loss
from trainyard.serving.metrics import Metrics
from trainyard.serving.pace import Pace
from trainyard.serving.several import Replicas, Task


@dataclass
class Update:
    """A token of an answer, or its end. reason: "stop", "length", "abort", "error", "failed" (its
    step), "lost", "rejected" or None."""

    chosen: sampling.Chosen | None = None
    reason: str | None = None
    record: dict[str, Any] | None = None
    error: str = ""


class Mailbox:
    """What the answers to one body have become, in order: written by the worker's thread, read in
    the event loop."""

    def __init__(self, tells_tokens: bool = True) -> None:
        """tells_tokens: whether somebody waits for each token, and not for ends alone."""
        self.tells_tokens = tells_tokens
        self.held: deque[tuple[Ticket, Update]] = deque()
        self.ready = asyncio.Event()

    async def get(self) -> tuple[Ticket, Update]:
        """The next one."""
        while not self.held:
            self.ready.clear()
            if not self.held:
                await self.ready.wait()
        return self.held.popleft()


@dataclass(eq=False)
class Ticket:
    """One answer that somebody waits for."""

    asked: stepping.Asked
    stops: tuple[str, ...] = ()
    ignores_eos: bool = False
    stop_ids: frozenset[int] = frozenset()  # tokens that end it, besides the model's
    least: int = 0  # tokens before which no stop sequence ends it
    box: Mailbox = field(default_factory=Mailbox)
    number: int | None = None
    ids: list[int] = field(default_factory=list)
    is_stopped: bool = False
    last: int = -1  # ticks of its last token
    came: int | None = None  # ticks, where the clock has a pace

    def ends_with(self, token: int, ends: frozenset[int]) -> bool:
        """Whether a token, which is not part of the text, ends it. ends: the model's."""
        return token in self.stop_ids or (token in ends and not self.ignores_eos)

    def stop_of(self, ids: list[int], decode: Callable[[list[int]], str]) -> int | None:
        """Where the first stop sequence begins in the text of its tokens. One that the first
        `least` tokens hold does not count."""
        text = decode(ids)
        free = len(decode(ids[: self.least])) if self.least else 0
        places = [text.find(one, max(0, free - len(one) + 1) if free else 0) for one in self.stops]
        return min((place for place in places if place >= 0), default=None)


@dataclass
class Work:
    """Something else that the device computes between two steps. run: result, seconds, joules."""

    run: Callable[[], tuple[Any, float, float]]
    done: asyncio.Future[Worked]
    came: int | None = None  # ticks, when the thread first saw it


@dataclass(frozen=True)
class Worked:
    """What it gave, and when: simulated ticks."""

    result: Any
    came: int
    end: int
    joules: float


class Worker:
    """Owns the scheduler: everything else sends it commands. The simulated clock runs only while
    there is work, and stands still until `start_after` requests have come."""

    def __init__(
        self,
        server: stepping.Server | Replicas,
        metrics: Metrics,
        loop: Any,
        start_after: int = 0,
        losses: Sequence[Loss] = (),
        pace: Pace | None = None,
    ) -> None:
        self._server, self._metrics, self._loop = server, metrics, loop
        self._start_after, self._pace = start_after, pace
        self._commands: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._is_closing = False
        self._tickets: dict[int, Ticket] = {}
        self._pending: list[Ticket] = []  # that arrive later, by arrival
        self._come = 0
        self._submitted: list[Ticket] = []  # that the thread has not taken yet
        self._works: deque[Work] = deque()
        self._boxes: set[Mailbox] = set()  # whose readers are to be woken
        self._is_over = False
        self._losses = deque(sorted(losses, key=lambda one: one.at))
        self._lost_replicas = 0
        self.lost: str | None = None  # why nothing is computed any more
        self.failure: str | None = None
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Begins to compute."""
        if self._pace:
            self._pace.start()
        self._thread.start()

    def close(self) -> None:
        """Ends after the step that is under way; what is unfinished is aborted."""
        self._send(lambda: setattr(self, "_is_closing", True))
        if self._thread.is_alive():
            self._thread.join()

    def submit(self, tickets: list[Ticket]) -> None:
        """Requests of one body; each ticket's mailbox tells what becomes of it."""
        with self._changed:
            if self._pace:
                for ticket in tickets:
                    ticket.came = self._pace.ticks
            if not self._is_over:
                self._submitted += tickets
                self._changed.notify()
                return
        self._abort(tickets)

    def perform(self, run: Callable[[], tuple[Any, float, float]]) -> asyncio.Future[Worked]:
        """Computes something between two steps, first come, first served."""
        work = Work(run, self._loop.create_future())
        with self._changed:
            if not self._is_over:
                self._works.append(work)
                self._changed.notify()
                return work.done
        self._drop_work(work)
        return work.done

    def cancel(self, tickets: list[Ticket]) -> None:
        """Nobody waits for them any more."""
        self._send(lambda: self._drop(tickets))

    @property
    def waiting(self) -> int:
        """Requests that came and are not over, those that a step keeps waiting included."""
        return len(self._submitted) + len(self._tickets) + len(self._pending)

    def _send(self, command: Callable[[], None]) -> None:
        with self._changed:
            self._commands.append(command)
            self._changed.notify()

    def _tell(self, ticket: Ticket, update: Update) -> None:
        """Puts it into the mailbox; _flush() wakes who waits, once for all that a step gave."""
        ticket.box.held.append((ticket, update))
        if update.reason is not None or ticket.box.tells_tokens:
            self._boxes.add(ticket.box)

    def _flush(self) -> None:
        boxes, self._boxes = self._boxes, set()
        if boxes:
            self._settle(lambda: [one.ready.set() for one in boxes])

    def _run(self) -> None:
        try:
            while not self._is_closing:
                self._drain()
                if not self._is_closing and not self._step():
                    self._metrics.look(self._server)
                self._flush()
        except BaseException as error:
            self.failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            with self._changed:  # what is submitted from now on is told at once
                self._is_over = True
                works = list(self._works)
                self._works.clear()
            for work in works:
                self._drop_work(work)
            left = [*self._tickets.values(), *self._pending, *self._submitted]
            for held in (self._tickets, self._pending, self._submitted):
                held.clear()  # before anybody hears of it
            self._abort(left)

    def _abort(self, tickets: list[Ticket]) -> None:
        reason = "error" if self.failure else "abort"
        for ticket in tickets:
            self._tell(ticket, Update(reason=reason, error=self.failure or "the server ends"))
        self._flush()

    def _drop_work(self, work: Work) -> None:
        error = ConnectionAbortedError(self.lost or self.failure or "the server ends")
        self._settle(lambda: work.done.cancelled() or work.done.set_exception(error))

    def _settle(self, call: Callable[[], Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody reads
            self._loop.call_soon_threadsafe(call)

    def _drain(self) -> None:
        """Commands that came; waits for one where there is nothing to compute."""
        with self._changed:
            if not self._commands and not self._submitted and self._is_idle():
                self._changed.wait()
            self._take(self._submitted)
            self._submitted = []
            commands = list(self._commands)
            self._commands.clear()
        for command in commands:
            command()

    def _is_idle(self) -> bool:
        if self._works:
            return False
        if self._come < self._start_after:
            return True
        return self._server.scheduler.is_idle and not self._pending

    def _take(self, tickets: list[Ticket]) -> None:
        self._come += len(tickets)
        for ticket in tickets:
            came = self._server.now if ticket.came is None else ticket.came
            ticket.asked.arrival = max(ticket.asked.arrival, came / _core.TICKS_PER_SECOND)
        self._pending += tickets
        self._pending.sort(key=lambda one: one.asked.arrival)  # stable: first come, first served

    def _drop(self, tickets: list[Ticket]) -> None:
        for ticket in tickets:
            if ticket in self._pending:
                self._pending.remove(ticket)
            elif ticket.number in self._tickets:
                del self._tickets[ticket.number]
                self._server.cancel(ticket.number)
                self._end(ticket, "abort")

    def _admit(self) -> None:
        server = self._server
        while self._pending:
            ticket = self._pending[0]
            arrival = round(ticket.asked.arrival * _core.TICKS_PER_SECOND)
            if arrival > server.now:
                if not server.scheduler.is_idle or not self._is_due(arrival):
                    return
                server.now = arrival
            self._pending.pop(0)
            ticket.number = server.add(ticket.asked)
            if ticket.number is None:
                self._tell(ticket, Update(reason="rejected"))
            else:
                self._tickets[ticket.number] = ticket

    def _is_due(self, arrival: int) -> bool:
        """Whether the clock may go on to the arrival of the first request that comes later. Else
        waits for it, or until somebody says something."""
        seconds = self._pace.seconds_until(arrival) if self._pace else 0.0
        if seconds <= 0:
            return True
        self._flush()
        with self._changed:
            if not self._commands and not self._submitted:
                self._changed.wait(min(seconds, threading.TIMEOUT_MAX))
        return False

    def _hold(self) -> None:
        """Until the host's clock has reached the simulated one, where it has a pace."""
        if not self._pace:
            return
        seconds = self._pace.seconds_until(self._server.now)
        self._metrics.lag.set(max(0.0, -seconds))
        if seconds > 0:
            time.sleep(seconds)

    def _work(self) -> None:
        """What waits between two steps, one piece of it."""
        if not self._works:
            return
        if isinstance(self._server, Replicas):
            return self._share_out(self._server)
        work, server = self._works.popleft(), self._server
        came = server.now if work.came is None else work.came
        for other in self._works:
            other.came = server.now if other.came is None else other.came
        if work.done.cancelled():
            return
        try:
            result, seconds, joules = work.run()
        except Exception as error:  # of this work alone
            failure = error
            self._settle(lambda: work.done.cancelled() or work.done.set_exception(failure))
            return
        server.spend(seconds, joules)
        self._metrics.spend(seconds, joules)
        self._hold()
        made = Worked(result, came, server.now, joules)
        self._settle(lambda: work.done.cancelled() or work.done.set_result(made))

    def _share_out(self, server: Replicas) -> None:
        """What waits, each to a replica: values depend on none, only when they are there."""
        while self._works:
            work = self._works.popleft()
            if work.done.cancelled():
                continue
            try:
                result, seconds, joules = work.run()
            except Exception as error:  # of this work alone
                failure, done = error, work.done
                self._settle(partial(_fail, done, failure))
                continue
            ticks = max(1, round(seconds * _core.TICKS_PER_SECOND))
            server.perform(Task(ticks, joules, partial(self._worked, work, result, joules)))

    def _worked(self, work: Work, result: Any, joules: float, came: int | None, end: int) -> None:
        """A replica is done with it; came: None, none is left."""
        if came is None:
            self._drop_work(work)
            return
        made = Worked(result, came, end, joules)
        self._settle(lambda: work.done.cancelled() or work.done.set_result(made))

    def _lose(self) -> None:
        """What the clock has passed: the core is gone, for a time or for ever."""
        server = self._server
        if isinstance(server, Replicas):
            return self._lose_replicas(server)
        while self._losses and self._losses[0].at <= server.now and not self.lost:
            loss = self._losses.popleft()
            self._metrics.losses.inc()
            if loss.back is None:
                self.lost = str(loss)
            else:
                server.scheduler.lose_cache(server.now)
                server.now = max(server.now, loss.back)
        if self.lost:
            self._fail_all(self.lost)

    def _lose_replicas(self, server: Replicas) -> None:
        """Those that were lost since it was last asked; all of them, with nobody who comes back."""
        for loss in server.lost[self._lost_replicas :]:
            self._metrics.losses.inc()
            self._lost_replicas += 1
            for number in server.scheduler.failed:
                self._end(self._tickets.pop(number), "lost", str(loss))
            server.scheduler.failed.clear()
        if server.is_gone and not self.lost:
            self.lost = f"{server.lost[-1]}, as the last one"
        if self.lost:
            self._fail_all(self.lost)

    def _fail_all(self, error: str) -> None:
        for number, ticket in list(self._tickets.items()):
            self._server.cancel(number)
            self._end(ticket, "lost", error)
        for ticket in self._pending:
            self._tell(ticket, Update(reason="lost", error=error))
        self._tickets.clear()
        self._pending.clear()
        while self._works:
            self._drop_work(self._works.popleft())

    def _step(self) -> bool:
        """What is next; whether that was a step of the scheduler."""
        self._lose()
        self._work()
        if self._is_idle():
            return False
        self._admit()
        self._lose()
        self._flush()
        if self._server.scheduler.is_idle:
            return False
        server = self._server
        began, busy, joules = time.perf_counter(), server.busy, server.joules
        before = server.scheduler.counters()["prompt_tokens"]
        given = server.step(self._stops, self._until())
        seconds = (server.busy - busy) / _core.TICKS_PER_SECOND
        wall = time.perf_counter() - began
        self._hold()
        read = server.scheduler.counters()["prompt_tokens"] - before
        computed = read + sum(map(len, given.values()))
        self._metrics.step(server, seconds, server.joules - joules, wall, computed)
        if isinstance(server, Replicas):
            over, server.over = server.over, []
            for one in over:
                one()
        self._fail_some(server)
        ended = set(server.scheduler.ended)
        for number, tokens in given.items():
            ticket = self._tickets[number]
            for chosen in tokens:  # those of one step come together
                if ticket.last >= 0:
                    gap = (server.now - ticket.last) / _core.TICKS_PER_SECOND
                    self._metrics.observe("inter_token_latency_seconds", gap)
                ticket.last = server.now
                self._tell(ticket, Update(chosen))
            if number in ended:
                del self._tickets[number]
                server.forget(number)
                self._end(ticket, "stop" if ticket.is_stopped else "length")
        return True

    def _fail_some(self, server: stepping.Server | Replicas) -> None:
        """Those whose step failed: they hear why, and the others go on."""
        failed, server.failed = server.failed, {}
        for number, error in failed.items():
            ticket = self._tickets.pop(number)
            server.forget(number)
            self._end(ticket, "failed", f"{type(error).__name__}: {error}")
        for text in sorted({f"{type(one).__name__}: {one}" for one in failed.values()}):
            self._metrics.failed_steps.inc()
            print(f"trainyard: a step failed: {text}", file=sys.stderr, flush=True)

    def _until(self) -> int | None:
        """How far the clock may go without a look at who came: replicas need not wait for each
        other's steps."""
        times = [round(one.asked.arrival * _core.TICKS_PER_SECOND) for one in self._pending[:1]]
        if self._pace and isinstance(self._server, Replicas):
            if (end := self._server.first_end) is not None:
                self._is_due(end)
            times.append(self._pace.ticks)
        return min(times, default=None)

    def _end(self, ticket: Ticket, reason: str, error: str = "") -> None:
        assert ticket.number is not None
        record = self._server.scheduler.record(ticket.number)
        self._metrics.end(record, "error" if reason == "failed" else reason)
        self._tell(ticket, Update(reason=reason, record=record, error=error))

    def _stops(self, number: int, token: int) -> bool:
        ticket = self._tickets[number]
        ticket.ids.append(token)
        model = self._server.engine.model
        if ticket.ends_with(token, model.stops):
            ticket.is_stopped = True
        elif ticket.stops:
            ticket.is_stopped = ticket.stop_of(ticket.ids, model.tokenizer.decode) is not None
        return ticket.is_stopped


def _fail(done: asyncio.Future[Worked], error: Exception) -> None:
    """Tells who waits, if anybody does."""
    if not done.cancelled():
        done.set_exception(error)
