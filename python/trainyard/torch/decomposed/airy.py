"""Airy's function: near zero by its power series (DLMF 9.4), farther out by the integral of K of
Bessel's, of the order 1/3 (DLMF 9.6, 10.32.9), below zero of its values beside the real axis. Both
are series of Chebyshev polynomials, fitted once in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard.torch.decomposed.functions import _as_float, _chebyshev, _wide

_NEAR = 3.0  # up to where the power series is taken, on both sides
_DEGREE = 18
Series = tuple[float, ...]


def _power_series(x: np.ndarray) -> np.ndarray:
    f, g = np.ones_like(x), x.copy()
    made = np.zeros_like(x)
    for k in range(3, 120, 3):
        made += f / (3 ** (2 / 3) * math.gamma(2 / 3)) - g / (3 ** (1 / 3) * math.gamma(1 / 3))
        f, g = f * x**3 / (k * (k - 1)), g * x**3 / (k * (k + 1))
    return made


def _integral(w: np.ndarray) -> np.ndarray:
    """sqrt(2 z / pi) e^z K(z) of z = 1 / w, over u with u^2 = z (cosh t - 1)."""
    u = (np.arange(200) + 0.5)[:, None] / 32
    place = np.arcsinh(u * np.sqrt(w / 2))
    terms = np.exp(-u * u) * np.cosh(place * 2 / 3) / np.sqrt(1 + u * u * w / 2)
    return terms.sum(0) * 2 / (32 * math.sqrt(math.pi))


def _power(x: Any) -> Any:
    """2/3 x^(3/2)."""
    return x * x.sqrt() * (2 / 3)


@cache
def _series() -> tuple[Series, Series, Series, Series, Series]:
    """In x over what is near: of e^x times the function above zero, of the function below. In what
    is near over x^(3/2): of the integral above zero, its real and imaginary part below."""
    end = _NEAR**1.5 * 2 / 3

    def fit(function: Callable[[np.ndarray], np.ndarray]) -> Series:
        return tuple(np.polynomial.chebyshev.chebinterpolate(function, _DEGREE).tolist())

    def near(sign: int) -> Series:
        def function(t: np.ndarray) -> np.ndarray:
            x = sign * (t + 1) * _NEAR / 2
            return _power_series(x) * (np.exp(x) if sign > 0 else 1)

        return fit(function)

    def far(turn: complex, part: str) -> Series:
        return fit(lambda t: getattr(_integral(turn * (t + 1) / (2 * end)), part))

    return near(1), near(-1), far(1 + 0j, "real"), far(1j, "real"), far(1j, "imag")


def airy_ai(x: Any) -> Any:
    kind, x = _as_float(x).dtype, _wide(_as_float(x))
    above, below, falling, real, imaginary = _series()
    size = x.abs()
    small, large = size.clamp(max=_NEAR), size.clamp(min=_NEAR)
    place = small * (2 / _NEAR) - 1
    near = torch.where(x < 0, _chebyshev(place, below), _chebyshev(place, above) * (-small).exp())
    angle = _power(large)
    place = 2 * _NEAR**1.5 * (2 / 3) / angle - 1
    scale = (math.pi * large.sqrt()).rsqrt()
    sine, cosine = angle.sin(), angle.cos()  # of the angle less pi / 4, by sums
    turned = (cosine + sine) * _chebyshev(place, real) + (cosine - sine) * _chebyshev(
        place, imaginary
    )
    decayed = _chebyshev(place, falling) * (-angle).exp() / 2
    far = scale * torch.where(x < 0, turned * math.sqrt(0.5), decayed)
    made = torch.where(size > _NEAR, far, near)
    return torch.where(x.isinf(), torch.nan, made).to(kind)  # as PyTorch has it


DECOMPOSED: dict[str, Callable[..., Any]] = {"aten.special_airy_ai.default": airy_ai}
