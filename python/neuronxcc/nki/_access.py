"""Which element of a tensor an index of a view means: an affine map, before any address is known.

Bounds are not checked when a view is made but when it is used, because a mask may cut off what lies
outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from nki import _context
from nki.language import NkiTensor

from neuronxcc.nki._index import Box, affine


@dataclass(frozen=True)
class Gather:
    """A tensor dimension whose index is read from a tile at run time."""

    dim: int  # of the tensor
    index: Any  # the tile: one number, or one for each index of dimension `along` of the view
    along: int | None = None


@dataclass(frozen=True)
class Access:
    """Element i of a view is element base[k] + sum(steps[k][d] * i[d]) in tensor dimension k."""

    shape: tuple[int, ...]
    base: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    gather: Gather | None = None


def whole(shape: tuple[int, ...]) -> Access:
    """All of a tensor."""
    unit = tuple(tuple(int(k == d) for d in range(len(shape))) for k in range(len(shape)))
    return Access(shape, (0,) * len(shape), unit)


# An index of a view as a constant and the steps along the dimensions of another one.
Entry = tuple[int, dict[int, int]]


def composed(access: Access, shape: tuple[int, ...], entries: list[Entry]) -> Access:
    """The view whose index in dimension d of `access` is entries[d] = (constant, steps)."""
    base, steps = [], []
    for first, row in zip(access.base, access.steps, strict=True):
        made = [0] * len(shape)
        for step, (constant, moved) in zip(row, entries, strict=True):
            if step:
                first += step * constant
                for r, s in moved.items():
                    made[r] += step * s
        base.append(first)
        steps.append(tuple(made))
    gather = access.gather
    if gather is not None and gather.along is not None:
        gather = _followed(gather, shape, entries[gather.along])
    return Access(shape, tuple(base), tuple(steps), gather)


def _followed(gather: Gather, shape: tuple[int, ...], entry: Entry) -> Gather:
    """The same elements of the index tile, where the view's dimension `along` becomes `entry`."""
    first, moved = entry
    if len(moved) > 1 or any(step < 1 for step in moved.values()):
        _context.refuse(
            "view.gather",
            "the dimension that a tile of indices runs along is sliced with a positive step",
            f"a view of shape {shape}",
        )
    if not moved:
        return Gather(gather.dim, gather.index[first : first + 1])
    ((along, step),) = moved.items()
    if first == 0 and step == 1 and shape[along] == gather.index.shape[0]:
        return replace(gather, along=along)
    index = gather.index[first : first + step * (shape[along] - 1) + 1 : step]
    return Gather(gather.dim, index, along)


def boxed(access: Access, box: Box | None) -> Access:
    """The part of a view inside a box."""
    if box is None:
        return access
    entries = [(first, {d: 1}) for d, (first, _) in enumerate(box)]
    return composed(access, tuple(end - first for first, end in box), entries)


def permuted(access: Access, order: tuple[int, ...]) -> Access:
    """The dimensions of a view in another order."""
    entries = [(0, {order.index(d): 1}) for d in range(len(order))]
    return composed(access, tuple(access.shape[d] for d in order), entries)


def stretched(access: Access, shape: tuple[int, ...]) -> Access | None:
    """A view of `shape` with repeated dimensions of size 1; None where that is impossible.

    Missing dimensions count as 1 and stand behind the first one, the partition dimension.
    """
    missing = len(shape) - len(access.shape)
    if missing < 0:
        return None
    own = [0, *range(missing + 1, len(shape))] if access.shape else []
    entries = []
    for d, size in enumerate(access.shape):
        if size not in (1, shape[own[d]]):
            return None
        entries.append((0, {own[d]: 1} if size == shape[own[d]] else {}))
    return composed(access, shape, entries)


def conformed(access: Access, shape: tuple[int, ...]) -> Access | None:
    """The same elements with other dimensions of size 1; None where other sizes differ."""
    if access.shape == shape:
        return access
    wide = [d for d, size in enumerate(access.shape) if size != 1]
    target = [d for d, size in enumerate(shape) if size != 1]
    if [access.shape[d] for d in wide] != [shape[d] for d in target]:
        return None
    place = dict(zip(wide, target, strict=True))
    entries = [(0, {place[d]: 1} if d in place else {}) for d in range(len(access.shape))]
    return composed(access, shape, entries)


class _Key:
    """An index expression being read: dimensions of the result so far, entries of the view."""

    def __init__(self) -> None:
        self.shape: list[int] = []
        self.entries: list[Entry] = []
        self.arrays: list[tuple[int, Any]] = []  # (dimension of the view, array or tile)
        self.place: int | None = None  # where the arrays' dimensions go
        self.apart = False  # slices stand between the arrays

    def array(self, dim: int, item: Any) -> None:
        if self.place is None:
            self.place = len(self.shape)
        elif self.place != len(self.shape):
            self.apart = True
        self.arrays.append((dim, item))
        self.entries.append((0, {}))


def _ranged(item: Any, size: int) -> tuple[int, int, int]:
    """(start, count, step) of a slice or nl.ds."""
    if not isinstance(item, slice):
        return int(item.start), int(item.size), 1
    step = 1 if item.step is None else int(item.step)
    start = 0 if item.start is None else int(item.start)
    stop = size if item.stop is None else int(item.stop)
    start += size if start < 0 else 0
    stop += size if stop < 0 else 0
    return start, max(0, -(-(stop - start) // step)), step


def _expanded(access: Access, key: Any) -> list[Any]:
    items = list(key) if isinstance(key, tuple) else [key]
    used = sum(1 for item in items if item is not None and item is not Ellipsis)
    if used > len(access.shape):
        _context.refuse(
            "view.index",
            "an index has no more entries than the tensor has dimensions",
            f"{used} entries for shape {access.shape}",
        )
    rest = [slice(None)] * (len(access.shape) - used)
    at = next((i for i, item in enumerate(items) if item is Ellipsis), None)
    return [*items, *rest] if at is None else [*items[:at], *rest, *items[at + 1 :]]


def indexed(access: Access, key: Any) -> Access:
    """A view of a view by integers, slices, nl.ds, index arrays, tiles of indices, None and ..."""
    read = _Key()
    dim = 0
    for item in _expanded(access, key):
        if item is None:
            read.shape.append(1)
            continue
        size = access.shape[dim]
        if (isinstance(item, np.ndarray) and item.ndim > 0) or hasattr(item, "_access"):
            read.array(dim, item)
        elif isinstance(item, slice) or (hasattr(item, "start") and hasattr(item, "size")):
            start, count, step = _ranged(item, size)
            read.entries.append((start, {len(read.shape): step}))
            read.shape.append(count)
        else:
            at = int(item)
            read.entries.append((at + size if at < 0 else at, {}))
        dim += 1
    return _finished(access, read)


def _finished(access: Access, read: _Key) -> Access:
    """Puts the dimensions of the index arrays where NumPy puts them."""
    shape, entries = read.shape, read.entries
    spread = np.broadcast_shapes(*(tuple(item.shape) for _, item in read.arrays))
    rank = len(spread)
    if len(read.arrays) == 1 and hasattr(read.arrays[0][1], "_access") and shape:
        spread = spread[:1] if spread[1:] == (1,) * (len(spread) - 1) else spread
    place = 0 if read.apart or read.place is None else read.place
    made = [*shape[:place], *spread, *shape[place:]]

    def moved(d: int) -> int:
        return d if d < place else d + len(spread)

    rows = [
        (constant, {moved(d): step for d, step in steps.items()}) for constant, steps in entries
    ]
    tiles = []
    for dim, item in read.arrays:
        if hasattr(item, "_access"):
            tiles.append((dim, item))
            continue
        constant, steps = affine(item, len(spread))
        rows[dim] = (constant, {place + d: step for d, step in enumerate(steps) if step})
    result = composed(access, tuple(made), rows)
    if not tiles:
        return result
    if len(tiles) > 1 or access.gather is not None:
        _context.refuse(
            "view.gather",
            "one dimension of a view is indexed by a tile",
            f"{len(tiles) + (access.gather is not None)} tiles of indices",
            "add them to one index of a reshaped tensor",
        )
    dim, index = tiles[0]
    return replace(result, gather=_gather(access, dim, index, place + rank - index.ndim))


def _gather(access: Access, dim: int, index: Any, along: int) -> Gather:
    """Dimension `dim` of a view chosen by a tile, whose partitions are dimension `along` then."""
    rows = [k for k, row in enumerate(access.steps) if row[dim]]
    if len(rows) != 1 or access.steps[rows[0]][dim] != 1 or access.base[rows[0]]:
        _context.refuse(
            "view.gather",
            "a tile of indices chooses along a whole dimension of a tensor",
            f"a view of shape {access.shape}",
        )
    if index.size == 1:
        return Gather(rows[0], index)
    if index.size != index.shape[0]:
        _context.refuse(
            "view.gather",
            "a tile of indices holds one index in each partition",
            f"a tile of shape {index.shape}",
            "index by one column of it at a time, tile[:, nl.ds(j, 1)]",
        )
    return Gather(rows[0], index, along)


def interval(access: Access, k: int) -> tuple[int, int]:
    """The first and the end of the indices that a view touches in tensor dimension k."""
    low = high = access.base[k]
    for step, size in zip(access.steps[k], access.shape, strict=True):
        if step > 0:
            high += step * (size - 1)
        elif step:
            low += step * (size - 1)
    return low, high + 1


def resolved(tensor: NkiTensor, access: Access) -> NkiTensor:
    """The view as nki knows it. Raises InputError "view.bounds" and those of NkiTensor.ap."""
    for k, size in enumerate(tensor.shape):
        low, end = interval(access, k)
        if low < 0 or end > size:
            _context.refuse(
                "view.bounds",
                "every index lies inside its dimension, or a mask cuts it off",
                f"indices {low} to {end - 1} in dimension {k} of {tensor.shape}",
                "mask the access, or shorten it",
            )
    if access.gather is not None:
        return _gathered(tensor, access)
    if access == whole(tensor.shape):
        return tensor
    pattern, offset = _pattern(tensor, access)
    return tensor.ap(pattern, offset)


def _pattern(tensor: NkiTensor, access: Access) -> tuple[list[list[int]], int]:
    strides = tensor.strides
    offset = sum(b * s for b, s in zip(access.base, strides, strict=True))
    pattern = []
    for d, size in enumerate(access.shape):
        step = sum(row[d] * s for row, s in zip(access.steps, strides, strict=True))
        pattern.append([step if size > 1 else strides[0] if d == 0 else 1, size])
    return pattern or [[1, 1]], offset


def _gathered(tensor: NkiTensor, access: Access) -> NkiTensor:
    """A view whose index in one dimension is only known at run time."""
    dim, index, along = access.gather.dim, access.gather.index, access.gather.along
    pattern, offset = _pattern(tensor, access)
    if along is None:
        return tensor.ap(pattern, offset, scalar_offset=index.nki(), indirect_dim=dim)
    if along != 0 or any(row[0] for row in access.steps):
        _context.refuse(
            "view.gather",
            "a tile of indices chooses the elements of each partition, its first dimension",
            f"indices along dimension {along} of a view of shape {access.shape}",
            "put the dimension of the indices first, and use its index nowhere else",
        )
    pattern[0][0] = tensor.strides[dim]
    return tensor._rows_at(pattern, offset, index.nki(), dim)
