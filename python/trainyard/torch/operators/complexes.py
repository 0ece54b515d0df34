"""Complex numbers as two values of float32, real and imaginary parts: each operator by what it does
to the parts. In HBM the two lie side by side, in one more dimension (see writer.stored_shape).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from trainyard.torch.operators import elementwise
from trainyard.torch.operators.promotion import as_type
from trainyard.torch.writer import Value, Writer

Lower = Callable[..., Any]
REAL = torch.float32


@dataclass(frozen=True)
class Complex:
    """Both parts, of one shape."""

    real: Value
    imag: Value

    @property
    def shape(self) -> tuple[int, ...]:
        return self.real.shape

    @property
    def rank(self) -> int:
        return self.real.rank


@dataclass(frozen=True)
class Like:
    """What a part of a result is like."""

    shape: tuple[int, ...]
    dtype: torch.dtype = REAL

    def stride(self) -> tuple[int, ...]:
        return torch.empty(self.shape, device="meta").stride()

    def dim(self) -> int:
        return len(self.shape)


def split(w: Writer, x: Value) -> Complex:
    """Of what lies in HBM, whose last dimension has both parts."""
    dim = x.rank - 1
    parts = [w.reshape(w.slice_dim(x, dim, i, i + 1), x.shape[:-1]) for i in range(2)]
    return Complex(*parts)


def joined(w: Writer, x: Complex) -> Value:
    """The other way."""
    parts = [w.reshape(each, (*x.shape, 1)) for each in (x.real, x.imag)]
    return w.concatenate(parts, x.rank)


def part_of(x: Any, part: str) -> Any:
    if isinstance(x, Complex):
        return getattr(x, part)
    if isinstance(x, complex):
        return getattr(x, part)
    if isinstance(x, (list, tuple)):
        return [part_of(each, part) for each in x]
    return x


def of(w: Writer, x: Any, shape: Sequence[int] | None = None) -> Complex:
    """An operand as a complex number, in this shape."""
    if not isinstance(x, Complex):
        parts = (x, w.like(0, w.cast(x, REAL))) if isinstance(x, Value) else (x.real, x.imag)
        shape = x.shape if shape is None and isinstance(x, Value) else shape or ()
        return Complex(*(as_type(w, each, shape, REAL) for each in parts))
    if shape is None or tuple(shape) == x.shape:
        return x
    return Complex(w.expand(x.real, shape), w.expand(x.imag, shape))


def _both(w: Writer, out: Any, a: Any, b: Any) -> tuple[Complex, Complex]:
    return of(w, a, tuple(out.shape)), of(w, b, tuple(out.shape))


def _is_real(x: Any) -> bool:
    return not isinstance(x, (Complex, complex))


def sum_of(name: str) -> Lower:
    def lower_sum(w: Writer, out: Any, a: Any, b: Any, *, alpha: Any = 1) -> Complex:
        x, y = _both(w, out, a, b)
        if alpha != 1:
            y = multiply(w, out, y, alpha)
        return Complex(w.binary(name, x.real, y.real), w.binary(name, x.imag, y.imag))

    return lower_sum


def scaled(w: Writer, name: str, out: Any, a: Complex, b: Any) -> Complex:
    """Both parts by a real number."""
    x = of(w, a, tuple(out.shape))
    factor = as_type(w, b, tuple(out.shape), REAL)
    return Complex(w.binary(name, x.real, factor), w.binary(name, x.imag, factor))


def multiply(w: Writer, out: Any, a: Any, b: Any) -> Complex:
    if _is_real(a):
        a, b = b, a
    if _is_real(b):
        return scaled(w, "multiply", out, a, b)
    return product(w, *_both(w, out, a, b), lambda x, y: w.binary("multiply", x, y))


def product(w: Writer, a: Complex, b: Complex, times: Callable[[Value, Value], Value]) -> Complex:
    real = w.binary("subtract", times(a.real, b.real), times(a.imag, b.imag))
    return Complex(real, w.binary("add", times(a.real, b.imag), times(a.imag, b.real)))


def divide(w: Writer, out: Any, a: Any, b: Any) -> Complex:
    """By |b| first, so that no square overflows."""
    if _is_real(b):
        return scaled(w, "divide", out, a, b)
    x, y = _both(w, out, a, b)
    size = magnitude(w, out, y)
    unit = scaled(w, "divide", out, conjugate(w, out, y), size)
    return scaled(w, "divide", out, multiply(w, out, x, unit), size)


def magnitude(w: Writer, out: Any, x: Complex) -> Value:
    return elementwise.hypot(w, Like(x.shape), x.real, x.imag)


def angle(w: Writer, out: Any, x: Any) -> Value:
    return w.binary("atan2", x.imag, x.real)


def conjugate(w: Writer, out: Any, x: Complex) -> Complex:
    return Complex(x.real, w.unary("negate", x.imag))


def negative(w: Writer, out: Any, x: Complex) -> Complex:
    return Complex(w.unary("negate", x.real), w.unary("negate", x.imag))


def polar(w: Writer, out: Any, size: Any, angle: Any) -> Complex:
    size, angle = (as_type(w, x, tuple(out.shape), REAL) for x in (size, angle))
    parts = (w.unary(name, angle) for name in ("cosine", "sine"))
    return Complex(*(w.binary("multiply", size, part) for part in parts))


def of_parts(w: Writer, out: Any, real: Any, imag: Any) -> Complex:
    return Complex(*(as_type(w, x, tuple(out.shape), REAL) for x in (real, imag)))


def exponential(w: Writer, out: Any, x: Complex) -> Complex:
    return polar(w, out, w.unary("exponential", x.real), x.imag)


def logarithm(w: Writer, out: Any, x: Complex) -> Complex:
    return Complex(w.unary("log", magnitude(w, out, x)), angle(w, out, x))


def sign(w: Writer, out: Any, x: Complex) -> Complex:
    """x / |x|, and 0 of 0."""
    size = magnitude(w, out, x)
    none = w.compare("EQ", size, w.like(0, size))
    return scaled(w, "divide", out, x, w.select(none, w.like(1, size), size))


def power(w: Writer, out: Any, x: Any, exponent: Any) -> Complex:
    """Whole powers by products, others by the logarithm."""
    if isinstance(exponent, (int, float)) and 0 < exponent <= 8 and exponent == int(exponent):
        made = x
        for _ in range(int(exponent) - 1):
            made = multiply(w, out, made, x)
        return made
    return exponential(w, out, multiply(w, out, logarithm(w, out, of(w, x)), exponent))


def convert(w: Writer, out: Any, x: Any, *_: Any, **__: Any) -> Any:
    """To a complex type, or the real part of one."""
    if out.dtype.is_complex:
        return of(w, x)
    return w.cast(x.real, out.dtype)


def filled(value: float) -> Lower:
    def lower_filled(w: Writer, out: Any, *_: Any, **__: Any) -> Complex:
        shape = tuple(out.shape)
        return Complex(w.constant(value, shape, REAL), w.constant(0, shape, REAL))

    return lower_filled


def full(w: Writer, out: Any, _: Any, value: Any, *__: Any, **___: Any) -> Complex:
    return of(w, value, tuple(out.shape))


def dot(plain: Lower) -> Lower:
    def lower_dot(w: Writer, out: Any, a: Any, b: Any) -> Complex:
        like = Like(tuple(out.shape))
        return product(w, of(w, a), of(w, b), lambda x, y: plain(w, like, x, y))

    return lower_dot


def equal(w: Writer, out: Any, a: Any, b: Any) -> Value:
    x, y = _both(w, out, a, b)
    parts = (w.compare("EQ", x.real, y.real), w.compare("EQ", x.imag, y.imag))
    return w.binary("and", *parts)


def view_as_complex(w: Writer, out: Any, x: Value) -> Complex:
    return split(w, x)
