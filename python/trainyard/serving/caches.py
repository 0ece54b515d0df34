"""The paged cache of keys and values in the memory of the devices: steps find the blocks of their
requests there by tables and write those of their own tokens into them, in place. The host sees a
block only when it goes somewhere else: swapped out, or sent to another replica.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from trainyard import device_memory

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
    """The step with one more argument behind the cache, int32 [tokens]: the place of each of its
    tokens, counted over the blocks; what lies beyond them is not written. It gives logits and the
    cache with the keys and values of its tokens.

    Each layer writes when it has them, and the next one reads behind it: all together they would
    wait for the last one, and what the old cache is read for would have to be copied first."""

    def stepped(
        weights: Any, keys: Any, values: Any, places: Any, *given: Any, **named: Any
    ) -> Any:
        rows = [pool.reshape(pool.shape[0], -1, *pool.shape[3:]) for pool in (keys, values)]

        def store(layer: int, *made: Any) -> Any:
            for i, own in enumerate(made):
                rows[i] = rows[i].at[layer, places].set(own, mode="drop")
            return tuple(one.reshape(keys.shape) for one in rows)

        logits = step(weights, keys, values, *given, store=store, **named)
        return logits, *(one.reshape(keys.shape) for one in rows)

    stepped.__name__ = getattr(step, "__name__", "step")
    return stepped
