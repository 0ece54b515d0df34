"""What each instruction means, in NumPy: one function an instruction, written from its reference.

Never calls the code under test. Arrays are [P, ...]; every row is a partition. Arithmetic is
float32 with one rounding a step, as the engines compute; results are cast by `cast`.
Source: nki.isa, NKI 0.6, and its release notes.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

F32 = np.float32
LOWEST = np.finfo(np.float32).min
EIGHT = 8


def is_integer(dtype) -> bool:
    return np.dtype(dtype).kind in "iub"


def cast(x, dtype):
    """float32 to dtype: nearest even; integers saturate and take 0 for NaN."""
    x, dtype = np.asarray(x, F32), np.dtype(dtype)
    if not is_integer(dtype):
        with np.errstate(over="ignore", invalid="ignore"):
            return x.astype(dtype)
    info = np.iinfo(dtype)
    whole = np.rint(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=2.0**70, neginf=-(2.0**70)))
    return np.clip(whole, float(info.min), float(info.max)).astype(np.int64).astype(dtype)


def wide(x):
    """Any dtype as the float32 that an engine computes with."""
    return np.asarray(x).astype(F32)


def rows(x):
    return np.asarray(x).reshape(len(x), -1)


def column(x):
    """A number, or a [P, 1] array, ready to broadcast over rows."""
    return F32(x) if np.isscalar(x) else wide(x).reshape(-1, 1)


def _truth(x):
    return np.asarray(x).astype(F32)


def maximum(a, b):
    """The larger; minus zero is below plus zero, and a NaN stays."""
    return np.where((a == 0) & (b == 0), a + b, np.maximum(a, b))


def minimum(a, b):
    return -maximum(-a, -b)


OPERATORS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "maximum": maximum,
    "minimum": minimum,
    "abs_max": lambda a, b: np.where(np.abs(a) > np.abs(b), a, b),
    "abs_min": lambda a, b: np.where(np.abs(a) < np.abs(b), a, b),
    "equal": lambda a, b: _truth(a == b),
    "not_equal": lambda a, b: _truth(a != b),
    "less": lambda a, b: _truth(a < b),
    "less_equal": lambda a, b: _truth(a <= b),
    "greater": lambda a, b: _truth(a > b),
    "greater_equal": lambda a, b: _truth(a >= b),
    "logical_and": lambda a, b: _truth((a != 0) & (b != 0)),
    "logical_or": lambda a, b: _truth((a != 0) | (b != 0)),
    "logical_xor": lambda a, b: _truth((a != 0) ^ (b != 0)),
    "abs": lambda a, _: np.abs(a),
    "square": lambda a, _: a * a,
    "relu": lambda a, _: np.where(a > 0, a, F32(0)),
    "rsqrt": lambda a, _: F32(1 / np.sqrt(a.astype(np.float64))),
    "bypass": lambda a, _: a,
}
BITS = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "left_shift": lambda a, b: np.where(b < 32, a << (b & 31), 0).astype(np.uint32),
    "right_shift": lambda a, b: np.where(b < 32, a >> (b & 31), 0).astype(np.uint32),
    "invert": lambda a, _: ~a,
}


def operate(op, a, b, reverse=False):
    a, b = (b, a) if reverse else (a, b)
    return OPERATORS[op](a, b).astype(F32)


def patterns(x):
    """Integers as 32-bit patterns, zero-extended."""
    x = np.asarray(x)
    return x.view(f"u{x.itemsize}").astype(np.uint32)


def from_patterns(bits, dtype):
    size = np.dtype(dtype).itemsize
    return bits.astype(f"u{size}").view(dtype)


def running(op, x, start):
    """start op x[0], then op x[1], ...: every step, along the rows."""
    state = np.broadcast_to(F32(start), (len(x),)).copy()
    steps = np.empty_like(x)
    for i in range(x.shape[1]):
        state = operate(op, state, x[:, i])
        steps[:, i] = state
    return steps


IDENTITY = {"add": 0, "subtract": 0, "multiply": 1, "maximum": -np.inf, "minimum": np.inf}


def reduced(op, x, start=None):
    start = IDENTITY.get(op, 1 if op == "logical_and" else 0) if start is None else start
    return running(op, rows(x), start)[:, -1:]


# --- copies and elementwise operators


def tensor_copy(src, dtype):
    return src.copy() if src.dtype == dtype else cast(wide(src), dtype)


def memset(shape, value, dtype):
    return np.full(shape, value).astype(dtype)


def tensor_copy_predicated(dst, src, predicate, reverse_pred=False):
    return np.where((predicate != 0) != reverse_pred, src, dst).astype(dst.dtype)


def tensor_tensor(data1, data2, op, dtype, exact=False):
    if op in BITS:
        return from_patterns(BITS[op](patterns(data1), patterns(data2)), dtype)
    if exact:
        function = {"maximum": np.maximum, "minimum": np.minimum}.get(op, OPERATORS[op])
        return function(data1, data2).astype(dtype)
    return cast(operate(op, wide(data1), wide(data2)), dtype)


def tensor_scalar(
    data, op0, operand0, dtype, reverse0=False, op1=None, operand1=None, reverse1=False
):
    if op0 in BITS:
        x = patterns(data)
        for op, operand, reverse in ((op0, operand0, reverse0), (op1, operand1, reverse1)):
            if op is None:
                continue
            other = np.uint32(int(operand) % 2**32) if np.isscalar(operand) else patterns(operand)
            other = np.broadcast_to(other, x.shape)
            x = BITS[op](other, x) if reverse else BITS[op](x, other)
        return from_patterns(x, dtype)
    x = operate(op0, wide(data), column(operand0), reverse0)
    if op1 is not None:
        x = operate(op1, x, column(operand1), reverse1)
    return cast(x, dtype)


def scalar_tensor_tensor(data, op0, operand0, op1, operand1, dtype, reverse0=False, reverse1=False):
    x = operate(op0, wide(data), column(operand0), reverse0)
    return cast(operate(op1, x, wide(operand1), reverse1), dtype)


def reciprocal(data, dtype):
    with np.errstate(all="ignore"):
        return cast(F32(1) / wide(data), dtype)


# --- functions of the Scalar engine, and the Vector engine's exponential

FUNCTIONS = {
    "copy": lambda x: x,
    "square": lambda x: x * x,
    "relu": lambda x: np.where(x > 0, x, F32(0)),
    "abs": np.abs,
    "sign": lambda x: np.copysign(np.sign(x), x),
}


def activation(data, op, dtype, scale=1.0, bias=0.0):
    """The result in dst's dtype and as float32, which is what the reductions see."""
    x = FUNCTIONS[op](wide(data) * column(scale) + column(bias)).astype(F32)
    return cast(x, dtype), x


def activate2(data, op, dtype, imm0, imm1, op0, op1, reverse0=False, reverse1=False):
    x = operate(op0, wide(data), column(imm0), reverse0)
    x = FUNCTIONS[op](operate(op1, x, column(imm1), reverse1)).astype(F32)
    return cast(x, dtype), x


def exponential(src, max_value):
    """exp of the rounded difference, in float64."""
    return np.exp((wide(src) - column(max_value)).astype(F32).astype(np.float64))


# --- reductions


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


# --- sequences and selects


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


# --- searches and gathers


def max8(src, dtype):
    return cast(-np.sort(-rows(wide(src)), axis=1)[:, :EIGHT], dtype)


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


def topk(src, n, k):
    values, index = np.empty((len(src), k), src.dtype), np.empty((len(src), k), np.uint32)
    for first in range(0, len(src), 16):
        snake = wide(src[first : first + 16]).flatten(order="F")[:n]
        best = np.lexsort((np.arange(n), -snake))[:k]  # the largest, lower index first
        best = best[np.lexsort((best, snake[best]))]
        values[first : first + 16], index[first : first + 16] = snake[best], best
    return values, index


# --- random numbers: Marsaglia's xorwow, state words x, y, z, w, v, d


def xorwow(state):
    x, y, z, w, v, d = (int(word) for word in state)
    t = x ^ (x >> 2)
    x, y, z, w = y, z, w, v
    v = (v ^ (v << 4) ^ (t ^ (t << 1))) & 0xFFFFFFFF
    d = (d + 362437) & 0xFFFFFFFF
    return (d + v) & 0xFFFFFFFF, [x, y, z, w, v, d]


def random_words(states, n):
    """n words a lane and the states after them; a lane has one state, or four in turn."""
    lanes = np.asarray(states, np.uint32).reshape(len(states), -1, 6)
    words, after = np.empty((len(lanes), n), np.uint32), np.empty_like(lanes)
    count = lanes.shape[1]
    for p, lane in enumerate(lanes):
        lane = [list(state) for state in lane]
        for i in range(-(-n // count) * count):  # the states of a lane step together
            word, lane[i % count] = xorwow(lane[i % count])
            if i < n:
                words[p, i] = word
        after[p] = lane
    return words, after.reshape(len(states), -1)


def rng(states, n, dtype):
    words, after = random_words(states, n)
    return from_patterns(words, dtype), after


def rand2(states, n, low, high, dtype):
    words, _ = random_words(states, n)
    unit = words.astype(F32) * F32(2.0**-32)
    return cast(column(low) + (column(high) - column(low)) * unit, dtype)


def dropout(states, data, prob):
    words, _ = random_words(states, rows(data).shape[1])
    dropped = words < np.float64(column(prob)) * 2.0**32
    return np.where(dropped, np.zeros((), data.dtype), rows(data))


FLOATS = (
    np.dtype(np.float32),
    np.dtype(np.float16),
    np.dtype(ml_dtypes.bfloat16),
    np.dtype(ml_dtypes.float8_e4m3),
    np.dtype(ml_dtypes.float8_e5m2),
)
INTEGERS = tuple(map(np.dtype, (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)))
