"""Sequences of integers, selects and shuffles."""

from __future__ import annotations

import numpy as np

from oracle.elementwise import tensor_copy
from oracle.values import F32, LOWEST, OPERATORS, cast, column, rows, wide


def affine(partitions, pattern, offset, channel_multiplier):
    value = np.full((partitions, *[1] * len(pattern)), offset, np.int64)
    value += (np.arange(partitions) * channel_multiplier).reshape(-1, *[1] * len(pattern))
    for axis, (step, count) in enumerate(pattern):
        shape = [1] * (len(pattern) + 1)
        shape[axis + 1] = count
        value = value + (np.arange(count) * step).reshape(shape)
    return value.astype(np.int32).reshape(partitions, -1)


def iota(partitions, pattern, dtype, offset=0, channel_multiplier=0):
    value = affine(partitions, pattern, offset, channel_multiplier)
    if np.dtype(dtype) == np.int32:
        return value
    return cast(value.astype(F32), dtype)


def affine_select(on_true_tile, pattern, channel_multiplier, on_false_value, dtype, cmp_op, offset):
    value = affine(len(on_true_tile), pattern, offset, channel_multiplier)
    chosen = OPERATORS[cmp_op](value, 0) != 0
    true = tensor_copy(rows(on_true_tile), dtype)
    return np.where(chosen, true, cast(F32(on_false_value), dtype))


def range_select(on_true_tile, comp_op0, comp_op1, bound0, bound1, range_start, dtype):
    x = rows(wide(on_true_tile))
    position = F32(range_start + np.arange(x.shape[1]))[None]
    passes = OPERATORS[comp_op0](position, bound0) * OPERATORS[comp_op1](position, bound1)
    x = np.where(passes != 0, x, LOWEST)
    return cast(x, dtype), x


def select_reduce(predicate, on_true, on_false, dtype, reverse_pred=False):
    x = np.where((rows(predicate) != 0) != reverse_pred, rows(wide(on_true)), column(on_false))
    return cast(x, dtype), x.astype(F32)


def nc_stream_shuffle(dst, src, mask):
    result = dst.copy()
    for p in range(len(dst)):
        if mask[p % 32] != 255:
            result[p] = src[p // 32 * 32 + mask[p % 32]]
    return result
