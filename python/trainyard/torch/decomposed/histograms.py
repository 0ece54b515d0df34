"""Counts of elements between edges, of one and of several dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

Range = Sequence[float] | None


def _limits(x: Any) -> tuple[Any, Any]:
    """The least and the greatest element, where they are equal half of one farther out."""
    if x.numel() == 0:
        return x.new_zeros(()), x.new_ones(())
    low, high = x.amin(), x.amax()
    same = low == high
    return torch.where(same, low - 0.5, low), torch.where(same, high + 0.5, high)


def _even_edges(x: Any, count: int, limits: Range) -> Any:
    """Of bins of one width, the two halves from their own end, as linspace has them."""
    if limits is None:
        low, high = _limits(x)
    else:
        begin, end = float(limits[0]), float(limits[1])
        spread = 0.5 if begin == end else 0.0
        low, high = x.new_full((), begin - spread), x.new_full((), end + spread)
    step = (high - low) / count
    place = torch.arange(count + 1, device=x.device).to(x.dtype)
    up, down = low + step * place, high - step * (count - place)
    return torch.where(place < (count + 1) // 2, up, down)


def _places(x: Any, edges: Any) -> tuple[Any, Any]:
    """Which bin each element is in, and whether it is in one: the last one has its right edge."""
    place = torch.searchsorted(edges, x.contiguous(), right=True) - 1
    place = torch.where(x == edges[-1], edges.shape[0] - 2, place)
    return place, (x >= edges[0]) & (x <= edges[-1])


def _count(x: Any, edges: Sequence[Any], weight: Any, density: bool) -> Any:
    """x: [elements, dimensions]."""
    shape = [each.shape[0] - 1 for each in edges]
    flat = x.new_zeros(x.shape[0], dtype=torch.int64)
    inside = torch.ones_like(flat, dtype=torch.bool)
    for dim, each in enumerate(edges):
        place, is_in = _places(x[:, dim], each)
        flat = flat * shape[dim] + place
        inside = inside & is_in
    ones = x.new_ones(x.shape[0]) if weight is None else weight.reshape(-1).to(x.dtype)
    bins = torch.arange(math.prod(shape), device=x.device)
    hit = (flat.unsqueeze(0) == bins.unsqueeze(1)) & inside
    made = torch.where(hit, ones, 0).sum(1).reshape(shape)
    if density:
        made = made / made.sum()
        for dim, each in enumerate(edges):
            widths = each[1:] - each[:-1]
            made = made / widths.reshape([-1 if i == dim else 1 for i in range(len(shape))])
    return made


def of_count(
    x: Any, bins: int = 100, *, range: Range = None, weight: Any = None, density: bool = False
) -> tuple[Any, Any]:
    edges = _even_edges(x, bins, range)
    return _count(x.reshape(-1, 1), [edges], weight, density), edges


def of_edges(x: Any, bins: Any, *, weight: Any = None, density: bool = False) -> tuple[Any, Any]:
    return _count(x.reshape(-1, 1), [bins], weight, density), bins.clone()


def edges_of_counts(x: Any, bins: Sequence[int], *, range: Range = None, **_: Any) -> list[Any]:
    points = x.reshape(-1, x.shape[-1])
    pairs = [None] * len(bins) if range is None else list(zip(range[::2], range[1::2], strict=True))
    return [_even_edges(points[:, i], count, pairs[i]) for i, count in enumerate(bins)]


def of_counts(
    x: Any,
    bins: Sequence[int],
    *,
    range: Range = None,
    weight: Any = None,
    density: bool = False,
) -> Any:
    edges = edges_of_counts(x, bins, range=range)
    return _count(x.reshape(-1, x.shape[-1]), edges, weight, density)


def of_all_edges(x: Any, bins: Sequence[Any], *, weight: Any = None, density: bool = False) -> Any:
    return _count(x.reshape(-1, x.shape[-1]), bins, weight, density)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.histogram.bin_ct": of_count,
    "aten.histogram.bins_tensor": of_edges,
    "aten._histogramdd_bin_edges.default": edges_of_counts,
    "aten._histogramdd_from_bin_cts.default": of_counts,
    "aten._histogramdd_from_bin_tensors.default": of_all_edges,
}
# What tracing knows of them, for which PyTorch has no functions.
SHAPES = {
    name.removeprefix("aten.").removesuffix(".default"): function
    for name, function in DECOMPOSED.items()
}
