"""Products of rows in groups, each group with a matrix of its own: the experts of a routed layer.

They are written as jax.lax.ragged_dot is, whose form the compiler knows: rows of one group alone
are multiplied with its matrix (src/compiler/lowering/patterns/ragged_products.h). Rows behind the
last group give zeros.
"""

from __future__ import annotations

from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.operators.products import bmm, dot
from trainyard.torch.operators.reductions import window_scan
from trainyard.torch.writer import Value, Writer


def _masked(w: Writer, rows: Value, ends: Value) -> Value:
    """[groups, rows, columns]: the rows of each group, zeros elsewhere. `ends`: behind the last row
    of each group."""
    groups, shape = ends.shape[0], (ends.shape[0], *rows.shape)
    ends = w.cast(ends, torch.int32)
    zero = w.constant(0, (1,), torch.int32)
    starts = w.concatenate([zero, w.slice_dim(ends, 0, 0, groups - 1)], 0)
    sizes = w.binary("subtract", ends, starts)
    ends = window_scan(w, sizes, 0, "add", 0, None)
    starts = w.concatenate([zero, w.slice_dim(ends, 0, 0, groups - 1)], 0)
    numbers = w.iota(shape, 1, torch.int32)
    first = w.compare("LE", w.broadcast(starts, shape, [0]), numbers)
    last = w.compare("LT", numbers, w.broadcast(ends, shape, [0]))
    inside = w.binary("and", first, last)
    repeated = w.broadcast(rows, shape, [1, 2])
    return w.select(inside, repeated, w.constant(0, shape, rows.dtype, rows.element))


def _rows_with_matrices(w: Writer, rows: Value, matrices: Value, ends: Value) -> Value:
    """[rows, k] with [groups, k, columns]."""
    left = _masked(w, rows, ends)
    shape = (rows.shape[0], matrices.shape[2])
    text = (
        f"stablehlo.dot_general {left.name}, {matrices.name}, contracting_dims = [2, 0] x [1, 0] : "
        f"({left.type}, {matrices.type}) -> $T"
    )
    return w.put(text, shape, rows.dtype, rows.element)


def _rows_with_rows(w: Writer, a: Value, b: Value, ends: Value) -> Value:
    """[rows, m] with [rows, n]: [groups, m, n], the sums over the rows of each group."""
    left, right = _masked(w, a, ends), _masked(w, b, ends)
    return dot(w, left, right, (ends.shape[0], a.shape[1], b.shape[1]), (1, 1), [0])


def grouped_mm(
    w: Writer,
    out: Any,
    a: Value,
    b: Value,
    ends: Value | None = None,
    bias: Value | None = None,
    out_dtype: torch.dtype | None = None,
) -> Value:
    """torch.nn.functional.grouped_mm: the operand of two dimensions has the groups."""
    if bias is not None:
        raise Refusal("a grouped product with a bias", "add the bias behind the product")
    if a.rank == b.rank == 3:
        made = bmm(w, out, a, b)
    elif ends is None:
        raise Refusal("a grouped product of matrices without offs", "say where the groups end")
    elif a.rank == 2 and b.rank == 3:
        made = _rows_with_matrices(w, a, b, ends)
    elif a.rank == 2:
        made = _rows_with_rows(w, w.transpose(a, [1, 0]), b, ends)
    else:
        columns, matrices = w.transpose(b, [1, 0]), w.transpose(a, [0, 2, 1])
        made = w.transpose(_rows_with_matrices(w, columns, matrices, ends), [1, 0])
    return w.cast(made, out.dtype)


def fallback_backward(
    w: Writer, out: Any, rows: Value, matrices: Value, ends: Value, gradient: Value
) -> list[Value]:
    """The gradients of transformers' own form of the product."""
    turned = w.transpose(matrices, [0, 2, 1])
    return [
        _rows_with_matrices(w, gradient, turned, ends),
        _rows_with_rows(w, rows, gradient, ends),
    ]
