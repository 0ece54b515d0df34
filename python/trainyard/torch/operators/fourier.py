"""Fourier transforms as matrix products, which the array computes: by a matrix where a length is
small or prime, else by those of two factors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from trainyard.torch.operators import complexes
from trainyard.torch.operators.complexes import REAL, Complex
from trainyard.torch.operators.products import dot
from trainyard.torch.writer import Value, Writer

MATRIX_MAX = 256  # of what is computed by one matrix


def of_complex(
    w: Writer, out: Any, x: Any, dims: Sequence[int], normalization: int, forward: bool
) -> Complex:
    """Along each of the dimensions."""
    made = complexes.of(w, x)
    for dim in dims:
        made = _along(w, made, dim % made.rank, forward)
    return _normalized(w, made, math.prod(made.shape[dim] for dim in dims), normalization)


def of_real(
    w: Writer, out: Any, x: Value, dims: Sequence[int], normalization: int, onesided: bool
) -> Complex:
    """Of real numbers; onesided: the half of the last dimension that says all."""
    made = of_complex(w, out, x, dims, normalization, True)
    last = dims[-1] % made.rank
    count = made.shape[last] // 2 + 1 if onesided else made.shape[last]
    return Complex(*(w.slice_dim(each, last, 0, count) for each in (made.real, made.imag)))


def to_real(
    w: Writer, out: Any, x: Complex, dims: Sequence[int], normalization: int, size: int
) -> Value:
    """Back from such a half, of a last dimension of this size."""
    last = dims[-1] % x.rank
    given = x.shape[last]
    if given < size // 2 + 1:  # zeros beyond
        high = [size // 2 + 1 - given if i == last else 0 for i in range(x.rank)]
        parts = (w.pad(each, 0, [0] * x.rank, high) for each in (x.real, x.imag))
        x = Complex(*parts)
    x = Complex(*(w.slice_dim(each, last, 0, size // 2 + 1) for each in (x.real, x.imag)))
    for dim in dims[:-1]:
        x = _along(w, x, dim % x.rank, False)
    mirrored = [
        w.reverse(w.slice_dim(each, last, 1, (size + 1) // 2), [last]) for each in (x.real, x.imag)
    ]
    real = w.concatenate([x.real, mirrored[0]], last)
    imag = w.concatenate([x.imag, w.unary("negate", mirrored[1])], last)
    # Of the first and the middle number, whose mirror images they are, the imaginary parts are
    # the result's, which is dropped.
    made = _along(w, Complex(real, imag), last, False)
    return _normalized(w, made, math.prod(made.shape[dim] for dim in dims), normalization).real


def _normalized(w: Writer, x: Complex, count: int, normalization: int) -> Complex:
    """normalization: 0 for none, 1 for 1 / sqrt(count), 2 for 1 / count."""
    if normalization == 0:
        return x
    scale = 1 / math.sqrt(count) if normalization == 1 else 1 / count
    parts = (w.binary("multiply", each, w.like(scale, each)) for each in (x.real, x.imag))
    return Complex(*parts)


def _along(w: Writer, x: Complex, dim: int, forward: bool) -> Complex:
    order = [*(i for i in range(x.rank) if i != dim), dim]
    back = [order.index(i) for i in range(x.rank)]
    shape = [x.shape[i] for i in order]
    rows = math.prod(shape[:-1])
    flat = _mapped(x, lambda part: w.reshape(w.transpose(part, order), (rows, shape[-1])))
    made = _of_rows(w, flat, forward)
    return _mapped(made, lambda part: w.transpose(w.reshape(part, shape), back))


def _mapped(x: Complex, function: Any) -> Complex:
    return Complex(function(x.real), function(x.imag))


def _of_rows(w: Writer, x: Complex, forward: bool) -> Complex:
    """Of each row of a matrix: with n = a * b, columns of a, turned, and rows of b."""
    rows, n = x.shape
    a = _factor(n) if n > MATRIX_MAX else 1
    if a == 1:
        return _by_matrix(w, x, forward)
    b = n // a
    # Element i = i1 * b + i2 of a row; result k = k2 * a + k1.
    inner = _mapped(x, lambda each: w.reshape(each, (rows, a, b)))
    inner = _mapped(inner, lambda each: w.reshape(w.transpose(each, [0, 2, 1]), (rows * b, a)))
    inner = _mapped(_of_rows(w, inner, forward), lambda each: w.reshape(each, (rows, b, a)))
    turns = _turns(w, (b, a), n, forward)
    turns = _mapped(turns, lambda each: w.expand(each, (rows, b, a)))
    inner = complexes.product(w, inner, turns, lambda p, q: w.binary("multiply", p, q))
    outer = _mapped(inner, lambda each: w.reshape(w.transpose(each, [0, 2, 1]), (rows * a, b)))
    outer = _mapped(_of_rows(w, outer, forward), lambda each: w.reshape(each, (rows, a, b)))
    return _mapped(outer, lambda each: w.reshape(w.transpose(each, [0, 2, 1]), (rows, n)))


def _factor(n: int) -> int:
    """The largest divisor that is at most the root; 1 of a prime."""
    return next(d for d in range(math.isqrt(n), 0, -1) if n % d == 0)


def _by_matrix(w: Writer, x: Complex, forward: bool) -> Complex:
    n = x.shape[1]
    if n == 1:
        return x
    turns = _turns(w, (n, n), n, forward)
    return complexes.product(w, x, turns, lambda p, q: dot(w, p, q, x.shape, (1, 0)))


def _turns(w: Writer, shape: tuple[int, int], n: int, forward: bool) -> Complex:
    """exp(-2 pi i j k / n), or its conjugate, at (j, k)."""
    places = [w.iota(shape, dim, torch.int32) for dim in range(2)]
    product = w.binary("multiply", *places, (shape[0] - 1) * (shape[1] - 1))
    part = w.binary("remainder", product, w.like(n, product), n - 1)
    angle = w.cast(part, REAL)
    step = (-2 if forward else 2) * math.pi / n
    angle = w.binary("multiply", angle, w.like(step, angle))
    return Complex(w.unary("cosine", angle), w.unary("sine", angle))
