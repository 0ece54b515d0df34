"""Operators of the device whose result's size depends on data: computed there, in parts whose sizes
are known; the host reads only how many elements there are.
"""

from __future__ import annotations

from typing import Any

import torch

from trainyard.torch.decomposed import orders


def nonzero(x: Any) -> Any:
    """The places, computed on the device; how many there are is read by the host."""
    mask = (x != 0).reshape(-1)
    count = int(mask.sum().item())
    places = torch.sort(mask.to(torch.int32), stable=True, descending=True).indices[:count]
    parts = []
    for extent in reversed(x.shape):
        parts.append(places % extent)
        places = torch.div(places, extent, rounding_mode="floor")
    if not parts:
        return torch.zeros((count, 0), dtype=torch.int64, device=x.device)
    return torch.stack(parts[::-1], 1)


def _runs(values: Any, consecutive: Any, return_counts: bool) -> tuple[Any, Any, Any]:
    """Of equal neighbours: the first of each, which run each element is in, how long they are.
    `consecutive`: whether an element is equal to the one before it, from the second on."""
    first = torch.ones(1, dtype=torch.bool, device=values.device)
    starts = torch.cat([first, ~consecutive])
    run = starts.to(torch.int64).cumsum(0) - 1
    places = nonzero(starts).reshape(-1)
    counts = torch.empty(0, dtype=torch.int64, device=values.device)
    if return_counts:
        ends = torch.cat([places[1:], places.new_full((1,), values.shape[0])])
        counts = ends - places
    return values.index_select(0, places), run, counts


def _nothing(x: Any, shape: Any) -> tuple[Any, Any, Any]:
    none = torch.empty(0, dtype=torch.int64, device=x.device)
    return x.new_empty(shape), none, none


def unique(
    x: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Any, Any, Any]:
    """In order always, also where that is not asked for."""
    flat = x.reshape(-1)
    if flat.shape[0] == 0:
        return _nothing(x, (0,))
    values, places = torch.sort(flat, stable=True)
    made, run, counts = _runs(values, values[1:] == values[:-1], return_counts)
    inverse = torch.empty(0, dtype=torch.int64, device=x.device)
    if return_inverse:
        inverse = torch.zeros_like(run).scatter(0, places, run).reshape(x.shape)
    return made, inverse, counts


def _same_rows(rows: Any) -> Any:
    return (rows[1:] == rows[:-1]).reshape(rows.shape[0] - 1, rows[0].numel()).all(1)


def unique_dim(
    x: Any,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Any, Any, Any]:
    """Of slices: sorted by their last element first, and so on, each time keeping the order."""
    rows = x.movedim(dim, 0)
    if rows.numel() == 0:
        return _nothing(x, x.shape)
    flat = rows.reshape(rows.shape[0], -1)
    places = torch.arange(rows.shape[0], device=x.device)
    for column in reversed(range(flat.shape[1])):
        order = torch.sort(flat[:, column].index_select(0, places), stable=True).indices
        places = places.index_select(0, order)
    ordered = rows.index_select(0, places)
    made, run, counts = _runs(ordered, _same_rows(ordered), return_counts)
    inverse = torch.zeros_like(run).scatter(0, places, run)
    return made.movedim(0, dim), inverse, counts


def unique_consecutive(
    x: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Any, Any, Any]:
    rows = x.reshape(-1) if dim is None else x.movedim(dim, 0)
    if rows.numel() == 0:
        return _nothing(x, rows.shape)
    made, run, counts = _runs(rows, _same_rows(rows), return_counts)
    inverse = torch.empty(0, dtype=torch.int64, device=x.device)
    if return_inverse:
        inverse = run.reshape(x.shape) if dim is None else run
    return (made if dim is None else made.movedim(0, dim)), inverse, counts


def suppress(boxes: Any, scores: Any, limit: float) -> Any:
    """torchvision's nms: the boxes that no better one which is kept overlaps by more than the
    limit, the best first. Which ones are kept follows from those before them, until it stands
    still; the host reads whether it does."""
    order = torch.sort(scores, stable=True, descending=True).indices
    sorted_boxes = boxes.index_select(0, order).float()
    low, high = sorted_boxes[:, :2], sorted_boxes[:, 2:]
    sides = (torch.minimum(high[:, None], high) - torch.maximum(low[:, None], low)).clamp(min=0)
    shared, areas = sides.prod(2), (high - low).prod(1)
    overlaps = shared > limit * (areas[:, None] + areas - shared)
    hides = overlaps.triu(1)
    kept = torch.ones_like(order, dtype=torch.bool)
    while True:
        after = ~(hides & kept[:, None]).any(0)
        if bool((after == kept).all().item()):
            return order.index_select(0, nonzero(kept).reshape(-1))
        kept = after


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """The largest number, which the host reads, says how many counts there are."""
    count = minlength
    if x.shape[0]:
        if int(x.amin().item()) < 0:
            raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
        count = max(int(x.amax().item()) + 1, minlength)
    kind = torch.int64
    if weights is not None:
        kind = weights.dtype if weights.dtype == torch.float32 else torch.float64
    ones = torch.ones_like(x, dtype=kind) if weights is None else weights.to(kind)
    return torch.zeros(count, dtype=kind, device=x.device).index_add(0, x.to(torch.int64), ones)


def repeat_interleave(repeats: Any, *, output_size: int | None = None) -> Any:
    """Each place as often as its number says. Raises RuntimeError for negative numbers."""
    if output_size is None:
        if repeats.numel() and int(repeats.amin().item()) < 0:
            raise RuntimeError("repeats can not be negative")
        output_size = int(repeats.sum().item())
    return orders.repeat_interleave(repeats, output_size=output_size)
