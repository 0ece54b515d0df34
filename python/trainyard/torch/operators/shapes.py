"""Operators that move elements and compute nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from trainyard.torch.errors import Refusal
from trainyard.torch.writer import INT32_MAX, Value, Writer


def reshaped(w: Writer, out: Any, x: Value, *_: Any, **__: Any) -> Value:
    """All that keep the order of elements: view, squeeze, unsqueeze, flatten."""
    return w.reshape(x, out.shape)


def expand(w: Writer, out: Any, x: Value, *_: Any, **__: Any) -> Value:
    return w.expand(x, out.shape)


def broadcast_in_dim(w: Writer, out: Any, x: Value, shape: Any, dims: Sequence[int]) -> Value:
    return w.broadcast(x, shape, dims)


def permute(w: Writer, out: Any, x: Value, order: Sequence[int]) -> Value:
    return w.transpose(x, [dim % x.rank for dim in order])


def transpose(w: Writer, out: Any, x: Value, a: int, b: int) -> Value:
    order = list(range(x.rank))
    if x.rank:
        order[a], order[b] = order[b], order[a]
    return w.transpose(x, order)


def t(w: Writer, out: Any, x: Value) -> Value:
    return w.transpose(x, list(range(x.rank))[::-1])


def slice_(
    w: Writer,
    out: Any,
    x: Value,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Value:
    first, last = _limits(x.shape[dim], start, end)
    return w.slice_dim(x, dim % x.rank, first, max(first, last), step)


def _limits(extent: int, start: int | None, end: int | None) -> tuple[int, int]:
    first, last, _ = slice(start, end).indices(extent)
    return first, last


def select(w: Writer, out: Any, x: Value, dim: int, index: int) -> Value:
    place = index % x.shape[dim]
    return w.reshape(w.slice_dim(x, dim % x.rank, place, place + 1), out.shape)


def cat(w: Writer, out: Any, values: Sequence[Value], dim: int = 0) -> Value:
    """Tensors of shape [0] count for nothing, as in PyTorch."""
    parts = [w.cast(x, out.dtype) for x in values if x.shape != (0,) or len(out.shape) == 1]
    parts = [x for x in parts if math.prod(x.shape)]
    if not parts:
        return w.constant(0, out.shape, out.dtype)
    return w.concatenate(parts, dim % max(len(out.shape), 1))


def split_with_sizes(
    w: Writer, out: Any, x: Value, sizes: Sequence[int], dim: int = 0
) -> list[Value]:
    parts, begin = [], 0
    for size in sizes:
        parts.append(w.slice_dim(x, dim % x.rank, begin, begin + size))
        begin += size
    return parts


def split(w: Writer, out: Any, x: Value, size: int, dim: int = 0) -> list[Value]:
    return split_with_sizes(w, out, x, [each.shape[dim] for each in out], dim)


def unbind(w: Writer, out: Any, x: Value, dim: int = 0) -> list[Value]:
    return [select(w, each, x, dim, i) for i, each in enumerate(out)]


def flip(w: Writer, out: Any, x: Value, dims: Sequence[int]) -> Value:
    return w.reverse(x, sorted(dim % x.rank for dim in dims) if x.rank else [])


def constant_pad(w: Writer, out: Any, x: Value, pad: Sequence[int], value: float = 0) -> Value:
    """Pairs from the last dimension on; negative ones take away."""
    low, high = [0] * x.rank, [0] * x.rank
    for i in range(len(pad) // 2):
        low[x.rank - 1 - i], high[x.rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    for dim in range(x.rank):
        limit = x.shape[dim] + min(high[dim], 0)
        x = w.slice_dim(x, dim, max(-low[dim], 0), limit)
    return w.pad(x, value, [max(a, 0) for a in low], [max(a, 0) for a in high])


def repeat(w: Writer, out: Any, x: Value, times: Sequence[int]) -> Value:
    shape = (1,) * (len(times) - x.rank) + x.shape
    wide = [part for pair in zip(times, shape, strict=True) for part in pair]
    places = [2 * i + 1 for i in range(len(times))]
    return w.reshape(w.broadcast(w.reshape(x, shape), wide, places), out.shape)


def slice_scatter(
    w: Writer,
    out: Any,
    x: Value,
    source: Value,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Value:
    """x with a slice replaced."""
    dim %= x.rank
    first, last = _limits(x.shape[dim], start, end)
    last = max(first, last)
    source = w.cast(source, x.dtype)
    count = -(-(last - first) // step)
    if count == 0:
        return x
    if step == 1:
        parts = [w.slice_dim(x, dim, 0, first), source, w.slice_dim(x, dim, last, x.shape[dim])]
        return w.concatenate([part for part in parts if part.shape[dim]], dim)
    low, high, inside = [0] * x.rank, [0] * x.rank, [0] * x.rank
    low[dim], inside[dim] = first, step - 1
    high[dim] = x.shape[dim] - first - (count - 1) * step - 1
    hit = w.pad(w.constant(True, source.shape, torch.bool), False, low, high, inside)
    return w.select(hit, w.pad(source, 0, low, high, inside), x)


def select_scatter(w: Writer, out: Any, x: Value, source: Value, dim: int, index: int) -> Value:
    place = index % x.shape[dim]
    shape = list(x.shape)
    shape[dim % x.rank] = 1
    return slice_scatter(w, out, x, w.reshape(source, shape), dim, place, place + 1)


def diagonal(w: Writer, out: Any, x: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """What lies on the diagonal of two dimensions becomes the last one."""
    dim1, dim2 = dim1 % x.rank, dim2 % x.rank
    rest = [i for i in range(x.rank) if i not in (dim1, dim2)]
    x = w.transpose(x, [*rest, dim1, dim2])
    rows, columns = x.shape[-2:]
    lead = math.prod(x.shape[:-2])
    flat = w.reshape(x, (lead, rows * columns))
    length = out.shape[-1]
    first = offset if offset >= 0 else -offset * columns
    if length == 0:
        return w.constant(0, out.shape, out.dtype, x.element)
    last = first + (length - 1) * (columns + 1) + 1
    return w.reshape(w.slice_dim(flat, 1, first, last, columns + 1), out.shape)


def diagonal_scatter(
    w: Writer, out: Any, x: Value, source: Value, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Value:
    dim1, dim2 = dim1 % x.rank, dim2 % x.rank
    rest = [i for i in range(x.rank) if i not in (dim1, dim2)]
    order = [*rest, dim1, dim2]
    turned = w.transpose(x, order)
    rows, columns = turned.shape[-2:]
    lead = math.prod(turned.shape[:-2])
    length = source.shape[-1]
    if length == 0:
        return x
    first = offset if offset >= 0 else -offset * columns
    last = first + (length - 1) * (columns + 1) + 1
    flat = w.reshape(turned, (lead, rows * columns))
    made = slice_scatter(
        w, None, flat, w.reshape(source, (lead, length)), 1, first, last, columns + 1
    )
    back = [order.index(i) for i in range(x.rank)]
    return w.transpose(w.reshape(made, turned.shape), back)


def as_strided(
    w: Writer,
    out: Any,
    x: Value,
    size: Sequence[int],
    stride: Sequence[int],
    offset: int | None = None,
) -> Value:
    """Of a tensor whose elements lie one behind the other: each element by its place."""
    from trainyard.torch.operators.indexing import take_rows

    if 0 in out.shape:
        return w.constant(0, out.shape, out.dtype, x.element)
    flat = w.reshape(x, (math.prod(x.shape),))
    return take_rows(w, flat, _strided_places(w, flat.shape[0], size, stride, offset or 0))


def _strided_places(
    w: Writer, extent: int, size: Sequence[int], stride: Sequence[int], offset: int
) -> Value:
    place = w.constant(offset, size, torch.int64)
    for dim, step in enumerate(stride):
        along = w.iota(size, dim)
        along = w.binary("multiply", along, w.like(step, along), (size[dim] - 1) * step)
        place = w.binary("add", place, along, extent)
    return w.with_element(place, "i32") if extent <= INT32_MAX else place


def as_strided_scatter(
    w: Writer,
    out: Any,
    x: Value,
    source: Value,
    size: Sequence[int],
    stride: Sequence[int],
    offset: int | None = None,
) -> Value:
    """x with what as_strided shows of it replaced."""
    from trainyard.torch.operators.indexing import put_rows

    if 0 in source.shape:
        return x
    flat = w.reshape(x, (math.prod(x.shape),))
    places = _strided_places(w, flat.shape[0], size, stride, offset or 0)
    return w.reshape(put_rows(w, flat, places, w.cast(source, x.dtype)), x.shape)


def unfold(w: Writer, out: Any, x: Value, dim: int, size: int, step: int) -> Value:
    """Windows along a dimension, in a new last one."""
    if x.rank == 0:
        return w.reshape(x, out.shape)
    dim %= x.rank
    count = out.shape[dim]
    parts = []
    for i in range(size):
        part = w.slice_dim(x, dim, i, i + (count - 1) * step + 1, step)
        parts.append(w.reshape(part, (*part.shape, 1)))
    return w.concatenate(parts, x.rank)


def view_dtype(w: Writer, out: Any, x: Value, dtype: torch.dtype) -> Value:
    """The same bits as another type of the same width."""
    if dtype.itemsize != x.dtype.itemsize or torch.bool in (dtype, x.dtype):
        raise Refusal(f"the bits of {x.dtype} as {dtype}", "use types of one width")
    if x.dtype == torch.int64:
        x = w.with_element(x, "i64")
    text = f"stablehlo.bitcast_convert {x.name} : ({x.type}) -> $T"
    return w.put(text, out.shape, dtype)
