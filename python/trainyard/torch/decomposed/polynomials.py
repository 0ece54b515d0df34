"""Orthogonal polynomials for degrees that are tensors: Chebyshev's by their closed forms,
Hermite's, Laguerre's and Legendre's by their recurrences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.decomposed.loops import repeat

HERMITE_MAX = 128  # of PyTorch: beyond this degree there are no numbers of float32


def _ratio(kind: str, n: Any, angle: Any, sine: Any, cosine: Any) -> Any:
    """Of the angle whose cosine x is; with hyperbolic functions where x is above 1."""
    half = n + 0.5
    if kind == "t":
        return cosine(n * angle)
    if kind == "u":
        return sine((n + 1) * angle) / sine(angle)
    if kind == "v":
        return cosine(half * angle) / cosine(angle / 2)
    return sine(half * angle) / sine(angle / 2)


def _at_one(kind: str, n: Any, is_negative: Any, sign: Any) -> Any:
    """Where x is 1 or -1."""
    one, wide = torch.ones_like(n), 2 * n + 1
    plus, minus = {"t": (one, one), "u": (n + 1, n + 1), "v": (one, wide), "w": (wide, one)}[kind]
    return torch.where(is_negative, sign * minus, plus)


def _chebyshev(kind: str, is_shifted: bool) -> Callable[..., Any]:
    mirrored = {"v": "w", "w": "v"}.get(kind, kind)

    def lower(x: Any, n: Any) -> Any:
        x, n, dtype = _of_one_shape(x, n)
        x = 2 * x - 1 if is_shifted else x
        sign = 1 - 2 * (n % 2)
        size = x.abs()
        within = size < 1
        low = torch.where(within, x, 0).acos()
        high = torch.where(size > 1, size, 2).acosh()
        above = _ratio(kind, n, high, torch.sinh, torch.cosh)
        below = sign * _ratio(mirrored, n, high, torch.sinh, torch.cosh)
        made = torch.where(x > 0, above, below)
        made = torch.where(within, _ratio(kind, n, low, torch.sin, torch.cos), made)
        made = torch.where(size == 1, _at_one(kind, n, x < 0, sign), made)
        made = torch.where(x.isnan(), x, made)
        return torch.where(n < 0, 0, made).to(dtype)

    return lower


def _of_one_shape(x: Any, n: Any) -> tuple[Any, Any, torch.dtype]:
    """Both as they are computed, and the type of the result."""
    x, n = _tensors(x, n)
    dtype = torch.promote_types(x.dtype, n.dtype)
    dtype = dtype if dtype.is_floating_point else torch.get_default_dtype()
    wide = dtype if dtype.itemsize > 2 else torch.float32
    x, n = torch.broadcast_tensors(x.to(wide), n.to(torch.int64).to(wide))
    return x, n, dtype


def _next(kind: str, k: Any, x: Any, q: Any, p: Any) -> Any:
    """The polynomial of degree k + 1, of those of degree k and k - 1."""
    if kind == "hermite_polynomial_h":
        return 2 * (x * q - k * p)
    if kind == "hermite_polynomial_he":
        return x * q - k * p
    if kind == "laguerre_polynomial_l":
        return ((2 * k + 1 - x) * q - k * p) / (k + 1)
    return ((2 * k + 1) * x * q - k * p) / (k + 1)


def _recurrent(kind: str) -> Callable[..., Any]:
    def lower(x: Any, n: Any) -> Any:
        x, n, dtype = _of_one_shape(x, n)

        def climb(turn: Any, q: Any, p: Any, x: Any, n: Any) -> tuple[Any, Any]:
            k = turn.to(x.dtype)
            is_on = k < n
            return torch.where(is_on, _next(kind, k, x, q, p), q), torch.where(is_on, q, p)

        highest = n.amax().clamp(max=1e9) if n.numel() else n.sum()
        if kind.startswith("hermite"):
            highest = highest.clamp(max=HERMITE_MAX)
        one = torch.ones_like(x)
        made = repeat(highest.to(torch.int32), climb, one, torch.zeros_like(x), reads=(x, n))[0]
        if kind.startswith("hermite"):
            made = torch.where(n > HERMITE_MAX, torch.nan, made)
        return torch.where(n < 0, 0, made).to(dtype)

    return lower


def _tensors(x: Any, n: Any) -> tuple[Any, Any]:
    """One of the two may be a number."""
    if not isinstance(x, torch.Tensor):
        return torch.full_like(n, x, dtype=torch.get_default_dtype()), n
    if not isinstance(n, torch.Tensor):
        return x, torch.full_like(x, n, dtype=torch.int64)
    return x, n


_OVERLOADS = ("default", "x_scalar", "n_scalar")
DECOMPOSED = {
    f"aten.special_{kind}.{overload}": _recurrent(kind)
    for kind in (
        "hermite_polynomial_h",
        "hermite_polynomial_he",
        "laguerre_polynomial_l",
        "legendre_polynomial_p",
    )
    for overload in _OVERLOADS
} | {
    f"aten.special_{shifted}chebyshev_polynomial_{kind}.{overload}": _chebyshev(kind, bool(shifted))
    for shifted in ("", "shifted_")
    for kind in "tuvw"
    for overload in _OVERLOADS
}
