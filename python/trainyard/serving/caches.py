"""The paged cache of keys and values in the memory of the devices: steps find the blocks of their
requests there by tables and write those of their own tokens into them, in place. The host sees a
block only when it goes somewhere else: swapped out, or sent to another replica.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from trainyard import _core, device_memory

AXIS = 1  # of [layers, blocks, tokens of a block, heads, head]
Blocks = tuple[np.ndarray, np.ndarray]  # keys and values, [layers, some blocks, ...]


class Cache(Protocol):
    """What an engine does with keys and values besides running steps on them."""

    arrays: tuple[Any, Any]  # as a step takes and gives them

    @property
    def is_gone(self) -> bool:
        """Whether a step that failed has taken it along."""
        ...

    def fresh(self) -> Cache:
        """Another one of that kind, of zeros."""
        ...

    def read(self, blocks: Sequence[int]) -> Blocks:
        """Copies to the host."""
        ...

    def write(self, blocks: Sequence[int], content: Blocks) -> None:
        """Copies from there."""
        ...


class DeviceCache:
    """In the memory of one device."""

    def __init__(self, shape: tuple[int, ...], kind: Any, machine: str) -> None:
        self._made = shape, kind, machine
        keys, values = (device_memory.zeros(shape, kind, machine) for _ in range(2))
        self.arrays = keys, values

    @property
    def is_gone(self) -> bool:
        """Either half of it."""
        return any(each.is_gone for each in self.arrays)

    def fresh(self) -> DeviceCache:
        """Another one."""
        return DeviceCache(*self._made)

    def read(self, blocks: Sequence[int]) -> Blocks:
        """Copies to the host."""
        keys, values = (each.read_pages(blocks, AXIS) for each in self.arrays)
        return keys, values

    def write(self, blocks: Sequence[int], content: Blocks) -> None:
        """Copies from there."""
        for array, each in zip(self.arrays, content, strict=True):
            array.write_pages(blocks, each, AXIS)


class ShardedCache:
    """Over several devices, as arrays of JAX that `put` places there."""

    def __init__(self, shape: tuple[int, ...], kind: Any, put: Callable[[np.ndarray], Any]) -> None:
        self._made = shape, kind, put
        self.arrays = put(np.zeros(shape, kind)), put(np.zeros(shape, kind))

    @property
    def is_gone(self) -> bool:
        """Either half of it."""
        return any(each.is_deleted() for each in self.arrays)

    def fresh(self) -> ShardedCache:
        """Another one."""
        return ShardedCache(*self._made)

    def read(self, blocks: Sequence[int]) -> Blocks:
        """Copies to the host."""
        keys, values = (np.asarray(each)[:, list(blocks)] for each in self.arrays)
        return keys, values

    def write(self, blocks: Sequence[int], content: Blocks) -> None:
        """Copies from there."""
        changed = [np.array(each) for each in self.arrays]
        for array, each in zip(changed, content, strict=True):
            array[:, list(blocks)] = each
        keys, values = map(self._made[2], changed)
        self.arrays = keys, values


def in_place(step: Callable[..., Any]) -> Callable[..., Any]:
    """The step with one more argument behind the cache, int32 [(groups,) tokens]: the place of
    each of its tokens, counted over the blocks; what lies beyond them is not written. It gives
    logits and the cache with the keys and values of its tokens.

    Each layer writes when it has them, and the next one reads behind it: all together they would
    wait for the last one, and what the old cache is read for would have to be copied first."""

    def stepped(
        weights: Any, keys: Any, values: Any, places: Any, *given: Any, **named: Any
    ) -> Any:
        rows = [pool.reshape(pool.shape[0], -1, *pool.shape[3:]) for pool in (keys, values)]

        def store(group: int, layer: int, *made: Any) -> Any:
            at = places if places.ndim == 1 else places[group]
            for i, own in enumerate(made):
                rows[i] = rows[i].at[layer, at].set(own, mode="drop")
            return tuple(one.reshape(keys.shape) for one in rows)

        logits = step(weights, keys, values, *given, store=store, **named)
        return logits, *(one.reshape(keys.shape) for one in rows)

    stepped.__name__ = getattr(step, "__name__", "step")
    return stepped


def grouped(windows: Sequence[int], context: int) -> tuple[list[int], list[int]]:
    """(the window of each group of layers that has blocks of its own, 0: all; the group of each
    layer), for layers that see so many tokens each, 0: all, and requests of `context` at most."""
    seen = [window if window < context else 0 for window in windows]
    found, most = _core.group_layers([(window, 1.0) for window in seen])
    groups = [found.index(window) for window in seen]
    for layer, window in enumerate(seen):
        groups[layer] += seen[:layer].count(window) // int(most)
    return found, groups


def seen_blocks(tables: np.ndarray, windows: Sequence[int], tokens: int, block: int) -> list[int]:
    """Blocks of a request's first tokens, as far as they are seen behind them, of each group.
    tables: int [groups, blocks]."""
    found: list[int] = []
    for table, window in zip(tables, windows, strict=True):
        first = _core.first_block_seen(window, tokens, block)
        found += table[first : -(-tokens // block)].tolist()
    return found
