"""Transfers: rows of HBM regions and partitions of tiles, gathered, cast and transposed.

A region's rows are its partitions on chip, the entries of its outermost dimension in HBM.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from oracle.core import Core, dtype_of
from oracle.program import Tile
from oracle.values import F32, cast


def _rows_of(core: Core, tile: Tile, skip: bool) -> tuple[list[Tile | None], tuple[int, ...]]:
    """The rows of a region as tiles, None where a run-time index is out of bounds; its shape."""
    counts = tuple(count for _, count in tile.dims)
    if tile.space != "hbm":
        rows = [
            dataclasses.replace(tile, start=tile.start + p, partitions=1)
            for p in range(tile.partitions)
        ]
        return rows, (tile.partitions, *counts)
    if not counts:
        return [tile], (1,)
    how = core.program.dynamics[tile.dynamic - 1] if tile.dynamic else None
    gathers = how is not None and how.kind == "vector_offset"
    width = dtype_of(tile).itemsize
    if gathers:
        # The list runs down the partitions of the index tile, column after column.
        index = core.read(how.index).reshape(how.index.partitions, -1).T.reshape(-1)
    rows = []
    for r in range(counts[0]):
        step = int(index[r]) * how.stride if gathers else tile.dims[0][0] * r
        if gathers and not (index[r] >= 0 and (how.limit == 0 or index[r] < how.limit)):
            assert skip, "a row index is out of bounds"
            rows.append(None)
            continue
        dynamic = 0 if gathers else tile.dynamic
        rows.append(
            dataclasses.replace(
                tile, dims=tile.dims[1:], offset=tile.offset + step * width, dynamic=dynamic
            )
        )
    return rows, counts


def load(core: Core, tile: Tile, skip: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The elements in the region's shape, and which of its rows are there."""
    whole = tile.dynamic == 0 or core.program.dynamics[tile.dynamic - 1].kind != "vector_offset"
    if whole:
        values = core.read(tile)
        shape = values.shape if tile.space != "hbm" else values.shape[1:] or (1,)
        return values.reshape(shape), np.ones(shape[0], bool)
    rows, shape = _rows_of(core, tile, skip)
    values = np.zeros(shape, dtype_of(tile))
    for r, row in enumerate(rows):
        if row is not None:
            values[r] = core.read(row).reshape(shape[1:])
    return values, np.array([row is not None for row in rows])


def store(core: Core, tile: Tile, values: np.ndarray, present: np.ndarray, skip: bool) -> None:
    """Writes the elements in order; rows that are absent on either side stay as they are."""
    rows, shape = _rows_of(core, tile, skip)
    values = values.reshape(shape)
    if len(present) != len(rows):
        assert len(rows) % len(present) == 0 or present.all(), "absent rows of another length"
        present = np.repeat(present, -(-len(rows) // len(present)))[: len(rows)]
    if present.all() and None not in rows and not tile.dynamic:
        return core.write(tile, values)
    for r, row in enumerate(rows):
        if row is not None and present[r]:
            core.write(row, values[r])


def converted(x: np.ndarray, tile: Tile, source: Tile) -> np.ndarray:
    """Bits when the dtypes agree, else through float32."""
    return x if tile.dtype == source.dtype else cast(x.astype(F32), dtype_of(tile))


def copy(core: Core, dst: Tile, src: Tile, skip: bool) -> None:
    values, present = load(core, src, skip)
    store(core, dst, converted(values, dst, src), present, skip)


def transpose(core: Core, dst: Tile, src: Tile, skip: bool) -> None:
    """The first and the last dimension change places."""
    values, present = load(core, src, skip)
    assert present.all(), "transposes with absent rows"
    axes = [values.ndim - 1, *range(1, values.ndim - 1), 0]
    turned = values.transpose(axes)
    store(core, dst, turned, np.ones(len(turned), bool), skip)


def compute(core: Core, dst: Tile, srcs: list[Tile], skip: bool) -> None:
    """The sum of all sources, one after the other in float32."""
    total, every = None, None
    for src in srcs:
        values, present = load(core, src, skip)
        x = values.astype(F32).reshape(-1)
        total = x if total is None else total + x
        every = present if every is None else every & present
    store(core, dst, cast(total, dtype_of(dst)), every, skip)
