"""Functions of probabilities: the incomplete gamma functions and the normal distribution's
quantiles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.decomposed.loops import repeat

_LARGE = 10.0  # from which on Stirling's series of the gamma function is exact in float32
_TINY = 1e-30
_TURNS_MAX = 2000  # PyTorch's


def _wide(*given: Any) -> tuple[Any, ...]:
    """The tensors as they are computed, of one shape, and the type of the result."""
    kind = given[0].dtype
    for each in given[1:]:
        kind = torch.promote_types(kind, each.dtype)
    kind = kind if kind.is_floating_point else torch.get_default_dtype()
    wide = kind if kind.itemsize > 2 else torch.float32
    return (*torch.broadcast_tensors(*(each.to(wide) for each in given)), kind)


def _density(a: Any, x: Any) -> Any:
    """x^a e^-x / gamma(a + 1): of a large `a` by how far x is from it, as the logarithms of both
    parts are large and cancel."""
    large = a.clamp(min=_LARGE)
    away = ((x - large) / large).clamp(min=-1 + 1e-7)
    stirling = 1 / (12 * large) - 1 / (360 * large.pow(3))
    far = torch.exp(-large * (away - away.log1p()) - stirling) / (2 * math.pi * large).sqrt()
    small = a.clamp(max=_LARGE)
    near = torch.exp(small * x.clamp(min=_TINY).log() - x - torch.lgamma(small + 1))
    return torch.where(a >= _LARGE, far, near)


def _lower(a: Any, x: Any, turns: Any) -> Any:
    """Its share below x, by the power series, for x under a + 1."""

    def add(turn: Any, total: Any, term: Any, a: Any, x: Any) -> tuple[Any, Any]:
        term = term * x / (a + turn.to(x.dtype) + 1)
        return total + term, term

    one = torch.ones_like(x)
    return _density(a, x) * repeat(turns, add, one, one, reads=(a, x))[0]


def _upper(a: Any, x: Any, turns: Any) -> Any:
    """Its share above x, by the continued fraction (Lentz's way), for x of at least a + 1."""

    def step(turn: Any, c: Any, d: Any, made: Any, a: Any, x: Any) -> tuple[Any, Any, Any]:
        n = turn.to(x.dtype) + 1
        factor, b = n * (a - n), x + 2 * n + 1 - a
        d = b + factor * d
        d = torch.where(d.abs() < _TINY, _TINY, d).reciprocal()
        c = b + factor / c
        c = torch.where(c.abs() < _TINY, _TINY, c)
        return c, d, made * c * d

    start = (x + 1 - a).reciprocal()
    state = (torch.full_like(x, 1 / _TINY), start, start)
    return _density(a, x) * a * repeat(turns, step, *state, reads=(a, x))[2]


def _shares(a: Any, x: Any) -> tuple[Any, Any, torch.dtype]:
    """Below x and above it."""
    a, x, kind = _wide(a, x)
    is_low = x < a + 1
    is_known = (a > 0) & (x > 0) & (a < torch.inf) & (x < torch.inf)
    a_low, x_low = (torch.where(is_low & is_known, y, 1.0) for y in (a, x))
    a_high = torch.where(is_low | ~is_known, 1.0, a)
    x_high = torch.where(is_low | ~is_known, 3.0, x)
    largest = torch.maximum(a_low, a_high).amax() if a.numel() else a.sum()
    turns = (40 + 8 * largest.clamp(max=1e6).sqrt()).clamp(max=_TURNS_MAX).to(torch.int32)
    low, high = _lower(a_low, x_low, turns), _upper(a_high, x_high, turns)
    below, above = torch.where(is_low, low, 1 - high), torch.where(is_low, 1 - low, high)
    at_zero = ((x == 0) & (a > 0)) | ((a == torch.inf) & (x < torch.inf))
    at_end = ((a == 0) & (x > 0)) | ((x == torch.inf) & (a < torch.inf))
    is_none = (a < 0) | (x < 0) | ((a == 0) & (x == 0)) | ((a == torch.inf) & (x == torch.inf))
    is_none = is_none | a.isnan() | x.isnan()
    below = torch.where(at_zero, 0.0, torch.where(at_end, 1.0, below))
    above = torch.where(at_zero, 1.0, torch.where(at_end, 0.0, above))
    below, above = (torch.where(is_none, torch.nan, y) for y in (below, above))
    return below, above, kind


def igamma(a: Any, x: Any) -> Any:
    below, _, kind = _shares(a, x)
    return below.to(kind)


def igammac(a: Any, x: Any) -> Any:
    _, above, kind = _shares(a, x)
    return above.to(kind)


def ndtri(p: Any) -> Any:
    """Near the middle by the inverse error function. Farther out by Hastings' approximation
    (Abramowitz and Stegun 26.2.23) and two of Newton's steps on the logarithm."""
    p, kind = _wide(p)
    tail = torch.minimum(p, 1 - p).clamp(min=1e-45)
    t = (-2 * tail.log()).sqrt()
    top = 2.515517 + t * (0.802853 + t * 0.010328)
    x = top / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
    for _ in range(2):
        size = torch.special.log_ndtr(x)
        slope = torch.exp(-x * x / 2 - size) / math.sqrt(2 * math.pi)
        x = x - (size - tail.log()) / slope
    x = torch.where(p > 0.5, -x, x)
    middle = math.sqrt(2) * torch.erfinv((2 * p - 1).clamp(-0.5, 0.5))
    made = torch.where((p - 0.5).abs() < 0.25, middle, x)
    made = torch.where(p == 0, -torch.inf, torch.where(p == 1, torch.inf, made))
    return torch.where((p < 0) | (p > 1) | p.isnan(), torch.nan, made).to(kind)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "prims.igamma.default": igamma,
    "prims.igammac.default": igammac,
    "aten.igamma.default": igamma,
    "aten.igammac.default": igammac,
    "prims.ndtri.default": ndtri,
}
