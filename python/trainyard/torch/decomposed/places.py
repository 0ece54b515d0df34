"""Writes at places, and the gradients of reads."""

from __future__ import annotations

from typing import Any

import torch


def put(x: Any, places: Any, source: Any, accumulate: bool = False) -> Any:
    """At places counted through the whole tensor."""
    flat, where = x.reshape(-1), places.reshape(-1)
    made = torch.ops.aten.index_put(flat, [where], source.reshape(-1), accumulate)
    return made.reshape(x.shape)


def index_reduce(
    x: Any, dim: int, places: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """Whole slices, each element as scatter_reduce has it."""
    if x.dim() == 0:
        x1, source = x.reshape(1), source.reshape(1)
        made = index_reduce(x1, 0, places.reshape(1), source, reduce, include_self=include_self)
        return made.reshape(())
    shape = [1] * x.dim()
    shape[dim] = -1
    wide = places.reshape(shape).expand(source.shape)
    return torch.scatter_reduce(x, dim, wide, source, reduce, include_self=include_self)


def masked_scatter_backward(gradient: Any, mask: Any, sizes: list[int]) -> Any:
    """The n-th marked element's gradient is that of the source's n-th."""
    count = 1
    for extent in sizes:
        count *= extent
    marked = mask.expand(gradient.shape).reshape(-1)
    place = torch.where(marked, marked.to(torch.int64).cumsum(0) - 1, count).clamp(max=count)
    made = gradient.new_zeros(count + 1).scatter(0, place, gradient.reshape(-1))
    return made[:count].reshape(sizes)


def embedding_bag(
    weight: Any,
    places: Any,
    offsets: Any,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Any, Any, Any, Any]:
    """Sums (0), means (1) or maxima (2) of the rows of each bag."""
    bags = offsets.shape[0] - int(include_last_offset)
    order = torch.arange(places.shape[0], device=places.device)
    bag = torch.searchsorted(offsets[:bags], order, right=True) - 1
    kept = places != padding_idx
    member = (bag.unsqueeze(0) == torch.arange(bags, device=places.device).unsqueeze(1)) & kept
    sizes = member.sum(1)
    rows = weight[places]
    if mode == 2:
        spread = torch.where(member.unsqueeze(2), rows.unsqueeze(0), -torch.inf)
        largest = spread.max(1)
        empty = (sizes == 0).unsqueeze(1)
        made = torch.where(empty, 0, largest.values).to(weight.dtype)
        return made, bag, sizes, torch.where(empty, -1, places[largest.indices])
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    share = member.to(weight.dtype)
    made = share @ rows
    if mode == 1:
        made = made / sizes.clamp(min=1).unsqueeze(1)
    return made, bag, sizes, sizes


def embedding_bag_backward(
    grad: Any,
    places: Any,
    offsets: Any,
    bag: Any,
    sizes: Any,
    largest: Any,
    count: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any,
    padding_idx: int = -1,
) -> Any:
    """Of the table: each bag's gradient goes to the rows that it read, of maxima to the largest."""
    if mode == 2:
        made = grad.new_zeros((count + 1, grad.shape[1]))
        where = torch.where(largest < 0, count, largest)
        return made.scatter_add(0, where, grad)[:count]
    rows = grad
    if mode == 1:
        rows = rows / sizes.clamp(min=1).unsqueeze(1)
    rows = rows.index_select(0, bag)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    if scale_grad_by_freq:
        often = grad.new_zeros(count).index_add(0, places, grad.new_ones(places.shape))
        rows = rows / often.index_select(0, places).unsqueeze(1)
    rows = torch.where((places == padding_idx).unsqueeze(1), 0, rows)
    return grad.new_zeros((count, grad.shape[1])).index_add(0, places, rows)


def embedding_bag_weights_backward(
    grad: Any,
    weight: Any,
    places: Any,
    offsets: Any,
    bag: Any,
    mode: int,
    padding_idx: int = -1,
) -> Any:
    """Of the weights of each place."""
    made = (grad.index_select(0, bag) * weight.index_select(0, places)).sum(1)
    return torch.where(places == padding_idx, 0, made)


DECOMPOSED = {
    "aten._embedding_bag_backward.default": embedding_bag_backward,
    "aten._embedding_bag_per_sample_weights_backward.default": embedding_bag_weights_backward,
    "aten.put.default": put,
    "aten.index_reduce.default": index_reduce,
    "aten.masked_scatter_backward.default": masked_scatter_backward,
    "aten._embedding_bag.default": embedding_bag,
    "aten._embedding_bag_forward_only.default": embedding_bag,
}
