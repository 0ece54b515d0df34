"""Operators that compute each element by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.operators.promotion import Operand, as_type, both, result_type
from trainyard.torch.writer import INT32_MAX, Value, Writer, larger_bound

Bound = Callable[[int, int], int]
_BOUNDS: dict[str, Bound] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "maximum": max,
    "minimum": max,
    "divide": lambda a, b: a,
    "remainder": lambda a, b: min(a, b),
}


def arithmetic(w: Writer, name: str, a: Value, b: Value) -> Value:
    """An operation of two operands of one type; of int64 in the width that its result needs."""
    bound = None
    if not a.is_float and name in _BOUNDS and a.bound is not None and b.bound is not None:
        bound = _BOUNDS[name](a.bound, b.bound)
        bound = bound if bound <= INT32_MAX else None
    if a.dtype == torch.int64:
        fits = bound is not None and max(a.bound or 0, b.bound or 0) <= INT32_MAX
        a, b = (w.with_element(x, "i32" if fits else "i64") for x in (a, b))
        bound = bound if fits else None
    return w.binary(name, a, b, bound)


def binary(name: str) -> Callable[..., Value]:
    """An operator that is one operation in its result's type."""

    def lower(w: Writer, out: Any, a: Operand, b: Operand, *, alpha: float = 1) -> Value:
        x, y = both(w, out.shape, a, b, out.dtype)
        if alpha != 1:
            y = arithmetic(w, "multiply", y, w.like(alpha, y))
        if out.dtype == torch.bool:
            return w.binary({"add": "or", "multiply": "and"}.get(name, name), x, y)
        return arithmetic(w, name, x, y)

    return lower


def bitwise(name: str) -> Callable[..., Value]:
    """Bits of integers, and truth."""

    def lower(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
        x, y = w.same_width(*both(w, out.shape, a, b, out.dtype))
        if name.startswith("shift"):
            if x.dtype == torch.int64:
                x, y = w.with_element(x, "i64"), w.with_element(y, "i64")
            return w.binary(name, x, y)
        bound = larger_bound(x, y)
        return w.binary(name, x, y, None if bound is None else 2 ** bound.bit_length())

    return lower


def reversed_subtract(w: Writer, out: Any, a: Operand, b: Operand, alpha: float = 1) -> Value:
    return binary("subtract")(w, out, b, a, alpha=alpha)


def logical(name: str) -> Callable[..., Value]:
    """Truth of what is not zero."""

    def lower(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
        return w.binary(name, *both(w, out.shape, a, b, torch.bool))

    return lower


def logical_not(w: Writer, out: Any, x: Value) -> Value:
    return w.unary("not", w.cast(x, torch.bool), 1)


def bitwise_not(w: Writer, out: Any, x: Value) -> Value:
    return w.unary("not", x, None if x.bound is None else x.bound + 1)


def comparison(direction: str) -> Callable[..., Value]:
    def lower(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
        return w.compare(direction, *both(w, out.shape, a, b, result_type(a, b)))

    return lower


def unary(name: str) -> Callable[..., Value]:
    """An operator that is one operation; integers become the type of the result first."""

    def lower(w: Writer, out: Any, x: Value) -> Value:
        return w.unary(name, w.cast(x, out.dtype))

    return lower


def rounding(name: str) -> Callable[..., Value]:
    """To whole numbers, which integers are."""

    def lower(w: Writer, out: Any, x: Value) -> Value:
        return w.unary(name, x) if x.is_float else x

    return lower


def magnitude(name: str) -> Callable[..., Value]:
    """abs, neg and sign, of integers too."""

    def lower(w: Writer, out: Any, x: Value) -> Value:
        x = w.cast(x, out.dtype)
        if x.dtype == torch.bool:
            return x
        if name == "sign" and not x.is_float:
            one, zero = w.like(1, x), w.like(0, x)
            low = (
                w.select(w.compare("LT", x, zero), w.like(-1, x), zero)
                if x.dtype.is_signed
                else zero
            )
            return w.select(w.compare("GT", x, zero), one, low)
        if name == "abs" and not x.dtype.is_signed:
            return x
        if name == "sign":  # of NaN PyTorch says 0
            nan = w.compare("NE", x, x)
            return w.select(nan, w.like(0, x), w.unary(name, x))
        return w.unary(name, x, x.bound)

    return lower


def trunc(w: Writer, out: Any, x: Value) -> Value:
    if not x.is_float:
        return x
    down = w.compare("GE", x, w.like(0, x))
    return w.select(down, w.unary("floor", x), w.unary("ceil", x))


def round_half_even(w: Writer, out: Any, x: Value, *, decimals: int = 0) -> Value:
    if not x.is_float:
        return x
    if decimals == 0:
        return w.unary("round_nearest_even", x)
    scale = w.like(10.0 ** abs(decimals), x)
    apart, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    return w.binary(back, w.unary("round_nearest_even", w.binary(apart, x, scale)), scale)


def logarithm(base: float) -> Callable[..., Value]:
    def lower(w: Writer, out: Any, x: Value) -> Value:
        y = w.unary("log", _widened(w, w.cast(x, out.dtype)))
        return w.cast(w.binary("multiply", y, w.like(1 / math.log(base), y)), out.dtype)

    return lower


def exp2(w: Writer, out: Any, x: Value) -> Value:
    y = _widened(w, w.cast(x, out.dtype))
    return w.cast(w.binary("power", w.like(2, y), y), out.dtype)


def reciprocal(w: Writer, out: Any, x: Value) -> Value:
    x = w.cast(x, out.dtype)
    return w.binary("divide", w.like(1, x), x)


def relu(w: Writer, out: Any, x: Value) -> Value:
    return w.binary("maximum", x, w.like(0, x), x.bound)


def isnan(w: Writer, out: Any, x: Value) -> Value:
    return w.compare("NE", x, x) if x.is_float else w.constant(False, x.shape, torch.bool)


def isinf(w: Writer, out: Any, x: Value) -> Value:
    if not x.is_float:
        return w.constant(False, x.shape, torch.bool)
    return w.compare("EQ", w.unary("abs", x), w.like(math.inf, x))


def divide(
    w: Writer, out: Any, a: Operand, b: Operand, *, rounding_mode: str | None = None
) -> Value:
    """True quotients, or whole ones rounded down or to zero."""
    x, y = both(w, out.shape, a, b, out.dtype)
    if rounding_mode is None:
        return w.binary("divide", x, y)
    if not x.is_float:
        return _whole_quotient(w, x, y, rounding_mode)
    if rounding_mode == "trunc":
        return trunc(w, out, w.binary("divide", x, y))
    x, y = _widened(w, x), _widened(w, y)
    # As PyTorch: from the remainder, which is exact, so that 1 // 0.1 is 9.
    rest = _modulus(w, x, y)
    quotient = w.binary("divide", w.binary("subtract", x, rest), y)
    whole = w.unary("floor", quotient)
    far = w.compare("GT", w.binary("subtract", quotient, whole), w.like(0.5, x))
    whole = w.select(far, w.binary("add", whole, w.like(1, x)), whole)
    plain = w.binary("divide", x, y)  # by zero, and of what is not finite
    whole = w.select(w.compare("EQ", y, w.like(0, y)), plain, whole)
    return w.cast(whole, out.dtype)


def _whole_quotient(w: Writer, x: Value, y: Value, mode: str) -> Value:
    quotient = arithmetic(w, "divide", x, y)
    if mode == "trunc" or not x.dtype.is_signed:
        return quotient
    rest = arithmetic(w, "remainder", x, y)
    zero = w.like(0, rest)
    unlike = w.binary("xor", w.compare("LT", rest, zero), w.compare("LT", y, w.like(0, y)))
    inexact = w.binary("and", w.compare("NE", rest, zero), unlike)
    return w.select(inexact, arithmetic(w, "subtract", quotient, w.like(1, quotient)), quotient)


def fmod(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
    x, y = both(w, out.shape, a, b, out.dtype)
    return arithmetic(w, "remainder", x, y)


def remainder(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
    x, y = both(w, out.shape, a, b, out.dtype)
    if not x.is_float and not x.dtype.is_signed:
        return arithmetic(w, "remainder", x, y)
    return w.cast(_modulus(w, _widened(w, x), _widened(w, y)), out.dtype)


def _modulus(w: Writer, x: Value, y: Value) -> Value:
    """The remainder with the divisor's sign."""
    rest = arithmetic(w, "remainder", x, y)
    zero = w.like(0, rest)
    unlike = w.binary("xor", w.compare("LT", rest, zero), w.compare("LT", y, w.like(0, y)))
    wrong = w.binary("and", w.compare("NE", rest, zero), unlike)
    rest, y = w.same_width(rest, y)
    return w.select(wrong, w.binary("add", rest, y, y.bound), rest)


def _widened(w: Writer, x: Value) -> Value:
    """Narrow floating-point numbers in float32, where steps between must not round."""
    narrow = x.is_float and x.dtype.itemsize < 4
    return w.cast(x, torch.float32) if narrow else x


def power(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
    """Whole powers up to four by products, others by the machine's power."""
    if not isinstance(b, Value) and out.dtype.is_floating_point and isinstance(a, Value):
        x = w.cast(a, out.dtype)
        if b == 0.5:
            return w.unary("sqrt", x)
        if b == -0.5:
            return w.unary("rsqrt", x)
        if b in (1, 2, 3, 4, -1, -2):
            return _product_power(w, x, int(b))
    if not out.dtype.is_floating_point and not isinstance(b, Value) and 0 <= b <= 64:
        return _product_power(w, as_type(w, a, out.shape, out.dtype), int(b))
    x, y = both(w, out.shape, a, b, out.dtype)
    if not x.is_float:
        x, y = (
            w.with_element(each, "i64") if each.dtype == torch.int64 else each for each in (x, y)
        )
    return w.binary("power", x, y)


def _product_power(w: Writer, x: Value, exponent: int) -> Value:
    wide = _widened(w, x)
    result = None
    square = wide
    left = abs(exponent)
    while left:
        if left & 1:
            result = square if result is None else arithmetic(w, "multiply", result, square)
        left >>= 1
        if left:
            square = arithmetic(w, "multiply", square, square)
    if result is None:
        result = w.like(1, x)
    if exponent < 0:
        result = w.binary("divide", w.like(1, result), result)
    return w.cast(result, x.dtype)


def clamp(w: Writer, out: Any, x: Value, low: Any = None, high: Any = None) -> Value:
    """Limits are numbers or tensors."""
    x = w.expand(w.cast(x, out.dtype), out.shape)
    for name, limit in (("maximum", low), ("minimum", high)):
        if limit is not None:
            x = arithmetic(w, name, x, as_type(w, limit, out.shape, out.dtype))
    return x


def where(w: Writer, out: Any, predicate: Value, a: Operand, b: Operand) -> Value:
    x, y = both(w, out.shape, a, b, out.dtype)
    return w.select(w.expand(w.cast(predicate, torch.bool), out.shape), x, y)


def to_copy(w: Writer, out: Any, x: Value, *, dtype: torch.dtype | None = None, **_: Any) -> Value:
    if not isinstance(x, Value):  # a number, which PyTorch takes for a tensor
        return w.constant(x, out.shape, out.dtype)
    return w.cast(x, out.dtype)


def convert(w: Writer, out: Any, x: Value, dtype: torch.dtype) -> Value:
    return w.cast(x, dtype)


def same(w: Writer, out: Any, x: Value, *_: Any, **__: Any) -> Value:
    return x


def copy(w: Writer, out: Any, x: Value, source: Operand, *_: Any, **__: Any) -> Value:
    return as_type(w, source, x.shape, x.dtype)


def copysign(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
    x, y = both(w, out.shape, a, b, out.dtype)
    bits = {2: "i16", 4: "i32", 8: "i64"}.get(x.dtype.itemsize)
    if bits is None:
        raise Refusal(f"copysign of {x.dtype}", "convert to float32 first")
    whole = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.dtype.itemsize]
    pattern = w.put(f"stablehlo.bitcast_convert {y.name} : ({y.type}) -> $T", y.shape, whole, bits)
    negative = w.compare("LT", pattern, w.like(0, pattern))
    size = w.unary("abs", x)
    return w.select(negative, w.unary("negate", size), size)


def special(name: str) -> Callable[..., Value]:
    """A function that the machine computes as a routine, in float32 at least."""

    def lower(w: Writer, out: Any, x: Value) -> Value:
        y = w.unary(name, _widened(w, w.cast(x, out.dtype)))
        return w.cast(y, out.dtype)

    return lower


def digamma(w: Writer, out: Any, x: Value) -> Value:
    """At zero infinite, with the sign that the pole has on that side."""
    y = _widened(w, w.cast(x, out.dtype))
    pole = w.binary("divide", w.like(-1, y), y)
    made = w.select(w.compare("EQ", y, w.like(0, y)), pole, w.unary("chlo.digamma", y))
    return w.cast(made, out.dtype)


def without_nan(name: str) -> Callable[..., Value]:
    """fmax and fmin: the other operand where one is NaN."""

    def lower(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
        x, y = both(w, out.shape, a, b, out.dtype)
        if not x.is_float:
            return arithmetic(w, name, x, y)
        made = w.select(w.compare("NE", y, y), x, w.binary(name, x, y))
        return w.select(w.compare("NE", x, x), y, made)

    return lower


def hypot(w: Writer, out: Any, a: Operand, b: Operand) -> Value:
    """By the larger of both, so that squares do not overflow."""
    x, y = (_widened(w, w.unary("abs", each)) for each in both(w, out.shape, a, b, out.dtype))
    large, small = w.binary("maximum", x, y), w.binary("minimum", x, y)
    ratio = w.binary("divide", small, large)
    root = w.binary("add", w.binary("multiply", ratio, ratio), w.like(1, ratio))
    made = w.binary("multiply", large, w.unary("sqrt", root))
    plain = w.binary("add", x, y)  # where one is zero, infinite or NaN
    edge = w.binary(
        "or", w.compare("EQ", large, w.like(0, x)), w.compare("EQ", large, w.like(math.inf, x))
    )
    return w.cast(w.select(edge, plain, made), out.dtype)


def gelu(w: Writer, out: Any, x: Value, *, approximate: str = "none") -> Value:
    """As the compiler knows it: x / 2 * (1 + erf(x / sqrt(2))), or with tanh."""
    kind = x.dtype
    y = _widened(w, x)
    half = w.binary("multiply", y, w.like(0.5, y))
    if approximate == "tanh":
        cube = w.binary("multiply", w.binary("multiply", y, y), y)
        inner = w.binary("add", y, w.binary("multiply", cube, w.like(0.044715, y)))
        inner = w.binary("multiply", inner, w.like(math.sqrt(2 / math.pi), y))
        share = w.unary("tanh", inner)
    else:
        share = w.unary("chlo.erf", w.binary("multiply", y, w.like(math.sqrt(0.5), y)))
    return w.cast(w.binary("multiply", half, w.binary("add", share, w.like(1, y))), kind)


def full(w: Writer, out: Any, *given: Any, **_: Any) -> Value:
    """full, full_like and scalar_tensor: the number comes last."""
    value = given[-1]
    if isinstance(value, Value):
        return as_type(w, value, out.shape, out.dtype)
    return w.constant(value, out.shape, out.dtype)


def scalar_tensor(w: Writer, out: Any, value: float, **_: Any) -> Value:
    return w.constant(value, out.shape, out.dtype)


def fill(w: Writer, out: Any, x: Value, value: Operand) -> Value:
    return as_type(w, value, out.shape, out.dtype)


def filled(value: float) -> Callable[..., Value]:
    def lower(w: Writer, out: Any, *_: Any, **__: Any) -> Value:
        return w.constant(value, out.shape, out.dtype)

    return lower


def assert_async(w: Writer, out: Any, x: Value, message: str = "") -> None:
    """What the host is told of after the run."""
    said = message or "Expected Tensor with single nonzero value, but got zero"
    w.assert_that(w.reshape(w.cast(x, torch.bool), ()), said)


def arange(w: Writer, out: Any, start: float, end: float, step: float = 1, **_: Any) -> Value:
    kind = torch.float32 if out.dtype.is_floating_point and out.dtype.itemsize < 4 else out.dtype
    x = w.iota(out.shape, 0, kind)
    if step != 1:
        x = arithmetic(w, "multiply", x, w.like(step, x))
    if start != 0:
        x = arithmetic(w, "add", x, w.like(start, x))
    return w.cast(x, out.dtype)


def prims_iota(w: Writer, out: Any, length: int, *, start: int, step: int, **_: Any) -> Value:
    return arange(w, out, start, 0, step)
