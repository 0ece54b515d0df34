"""Searches and gathers."""

from __future__ import annotations

import numpy as np

from oracle.values import EIGHT, F32, cast, rows, wide


def descending(x):
    """Places of the elements along the last axis, largest first, then by index; NaN is largest."""
    place = np.broadcast_to(np.arange(x.shape[-1]), x.shape)
    return np.lexsort((place, -x, ~np.isnan(x)), axis=-1)


def max8(src, dtype):
    x = rows(wide(src))
    order = descending(x)[:, :EIGHT]
    return cast(np.take_along_axis(x, order, axis=1), dtype)


def _find(data, vals, slots):
    index = np.full(vals.shape, 2**32 - 1, np.uint32)
    for p in range(len(data)):
        taken = set()
        for slot in slots:
            for i in np.flatnonzero(data[p] == vals[p, slot]):
                if i not in taken:
                    taken.add(i)
                    index[p, slot] = i
                    break
    return index


def nc_find_index8(data, vals, dtype):
    return _find(rows(wide(data)), rows(wide(vals)), range(EIGHT)).astype(dtype)


def nc_match_replace8(data, vals, imm):
    index = _find(rows(wide(data)), rows(wide(vals)), range(EIGHT - 1, -1, -1))
    result = rows(data).copy()
    for p, found in enumerate(index):
        result[p, found[found != 2**32 - 1]] = cast(F32(imm), data.dtype)
    return result, index


def local_gather(src_buffer, index, length, valid):
    src = rows(src_buffer)
    result = np.empty((len(src), valid * length), src.dtype)
    for p in range(len(src)):
        first = p // 16 * 16
        offsets = index[first : first + 16].flatten(order="F")[:valid].astype(int)
        result[p] = src[p][offsets[:, None] + np.arange(length)].ravel()
    return result


def nc_n_gather(data, indices):
    return np.take_along_axis(rows(data), rows(indices).astype(np.int64), axis=1)


def nonzero_with_count(dst, src, index_offset=0, padding_val=-1):
    result = dst.copy()
    for p in range(0, len(src), 16):
        found = np.flatnonzero(src[p])
        result[p] = padding_val
        result[p, : len(found)] = found + index_offset
        result[p, -1] = len(found)
    return result


def sequence_bounds(segment_ids, dtype):
    ids = segment_ids[0]
    n = len(ids)
    start, end = np.full(n, n), np.full(n, -1)
    for i in range(n):
        if ids[i] != 0:
            start[i] = i if i == 0 or ids[i - 1] != ids[i] else start[i - 1]
    for i in reversed(range(n)):
        if ids[i] != 0:
            end[i] = i + 1 if i == n - 1 or ids[i + 1] != ids[i] else end[i + 1]
    return np.stack([start, end])[None].astype(dtype)


def topk(values, index, src, n):
    """New (values, index): result j of a group in row j % 16, column j // 16; the rest stays."""
    values, index, k = values.copy(), index.copy(), values.shape[1]
    for first in range(0, len(src), 16):
        snake = wide(src[first : first + 16]).flatten(order="F")[:n]
        best = descending(snake)[:k]
        best = best[np.lexsort((best, snake[best], np.isnan(snake[best])))]
        for j, place in enumerate(best):
            at = first + j % 16, j // 16
            values[at], index[at] = snake[place], place
    return values, index
