"""Data-parallel ranks that share the experts of a model: each has requests, a scheduler and a cache
of its own and all weights but those of the experts, of which it has some. All ranks compute a step
together, and tokens go to their experts and back by an all-to-all in each layer.

A rank is a device, or several that divide its layers as Megatron does: heads and the hidden units
of experts, or whole experts, with a sum behind each half of a layer, which is written out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.serving.llama import Config
from trainyard.serving.products import COLUMNS, ROWS, Weights
from trainyard.serving.sharded import OF_EXPERTS, OF_UNITS, check_cores, devices_of
from trainyard.usage import UsageError

AXIS, CORES = "rank", "core"  # of the mesh: ranks, and the devices of each
EXPERT_AXES = 3  # of a matrix for each expert
# Vectors of all heads.
OF_HEADS = ("attn_sinks", *(f"attn_{one}_{what}" for one in "qkv" for what in ("bias", "scale")))


class Ranks:
    """Weights on the devices, and step functions compiled for them; as sharded.Shards."""

    def __init__(
        self, weights: Weights, config: Config, division: tuple[int, int, bool], machine: str
    ) -> None:
        """division: ranks, devices of each, and whether a device has whole experts. Raises
        UsageError where ranks cannot share the experts, or there are too few devices."""
        import jax
        from jax.sharding import Mesh, NamedSharding
        from jax.sharding import PartitionSpec as P

        ranks, cores, self._has_whole_experts = division
        if config.experts is None:
            raise UsageError("--dp is of ranks that share experts; --replicas serve other models")
        if config.experts.of % ranks:
            raise UsageError(f"{ranks} ranks do not divide {config.experts.of} experts")
        of_rank = replace(config.experts, of=config.experts.of // ranks)
        check_cores(replace(config, experts=of_rank), cores, self._has_whole_experts)
        devices = np.array(devices_of(machine, ranks * cores)).reshape(ranks, cores)
        self._mesh = Mesh(devices, (AXIS, CORES))
        self._ranks, self._cores = devices.shape
        self._specs = {name: self._spec(name, value.ndim) for name, value in weights.items()}
        self._pool, self._given = P(None, AXIS, None, CORES), P(AXIS)
        self._place = lambda value, spec: jax.device_put(value, NamedSharding(self._mesh, spec))
        self.weights = {
            name: self._place(value, self._specs[name]) for name, value in weights.items()
        }

    def _spec(self, name: str, axes: int) -> Any:
        """How a weight lies: columns are its last axis, rows the one before."""
        from jax.sharding import PartitionSpec as P

        last = name.rpartition(".")[2]
        is_of_experts = axes == EXPERT_AXES or last in OF_EXPERTS
        if is_of_experts and self._has_whole_experts:
            return P((AXIS, CORES))
        first = (AXIS,) if is_of_experts else ()
        is_column = last in (*COLUMNS, *OF_HEADS) or name == "head"
        if is_column or (is_of_experts and last in OF_UNITS):
            return P(*first, *(None,) * (axes - len(first) - 1), CORES)
        return P(*first, CORES) if last in ROWS else P(*first)

    def spread(self, config: Config) -> Config:
        """As a step of one device finds it."""
        assert config.experts is not None
        within = (CORES, self._cores) if self._cores > 1 else None
        exchanged = (AXIS, self._ranks)
        experts = replace(config.experts, exchanged=exchanged, within=within)
        return replace(
            config,
            heads=config.heads // self._cores,
            kv_heads=config.kv_heads // self._cores,
            experts=replace(experts, is_whole=self._has_whole_experts),
            axis=CORES if self._cores > 1 else "",
        )

    def put_pool(self, pool: np.ndarray) -> Any:
        """Keys or values, the blocks of one rank behind those of the other."""
        return self._place(pool, self._pool)

    def compile(self, step: Callable[..., Any], pools: Any, given: Any) -> tuple[Any, float, float]:
        """(what runs it on the cache and a list of what is given to each rank; seconds; joules).
        The cache is donated."""
        import jax

        def put(values: Sequence[Any]) -> Any:
            stacked = (np.stack(one) for one in zip(*values, strict=True))
            return tuple(self._place(one, self._given) for one in stacked)

        def stepped(weights: Any, keys: Any, values: Any, *given: Any) -> Any:
            logits, *pools = step(weights, keys, values, *(one[0] for one in given))
            if self._cores > 1:
                logits = jax.lax.all_gather(logits, CORES, axis=logits.ndim - 1, tiled=True)
            return logits[None], *pools

        specs = self._specs, self._pool, self._pool, *(self._given for _ in given)
        ends = self._given, self._pool, self._pool
        ranked = jax.shard_map(
            stepped, mesh=self._mesh, in_specs=specs, out_specs=ends, check_vma=False
        )
        jitted = jax.jit(ranked, donate_argnums=(1, 2), compiler_options={"mode": "machine"})
        empty = put([given] * self._ranks)
        compiled = jitted.lower(self.weights, *pools, *empty).compile()
        costs: Any = compiled.cost_analysis()

        def run(keys: Any, values: Any, given: Any) -> Any:
            return compiled(self.weights, keys, values, *put(given))

        return SimpleNamespace(run=run), float(costs["seconds"]), float(costs["joules"])


class RankSchedulers:
    """Those of all ranks as one, which schedule their steps together. A new request goes to the
    rank with the fewest; a request's number names its rank, and so do its blocks."""

    def __init__(self, settings: Any, ranks: int) -> None:
        self._all = [_core.ServingScheduler(settings) for _ in range(ranks)]
        self._blocks = settings.blocks
        self._busy: list[int] = []  # ranks that have a part in the step
        self._items: list[tuple[int, int, bool]] = []  # of it: rank, tokens, whether it samples

    def _of(self, number: int) -> tuple[Any, int]:
        return self._all[number % len(self._all)], number // len(self._all)

    def _number(self, rank: int, local: int) -> int:
        return local * len(self._all) + rank

    def add(self, *given: Any, **named: Any) -> int:
        """The number of a new request."""
        rank = min(range(len(self._all)), key=lambda i: self._all[i].running + self._all[i].waiting)
        return self._number(rank, self._all[rank].add(*given, **named))

    def schedule(self, now: int) -> tuple[Any, ...]:
        """The steps of all ranks."""
        made: tuple[list[Any], ...] = [], [], [], []
        self._busy = []
        for rank, scheduler in enumerate(self._all):
            *items, out, back = scheduler.schedule(now)
            if any(items):
                self._busy.append(rank)
            for found, part in zip(made, items, strict=False):
                found += [(self._number(rank, local), *rest) for local, *rest in part]
            for found, part in zip(made[2:], (out, back), strict=True):
                found += [
                    (self._number(rank, local), [one + rank * self._blocks for one in blocks])
                    for local, blocks in part
                ]
        self._items = [
            (number % len(self._all), count, samples)
            for items in made[:2]
            for number, _, count, samples in items
        ]
        return made

    def complete(self, end: int, joules: float, outcomes: Sequence[Any]) -> None:
        """The step is over: outcomes of its sampling items, prefills of all ranks first."""
        tokens = sum(count for _, count, _ in self._items)
        given = iter(outcomes)
        own: dict[int, list[Any]] = {rank: [] for rank in self._busy}
        shares = dict.fromkeys(self._busy, 0.0)
        for rank, count, samples in self._items:
            shares[rank] += joules * count / tokens
            if samples:
                own[rank].append(next(given))
        for rank in self._busy:
            self._all[rank].complete(end, shares[rank], own[rank])

    def abandon(self, now: int) -> None:
        """The step has failed."""
        for rank in self._busy:
            self._all[rank].abandon(now)

    def lose_cache(self, now: int) -> None:
        """Of all ranks."""
        for one in self._all:
            one.lose_cache(now)

    def cancel(self, number: int, now: int) -> None:
        """A request."""
        scheduler, local = self._of(number)
        scheduler.cancel(local, now)

    def table(self, number: int, group: int = 0) -> list[int]:
        """Blocks of a request, counted over all ranks; -1: given back."""
        scheduler, local = self._of(number)
        first = number % len(self._all) * self._blocks
        return [one + first if one >= 0 else one for one in scheduler.table(local, group)]

    def record(self, number: int) -> Any:
        """Of a request."""
        scheduler, local = self._of(number)
        return scheduler.record(local)

    def unfinished(self) -> list[Any]:
        """As ServingScheduler has them."""
        return [
            (self._number(rank, local), *rest)
            for rank, one in enumerate(self._all)
            for local, *rest in one.unfinished()
        ]

    def events(self) -> list[dict[str, Any]]:
        """Of watched requests, by time."""
        found = [
            event | {"request": self._number(rank, event["request"])}
            for rank, one in enumerate(self._all)
            for event in one.events()
        ]
        return sorted(found, key=lambda event: int(event["begin"]))

    def counters(self) -> dict[str, int]:
        """Sums; steps and peaks are those of the highest."""
        return summed([one.counters() for one in self._all], ("peak", "steps"))

    @property
    def ended(self) -> list[int]:
        """Requests that ended in the last step."""
        return [
            self._number(rank, local) for rank, one in enumerate(self._all) for local in one.ended
        ]

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
        """Likewise."""
        return sum(one.waiting for one in self._all)

    @property
    def used_blocks(self) -> float:
        """Of a cache, in the mean."""
        return sum(one.used_blocks for one in self._all) / len(self._all)


def summed(counters: Sequence[dict[str, int]], highest: tuple[str, ...]) -> dict[str, int]:
    """Of several schedulers: sums, or the highest of those whose names begin so."""
    return {
        name: (max if name.startswith(highest) else sum)(one[name] for one in counters)
        for name in counters[0]
    }
