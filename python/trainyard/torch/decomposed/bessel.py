"""Bessel's functions J, Y and K of the orders 0 and 1: near zero by their power series, farther out
by K's integral, of which J and Y are the values beside the real axis (DLMF 10.8, 10.27, 10.32.8,
10.31). Both are series of Chebyshev polynomials, fitted once in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard.torch.decomposed.functions import _as_float, _chebyshev, _wide

_NEAR_J, _NEAR_K = 5.0, 2.0  # up to where the power series are taken
_DEGREE = 16
_EULER = 0.57721566490153286
Series = tuple[float, ...]


def _power_series(order: int, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of t^k / (k! (k + order)!), and of these times psi(k + 1) + psi(k + order + 1)."""
    plain, weighted = np.zeros_like(t), np.zeros_like(t)
    term = np.ones_like(t)
    psi, other = -_EULER, -_EULER + order
    for k in range(40):
        plain, weighted = plain + term, weighted + (psi + other) * term
        term = term * t / ((k + 1) * (k + 1 + order))
        psi, other = psi + 1 / (k + 1), other + 1 / (k + 1 + order)
    return plain, weighted


def _integral(order: int, w: np.ndarray) -> np.ndarray:
    """sqrt(2 z / pi) e^z K(z) of z = 1 / w."""
    u = (np.arange(200) + 0.5)[:, None] / 32
    power = order - 0.5
    terms = u ** (2 * order) * np.exp(-u * u) * (1 + u * u * w / 2) ** power
    return terms.sum(0) * 2 / (32 * math.gamma(order + 0.5))


def _fit(function: Callable[[np.ndarray], np.ndarray]) -> Series:
    return tuple(np.polynomial.chebyshev.chebinterpolate(function, _DEGREE).tolist())


@cache
def _series(order: int, sign: int) -> tuple[Series, Series, Series, Series]:
    """Both power series, in x^2 from 0 to the end of what is near, and real and imaginary part of
    the integral, in what is near over x from 0 to 1. sign: -1 of J and Y, 1 of K."""
    end = _NEAR_J if sign < 0 else _NEAR_K

    def near(part: int) -> Series:
        return _fit(lambda t: _power_series(order, sign * end**2 / 8 * (t + 1))[part])

    def far(part: str) -> Series:
        turn = 1j if sign < 0 else 1  # 1 / -i
        return _fit(lambda t: getattr(_integral(order, turn * (t + 1) / (2 * end) + 0j), part))

    return near(0), near(1), far("real"), far("imag")


def _near(x: Any, order: int, sign: int) -> tuple[Any, Any]:
    """J or I, and the sum that their logarithm's partner has beside it, of the order."""
    end = _NEAR_J if sign < 0 else _NEAR_K
    plain, weighted, _, _ = _series(order, sign)
    place = 2 * (x / end).square() - 1
    half = (x / 2) ** order
    return half * _chebyshev(place, plain), half * _chebyshev(place, weighted)


def _far(x: Any, order: int) -> tuple[Any, Any]:
    """J and Y."""
    _, _, real, imaginary = _series(order, -1)
    place = 2 * _NEAR_J / x - 1
    p, q = _chebyshev(place, real), _chebyshev(place, imaginary)
    sine, cosine = x.sin(), x.cos()  # of x - pi / 4, once more a quarter of a turn back, by sums
    c, s = (cosine + sine, sine - cosine) if order == 0 else (sine - cosine, -sine - cosine)
    scale = (math.pi * x).rsqrt()
    return scale * (p * c - q * s), scale * (p * s + q * c)


def _first_kind(order: int) -> Callable[[Any], Any]:
    def lower(x: Any) -> Any:
        kind, x = _as_float(x).dtype, _wide(_as_float(x))
        size = x.abs()
        near, _ = _near(size.clamp(max=_NEAR_J), order, -1)
        far, _ = _far(size.clamp(min=_NEAR_J), order)
        made = torch.where(size > _NEAR_J, far, near)
        made = torch.where((x < 0) & (order == 1), -made, made)
        return torch.where(x.isnan(), x, made).to(kind)

    return lower


def _of_positive(x: Any, made: Any, at_zero: float) -> Any:
    """The second kinds have numbers above zero alone."""
    made = torch.where(x == 0, at_zero, made)
    return torch.where((x < 0) | x.isnan(), torch.nan, made)


def _second_kind(order: int) -> Callable[[Any], Any]:
    def lower(x: Any) -> Any:
        kind, x = _as_float(x).dtype, _wide(_as_float(x))
        small = x.abs().clamp(min=1e-38, max=_NEAR_J)
        first, beside = _near(small, order, -1)
        near = (2 * (small / 2).log() * first - beside) / math.pi
        near = near - 2 / (math.pi * small) if order else near
        _, far = _far(x.abs().clamp(min=_NEAR_J), order)
        return _of_positive(x, torch.where(x > _NEAR_J, far, near), -math.inf).to(kind)

    return lower


def _modified(order: int, is_scaled: bool) -> Callable[[Any], Any]:
    """K, or e^x times it."""

    def lower(x: Any) -> Any:
        kind, x = _as_float(x).dtype, _wide(_as_float(x))
        small, large = x.abs().clamp(min=1e-38, max=_NEAR_K), x.abs().clamp(min=_NEAR_K)
        first, beside = _near(small, order, 1)
        logarithm = (small / 2).log() * first
        near = 1 / small + logarithm - beside / 2 if order else beside / 2 - logarithm
        far = _chebyshev(2 * _NEAR_K / large - 1, _series(order, 1)[2])
        far = far * (2 * large / math.pi).rsqrt()
        near = near * small.exp() if is_scaled else near
        far = far if is_scaled else far * (-large).exp()
        return _of_positive(x, torch.where(x > _NEAR_K, far, near), math.inf).to(kind)

    return lower


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "prims.bessel_j0.default": _first_kind(0),
    "prims.bessel_j1.default": _first_kind(1),
}
for _order in (0, 1):
    DECOMPOSED |= {
        f"aten.special_bessel_j{_order}.default": _first_kind(_order),
        f"aten.special_bessel_y{_order}.default": _second_kind(_order),
        f"aten.special_modified_bessel_k{_order}.default": _modified(_order, False),
        f"aten.special_scaled_modified_bessel_k{_order}.default": _modified(_order, True),
    }
