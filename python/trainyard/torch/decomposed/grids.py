"""Samples of images at places between their elements, and the gradients of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from trainyard.torch.errors import Refusal

_LINEAR, _NEAREST, _CUBIC = range(3)
_ZEROS, _BORDER, _REFLECTION = range(3)


def _unnormalized(at: Any, extent: int, padding: int, aligned: bool) -> tuple[Any, Any]:
    """From -1...1 to places among `extent` elements, and how fast they change."""
    scale = (extent - 1) / 2 if aligned else extent / 2
    at = (at + 1) * scale if aligned else (at + 1) * scale - 0.5
    slope = torch.full_like(at, scale)
    if padding == _REFLECTION:
        low, high = (0.0, extent - 1.0) if aligned else (-0.5, extent - 0.5)
        if low == high:
            return torch.zeros_like(at), torch.zeros_like(at)
        span, away = high - low, (at - low).abs()
        rest = torch.fmod(away, span)
        even = torch.div(away, span, rounding_mode="floor") % 2 == 0
        slope = torch.where(even == (at >= low), slope, -slope)
        at = torch.where(even, rest + low, span - rest + low)
    if padding in (_BORDER, _REFLECTION):
        slope = torch.where((at > 0) & (at < extent - 1), slope, 0)
        at = at.clamp(0, extent - 1)
    return at, slope


def _rows(x: Any, places: Sequence[Any]) -> tuple[Any, Any]:
    """Places counted through the image, for each channel, and whether they are inside."""
    flat = inside = None
    for place, extent in zip(places, x.shape[2:], strict=True):
        hit = (place >= 0) & (place < extent)
        whole = place.clamp(0, extent - 1).to(torch.int64)
        inside = hit if inside is None else inside & hit
        flat = whole if flat is None else flat * extent + whole
    assert flat is not None and inside is not None
    batch, channels = x.shape[:2]
    rows = flat.reshape(batch, 1, -1).expand(batch, channels, -1)
    return rows, inside.reshape(batch, 1, -1)


def _corners(places: Sequence[Any], mode: int) -> Iterator[tuple[list[Any], list[Any], list[int]]]:
    """The elements around each place: where they are, their shares along each dimension, and on
    which side they lie."""
    if mode == _NEAREST:
        yield [place.round() for place in places], [torch.ones_like(p) for p in places], []
        return
    for corner in itertools.product((0, 1), repeat=len(places)):
        below = [place.floor() for place in places]
        shares = [
            p - low if step else low + 1 - p
            for p, low, step in zip(places, below, corner, strict=True)
        ]
        yield [low + step for low, step in zip(below, corner, strict=True)], shares, list(corner)


def _all_places(x: Any, grid: Any, padding: int, aligned: bool) -> tuple[list[Any], list[Any]]:
    """Of each dimension of the image; the grid names the last one first."""
    count = x.dim() - 2
    pairs = [
        _unnormalized(grid[..., count - 1 - i], x.shape[2 + i], padding, aligned)
        for i in range(count)
    ]
    return [at for at, _ in pairs], [slope for _, slope in pairs]


def _product(factors: Sequence[Any], batch: int) -> Any:
    made = factors[0]
    for each in factors[1:]:
        made = made * each
    return made.reshape(batch, 1, -1)


def _wide(x: Any) -> Any:
    return x.float() if x.itemsize < 4 else x


def grid_sampler(x: Any, grid: Any, mode: int = 0, padding: int = 0, aligned: bool = False) -> Any:
    kind, x, grid = x.dtype, _wide(x), _wide(grid)
    if mode == _CUBIC:
        from torch._decomp.decompositions import grid_sampler_2d as cubic

        return cubic(x, grid, mode, padding, aligned).to(kind)
    batch, channels = x.shape[:2]
    places, _ = _all_places(x, grid, padding, aligned)
    elements = x.reshape(batch, channels, -1)
    made = None
    for whole, shares, _ in _corners(places, mode):
        rows, inside = _rows(x, whole)
        term = elements.gather(2, rows) * (_product(shares, batch) * inside)
        made = term if made is None else made + term
    assert made is not None
    return made.reshape(batch, channels, *grid.shape[1:-1]).to(kind)


def grid_sampler_backward(
    gradient: Any,
    x: Any,
    grid: Any,
    mode: int,
    padding: int,
    aligned: bool,
    wanted: Sequence[bool],
) -> tuple[Any, Any]:
    """Of linear and nearest samples."""
    if mode == _CUBIC:
        raise Refusal("the gradient of bicubic samples of a grid", 'use mode="bilinear"')
    kinds = x.dtype, grid.dtype
    gradient, x, grid = _wide(gradient), _wide(x), _wide(grid)
    batch, channels, count = *x.shape[:2], x.dim() - 2
    places, slopes = _all_places(x, grid, padding, aligned)
    elements = x.reshape(batch, channels, -1)
    upper = gradient.reshape(batch, channels, -1)
    of_x = torch.zeros_like(elements)
    of_places = [torch.zeros_like(place) for place in places]
    for whole, shares, corner in _corners(places, mode):
        rows, inside = _rows(x, whole)
        of_x = of_x.scatter_add(2, rows, upper * (_product(shares, batch) * inside))
        if mode == _NEAREST:
            continue
        pulled = (elements.gather(2, rows) * upper * inside).sum(1).reshape(places[0].shape)
        for i, step in enumerate(corner):
            part = pulled if step else -pulled
            for j, share in enumerate(shares):
                part = part * share if j != i else part
            of_places[i] = of_places[i] + part
    of_grid = torch.stack([of_places[count - 1 - i] * slopes[count - 1 - i] for i in range(count)])
    of_grid = of_grid.movedim(0, -1).to(kinds[1])
    return of_x.reshape(x.shape).to(kinds[0]) if wanted[0] else None, of_grid


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.grid_sampler_2d.default": grid_sampler,
    "aten.grid_sampler_3d.default": grid_sampler,
    "aten.grid_sampler_2d_backward.default": grid_sampler_backward,
    "aten.grid_sampler_3d_backward.default": grid_sampler_backward,
}
