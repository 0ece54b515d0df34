"""The exact engine: the scheduler's steps computed on simulated cores, with real tokens.

Step functions are compiled for buckets of shapes, each once. A step's time is that of its compiled
programs on the machine, whatever the host takes, plus launches and copies by the figures `host.*`.
Weights and the cache lie in the device's memory; a step finds and writes blocks of the scheduler.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from trainyard import _core, device_memory
from trainyard.serving import adapters, caches, llama, products
from trainyard.serving.adapters import Adapter
from trainyard.serving.caches import Blocks, Cache, DeviceCache, ShardedCache, in_place, seen_blocks
from trainyard.serving.drafts import Draft
from trainyard.serving.host import Host
from trainyard.serving.models import Model
from trainyard.serving.ranks import Ranks, RankSchedulers
from trainyard.serving.sharded import Shards
from trainyard.serving.transfers import Links, Sent
from trainyard.usage import UsageError

NO_DRAFT = Draft()
BLOCKS, CACHED = ("mxfp8", "mxfp4"), "fp8_e4m3"
STORED = ("fp8", *BLOCKS)
Item = tuple[int, int, int, bool]  # request, start, count, samples
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "prefill": llama.prefill,
    "score": partial(llama.prefill, is_scored=True),
    "decode": llama.decode,
    "verify": llama.verify,
    "draft": llama.decode,
}
OF_PROMPTS = ("prefill", "score")


@dataclass(frozen=True)
class Limits:
    """Buckets of shapes and the size of the cache."""

    blocks: int = 128  # of all layers
    block_tokens: int = 16
    batches: tuple[int, ...] = (1, 2, 4, 8)
    chunks: tuple[int, ...] = (16, 64)
    contexts: tuple[int, ...] = (64, 256, 1024)  # tokens before a step that it can read
    waiting_max: int = 4096
    swaps: bool = False
    caches_prefixes: bool = True
    draft: Draft = NO_DRAFT
    context: int | None = None  # that is asked for; None: all that the rest has room for
    windows: tuple[int, ...] = (0,)  # of groups of layers (caches.grouped), as the engine has them

    @property
    def pages(self) -> int:
        """Blocks of one group of layers each."""
        return self.blocks * len(self.windows)

    @property
    def room(self) -> int:
        """Tokens of a request that the cache holds, beside what is drafted."""
        return self.blocks * self.block_tokens - self.draft.tokens

    @property
    def context_max(self) -> int:
        """Tokens of a prompt with its answer."""
        most = min(self.contexts[-1], self.room)
        return most if self.context is None else min(most, self.context)

    def scheduler(self) -> Any:
        """Its settings."""
        settings = _core.ServingSettings()
        settings.block_tokens, settings.blocks = self.block_tokens, self.pages
        settings.windows = list(self.windows)
        settings.requests_max = self.batches[-1]
        settings.chunk_tokens_max = self.chunks[-1]
        settings.draft_tokens = self.draft.tokens
        settings.step_tokens_max = self.chunks[-1] + self.batches[-1] * (1 + self.draft.tokens)
        settings.waiting_max, settings.context_max = self.waiting_max, self.context_max
        settings.swaps, settings.caches_prefixes = self.swaps, self.caches_prefixes
        return settings


@dataclass(frozen=True)
class Row:
    """Tokens of a request in a step, from position `start`: of its prompt, or the last one with
    what is guessed; and where its cache is, blocks of each group of layers, or of the only one."""

    ids: Sequence[int]
    start: int
    table: Any = field(repr=False)
    adapter: int = -1


@dataclass
class Program:
    """A compiled step function, and what one run takes on the machine."""

    compiled: Any
    seconds: float
    joules: float
    launches: int = 0


class Engine:
    """Runs steps: tokens in, logits out, with simulated seconds and joules."""

    scheduling = 0.0  # seconds that the host's scheduler takes in each step, a stated figure

    def __init__(
        self,
        model: Model,
        machine: str = "trn3",
        limits: Limits | None = None,
        adapted: Sequence[Adapter] = (),
        cores: int = 1,
        stored: str = "",
        cache: str = "",
        has_whole_experts: bool = False,
        ranks: int = 1,
    ) -> None:
        """Requests name an adapter of `adapted` by its place. cores: of a chip, which divide each
        step between them. stored: what memory holds of the weights of products, "fp8" with a scale
        for each column (products.in_fp8), "mxfp8" or "mxfp4";
        cache: "fp8_e4m3". Empty: as the model's weights are. has_whole_experts: each core has some
        of the experts (expert parallelism), and not a part of each. ranks: groups of `cores`
        devices, each with requests and a cache of its own and some of the experts (ranks.py).
        """
        limits, config = limits or Limits(), model.config
        seen = config.windows or (0,) * config.layers
        windows, groups = caches.grouped(seen, limits.context_max)
        config = replace(config, groups=tuple(groups) if len(windows) > 1 else ())
        self.model, self.machine, self.ranks = replace(model, config=config), machine, ranks
        self.limits = replace(limits, windows=tuple(windows))
        self._options = tuple(adapted), cores, stored, cache, has_whole_experts, ranks
        if has_whole_experts and (cores == 1 or model.config.experts is None):
            raise UsageError(
                f"whole experts lie on several cores, of a model that has experts: {model.name} on "
                f"{cores}"
            )
        if self.limits.draft.layers >= model.config.layers:
            raise UsageError(
                f"{model.name} has {model.config.layers} layers: fewer of them can draft"
            )
        self.host = Host.of(machine)
        self.adapted = tuple(adapted)
        kind = model.weights["token_embd"].dtype
        held = products.in_fp8(model.weights) if stored == "fp8" else model.weights
        self.weights = held | adapters.stacked(adapted, model.config, kind)
        pool = self.limits
        self._shards: Shards | Ranks | None = None
        if ranks > 1:
            division = ranks, cores, has_whole_experts
            self._shards = Ranks(self.weights, config, division, machine)
        elif cores > 1:
            self._shards = Shards(self.weights, config, cores, machine, has_whole_experts)
        layers = max(map(groups.count, groups))
        blocks = layers, pool.pages * ranks, pool.block_tokens
        self.pool_shape = shape = (*blocks, config.kv_heads, config.head)
        self._precision = _stored(stored, cores * ranks)
        self.kind = np.dtype(_cached(cache) if cache else kind)  # of the cache
        self._cache: Cache
        if self._shards:
            self._cache = ShardedCache(shape, self.kind, self._shards.put_pool)
        else:
            self._cache = DeviceCache(shape, self.kind, machine)
        self._placed: dict[str, device_memory.DeviceArray] = {}  # weights, when a step has run
        self._host_blocks: dict[int, Blocks] = {}
        self._links: Links | None = None
        self.programs: dict[tuple[str, int, int], Program] = {}
        self.on_compile: Callable[[str], None] = lambda _: None

    def shortened(self, layers: int) -> Engine:
        """The same with only the first `layers` layers: what a layer takes, not what it says."""
        model = replace(self.model, config=replace(self.model.config, layers=layers))
        made = Engine(model, self.machine, self.limits, *self._options)
        made.on_compile = self.on_compile
        return made

    def replicated(self) -> Engine:
        """The same weights and programs with a cache of its own."""
        made = copy.copy(self)
        made._cache = self._cache.fresh()
        made._host_blocks = {}
        return made

    def scheduler(self) -> Any:
        """One for its requests, or one for those of each rank."""
        settings = self.limits.scheduler()
        if self.ranks == 1:
            return _core.ServingScheduler(settings)
        return RankSchedulers(settings, self.ranks)

    def recover(self) -> bool:
        """Behind a step that failed: whether the cache was lost with it, of which the memory was
        the step's; it is there again, empty."""
        if not self._cache.is_gone:
            return False
        self._cache = self._cache.fresh()
        return True

    def holds(self, request: int) -> bool:
        """Whether the host's memory has its blocks."""
        return request in self._host_blocks

    def swap(self, out: list[tuple[int, list[int]]], back: list[tuple[int, list[int]]]) -> float:
        """Copies blocks of requests to the host's memory, and from it. Returns seconds."""
        seconds = 0.0
        for request, blocks in out:
            held = self._host_blocks[request] = self._cache.read(blocks)
            seconds += self.host.copy(2 * held[0].nbytes)
        for request, blocks in back:
            held = self._host_blocks.pop(request)
            self._cache.write(blocks, held)
            seconds += self.host.copy(2 * held[0].nbytes)
        return seconds

    def join(self) -> None:
        """Prepares to send keys and values to engines like it. Raises UsageError where the machine
        has no place for both."""
        if self.ranks > 1:
            raise UsageError("readers of prompts send to one rank of requests, not to several")
        if self._links is None:
            self._links = Links(self._options[1], self.machine)

    def take_out(self, table: Any, tokens: int) -> Sent:
        """A copy of what the cache holds of a request's first tokens."""
        return Sent(tokens, *self._cache.read(self._seen(table, tokens)))

    def put_in(self, table: Any, sent: Sent) -> None:
        """What another engine has taken out, into blocks of this one."""
        assert sent.keys is not None and sent.values is not None
        self._cache.write(self._seen(table, sent.tokens), (sent.keys, sent.values))

    def _seen(self, table: Any, tokens: int) -> list[int]:
        tables = np.atleast_2d(np.asarray(table, np.int32))
        return seen_blocks(tables, self.limits.windows, tokens, self.limits.block_tokens)

    def send_cost(self, tokens: int) -> tuple[float, float]:
        """Seconds and joules of sending so many tokens, of the bucket that holds them."""
        assert self._links is not None
        layers, _, _, heads, head = self.pool_shape
        bucket = self._pages(tokens) * self.limits.block_tokens
        kept = int(_core.kept_tokens(self.limits.windows, bucket))
        return self._links.cost(kept, (layers, heads, head), self.kind)

    def forget(self, request: int) -> None:
        """Drops what the host's memory holds of a request."""
        self._host_blocks.pop(request, None)

    def prefill(self, pieces: Sequence[Row], is_scored: bool = False) -> Any:
        """A piece of a prompt, one of each rank at most. Returns (logits of the last token of each,
        seconds, joules); is_scored: logits behind each of their tokens, [tokens, vocabulary]."""
        longest = max(len(piece.ids) for piece in pieces)
        tokens = _bucket(self.limits.chunks, longest, "tokens of a piece of a prompt")
        pages = self._pages(max(piece.start for piece in pieces))
        program = self.program("score" if is_scored else "prefill", tokens, pages)

        def given(own: list[Row]) -> tuple[Any, ...]:
            ids = np.zeros(tokens, np.int32)
            tables, places = self._found(own, 1, tokens, pages)
            start = last = 0
            for piece in own:
                ids[: len(piece.ids)] = piece.ids
                start, last = piece.start, len(piece.ids) - 1
            chosen = self._chosen([piece.adapter for piece in own], 1)
            return places, tables[..., 0, :], ids, np.int32(start), np.int32(last), *chosen

        made = self._run(program, self._shared_out(pieces), given)
        logits = [made[self.rank_of(piece.table)] for piece in pieces]
        copied = sum(one.nbytes for one in logits)
        seconds = program.seconds + self.host.launch + self.host.copy(copied)
        if is_scored:
            logits = [one[: len(piece.ids)] for one, piece in zip(logits, pieces, strict=True)]
        return logits, seconds, program.joules

    def decode(self, rows: Sequence[Row], kind: str = "decode") -> Any:
        """A token of each request. Returns (logits [requests, vocabulary], seconds, joules).

        kind "draft": by the layers that draft; "verify": all tokens of each row, with the logits of
        each, [requests, tokens, vocabulary].
        """
        shared = self._shared_out(rows)
        batch = _bucket(self.limits.batches, max(map(len, shared)), "requests of a step")
        pages = self._pages(max(row.start for row in rows))
        width = 1 + self.limits.draft.tokens if kind == "verify" else 1
        program = self.program(kind, batch, pages)

        def given(own: list[Row]) -> tuple[Any, ...]:
            ids, starts = np.zeros((batch, width), np.int32), np.zeros(batch, np.int32)
            tables, places = self._found(own, batch, width, pages)
            for i, row in enumerate(own):
                ids[i, : len(row.ids)], starts[i] = row.ids, row.start
            chosen = self._chosen([row.adapter for row in own], batch)
            return places, tables, ids if kind == "verify" else ids[:, 0], starts, *chosen

        made = self._run(program, shared, given)
        turns = [iter(one) for one in made]
        logits = np.stack([next(turns[self.rank_of(row.table)]) for row in rows])
        seconds = program.seconds + self.host.launch + self.host.copy(logits.nbytes)
        return logits, seconds, program.joules

    def propose(self, rows: Sequence[Row], counts: Sequence[int]) -> Any:
        """Guesses for each row, up to its count, by the layers that draft. Returns (guesses,
        seconds, joules). The verified tokens write the same keys and values again."""
        guesses: list[list[int]] = [[] for _ in rows]
        seconds = joules = 0.0
        for behind in range(max(counts, default=0)):
            asked = [i for i, count in enumerate(counts) if count > behind]
            drafting = [
                replace(rows[i], start=rows[i].start + behind, ids=[*rows[i].ids, *guesses[i]][-1:])
                for i in asked
            ]
            logits, took, paid = self.decode(drafting, "draft")
            seconds, joules = seconds + took, joules + paid
            for i, row in zip(asked, logits, strict=True):
                guesses[i].append(int(row.argmax()))
        return guesses, seconds, joules

    def _chosen(self, numbers: Sequence[int], rows: int) -> tuple[np.ndarray, ...]:
        """The argument that names each row's adapter, where there are adapters."""
        if not self.adapted:
            return ()
        padded = np.full(rows, -1, np.int32)
        padded[: len(numbers)] = numbers
        return (padded,)

    def _pages(self, tokens: int) -> int:
        context = _bucket(self.limits.contexts, tokens, "tokens before a step")
        return context // self.limits.block_tokens

    def _shared_out(self, rows: Sequence[Row]) -> list[list[Row]]:
        """By rank, whose blocks lie one rank behind the other."""
        found: list[list[Row]] = [[] for _ in range(self.ranks)]
        for row in rows:
            found[self.rank_of(row.table)].append(row)
        return found

    def rank_of(self, table: Any) -> int:
        """Of the request whose blocks these are."""
        return int(np.max(table)) // self.limits.pages if self.ranks > 1 else 0

    def _found(
        self, rows: Sequence[Row], many: int, width: int, pages: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Of up to `many` rows of a rank, with up to `width` tokens each: (tables [(groups,) rows,
        pages], places of tokens [(groups,) rows x tokens]); of no request behind them."""
        size, of_rank = self.limits.block_tokens, self.limits.pages
        groups = len(self.limits.windows)
        tables = np.zeros((groups, many, pages), np.int32)
        places = np.full((groups, many, width), of_rank * size, np.int32)
        for i, row in enumerate(rows):
            held = np.atleast_2d(np.asarray(row.table, np.int32))
            held = np.where(held >= 0, held % of_rank, 0)
            known = held[:, :pages]
            tables[:, i, : known.shape[1]] = known
            at = np.arange(row.start, row.start + len(row.ids))
            places[:, i, : len(row.ids)] = held[:, at // size] * size + at % size
        places = places.reshape(groups, -1)
        return (tables, places) if groups > 1 else (tables[0], places[0])

    def program(self, kind: str, rows: int, pages: int) -> Program:
        """The step function of a shape, compiled when it is first asked for.

        kind: "prefill", "score", "decode", "verify" or "draft". rows: tokens of a piece of a
        prompt, or requests that decode. pages: blocks before it.
        """
        key = (kind, rows, pages)
        if key not in self.programs:
            import jax

            from trainyard import model

            tokens = pages * self.limits.block_tokens
            self.on_compile(f"compiling {kind} of {rows} over {tokens} tokens")
            function = FUNCTIONS[kind]
            config, draft = self.model.config, self.limits.draft
            if kind == "draft":
                config = replace(config, layers=draft.layers)
            if self._shards:
                config = self._shards.spread(config)
            step: Any = partial(in_place(function), config=config)
            shapes = self._shapes(kind, rows, pages)
            chosen = self._chosen([], 1 if kind in OF_PROMPTS else rows)
            pools, given = self._cache.arrays, (*shapes, *chosen)
            if self._shards:
                self.programs[key] = Program(*self._shards.compile(step, pools, given))
                return self.programs[key]
            compiled = model.compile(
                jax.jit(step, donate_argnums=(1, 2)),
                self.weights,
                *pools,
                *given,
                machine=self.machine,
                precision=self._precision,
            )
            timed = compiled.time()
            self.programs[key] = Program(compiled, timed.seconds, timed.joules[1])
        return self.programs[key]

    def _shapes(self, kind: str, rows: int, pages: int) -> tuple[Any, ...]:
        """Arguments of a step function besides weights, cache and adapters: places first."""
        is_prompt = kind in OF_PROMPTS
        width = 1 + self.limits.draft.tokens if kind == "verify" else 1
        many, tokens = (1, rows) if is_prompt else (rows, width)
        tables, places = self._found([], many, tokens, pages)
        if is_prompt:
            return places, tables[..., 0, :], np.zeros(rows, np.int32), np.int32(0), np.int32(0)
        ids = np.zeros((rows, width) if kind == "verify" else rows, np.int32)
        return places, tables, ids, np.zeros(rows, np.int32)

    def _run(
        self, program: Program, rows: list[list[Row]], given: Callable[[list[Row]], tuple[Any, ...]]
    ) -> np.ndarray:
        """Logits of each rank; keys and values of the step's tokens are in the cache behind it.
        given(): the arguments for the rows of a rank."""
        program.launches += 1
        arguments = [given(own) for own in rows]
        if self._shards:
            logits, *pools = program.compiled.run(*self._cache.arrays, arguments)
        else:
            if not self._placed:
                self._placed |= device_memory.put_all(self.weights, self.machine)
            taken = self._placed, *self._cache.arrays, *arguments[0]
            logits, *pools = program.compiled.run(*taken, on_device=True).results
        keys, values = pools
        self._cache.arrays = keys, values
        return np.asarray(logits) if self.ranks > 1 else np.asarray(logits)[None]


def _stored(format: str, cores: int) -> dict[str, str] | None:
    """As model.compile takes it."""
    if format and format not in STORED:
        raise UsageError(f"weights are stored as {', '.join(STORED)}, not {format}")
    if format not in BLOCKS:
        return None
    if cores > 1:
        raise UsageError("several cores hold weights as they are typed, or in fp8")
    return {"weights": f"{format}_stored"}


def _cached(format: str) -> Any:
    if format != CACHED:
        raise UsageError(f"a cache is kept as the weights are, or as {CACHED}, not as {format}")
    import ml_dtypes

    return ml_dtypes.float8_e4m3


def _bucket(sizes: Sequence[int], size: int, what: str) -> int:
    found = next((one for one in sizes if one >= size), None)
    if found is None:
        raise UsageError(f"{size} {what}: the largest bucket has {sizes[-1]}")
    return found
