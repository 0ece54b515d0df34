"""Reductions of runs of rows, segments, whose lengths or places are data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_REDUCE = {"sum": "sum", "mean": "sum", "max": "amax", "min": "amin", "prod": "prod"}
_START = {"sum": 0.0, "mean": 0.0, "max": -torch.inf, "min": torch.inf, "prod": 1.0}


def _segments(data: Any, lengths: Any, offsets: Any, axis: int) -> tuple[Any, Any]:
    """Of each row the segment (one more than there are for those behind all), and lengths."""
    if offsets is None:
        ends = lengths.cumsum(-1)
        begins = ends - lengths
    else:
        begins, ends = offsets[..., :-1], offsets[..., 1:]
    rows = torch.arange(data.shape[axis], device=data.device)
    is_in = (rows[:, None] >= begins[..., None, :]) & (rows[:, None] < ends[..., None, :])
    count = begins.shape[-1]
    places = torch.arange(count, device=data.device)
    segment = torch.where(is_in, places, 0).sum(-1) + torch.where(is_in.any(-1), 0, count)
    return segment, ends - begins


def _as_data(x: Any, data: Any, axis: int) -> Any:
    """Numbers of rows or segments, one for each element of them."""
    wide = x.reshape(*x.shape, *[1] * (data.dim() - axis - 1))
    return wide.expand(*x.shape, *data.shape[axis + 1 :])


def segment_reduce(
    data: Any,
    reduce: str,
    *,
    lengths: Any = None,
    indices: Any = None,
    offsets: Any = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Any = None,
) -> Any:
    axis %= data.dim()
    segment, sizes = _segments(data, lengths, offsets, axis)
    start = _START[reduce] if initial is None else initial
    shape = [*sizes.shape[:-1], sizes.shape[-1] + 1, *data.shape[axis + 1 :]]
    made = data.new_full(shape, start)
    places = _as_data(segment, data, axis)
    made = made.scatter_reduce(axis, places, data, _REDUCE[reduce])
    made = made.narrow(axis, 0, sizes.shape[-1])
    if reduce != "mean":
        return made
    counts = _as_data(sizes, data, axis)
    nothing = torch.nan if initial is None else start
    return torch.where(counts == 0, nothing, made / counts.clamp(min=1).to(made.dtype))


def _others(data: Any, places: Any, axis: int, count: int) -> Any:
    """Of each row the product of the other rows of its segment."""
    shape = list(data.shape)
    shape[axis] = count + 1
    is_zero = data == 0
    zeros = data.new_zeros(shape).scatter_add(axis, places, is_zero.to(data.dtype))
    rest = data.new_ones(shape).scatter_reduce(axis, places, torch.where(is_zero, 1, data), "prod")
    zeros, rest = zeros.gather(axis, places), rest.gather(axis, places)
    others = torch.where(is_zero, rest, rest / torch.where(is_zero, 1, data))
    return torch.where(zeros > is_zero.to(data.dtype), 0, others)


def segment_reduce_backward(
    grad: Any,
    output: Any,
    data: Any,
    reduce: str,
    *,
    lengths: Any = None,
    offsets: Any = None,
    axis: int = 0,
    initial: Any = None,
) -> Any:
    axis %= data.dim()
    segment, sizes = _segments(data, lengths, offsets, axis)
    places = _as_data(segment, data, axis)
    count = sizes.shape[-1]

    def of_rows(x: Any) -> Any:
        return torch.cat((x, torch.zeros_like(x.narrow(axis, 0, 1))), axis).gather(axis, places)

    given = of_rows(grad)
    if reduce == "mean":
        return given / of_rows(_as_data(sizes, data, axis)).clamp(min=1).to(data.dtype)
    if reduce == "prod":
        return given * (1.0 if initial is None else initial) * _others(data, places, axis, count)
    if reduce == "sum":
        return given
    is_it = ((data == of_rows(output)) | data.isnan()).to(data.dtype)
    shape = list(data.shape)
    shape[axis] = count + 1
    equal = data.new_zeros(shape).scatter_add(axis, places, is_it).gather(axis, places)
    return given * is_it / equal.clamp(min=1)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.segment_reduce.default": segment_reduce,
    "aten._segment_reduce_backward.default": segment_reduce_backward,
}
