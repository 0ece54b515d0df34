"""Reductions, scans and statistics along rows."""

from __future__ import annotations

import numpy as np

from oracle.values import (
    BITS,
    F32,
    cast,
    column,
    from_patterns,
    operate,
    patterns,
    reduced,
    rows,
    wide,
)


def tensor_reduce(data, op, axes, dtype, negate=False):
    kept = data.shape[1 : data.ndim - axes]
    groups = data.reshape(int(np.prod((len(data), *kept))), -1)
    if op in BITS:
        bits = patterns(groups)
        result = bits[:, 0]
        for i in range(1, bits.shape[1]):
            result = BITS[op](result, bits[:, i])
        return from_patterns(result, dtype).reshape(len(data), *kept)
    x = wide(groups)
    if op == "subtract":
        result = x[:, 0]
        for i in range(1, x.shape[1]):
            result = result - x[:, i]
    else:
        result = reduced(op, x)[:, 0]
    result = result * F32(-1) if negate else result
    return cast(result, dtype).reshape(len(data), *kept)


def tensor_partition_reduce(data, op, dtype):
    if op in BITS:
        return from_patterns(BITS[op].reduce(patterns(data), axis=0, keepdims=True), dtype)
    x = wide(data)
    state = x[0]
    for row in x[1:]:
        state = np.maximum(state, row) if op == "maximum" else state + row
    return cast(state / F32(len(x)) if op == "average" else state, dtype)[None]


def tensor_scalar_reduce(data, op0, operand0, reduce_op, start, dtype, reverse0=False):
    x = operate(op0, wide(data), column(operand0), reverse0)
    return cast(x, dtype), reduced(reduce_op, x, start)


def tensor_scalar_cumulative(src, op0, imm0, op1, start, dtype):
    x = rows(operate(op0, wide(src), column(imm0)))
    state = np.broadcast_to(F32(start), (len(x),)).copy()
    steps = np.empty_like(x)
    for i in range(x.shape[1]):
        state = operate(op1, x[:, i], state)
        steps[:, i] = state
    return cast(steps, dtype), state[:, None]


def tensor_tensor_scan(data0, data1, initial, op0, op1, dtype, reverse0=False, reverse1=False):
    a, b = rows(wide(data0)), rows(wide(data1))
    state = np.broadcast_to(column(initial), (len(a), 1))[:, 0].copy()
    steps = np.empty_like(a)
    for i in range(a.shape[1]):
        state = operate(op0, a[:, i], state, reverse0)
        state = operate(op1, state, b[:, i], reverse1)
        steps[:, i] = state
    return cast(steps, dtype)


def bn_stats(data):
    """In float64: count, mean, sum of squared differences of even, then of odd elements."""
    result = []
    for part in (rows(data)[:, ::2], rows(data)[:, 1::2]):
        x = part.astype(np.float64)
        mean = x.mean(axis=1) if x.size else np.zeros(len(x))
        result += [np.full(len(x), x.shape[1]), mean, ((x - mean[:, None]) ** 2).sum(axis=1)]
    return np.stack(result, axis=1)


def bn_aggr(data):
    """In float64: mean and variance of what the triples describe."""
    triples = rows(data).astype(np.float64).reshape(len(data), -1, 3)
    count, mean, squares = triples[..., 0], triples[..., 1], triples[..., 2]
    overall = (count * mean).sum(axis=1) / count.sum(axis=1)
    between = count * (mean - overall[:, None]) ** 2
    return np.stack([overall, (squares + between).sum(axis=1) / count.sum(axis=1)], axis=1)


def _added(x):
    """The sum of each row, one float32 addition after the other."""
    total = np.zeros(len(x), F32)
    for i in range(x.shape[1]):
        total = total + x[:, i]
    return total


def bn_stats_in_order(data):
    """bn_stats in float32, every sum in the order of the elements: DEVIATIONS.md, sums of a row."""
    result = []
    for part in (rows(data)[:, ::2], rows(data)[:, 1::2]):
        count = np.full(len(part), part.shape[1], F32)
        with np.errstate(all="ignore"):
            mean = _added(part) / count if part.shape[1] else np.zeros(len(part), F32)
            squares = _added((part - mean[:, None]) ** 2)
        result += [count, mean, squares]
    return np.stack(result, axis=1).astype(F32)


def bn_aggr_in_order(data):
    """bn_aggr in float32, triple after triple."""
    triples = rows(data).reshape(len(data), -1, 3)
    count, mean, squares = (triples[..., i] for i in range(3))
    with np.errstate(all="ignore"):
        overall = _added(count * mean) / _added(count)
        between = count * (mean - overall[:, None]) ** 2
        variance = _added(squares + between) / _added(count)
    return np.stack([overall, variance], axis=1).astype(F32)
