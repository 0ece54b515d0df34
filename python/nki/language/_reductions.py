"""Reductions of nki.language along the last free dimensions. Source: nki.language, NKI 0.6."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from nki import _context
from nki import _isa as nisa
from nki.language import _operators as op
from nki.language._memory import ndarray
from nki.language._operators import new_tile, on_chip_tile, register
from nki.language._tensor import NkiTensor

Axis = int | tuple[int, ...] | list[int]


def trailing_axes(ndim: int, axis: Axis, what: str) -> tuple[int, ...]:
    """The axes counted from 0, ascending. Raises InputError "language.axis".

    They are free dimensions, each once, and the last ones.
    """
    axes = (axis,) if not isinstance(axis, (tuple, list)) else tuple(axis)
    counted = tuple(sorted(a + ndim if a < 0 else a for a in axes))
    if not counted or counted != tuple(range(ndim - len(counted), ndim)) or counted[0] < 1:
        _context.refuse(
            "language.axis",
            f"{what} reduces along the last free dimensions, never the partition dimension 0",
            f"axis {axis} of {ndim} dimensions",
            "permute the view so that the reduced dimensions are last",
        )
    return counted


def _reduced_shape(x: NkiTensor, axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    if keepdims:
        return (*x.shape[: axes[0]], *(1 for _ in axes))
    kept = x.shape[: axes[0]]
    return kept if len(kept) > 1 else (*kept, 1)


def _reduce(
    x: NkiTensor, how: Any, axis: Axis, dtype: object, keepdims: bool, what: str
) -> NkiTensor:
    axes = trailing_axes(on_chip_tile(x, what).ndim, axis, f"nl.{what}")
    result = new_tile(x, dtype, _reduced_shape(x, axes, keepdims))
    nisa.tensor_reduce(dst=result, op=how, data=x, axis=axes, keepdims=keepdims)
    return result


def sum(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The sum along the last free dimensions, in float32, as a new tile of at least two dims."""
    return _reduce(x, op.add, axis, dtype, keepdims, "sum")


def max(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The largest element along the last free dimensions, as a new tile."""
    return _reduce(x, op.maximum, axis, dtype, keepdims, "max")


def min(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The smallest element along the last free dimensions, as a new tile."""
    return _reduce(x, op.minimum, axis, dtype, keepdims, "min")


def prod(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The product along the last free dimensions, in float32, as a new tile."""
    return _reduce(x, op.multiply, axis, dtype, keepdims, "prod")


def all(x: NkiTensor, axis: Axis, dtype: object = None) -> NkiTensor:
    """1 where no element along the last free dimensions is 0, else 0, as a new tile."""
    return _reduce(x, op.logical_and, axis, dtype, False, "all")


def mean(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The arithmetic mean along the last free dimensions, summed in float32, as a new tile."""
    axes = trailing_axes(on_chip_tile(x, "mean").ndim, axis, "nl.mean")
    total = _reduce(x, op.add, axes, "float32", keepdims, "mean")
    return op.scalar_result(op.multiply, total, 1.0 / _count(x, axes), dtype or x.dtype)


def _count(x: NkiTensor, axes: tuple[int, ...]) -> int:
    return math.prod(x.shape[a] for a in axes)


def _rows(x: NkiTensor, axes: tuple[int, ...]) -> Iterator[tuple[int, NkiTensor]]:
    """The [P, reduced elements] views of x, one for each index of the kept free dimensions."""
    n = _count(x, axes)
    flat = x.reshape((x.shape[0], x.size // x.shape[0] // n, n))
    for group in range(flat.shape[1]):
        yield group, flat[:, group, :]


def var(x: NkiTensor, axis: Axis, dtype: object = None, keepdims: bool = False) -> NkiTensor:
    """The population variance along the last free dimensions, which stay with size 1.

    By bn_stats on pieces and bn_aggr, in float32.
    """
    from nki.language._tile_size import tile_size

    axes = trailing_axes(on_chip_tile(x, "var").ndim, axis, "nl.var")
    result = new_tile(x, dtype, _reduced_shape(x, axes, True))
    flat = result.reshape((x.shape[0], result.size // x.shape[0]))
    for group, row in _rows(x, axes):
        starts = range(0, row.shape[1], tile_size.bn_stats_fmax)
        stats = ndarray((x.shape[0], len(starts), 6), "float32")
        for piece, start in enumerate(starts):
            end = start + tile_size.bn_stats_fmax
            nisa.bn_stats(dst=stats[:, piece, :], data=row[:, start : _clip(end, row.shape[1])])
        moments = ndarray((x.shape[0], 2), "float32")
        nisa.bn_aggr(dst=moments, data=stats.reshape((x.shape[0], 6 * len(starts))))
        nisa.tensor_copy(dst=flat[:, group : group + 1], src=moments[:, 1:2])
    return result


def _clip(end: int, size: int) -> int:
    return end if end < size else size


def softmax(x: NkiTensor, axis: Axis = -1, dtype: object = None) -> NkiTensor:
    """exp(x) over its sum along the last free dimensions, the maximum subtracted first."""
    axes = trailing_axes(on_chip_tile(x, "softmax").ndim, axis, "nl.softmax")
    result = new_tile(x, dtype)
    partitions = x.shape[0]
    for (_, row), (_, out) in zip(_rows(x, axes), _rows(result, axes), strict=True):
        shift = ndarray((partitions, 1), "float32")
        nisa.tensor_reduce(dst=shift, op=op.maximum, data=row, axis=1, negate=True)
        total = ndarray((partitions, 1), "float32")
        powers = ndarray(row.shape, "float32")
        nisa.activation(
            dst=powers,
            op=op.exp,
            data=row,
            bias=shift,
            reduce_op=op.add,
            reduce_res=total,
            reduce_cmd=nisa.reduce_cmd.reset_reduce,
        )
        nisa.tensor_scalar(dst=out, data=powers, op0=op.multiply, operand0=op.reciprocal(total))
    return result


def rms_norm(
    x: NkiTensor,
    w: NkiTensor,
    axis: Axis,
    n: int,
    epsilon: float = 1e-06,
    dtype: object = None,
    compute_dtype: object = None,
) -> NkiTensor:
    """x times w over the root of (sum of squares along axis / n + epsilon), as a new tile.

    w has the shape of x. compute_dtype: the dtype between the two multiplications, float32 unless
    given.
    """
    axes = trailing_axes(on_chip_tile(x, "rms_norm").ndim, axis, "nl.rms_norm")
    op.same_shape(x, on_chip_tile(w, "rms_norm"), "rms_norm")
    result = new_tile(x, dtype)
    partitions = x.shape[0]
    groups = zip(_rows(x, axes), _rows(w, axes), _rows(result, axes), strict=True)
    for (_, row), (_, weight), (_, out) in groups:
        squares = ndarray(row.shape, "float32")
        total = ndarray((partitions, 1), "float32")
        nisa.activation(
            dst=squares,
            op=op.square,
            data=row,
            reduce_op=op.add,
            reduce_res=total,
            reduce_cmd=nisa.reduce_cmd.reset_reduce,
        )
        mean_square = op.scalar_result(op.multiply, total, 1.0 / n, "float32")
        shifted = op.scalar_result(op.add, mean_square, epsilon, "float32")
        scale = op.rsqrt(shifted, "float32")
        normal = op.scalar_result(op.multiply, row, scale, compute_dtype or "float32")
        nisa.tensor_tensor(dst=out, data1=normal, data2=weight, op=op.multiply)
    return result


register(max, "maximum")  # NKI's pages call the reductions "max" and "min" in op arguments too
register(min, "minimum")
