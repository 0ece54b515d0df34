"""Numbers as the engines see them: casts, operators and reductions in float32, bit patterns."""

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
    "abs_max": lambda a, b: np.where((np.abs(a) > np.abs(b)) | np.isnan(a), a, b),
    "abs_min": lambda a, b: np.where((np.abs(a) < np.abs(b)) | np.isnan(a), a, b),
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
    "relu": lambda a, _: np.where((a > 0) | np.isnan(a), a, F32(0)),
    "rsqrt": lambda a, _: F32(1 / np.sqrt(a.astype(np.float64))),
    "bypass": lambda a, _: a,
}
# What most tests leave out: these divide, or are rounded from float64.
MORE_OPERATORS = {
    "divide": np.divide,
    "reciprocal": lambda a, _: F32(1) / a,
    "power": lambda a, b: np.power(a.astype(np.float64), np.asarray(b, np.float64)).astype(F32),
    "fmod": np.fmod,
    "mod": np.mod,
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
    function = OPERATORS.get(op) or MORE_OPERATORS[op]
    with np.errstate(all="ignore"):
        return np.asarray(function(a, b)).astype(F32)


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


FLOATS = (
    np.dtype(np.float32),
    np.dtype(np.float16),
    np.dtype(ml_dtypes.bfloat16),
    np.dtype(ml_dtypes.float8_e4m3),
    np.dtype(ml_dtypes.float8_e5m2),
)
INTEGERS = tuple(map(np.dtype, (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)))
