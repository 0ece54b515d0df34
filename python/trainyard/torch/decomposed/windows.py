"""Windows whose sizes differ: adaptive and fractional pooling, and the gradient of padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch


def _largest(x: Any, places: Sequence[Any]) -> tuple[Any, Any]:
    """Of windows given by the places of each of the last dimensions, [..., out, size] each and all
    with x's leading dimensions or none, the largest element and its place counted through them."""
    count = len(places)
    extents = x.shape[-count:]
    flat = None
    for i, each in enumerate(places):
        shape = [1] * (2 * count)
        shape[i], shape[count + i] = each.shape[-2:]
        wide = each.reshape(*each.shape[:-2], *shape)
        flat = wide if flat is None else flat * extents[i] + wide
    assert flat is not None
    lead = x.shape[:-count]
    outs = [each.shape[-2] for each in places]
    sizes = [each.shape[-1] for each in places]
    flat = flat.expand(*lead, *outs, *sizes).reshape(*lead, -1)
    elements = x.reshape(*lead, -1).gather(-1, flat)
    elements = elements.reshape(*lead, *outs, -1)
    value, within = elements.max(-1)
    place = flat.reshape(*lead, *outs, -1).gather(-1, within.unsqueeze(-1)).squeeze(-1)
    return value, place


def adaptive_max_pool(x: Any, size: Sequence[int]) -> tuple[Any, Any]:
    """Each window as long as the longest: what is beyond its end repeats the last element."""
    count = len(size)
    places = []
    for extent, outs in zip(x.shape[-count:], size, strict=True):
        begins = [i * extent // outs for i in range(outs)]
        ends = [-(-(i + 1) * extent // outs) for i in range(outs)]
        longest = max((b - a for a, b in zip(begins, ends, strict=True)), default=1)
        rows = [
            [min(a + j, b - 1) for j in range(longest)] for a, b in zip(begins, ends, strict=True)
        ]
        places.append(torch.tensor(rows, device="cpu").to(x.device).reshape(outs, longest))
    return _largest(x, places)


def fractional_max_pool(
    x: Any, kernel: Sequence[int], size: Sequence[int], samples: Any
) -> tuple[Any, Any]:
    """Windows of one size at places that random samples, [batch, channel, dimension], move."""
    count = len(size)
    batched = x.dim() == count + 2
    lead = x.shape[:-count]
    drawn = samples.reshape(*(lead if batched else samples.shape[1:-1]), count)
    places = []
    for i, (extent, outs, window) in enumerate(zip(x.shape[-count:], size, kernel, strict=True)):
        # Samples are (width, height, ...) from the last dimension on.
        sample = drawn[..., count - 1 - i].unsqueeze(-1).to(x.dtype)
        along = torch.arange(outs, device=x.device)
        if outs > 1:
            step = (extent - window) / (outs - 1)
            begin = ((along + sample) * step).to(torch.int64) - (sample * step).to(torch.int64)
            begin = torch.where(along == outs - 1, extent - window, begin)
        else:
            begin = (along + sample * 0).to(torch.int64) * 0 + extent - window
        places.append(begin.unsqueeze(-1) + torch.arange(window, device=x.device))
    return _largest(x, places)


def _max_pool_backward(count: int) -> Callable[..., Any]:
    def lower(gradient: Any, x: Any, *rest: Any) -> Any:
        places = rest[-1]
        lead = x.shape[:-count]
        flat = torch.zeros_like(x).reshape(*lead, -1)
        made = flat.scatter_add(-1, places.reshape(*lead, -1), gradient.reshape(*lead, -1))
        return made.reshape(x.shape)

    return lower


def replication_pad_backward(gradient: Any, x: Any, pad: Sequence[int]) -> Any:
    """What was repeated adds up at the edge that it came from."""
    for i in range(len(pad) // 2):
        dim = x.dim() - 1 - i
        extent = x.shape[dim]
        along = torch.arange(gradient.shape[dim], device=x.device) - pad[2 * i]
        shape = list(gradient.shape)
        shape[dim] = extent
        zeros = torch.zeros(shape, dtype=gradient.dtype, device=x.device)
        gradient = zeros.index_add(dim, along.clamp(0, extent - 1), gradient)
    return gradient


DECOMPOSED = {
    "aten.adaptive_max_pool2d.default": adaptive_max_pool,
    "aten.adaptive_max_pool3d.default": adaptive_max_pool,
    "aten.adaptive_max_pool2d_backward.default": _max_pool_backward(2),
    "aten.adaptive_max_pool3d_backward.default": _max_pool_backward(3),
    "aten.fractional_max_pool2d.default": fractional_max_pool,
    "aten.fractional_max_pool3d.default": fractional_max_pool,
    "aten.fractional_max_pool2d_backward.default": _max_pool_backward(2),
    "aten.fractional_max_pool3d_backward.default": _max_pool_backward(3),
    "aten.replication_pad1d_backward.default": replication_pad_backward,
    "aten.replication_pad2d_backward.default": replication_pad_backward,
    "aten.replication_pad3d_backward.default": replication_pad_backward,
}
