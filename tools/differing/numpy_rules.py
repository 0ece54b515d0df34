"""What elementwise primitives of JAX mean, in NumPy on numbers held in float64.

A rule takes the equation's parameters and its operands. It gives the result before rounding, and
how far off a machine that computes in float32 may be: in halves of the last place, or absolute.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from differing.formats import UNIT, grid


@dataclass
class Result:
    value: np.ndarray
    units: np.ndarray | float = 2.0
    error: np.ndarray | float | None = None


Rule = Callable[..., "Result | np.ndarray"]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    def note(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return note


def simple(names: dict[str, Callable[..., np.ndarray]], units: float = 2.0) -> None:
    for name, function in names.items():
        RULES[name] = lambda p, *x, f=function: computed(np.asarray(f(*x)), units)


def computed(y: np.ndarray, units: float) -> Result:
    """Of a function that no sequence of instructions gives exactly: even a whole number is not."""
    is_sure = units <= 2 or not np.issubdtype(y.dtype, np.floating)
    return Result(y, units, None if is_sure else np.where(y == 0, 0, 2.0**-148))


simple(
    {
        "neg": np.negative,
        "abs": np.abs,
        "floor": np.floor,
        "ceil": np.ceil,
        "add": np.add,
        "add_any": np.add,
        "sub": np.subtract,
        "max": np.maximum,
        "min": np.minimum,
        "square": np.square,
        "real": np.real,
        "imag": np.imag,
        "conj": np.conj,
        "complex": lambda a, b: a + 1j * b,
        "is_finite": np.isfinite,
        "not": np.invert,
        "sqrt": np.sqrt,
        "copy": np.copy,
        "copy_p": np.copy,
        "stop_gradient": np.copy,
        "nextafter": lambda a, b: np.nextafter(a.astype(np.float32), b.astype(np.float32)),
    }
)
simple(
    {
        "exp": np.exp,
        "exp2": np.exp2,
        "log": np.log,
        "log1p": np.log1p,
        "expm1": np.expm1,
        "tanh": np.tanh,
        "logistic": special.expit,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "cbrt": np.cbrt,
        "sin": np.sin,
        "cos": np.cos,
        "erf": special.erf,
        "atan2": np.arctan2,
    },
    units=6,
)
simple(
    {
        "tan": np.tan,
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "sinh": np.sinh,
        "cosh": np.cosh,
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        "erfc": special.erfc,
        "erf_inv": special.erfinv,
        "bessel_i1e": special.i1e,
        "bessel_i0e": special.i0e,
    },
    units=30,
)


@rule("lgamma")
def log_gamma(p: Any, x: np.ndarray) -> Result:
    error = np.where(np.abs(x) < 2.0**-120, np.inf, 40 * UNIT * (1 + np.abs(x)))
    return Result(special.gammaln(x), 60, error)  # pi times x is rounded


@rule("digamma")
def digamma(p: Any, x: np.ndarray) -> Result:
    return Result(special.digamma(x), 60, 40 * UNIT * (1 + np.abs(special.digamma(x))))


@rule("sign")
def sign(p: Any, x: np.ndarray) -> np.ndarray:
    return np.where(x == 0, x, np.sign(x))


@rule("round")
def rounded(p: Any, x: np.ndarray) -> np.ndarray:
    if int(p["rounding_method"]) == 1:
        return np.rint(x)
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


@rule("div")
def quotient(p: Any, a: np.ndarray, b: np.ndarray) -> Result:
    if not np.issubdtype(a.dtype, np.integer):
        units = np.where(np.abs(b) < 2.0**126, 4, 64)
        found, error = a / b, _without_reciprocal(b)
        if grid(a) is None or grid(b) is None:  # a product with the reciprocal, which is rounded
            error = np.maximum(error, np.where(found == 0, 0, 2.0**-148))
        return Result(found, units, error)
    return Result(_integer_quotient(a, b))


def _without_reciprocal(b: np.ndarray) -> np.ndarray:
    """Where the reciprocal of a divisor overflows (DEVIATIONS.md, division)."""
    return np.where((np.abs(b) < 2.0**-126) & (b != 0), np.inf, 0)


def _integer_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    limits = np.iinfo(a.dtype)
    wide, by = a.astype(np.int64), np.where(b == 0, 1, b).astype(np.int64)
    found = np.sign(wide) * np.sign(by) * (np.abs(wide) // np.abs(by))
    none = limits.max if limits.min == 0 else -1
    return np.where(b == 0, none, found).astype(a.dtype)


@rule("mul")
def product_of_two(p: Any, a: np.ndarray, b: np.ndarray) -> Result:
    """silu and gelu have limits at infinities (DEVIATIONS.md, activation-functions)."""
    if not np.issubdtype(a.dtype, np.floating):
        return Result(a * b)
    is_limit = (np.isinf(a) & (b == 0)) | (np.isinf(b) & (a == 0))
    return Result(a * b, error=np.where(is_limit, -np.inf, 0))


@rule("rem")
def remainder(p: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if not np.issubdtype(a.dtype, np.integer):
        return np.fmod(a, b)
    by = np.where(b == 0, 1, b).astype(np.int64)
    return np.where(b == 0, a, np.fmod(a.astype(np.int64), by)).astype(a.dtype)


@rule("pow")
def power(p: Any, a: np.ndarray, b: np.ndarray) -> Result:
    if np.issubdtype(b.dtype, np.integer):
        found = np.power(a, np.maximum(b, 0))
        if np.issubdtype(a.dtype, np.integer):
            return Result(np.where(b < 0, np.where(a == 1, 1, 0), found).astype(a.dtype))
        return Result(np.power(a, b.astype(np.float64)), 4 + 4.0 * np.abs(b))
    found = np.power(a, b)
    turns = np.where(np.isfinite(found) & (found > 0), np.abs(np.log(np.abs(found))), 0)
    return Result(found, 8 + 8 * turns)


@rule("integer_pow")
def integer_power(p: Any, x: np.ndarray) -> Result:
    y = p["y"]
    if np.issubdtype(x.dtype, np.integer):
        return Result(np.power(x, y) if y >= 0 else np.where(x == 1, 1, 0).astype(x.dtype))
    error = _without_reciprocal(x) if y < 0 else None
    return Result(np.power(x, float(y)), 2 + 2.0 * abs(y), error)


@rule("clamp")
def clamp(p: Any, low: np.ndarray, x: np.ndarray, high: np.ndarray) -> np.ndarray:
    return np.minimum(np.maximum(x, low), high)


@rule("select_n")
def select(p: Any, which: np.ndarray, *cases: np.ndarray) -> np.ndarray:
    which = which.astype(np.int64)
    return (
        np.choose(np.broadcast_to(which, cases[0].shape), cases)
        if len(cases) > 2
        else np.where(which, cases[-1], cases[0])
    )


for name, function in {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}.items():
    RULES[name] = lambda p, a, b, f=function: f(a, b)
for name, function in {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}.items():
    RULES[name] = lambda p, a, b, f=function: f(a, b)


@rule("shift_left", "shift_right_logical", "shift_right_arithmetic")
def shifted(p: Any, a: np.ndarray, b: np.ndarray, name: str = "") -> np.ndarray:
    bits = a.dtype.itemsize * 8
    unsigned = np.dtype(f"u{a.dtype}") if a.dtype.kind == "i" else a.dtype
    by = b.astype(np.int64) & 0xFFFFFFFF if b.dtype.kind == "i" else b.astype(np.int64)
    inside, by = by < bits, np.minimum(by, bits - 1)
    if name == "shift_right_arithmetic":
        signed = a.view(f"i{a.dtype.itemsize}").astype(np.int64)
        return (signed >> np.where(inside, by, bits - 1)).astype(a.dtype)
    wide = a.view(unsigned).astype(np.uint64)
    by = by.astype(np.uint64)
    found = wide << by if name == "shift_left" else wide >> by
    return np.where(inside, found, np.uint64(0)).astype(unsigned).view(a.dtype)


@rule("population_count")
def ones(p: Any, x: np.ndarray) -> np.ndarray:
    return np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(x.dtype)


@rule("clz")
def leading_zeros(p: Any, x: np.ndarray) -> np.ndarray:
    bits = x.dtype.itemsize * 8
    wide = x.view(f"u{x.dtype.itemsize}").astype(np.float64)
    used = np.where(wide > 0, np.floor(np.log2(np.maximum(wide, 1))) + 1, 0)
    return (bits - used).astype(x.dtype)


@rule("reshape")
def reshaped(p: Any, x: np.ndarray) -> np.ndarray:
    order = p.get("dimensions")
    return (x if order is None else np.transpose(x, order)).reshape(p["new_sizes"])


@rule("squeeze")
def squeezed(p: Any, x: np.ndarray) -> np.ndarray:
    return np.squeeze(x, tuple(p["dimensions"]))


@rule("transpose")
def transposed(p: Any, x: np.ndarray) -> np.ndarray:
    return np.transpose(x, p["permutation"])


@rule("rev")
def reversed_(p: Any, x: np.ndarray) -> np.ndarray:
    return np.flip(x, tuple(p["dimensions"]))


@rule("concatenate")
def concatenated(p: Any, *x: np.ndarray) -> np.ndarray:
    return np.concatenate(x, p["dimension"])


@rule("broadcast_in_dim")
def broadcast(p: Any, x: np.ndarray) -> np.ndarray:
    shape = [1] * len(p["shape"])
    for at, n in zip(p["broadcast_dimensions"], x.shape, strict=True):
        shape[at] = n
    return np.broadcast_to(x.reshape(shape), p["shape"])


@rule("slice")
def sliced(p: Any, x: np.ndarray) -> np.ndarray:
    steps = p["strides"] or (1,) * x.ndim
    bounds = zip(p["start_indices"], p["limit_indices"], steps, strict=True)
    return x[tuple(slice(*each) for each in bounds)]


@rule("dynamic_slice")
def dynamic_slice(p: Any, x: np.ndarray, *starts: np.ndarray) -> np.ndarray:
    return x[_clamped(x.shape, p["slice_sizes"], starts)]


@rule("dynamic_update_slice")
def dynamic_update_slice(p: Any, x: np.ndarray, part: np.ndarray, *at: np.ndarray) -> np.ndarray:
    found = np.array(x)
    found[_clamped(x.shape, part.shape, at)] = part
    return found


def _clamped(shape: Any, sizes: Any, starts: Any) -> tuple[slice, ...]:
    first = [min(max(int(s), 0), n - m) for s, n, m in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(f, f + m) for f, m in zip(first, sizes, strict=True))


@rule("reduce_sum")
def total(p: Any, x: np.ndarray) -> Result:
    axes = tuple(p["axes"])
    found = x.sum(axes, dtype=x.dtype)
    return Result(found, error=sum_error(size(x).sum(axes), _count(x, axes), x))


def size(x: np.ndarray) -> np.ndarray:
    """What counts for rounding errors and overflow of a sum: magnitudes of what is finite."""
    if not np.issubdtype(x.dtype, np.inexact):
        return x
    return np.where(np.isfinite(x), np.abs(x), 0)


def _count(x: np.ndarray, axes: tuple[int, ...]) -> int:
    return math.prod(x.shape[a] for a in axes)


def sum_error(sizes: np.ndarray, count: int, *operands: np.ndarray) -> np.ndarray | None:
    """Of a sum in float32 in any order: none where all partial sums are exact, infinite where some
    of them may overflow."""
    if not np.issubdtype(sizes.dtype, np.inexact):
        return None
    places = [grid(each) for each in operands]
    if None not in places:
        largest = np.max(np.where(np.isfinite(sizes), sizes, np.inf), initial=0)
        if largest * 2.0 ** sum(places) <= 2.0**24:  # type: ignore[arg-type]
            return None
    return np.where(sizes < 2.0**127, UNIT * (4 + math.sqrt(count)) * sizes, np.inf)


@rule("reduce_prod")
def product(p: Any, x: np.ndarray) -> Result:
    axes = tuple(p["axes"])
    return Result(x.prod(axes, dtype=x.dtype), 2.0 * (1 + _count(x, axes)))


@rule("reduce_max", "reduce_min", "reduce_and", "reduce_or", "reduce_xor")
def extreme(p: Any, x: np.ndarray, name: str = "") -> np.ndarray:
    functions = {"max": np.maximum, "min": np.minimum, "and": np.bitwise_and}
    functions |= {"or": np.bitwise_or, "xor": np.bitwise_xor}
    function = functions[name[7:]]
    axes = tuple(p["axes"])
    if _count(x, axes) or name in ("reduce_and", "reduce_or", "reduce_xor"):
        return function.reduce(x, axis=axes)
    shape = [n for i, n in enumerate(x.shape) if i not in axes]
    if not np.issubdtype(x.dtype, np.inexact):
        limits = np.iinfo(x.dtype)
        return np.full(shape, limits.min if name == "reduce_max" else limits.max, x.dtype)
    return np.full(shape, -np.inf if name == "reduce_max" else np.inf)


@rule("argmax", "argmin")
def place(p: Any, x: np.ndarray, name: str = "") -> np.ndarray:
    (axis,) = p["axes"]
    return getattr(np, name)(x, axis).astype(p["index_dtype"])
