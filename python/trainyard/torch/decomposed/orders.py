"""What depends on the order of elements: medians, running extremes, searches, histograms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _in_last(x: Any, dim: int) -> tuple[Any, bool]:
    """x with the dimension last; of a number, one of one element."""
    return (x.reshape(1), True) if x.dim() == 0 else (x.movedim(dim, -1), False)


def _back(x: Any, dim: int, keepdim: bool, was_number: bool) -> Any:
    """Results of one element along the last dimension."""
    if was_number:
        return x.reshape(())
    return x.movedim(-1, dim) if keepdim else x.squeeze(-1)


def kthvalue(x: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    x, was_number = _in_last(x, dim)
    values, places = torch.sort(x, stable=True)
    chosen = (values[..., k - 1 : k], places[..., k - 1 : k])
    return _back(chosen[0], dim, keepdim, was_number), _back(chosen[1], dim, keepdim, was_number)


def _median(skips_nan: bool) -> Callable[..., Any]:
    def of_dim(x: Any, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
        x, was_number = _in_last(x, dim)
        values, places = torch.sort(x, stable=True)  # NaN last
        count = x.shape[-1]
        if x.is_floating_point():
            numbers = (~values.isnan()).sum(-1, keepdim=True)
            middle = ((numbers - 1) // 2).clamp(min=0)
            if not skips_nan:
                middle = torch.where(numbers < count, numbers, middle)
        else:
            shape = (*x.shape[:-1], 1)
            middle = torch.full(shape, (count - 1) // 2, dtype=torch.int64, device=x.device)
        made = values.gather(-1, middle), places.gather(-1, middle)
        return _back(made[0], dim, keepdim, was_number), _back(made[1], dim, keepdim, was_number)

    return of_dim


def _median_of_all(skips_nan: bool) -> Callable[..., Any]:
    def of_all(x: Any) -> Any:
        return _median(skips_nan)(x.reshape(-1))[0]

    return of_all


def mode(x: Any, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    """The least of the most frequent values, and its last place."""
    x, was_number = _in_last(x, dim)
    values, places = torch.sort(x, stable=True)
    counts = (values.unsqueeze(-1) == values.unsqueeze(-2)).sum(-1)
    first = counts.argmax(-1, keepdim=True)
    last = first + counts.gather(-1, first) - 1
    made = values.gather(-1, first), places.gather(-1, last)
    return _back(made[0], dim, keepdim, was_number), _back(made[1], dim, keepdim, was_number)


def _running(beats: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """cummax and cummin, in steps of 1, 2, 4...: of equals the last one, NaN before all."""

    def lower(x: Any, dim: int) -> tuple[Any, Any]:
        value, was_number = _in_last(x, dim)
        place = torch.arange(value.shape[-1], device=x.device).expand(value.shape)
        step = 1
        while step < value.shape[-1]:
            before, after = value[..., :-step], value[..., step:]
            keeps = beats(before, after)
            if x.is_floating_point():
                keeps = ~after.isnan() & (before.isnan() | keeps)
            moved = torch.where(keeps, place[..., :-step], place[..., step:])
            place = torch.cat([place[..., :step], moved], -1)
            value = torch.cat([value[..., :step], torch.where(keeps, before, after)], -1)
            step *= 2
        if was_number:
            return value.reshape(()), place.reshape(())
        return value.movedim(-1, dim), place.movedim(-1, dim)

    return lower


def logcumsumexp(x: Any, dim: int) -> Any:
    kind = x.dtype
    value, was_number = _in_last(x.float() if x.itemsize < 4 else x, dim)
    step = 1
    while step < value.shape[-1]:
        made = torch.logaddexp(value[..., :-step], value[..., step:])
        value = torch.cat([value[..., :step], made], -1)
        step *= 2
    return (value.reshape(()) if was_number else value.movedim(-1, dim)).to(kind)


def _search(edges: Any, values: Any, right: bool, out_int32: bool) -> Any:
    """How many edges of the last dimension come before each value."""
    pairs = (edges.unsqueeze(-2), values.unsqueeze(-1))
    before = ~(pairs[0] > pairs[1]) if right else ~(pairs[0] >= pairs[1])
    return before.sum(-1).to(torch.int32 if out_int32 else torch.int64)


def searchsorted(
    edges: Any,
    values: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    if sorter is not None:
        edges = edges.gather(-1, sorter)
    right = right or side == "right"
    if not isinstance(values, torch.Tensor):
        values = torch.full((), values, device=edges.device)
    if edges.dim() == 1:
        made = _search(edges, values.reshape(-1), right, out_int32)
        return made.reshape(values.shape)
    return _search(edges, values, right, out_int32)


def bucketize(values: Any, edges: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    return searchsorted(edges, values, out_int32=out_int32, right=right)


def repeat_interleave(repeats: Any, *, output_size: int) -> Any:
    """Each place as often as its number says, where it is known how many there are in all."""
    count = torch.arange(output_size, device=repeats.device)
    return searchsorted(repeats.cumsum(0), count, right=True).to(repeats.dtype)


def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """Counts in bins of one width; the limits are those of x where none are given."""
    kind, flat = x.dtype, x.reshape(-1)
    flat = flat.float() if not flat.is_floating_point() or flat.itemsize < 4 else flat
    if min == max:
        low, high = flat.amin(), flat.amax()
        same = low == high
        low, high = torch.where(same, low - 1, low), torch.where(same, high + 1, high)
    else:
        low, high = torch.full_like(flat[:1], min)[0], torch.full_like(flat[:1], max)[0]
    place = ((flat - low) / (high - low) * bins).floor().clamp(max=bins - 1)
    inside = (flat >= low) & (flat <= high)
    hit = place.unsqueeze(0) == torch.arange(bins, device=x.device).unsqueeze(1)
    return (hit & inside).sum(1).to(kind)


def nonzero_static(x: Any, *, size: int, fill_value: int = -1) -> Any:
    """The first places that are not zero, as many as asked for."""
    mask = (x != 0).reshape(-1)
    count = mask.sum()
    found = torch.sort(mask.to(torch.int32), stable=True, descending=True).indices[:size]
    if found.shape[0] < size:
        found = torch.cat([found, found.new_zeros(size - found.shape[0])])
    is_there = torch.arange(size, device=x.device) < count
    parts = []
    for extent in reversed(x.shape):
        parts.append(torch.where(is_there, found % extent, fill_value))
        found = torch.div(found, extent, rounding_mode="floor")
    if not parts:
        return torch.zeros((size, 0), dtype=torch.int64, device=x.device)
    return torch.stack(parts[::-1], 1)


def multinomial(x: Any, count: int, replacement: bool = False, *, generator: Any = None) -> Any:
    """The first to arrive of exponential clocks of these rates; without replacement, the first
    `count` of one run of them."""
    shape = (*x.shape[:-1], count, x.shape[-1]) if replacement else x.shape
    uniform = torch.rand(shape, device=x.device).clamp(min=2.0**-25)
    rates = x.float().unsqueeze(-2) if replacement else x.float()
    clocks = uniform.log() / rates  # least negative wins
    if replacement:
        return clocks.argmax(-1)
    return torch.topk(clocks, count).indices


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.kthvalue.default": kthvalue,
    "aten.median.dim": _median(False),
    "aten.median.default": _median_of_all(False),
    "aten.nanmedian.dim": _median(True),
    "aten.nanmedian.default": _median_of_all(True),
    "aten.mode.default": mode,
    "aten.cummax.default": _running(lambda a, b: a > b),
    "aten.cummin.default": _running(lambda a, b: a < b),
    "aten.logcumsumexp.default": logcumsumexp,
    "aten.searchsorted.Tensor": searchsorted,
    "aten.searchsorted.Scalar": searchsorted,
    "aten.bucketize.Tensor": bucketize,
    "aten.repeat_interleave.Tensor": repeat_interleave,
    "aten.histc.default": histc,
    "aten.nonzero_static.default": nonzero_static,
    "aten.multinomial.default": multinomial,
}
