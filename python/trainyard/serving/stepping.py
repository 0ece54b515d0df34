"""Requests served by the exact engine: the scheduler says what a step computes, the engine computes
it, and tokens are chosen from its logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.serving import drafts, sampling
from trainyard.serving.exact import Engine, Item, Row
from trainyard.serving.guides import Guide
from trainyard.serving.transfers import Sent

Stops = Callable[[int, int], bool]  # request, token
OF_ALL = 1 << 32  # what the cache holds for one request alone is named from here on


@dataclass
class Asked:
    """A request to the exact engine."""

    prompt: list[int]
    output: int
    sampling: sampling.Sampling = field(default_factory=sampling.Sampling)
    arrival: float = 0.0  # simulated seconds
    adapter: int = -1  # of the engine's; -1: none
    guide: Guide | None = None
    ignores_eos: bool = False  # the answer does not end by itself
    # Of the prompt's tokens behind the first, filled in as they are computed; None: not asked for.
    scores: dict[int, sampling.Chosen] | None = None


@dataclass
class Live:
    """A request that is under way: all its tokens, and how they were chosen."""

    asked: Asked
    tokens: list[int]
    random: Any
    chosen: list[sampling.Chosen] = field(default_factory=list)


@dataclass(frozen=True)
class Moved:
    """What a request had been given when its server was lost: tokens, and ticks of the first and
    the last of them; its record there, and its number."""

    generated: int
    first_token: int
    last_token: int
    record: dict[str, Any]
    number: int


FRESH = Moved(0, -1, -1, {}, -1)  # of a request that begins


@dataclass
class Sampled:
    """Logits of a request, one row for each token in turn, and the tokens that were guessed."""

    number: int
    rows: np.ndarray
    guesses: Sequence[int] = ()


@dataclass
class Begun:
    """A step that is computed and not over: what it takes, and what it gives."""

    seconds: float
    joules: float
    sampled: list[Sampled]

    @property
    def ticks(self) -> int:
        """One at least."""
        return max(1, round(self.seconds * _core.TICKS_PER_SECOND))


class Server:
    """The scheduler with the exact engine: add requests, run steps, read their tokens."""

    def __init__(self, engine: Engine, is_watched: bool = False) -> None:
        self.engine = engine
        self.is_watched = is_watched
        self.scheduler = engine.scheduler()
        self.now = 0  # ticks
        self.joules = 0.0
        self.busy = 0
        self.drafts = self.guessed = self.accepted = 0  # rows with guesses, and their tokens
        self.live: dict[int, Live] = {}
        self.failed: dict[int, Exception] = {}  # why a request ended, until somebody looked
        self._brought: dict[int, Sent] = {}  # keys and values that no block holds yet
        self._scored = 0  # requests whose prompts are scored

    def add(self, asked: Asked) -> int | None:
        """The request's number; None: it is rejected, too long or one too many. Its arrival is not
        later than the clock."""
        random = np.random.default_rng(asked.sampling.seed)
        return self.adopt(Live(asked, list(asked.prompt), random), FRESH)

    def leave(self) -> list[tuple[Live, Moved]]:
        """The device is lost: who is not over, with what they have been given, to be adopted by
        other servers; nothing is left here. The step that is under way is void."""
        left = [
            (
                self.live[number],
                Moved(generated, first, last, self.scheduler.record(number), number),
            )
            for number, generated, first, last in self.scheduler.unfinished()
        ]
        for number in list(self.live):
            self.engine.forget(number)
        self.live.clear()
        self._brought.clear()
        self.scheduler = self.engine.scheduler()
        return left

    def adopt(
        self, live: Live, moved: Moved, sent: Sent | None = None, most: int = 0
    ) -> int | None:
        """A request that began elsewhere goes on, from the keys and values that were sent; without,
        what it has is computed again. most: tokens of its answer after which it leaves; 0: all.
        As add()."""
        asked, prefix = live.asked, live.asked.adapter + 1
        if asked.scores is not None:  # a cached block would leave out the scores of its tokens
            self._scored += 1
            prefix = OF_ALL + self._scored
        number = self.scheduler.add(
            round(asked.arrival * _core.TICKS_PER_SECOND),
            live.tokens,
            most or asked.output,
            self.is_watched,
            prefix=prefix,
            generated=moved.generated,
            first_token=moved.first_token,
            last_token=moved.last_token,
            computed=sent.tokens if sent else 0,
        )
        if self.scheduler.record(number)["state"] == "rejected":
            return None
        self.live[number] = live
        if sent is not None:
            self._brought[number] = sent
        return int(number)

    def cancel(self, number: int) -> None:
        """Between steps."""
        self.scheduler.cancel(number, self.now)
        self.engine.forget(number)
        self.live.pop(number, None)
        self._brought.pop(number, None)

    def spend(self, seconds: float, joules: float) -> None:
        """The device did something for so long."""
        ticks = max(1, round(seconds * _core.TICKS_PER_SECOND))
        self.now, self.busy = self.now + ticks, self.busy + ticks
        self.joules += joules

    def forget(self, number: int) -> None:
        """A request that is over."""
        self.live.pop(number, None)
        self._brought.pop(number, None)

    def step(
        self, stops: Stops | None = None, until: int | None = None
    ) -> dict[int, list[sampling.Chosen]]:
        """The next step: the tokens that it gave, by request; none where nothing is to be done.

        stops(request, token): whether the token ends an answer (by default the model's). until: who
        arrives then waits for the end of the step.
        """
        begun = self.begin()
        return self.finish(begun, stops) if begun else {}

    def begin(self) -> Begun | None:
        """Computes the next step; None: there is nothing to do, or the step has failed, and its
        requests with it (`failed`)."""
        planned = self.scheduler.schedule(self.now)
        if not planned[0] and not planned[1]:
            return None
        try:
            return self._compute(*planned)
        except Exception as error:  # of this step alone
            self._abandon(planned, error)
            return None

    def _abandon(self, planned: Any, error: Exception) -> None:
        """Ends the requests of a step that failed. Where the cache is lost with it, the others are
        computed again."""
        prefills, decodes, out, _ = planned
        self.scheduler.abandon(self.now)
        numbers = [item[0] for item in (*prefills, *decodes)]
        for number, _ in out:
            if not self.engine.holds(number):
                self.scheduler.cancel(number, self.now)
                numbers.append(number)
        for number in numbers:
            self.engine.forget(number)
            self.failed[number] = error
        if self.engine.recover():
            self.scheduler.lose_cache(self.now)

    def _compute(
        self,
        prefills: Sequence[Item],
        decodes: Sequence[Item],
        out: list[tuple[int, list[int]]],
        back: list[tuple[int, list[int]]],
    ) -> Begun:
        seconds, joules = self.engine.swap(out, back) + self.engine.scheduling, 0.0
        sampled: list[Sampled] = []
        for number in [item[0] for item in decodes if item[0] in self._brought]:
            self.engine.put_in(self.table(number), self._brought.pop(number))
        logits: dict[int, np.ndarray] = {}
        for pieces, is_scored in self._rounds(prefills):
            made, took, paid = self.engine.prefill(list(pieces.values()), is_scored)
            seconds, joules = seconds + took, joules + paid
            for (number, piece), rows in zip(pieces.items(), made, strict=True):
                if is_scored:
                    _score(self.live[number].asked, piece.start, rows)
                logits[number] = rows[-1] if is_scored else rows
        for number, _, _, samples in prefills:
            if samples:
                sampled.append(Sampled(number, logits[number][None]))
        if decodes:
            found, took, paid = self._decode(decodes)
            seconds, joules = seconds + took, joules + paid
            sampled += found
        return Begun(seconds, joules, sampled)

    def _rounds(self, prefills: Sequence[Item]) -> list[tuple[dict[int, Row], bool]]:
        """Pieces of prompts by number that are computed together, one of each rank at most, and
        whether they are scored."""
        rounds: list[tuple[dict[int, Row], bool]] = []
        taken: list[set[int]] = []  # ranks of each round
        for number, start, count, _ in prefills:
            live = self.live[number]
            is_scored = live.asked.scores is not None and start + 1 < len(live.asked.prompt)
            ids, table = live.tokens[start : start + count], self.table(number)
            rank = self.engine.rank_of(table)
            free = (
                i
                for i, ranks in enumerate(taken)
                if rank not in ranks and rounds[i][1] == is_scored
            )
            i = next(free, len(rounds))
            if i == len(rounds):
                rounds.append(({}, is_scored))
                taken.append(set())
            rounds[i][0][number] = Row(ids, start, table, live.asked.adapter)
            taken[i].add(rank)
        return rounds

    def table(self, number: int) -> np.ndarray:
        """Blocks of a request, int32 [groups of layers, blocks]; -1: given back."""
        groups = range(len(self.engine.limits.windows))
        return np.array([self.scheduler.table(number, group) for group in groups], np.int32)

    def finish(self, begun: Begun, stops: Stops | None = None) -> dict[int, list[sampling.Chosen]]:
        """The step is over: the clock goes on to its end. Returns its tokens, by request."""
        ends = stops or self._is_stop
        chosen, outcomes = {}, []
        for one in begun.sampled:
            try:
                taken, is_over = self._take(one, ends)
                chosen[one.number] = taken
            except Exception as error:  # of this request alone
                self.failed[one.number] = error
                taken, is_over = [sampling.Chosen(0)], True
            outcomes.append(([each.token for each in taken], is_over))
        self.spend(begun.seconds, begun.joules)
        self.scheduler.complete(self.now, begun.joules, outcomes)
        return chosen

    def _decode(self, items: Sequence[Item]) -> tuple[list[Sampled], float, float]:
        """A step of decoding: guesses, where the engine drafts, and what the model says of them."""
        rows = [
            Row(
                [self.live[number].tokens[start]],
                start,
                self.table(number),
                self.live[number].asked.adapter,
            )
            for number, start, _, _ in items
        ]
        counts = [count - 1 for _, _, count, _ in items]
        guesses, seconds, joules = self._guess(items, rows, counts)
        if not any(guesses):
            logits, took, paid = self.engine.decode(rows)
            logits = logits[:, None]
        else:
            whole = [
                Row([*row.ids, *guess], row.start, row.table, row.adapter)
                for row, guess in zip(rows, guesses, strict=True)
            ]
            logits, took, paid = self.engine.decode(whole, "verify")
        found = [
            Sampled(item[0], made[: 1 + len(guess)], guess)
            for item, made, guess in zip(items, logits, guesses, strict=True)
        ]
        return found, seconds + took, joules + paid

    def _guess(
        self, items: Sequence[Item], rows: Sequence[Row], counts: Sequence[int]
    ) -> tuple[list[list[int]], float, float]:
        draft = self.engine.limits.draft
        if draft.layers and any(counts):
            guesses, seconds, joules = self.engine.propose(rows, counts)
            return guesses, seconds, joules
        found: list[list[int]] = [[] for _ in items]
        if draft.tokens:
            found = [
                drafts.by_ngrams(self.live[item[0]].tokens, count) if count else []
                for item, count in zip(items, counts, strict=True)
            ]
        return found, 0.0, 0.0

    def _take(self, one: Sampled, ends: Stops) -> tuple[list[sampling.Chosen], bool]:
        """Tokens as far as the guesses are right, and the one behind them; whether one of them ends
        the answer. Each is drawn as it would be in a step of its own."""
        taken: list[sampling.Chosen] = []
        is_over = False
        for place, logits in enumerate(one.rows):
            taken.append(self._choose(one.number, logits))
            token = taken[-1].token
            is_over = ends(one.number, token)
            if is_over or place == len(one.guesses) or one.guesses[place] != token:
                break
        if one.guesses:
            self.drafts += 1
            self.guessed += len(one.guesses)
            self.accepted += len(taken) - 1
        return taken, is_over

    def _choose(self, number: int, logits: np.ndarray) -> sampling.Chosen:
        live = self.live[number]
        guide = live.asked.guide
        allowed = guide.allowed() if guide else None
        length = len(live.asked.prompt)
        chosen = sampling.choose(
            logits,
            live.asked.sampling,
            live.random,
            allowed,
            live.asked.prompt,
            live.tokens[length:] if live.asked.sampling.shaping else (),
        )
        if guide:
            guide.take(chosen.token)
        live.tokens.append(chosen.token)
        live.chosen.append(chosen)
        return chosen

    def _is_stop(self, _number: int, token: int) -> bool:
        return token in self.engine.model.stops


def _score(asked: Asked, start: int, logits: np.ndarray) -> None:
    """The tokens of a prompt behind those from `start` on, whose logits these are."""
    assert asked.scores is not None
    for place, row in enumerate(logits, start + 1):
        if place < len(asked.prompt):
            many = asked.sampling.logprobs or 0
            asked.scores[place] = sampling.score(row, asked.prompt[place], many)


def serve(
    engine: Engine, requests: Sequence[Asked], stops: bool = True
) -> tuple[Server, list[Any]]:
    """All requests, each let in when the simulated clock reaches its arrival. Returns the server
    and their tokens with records, in the order given. Without `stops` every answer is full. Raises
    the error of a step that failed."""
    server = Server(engine)
    order = sorted(range(len(requests)), key=lambda i: requests[i].arrival)
    numbers: dict[int, int | None] = {}
    waiting = list(order)
    kept: dict[int, Live] = {}
    rule = None if stops else (lambda _number, _token: False)
    while waiting or not server.scheduler.is_idle:
        ticks = [round(requests[i].arrival * _core.TICKS_PER_SECOND) for i in waiting[:1]]
        if ticks and (ticks[0] <= server.now or server.scheduler.is_idle):
            server.now = max(server.now, ticks[0])
            i = waiting.pop(0)
            numbers[i] = server.add(requests[i])
            if (number := numbers[i]) is not None:
                kept[number] = server.live[number]
            continue
        server.step(rule)
        for error in server.failed.values():
            raise error
    results = []
    for i in range(len(requests)):
        number = numbers[i]
        if number is None:
            results.append(None)
            continue
        live = kept[number]
        record = server.scheduler.record(number)
        results.append((live.tokens[len(live.asked.prompt) :], record, live.chosen))
    return server, results
