"""Functions of single elements: special functions, and what looks at the bits of a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard.torch.decomposed.loops import repeat

_BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}
# sum of 1/k! B_k terms of Euler and Maclaurin's: B_2k / (2k)!.
_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)


def _as_float(x: Any) -> Any:
    return x if x.is_floating_point() else x.to(torch.get_default_dtype())


def _wide(x: Any) -> Any:
    return x.float() if x.itemsize < 4 else x


def _horner(x: Any, coefficients: Sequence[float]) -> Any:
    made = torch.full_like(x, coefficients[-1])
    for each in reversed(coefficients[:-1]):
        made = made * x + each
    return made


def _hurwitz_zeta(s: Any, x: Any) -> Any:
    """The sum of (x + k)^-s for k from 0 on, for x of at least 1/2, by Euler and Maclaurin."""
    total = torch.zeros_like(x)
    for k in range(9):
        total = total + (x + k).reciprocal().pow(s)
    return total + _hurwitz_rest(s, x + 9)


def _hurwitz_rest(s: Any, x: Any) -> Any:
    """The same sum for large x."""
    inverse = x.reciprocal()
    total = inverse.pow(s - 1) / (s - 1) + inverse.pow(s) / 2
    factor, power = s, inverse.pow(s + 1)
    for i, each in enumerate(_BERNOULLI):
        total = total + each * factor * power
        factor = factor * (s + 2 * i + 1) * (s + 2 * i + 2)
        power = power * inverse * inverse
    return total


def zeta(s: Any, x: Any) -> Any:
    """Hurwitz's: of x under 1/2 as many terms are added as it takes to get there, of whole s, as
    others have no real power of a negative number."""
    s, x = torch.broadcast_tensors(_as_float(s), _as_float(x))
    kind, s, x = s.dtype, _wide(s), _wide(x)

    def add(turn: Any, total: Any, s: Any, x: Any) -> tuple[Any]:
        place = x + turn.to(x.dtype)
        size = place.abs().reciprocal().pow(s)
        term = torch.where((place < 0) & (s % 2 != 0), -size, size)
        return (torch.where(place < 0.5, total + term, total),)

    low = (0.5 - x).ceil().clamp(min=0, max=1e6)
    count = low.nan_to_num().amax().to(torch.int32) if x.numel() else low.sum().to(torch.int32)
    made = repeat(count, add, torch.zeros_like(x), reads=(s, x))[0]
    made = made + _hurwitz_zeta(s, x + low)
    made = torch.where((x < 0) & (s != s.floor()), torch.nan, made)
    made = torch.where((x <= 0) & (x == x.floor()), torch.inf, made)
    made = torch.where(s < 1, torch.nan, torch.where(s == 1, torch.inf, made))
    return torch.where(s.isnan() | x.isnan(), torch.nan, made).to(kind)


@cache
def _cotangent_derivative(n: int) -> tuple[float, ...]:
    """Coefficients of the n-th derivative of cot(pi x), a polynomial of the cotangent."""
    made = [0.0, 1.0]
    for _ in range(n):
        slope = [i * each for i, each in enumerate(made)][1:]
        made = [0.0] * (len(slope) + 2)
        for i, each in enumerate(slope):
            made[i] -= math.pi * each
            made[i + 2] -= math.pi * each
    return tuple(made)


def polygamma(n: int, x: Any) -> Any:
    """By the zeta function; reflected where x is under 1/2."""
    x = _as_float(x)
    if n == 0:
        return torch.digamma(x)
    kind, x = x.dtype, _wide(x)
    sign = (-1) ** (n + 1) * math.factorial(n)
    low = x < 0.5
    made = sign * _hurwitz_zeta(n + 1, torch.where(low, 1 - x, x))
    rest = x - x.round()
    angle = math.pi * rest
    cotangent = torch.where(rest == 0, math.inf, angle.cos() / angle.sin())
    coefficients = _cotangent_derivative(n)
    odd = (n + 1) % 2
    slope = _horner(cotangent * cotangent, coefficients[odd::2])
    slope = slope * cotangent if odd else slope
    return torch.where(low, (-1) ** n * made - math.pi * slope, made).to(kind)


@cache
def _bessel_series() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of exp(-x) I0(x): a series in x / 4 - 1 up to 8, and of sqrt(x) times it in 16 / x - 1
    above, both of Chebyshev polynomials, fitted to NumPy's function."""

    def above(t: np.ndarray) -> np.ndarray:
        x = 16 / (t + 1)
        near = np.minimum(x, 600)
        # Above 600 the first terms of the asymptotic series are exact to 1e-15.
        far = (1 + 1 / (8 * x) + 9 / (128 * x**2) + 225 / (3072 * x**3)) / math.sqrt(2 * math.pi)
        return np.where(x < 600, np.i0(near) * np.exp(-near) * np.sqrt(near), far)

    fit = np.polynomial.chebyshev.chebinterpolate
    below = fit(lambda t: np.i0(4 * (t + 1)) * np.exp(-4 * (t + 1)), 29)
    return tuple(below.tolist()), tuple(fit(above, 24).tolist())


def _chebyshev(t: Any, coefficients: Sequence[float]) -> Any:
    """Clenshaw's sum."""
    one = two = torch.zeros_like(t)
    for each in reversed(coefficients[1:]):
        one, two = 2 * t * one - two + each, one
    return t * one - two + coefficients[0]


def bessel_i0e(x: Any) -> Any:
    x = _as_float(x)
    kind, size = x.dtype, _wide(x).abs()
    below, above = _bessel_series()
    near = _chebyshev(size.clamp(max=8) / 4 - 1, below)
    safe = size.clamp(min=8)
    far = _chebyshev(16 / safe - 1, above) / safe.sqrt()
    return torch.where(size.isnan(), size, torch.where(size <= 8, near, far)).to(kind)


def bessel_i0(x: Any) -> Any:
    wide = _wide(_as_float(x))
    return (wide.abs().exp() * bessel_i0e(wide)).to(_as_float(x).dtype)


def bessel_i1(x: Any) -> Any:
    wide = _wide(_as_float(x))
    return (wide.abs().exp() * torch.special.i1e(wide)).to(_as_float(x).dtype)


def erfcx(x: Any) -> Any:
    """exp(x^2) erfc(x); above 4, where erfc is nearly nothing, by Laplace's continued fraction."""
    kind = _as_float(x).dtype
    x = _wide(_as_float(x))
    near = x.clamp(max=4)
    direct = (near * near).exp() * torch.erfc(near)
    far = x.clamp(min=4)
    fraction = far
    for k in range(24, 0, -1):
        fraction = far + (k / 2) / fraction
    made = torch.where(x > 4, 1 / (math.sqrt(math.pi) * fraction), direct)
    return torch.where(x.isnan(), x, made).to(kind)


def spherical_bessel_j0(x: Any) -> Any:
    kind = _as_float(x).dtype
    x = _wide(_as_float(x))
    square = x * x
    series = _horner(square, [1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880])
    safe = torch.where(x.abs() < 0.5, 1, x)
    made = torch.where(x.abs() < 0.5, series, safe.sin() / safe)
    return torch.where(x.isinf(), 0, made).to(kind)


def signbit(x: Any) -> Any:
    if not x.is_floating_point():
        return x < 0 if x.dtype != torch.bool else torch.zeros_like(x)
    return x.view(_BITS[x.itemsize]) < 0


def nextafter(x: Any, y: Any) -> Any:
    """The next number from x to y: its bits plus or minus one."""
    x, y = torch.broadcast_tensors(x, y)
    whole = _BITS[x.itemsize]
    bits = x.contiguous().view(whole)
    up = (y > x) == (x > 0)
    moved = torch.where(up, bits + 1, bits - 1).to(whole)
    least = torch.where(y > 0, 1, torch.iinfo(whole).min + 1).to(whole)
    made = torch.where(x == 0, least, moved).view(x.dtype)
    made = torch.where(x == y, y, made)
    return torch.where(x.isnan() | y.isnan(), torch.nan, made)


def frexp(x: Any) -> tuple[Any, Any]:
    """Mantissa in [1/2, 1) and exponent, from the bits of a float32."""
    kind = x.dtype
    x = x.float()
    small = x.abs() < 2.0**-126
    bits = torch.where(small, x * 2.0**24, x).view(torch.int32)
    exponent = ((bits >> 23) & 255) - 126 - torch.where(small, 24, 0).to(torch.int32)
    mantissa = ((bits & -2139095041) | (126 << 23)).view(torch.float32)
    plain = (x == 0) | ~x.isfinite()
    return torch.where(plain, x, mantissa).to(kind), torch.where(plain, 0, exponent).to(torch.int32)


def angle(x: Any) -> Any:
    """Of real numbers: 0 or pi."""
    kind = x.dtype if x.is_floating_point() else torch.get_default_dtype()
    made = torch.where(x < 0, math.pi, 0.0)
    return (torch.where(x.isnan(), torch.nan, made) if x.is_floating_point() else made).to(kind)


def _shrink_backward(gradient: Any, x: Any, limit: float) -> Any:
    return torch.where((x >= -limit) & (x <= limit), 0, gradient)


def rrelu(
    x: Any,
    noise: Any,
    lower: float = 0.125,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Any = None,
) -> tuple[Any, Any]:
    if not training:
        return torch.where(x > 0, x, x * ((lower + upper) / 2)), noise
    slope = torch.rand_like(x) * (upper - lower) + lower
    slope = torch.where(x <= 0, slope, 1)
    return x * slope, slope


def gcd(a: Any, b: Any) -> Any:
    """Euclid's algorithm, as many steps as the type's largest numbers need."""
    a, b = torch.broadcast_tensors(a.abs(), b.abs())
    for _ in range({1: 13, 2: 24, 4: 46, 8: 92}[a.itemsize]):
        rest = torch.where(b == 0, 0, a % torch.where(b == 0, 1, b))
        a, b = torch.where(b == 0, a, b), rest
    return a


def safe_softmax(x: Any, dim: int, dtype: torch.dtype | None = None) -> Any:
    """Softmax, and zeros where a row is -inf alone. PyTorch's own form looks at each element for
    that; here what is found of each row says it."""
    kind = dtype or x.dtype
    x = _wide(x.to(kind))
    largest = x.amax(dim, keepdim=True)
    shifted = (x - torch.where(largest == -math.inf, 0.0, largest)).exp()
    total = shifted.sum(dim, keepdim=True)
    return (shifted / torch.where(total == 0, 1.0, total)).to(kind)


def weight_norm_backward(grad: Any, v: Any, g: Any, norms: Any, dim: int) -> tuple[Any, Any]:
    """Of g * v / |v|, a norm for each place along `dim`."""
    others = [i for i in range(v.dim()) if i != dim % v.dim()]
    along = (grad * v).sum(others, keepdim=True) / norms
    return g / norms * (grad - v * (along / norms)), along.reshape(g.shape)


GAMMA_ROUNDS = 8  # each is kept with at least 95 %: one number in 10^10 is of none


def standard_gamma(x: Any, generator: Any = None) -> Any:
    """Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): the first kept
    of some rounds; below 1, of a shape one larger, times a power of a uniform number."""
    shape = _wide(x)
    size = torch.where(shape < 1, shape + 1, shape) - 1 / 3
    normal = torch.randn((GAMMA_ROUNDS, *x.shape), device=x.device, dtype=shape.dtype)
    uniform = torch.rand((GAMMA_ROUNDS, *x.shape), device=x.device, dtype=shape.dtype)
    cube = (1 + normal / (9 * size).sqrt()) ** 3
    limit = normal.square() / 2 + size * (1 - cube + cube.clamp(min=1e-30).log())
    kept = (cube > 0) & (uniform.clamp(min=2.0**-25).log() < limit)
    first = kept.to(torch.int32).argmax(0, keepdim=True)
    made = size * cube.gather(0, first).squeeze(0).clamp(min=1e-30)
    power = torch.rand(x.shape, device=x.device, dtype=shape.dtype).clamp(min=2.0**-25)
    return torch.where(shape < 1, made * power ** (1 / shape), made).to(x.dtype)


def dirichlet(x: Any, generator: Any = None) -> Any:
    made = standard_gamma(x)
    return made / made.sum(-1, keepdim=True)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten._weight_norm_interface_backward.default": weight_norm_backward,
    "aten._sample_dirichlet.default": dirichlet,
    "aten._standard_gamma.default": standard_gamma,
    "aten._is_all_true.default": lambda x: x.all(),
    "aten._is_any_true.default": lambda x: x.any(),
    "aten._safe_softmax.default": safe_softmax,
    "aten.polygamma.default": polygamma,
    "prims.zeta.default": zeta,
    "prims.bessel_i0.default": bessel_i0,
    "prims.bessel_i0e.default": bessel_i0e,
    "prims.bessel_i1.default": bessel_i1,
    "aten.special_modified_bessel_i0.default": bessel_i0,
    "aten.special_modified_bessel_i1.default": bessel_i1,
    "prims.spherical_bessel_j0.default": spherical_bessel_j0,
    "prims.erfcx.default": erfcx,
    "prims.signbit.default": signbit,
    "prims.nextafter.default": nextafter,
    "prims.frexp.default": frexp,
    "prims.gcd.default": gcd,
    "aten.angle.default": angle,
    "aten.softshrink_backward.default": _shrink_backward,
    "aten.hardshrink_backward.default": _shrink_backward,
    "aten.rrelu_with_noise_functional.default": rrelu,
}
