"""The exact engine: the scheduler's steps computed on one simulated core, with real tokens.

Step functions are compiled for buckets of shapes, each once. A step's time is that of its compiled
programs on the machine, whatever the host takes, plus launches and copies by the figures `host.*`.
The cache lies in host memory in the blocks of the scheduler and is passed to each step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.serving import llama, sampling
from trainyard.serving.host import Host
from trainyard.serving.models import Model
from trainyard.usage import UsageError

Item = tuple[int, int, int, bool]  # request, start, count, samples


@dataclass(frozen=True)
class Limits:
    """Buckets of shapes and the size of the cache."""

    blocks: int = 128
    block_tokens: int = 16
    batches: tuple[int, ...] = (1, 2, 4, 8)
    chunks: tuple[int, ...] = (16, 64)
    contexts: tuple[int, ...] = (64, 256, 1024)  # tokens before a step that it can read
    waiting_max: int = 4096
    swaps: bool = False
    caches_prefixes: bool = True

    @property
    def context_max(self) -> int:
        """Tokens of a prompt with its answer."""
        return min(self.contexts[-1], self.blocks * self.block_tokens) - 1

    def scheduler(self) -> Any:
        """Its settings."""
        settings = _core.ServingSettings()
        settings.block_tokens, settings.blocks = self.block_tokens, self.blocks
        settings.requests_max = self.batches[-1]
        settings.chunk_tokens_max = self.chunks[-1]
        settings.step_tokens_max = self.chunks[-1] + self.batches[-1]
        settings.waiting_max, settings.context_max = self.waiting_max, self.context_max
        settings.swaps, settings.caches_prefixes = self.swaps, self.caches_prefixes
        return settings


@dataclass
class Program:
    """A compiled step function, and what one run takes on the machine."""

    compiled: Any
    seconds: float
    joules: float
    launches: int = 0


class Engine:
    """Runs steps: tokens in, logits out, with simulated seconds and joules."""

    def __init__(self, model: Model, machine: str = "trn3", limits: Limits | None = None) -> None:
        self.model, self.machine = model, machine
        self.limits = limits or Limits()
        self.host = Host.of(machine)
        config, pool = model.config, self.limits
        shape = (config.layers, pool.blocks, pool.block_tokens, config.kv_heads, config.head)
        kind = model.weights["token_embd"].dtype
        self._keys, self._values = np.zeros(shape, kind), np.zeros(shape, kind)
        self._host_blocks: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.programs: dict[tuple[str, int, int], Program] = {}
        self.on_compile: Callable[[str], None] = lambda _: None

    def swap(self, out: list[tuple[int, list[int]]], back: list[tuple[int, list[int]]]) -> float:
        """Copies blocks of requests to the host's memory, and from it. Returns seconds."""
        seconds = 0.0
        for request, blocks in out:
            held = self._keys[:, blocks].copy(), self._values[:, blocks].copy()
            self._host_blocks[request] = held
            seconds += self.host.copy(2 * held[0].nbytes)
        for request, blocks in back:
            keys, values = self._host_blocks.pop(request)
            self._keys[:, blocks], self._values[:, blocks] = keys, values
            seconds += self.host.copy(2 * keys.nbytes)
        return seconds

    def forget(self, request: int) -> None:
        """Drops what the host's memory holds of a request."""
        self._host_blocks.pop(request, None)

    def prefill(self, item: Item, ids: Sequence[int], table: Sequence[int]) -> Any:
        """A piece of a prompt. Returns (logits of its last token, seconds, joules)."""
        _, start, count, _ = item
        tokens = _bucket(self.limits.chunks, count, "tokens of a piece of a prompt")
        pages = self._pages(start)
        padded = np.zeros(tokens, np.int32)
        padded[:count] = ids
        given = self._table(table, pages), padded, np.int32(start), np.int32(count - 1)
        program = self.program("prefill", tokens, pages)
        logits, keys, values = self._run(program, given)
        self._write(table, range(start, start + count), keys[:, :count], values[:, :count])
        seconds = program.seconds + self.host.launch + self.host.copy(logits.nbytes)
        return logits, seconds, program.joules

    def decode(self, items: Sequence[Item], ids: Sequence[int], tables: Sequence[Any]) -> Any:
        """A token of each request. Returns (logits [requests, vocabulary], seconds, joules)."""
        batch = _bucket(self.limits.batches, len(items), "requests of a step")
        pages = self._pages(max(item[1] for item in items))
        given = (
            np.zeros((batch, pages), np.int32),
            np.zeros(batch, np.int32),
            np.zeros(batch, np.int32),
        )
        for row, (item, one, table) in enumerate(zip(items, ids, tables, strict=True)):
            given[0][row] = self._table(table, pages)
            given[1][row], given[2][row] = one, item[1]
        program = self.program("decode", batch, pages)
        logits, keys, values = self._run(program, given)
        for row, (item, table) in enumerate(zip(items, tables, strict=True)):
            self._write(table, [item[1]], keys[:, row : row + 1], values[:, row : row + 1])
        logits = logits[: len(items)]
        seconds = program.seconds + self.host.launch + self.host.copy(logits.nbytes)
        return logits, seconds, program.joules

    def _pages(self, tokens: int) -> int:
        context = _bucket(self.limits.contexts, tokens, "tokens before a step")
        return context // self.limits.block_tokens

    def _table(self, table: Sequence[int], pages: int) -> np.ndarray:
        padded = np.zeros(pages, np.int32)
        known = list(table)[:pages]
        padded[: len(known)] = known
        return padded

    def _write(self, table: Sequence[int], places: Any, keys: Any, values: Any) -> None:
        size = self.limits.block_tokens
        where = np.array([table[place // size] for place in places])
        within = np.array([place % size for place in places])
        self._keys[:, where, within], self._values[:, where, within] = keys, values

    def program(self, kind: str, rows: int, pages: int) -> Program:
        """The step function of a shape, compiled when it is first asked for.

        rows: tokens of a piece of a prompt, or requests that decode. pages: blocks before it.
        """
        key = (kind, rows, pages)
        if key not in self.programs:
            import jax

            from trainyard import model

            tokens = pages * self.limits.block_tokens
            self.on_compile(f"compiling {kind} of {rows} over {tokens} tokens")
            function = llama.prefill if kind == "prefill" else llama.decode
            step = jax.jit(partial(function, config=self.model.config))
            arguments = (self.model.weights, self._keys, self._values, *_shapes(kind, rows, pages))
            compiled = model.compile(step, *arguments, machine=self.machine)
            for other in self.programs.values():
                compiled.share_inputs(other.compiled)
                break
            timed = compiled.time()
            self.programs[key] = Program(compiled, timed.seconds, timed.joules[1])
        return self.programs[key]

    def _run(self, program: Program, given: Any) -> Any:
        program.launches += 1
        # New objects: an argument that is the same object as before is not written again.
        pools = self._keys.view(), self._values.view()
        return program.compiled.run(self.model.weights, *pools, *given).results


def _shapes(kind: str, rows: int, pages: int) -> tuple[Any, ...]:
    """Arguments of a step function besides weights and cache."""
    if kind == "prefill":
        return np.zeros(pages, np.int32), np.zeros(rows, np.int32), np.int32(0), np.int32(0)
    return np.zeros((rows, pages), np.int32), np.zeros(rows, np.int32), np.zeros(rows, np.int32)


def _bucket(sizes: Sequence[int], size: int, what: str) -> int:
    found = next((one for one in sizes if one >= size), None)
    if found is None:
        raise UsageError(f"{size} {what}: the largest bucket has {sizes[-1]}")
    return found


@dataclass
class Asked:
    """A request to the exact engine."""

    prompt: list[int]
    output: int
    sampling: sampling.Sampling = field(default_factory=sampling.Sampling)
    arrival: float = 0.0  # simulated seconds


@dataclass
class Live:
    """A request that is under way: all its tokens, and how they were chosen."""

    asked: Asked
    tokens: list[int]
    random: Any
    chosen: list[sampling.Chosen] = field(default_factory=list)
    is_stopped: bool = False


class Server:
    """The scheduler with the exact engine: add requests, run steps, read their tokens."""

    def __init__(self, engine: Engine, is_watched: bool = False) -> None:
        self.engine = engine
        self.is_watched = is_watched
        self.scheduler = _core.ServingScheduler(engine.limits.scheduler())
        self.now = 0  # ticks
        self.joules = 0.0
        self.busy = 0
        self.live: dict[int, Live] = {}
        self.gaps: list[float] = []  # seconds between tokens, of the last step

    def add(self, asked: Asked) -> int | None:
        """The request's number; None: it is rejected, too long or one too many. Its arrival is not
        later than the clock."""
        arrival = round(asked.arrival * _core.TICKS_PER_SECOND)
        number = self.scheduler.add(arrival, asked.prompt, asked.output, self.is_watched)
        if self.scheduler.record(number)["state"] == "rejected":
            return None
        random = np.random.default_rng(asked.sampling.seed)
        self.live[number] = Live(asked, list(asked.prompt), random)
        return number

    def cancel(self, number: int) -> None:
        """Between steps."""
        self.scheduler.cancel(number, self.now)
        self.engine.forget(number)
        self.live.pop(number, None)

    def step(self, stops: Callable[[int, int], bool] | None = None) -> dict[int, sampling.Chosen]:
        """The next step: the tokens that it gave, by request; none where nothing is to be done.

        stops(request, token): whether the token ends an answer (by default the model's).
        """
        prefills, decodes, out, back = self.scheduler.schedule(self.now)
        if not prefills and not decodes:
            return {}
        seconds, joules = self.engine.swap(out, back), 0.0
        given: list[tuple[int, Any]] = []
        for item in prefills:
            number, start, count, samples = item
            ids = self.live[number].tokens[start : start + count]
            logits, took, paid = self.engine.prefill(item, ids, self.scheduler.table(number))
            seconds, joules = seconds + took, joules + paid
            if samples:
                given.append((number, logits))
        if decodes:
            ids = [self.live[one[0]].tokens[one[1]] for one in decodes]
            tables = [self.scheduler.table(one[0]) for one in decodes]
            logits, took, paid = self.engine.decode(decodes, ids, tables)
            seconds, joules = seconds + took, joules + paid
            given += [(one[0], row) for one, row in zip(decodes, logits, strict=True)]
        chosen = {number: self._choose(number, logits) for number, logits in given}
        ticks = max(1, round(seconds * _core.TICKS_PER_SECOND))
        self.now, self.busy = self.now + ticks, self.busy + ticks
        self.joules += joules
        ends = stops or self._is_stop
        outcomes = [([one.token], ends(number, one.token)) for number, one in chosen.items()]
        self.scheduler.complete(self.now, joules, outcomes)
        return chosen

    def _choose(self, number: int, logits: np.ndarray) -> sampling.Chosen:
        live = self.live[number]
        chosen = sampling.choose(logits, live.asked.sampling, live.random)
        live.tokens.append(chosen.token)
        live.chosen.append(chosen)
        return chosen

    def _is_stop(self, _number: int, token: int) -> bool:
        return token in self.engine.model.stops


def serve(
    engine: Engine, requests: Sequence[Asked], stops: bool = True
) -> tuple[Server, list[Any]]:
    """All requests, each let in when the simulated clock reaches its arrival. Returns the server
    and their tokens with records, in the order given. Without `stops` every answer is full."""
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
