"""QR and the symmetric eigenvalue decomposition, which JAX lowers to libraries of other platforms.

Here they are tensor programs: columns are reflected (Householder) and pairs of rows and columns
rotated (Jacobi), as XLA's QrExpander and EighExpander have it. `jnp.linalg.svd`, `pinv`, `lstsq`,
`norm(ord=2)` and `jax.nn.initializers.orthogonal` stand on these.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.interpreters import mlir

SWEEPS_MAX = 15  # quadratic convergence needs 6 to 10


def register(platform: str) -> None:
    """Lowers the primitives on that platform; those that this JAX does not have are left."""
    try:
        from jax._src.lax import linalg
    except ImportError:
        return
    rules = {"geqrf_p": _geqrf, "householder_product_p": _householder_product, "eigh_p": _eigh}
    for name, rule in rules.items():
        primitive = getattr(linalg, name, None)
        if primitive is not None:
            lowered = mlir.lower_fun(_as_usual(rule), multiple_results=primitive.multiple_results)
            mlir.register_lowering(primitive, lowered, platform=platform)


def _as_usual(rule: Callable[..., Any]) -> Callable[..., Any]:
    """The rule, traced with JAX's usual settings, not those of the program that it is part of."""

    @functools.wraps(rule)
    def traced(*arguments: Array, **parameters: Any) -> Any:
        with (
            jax.numpy_rank_promotion("allow"),
            jax.numpy_dtype_promotion("standard"),
            jax.default_matmul_precision("highest"),
        ):
            return rule(*arguments, **parameters)

    return traced


def _over_batches(function: Callable[..., Any], *arguments: Array) -> Any:
    """function of single matrices: of a stack of them."""
    for _ in range(arguments[0].ndim - 2):
        function = jax.vmap(function)
    return function(*arguments)


def _geqrf(a: Array) -> tuple[Array, Array]:
    """Columns [..., m, n] reflected onto the upper triangle: R with the reflections below it, and
    their factors [..., min(m, n)], as LAPACK's geqrf has them."""
    return _over_batches(_reflected, a)


def _reflected(a: Array) -> tuple[Array, Array]:
    m, n = a.shape
    rows, columns = jnp.arange(m), jnp.arange(n)

    def reflect(j: Any, state: tuple[Array, Array]) -> tuple[Array, Array]:
        a, taus = state
        column = lax.dynamic_slice(a, (0, j), (m, 1))[:, 0]
        kept, below = jnp.where(rows >= j, column, 0), jnp.where(rows > j, column, 0)
        largest = jnp.maximum(jnp.max(jnp.abs(kept)), _tiny(a))
        norm = largest * jnp.sqrt(jnp.sum(jnp.abs(kept / largest) ** 2))
        on = jnp.sum(jnp.where(rows == j, column, 0))
        turns = jnp.any(below != 0) | (jnp.imag(on) != 0)
        to = jnp.where(turns, jnp.where(jnp.real(on) < 0, norm, -norm), on)
        tau = jnp.where(turns, (to - on) / jnp.where(turns, to, 1), 0)
        v = jnp.where(rows == j, 1, below / jnp.where(turns, on - to, 1))
        later = jnp.conj(tau) * v[:, None] * (jnp.conj(v) @ jnp.where(columns > j, a, 0))
        own = jnp.where(rows == j, to, jnp.where(rows > j, v, column))
        a = jnp.where(columns == j, own[:, None], a - later)
        return a, jnp.where(jnp.arange(taus.size) == j, tau, taus)

    return lax.fori_loop(0, min(m, n), reflect, (a, jnp.zeros(min(m, n), a.dtype)))


def _householder_product(a: Array, taus: Array) -> Array:
    """The first columns of the product of reflections: [..., m, n] as geqrf leaves them."""
    return _over_batches(_product_of_reflections, a, taus)


def _product_of_reflections(a: Array, taus: Array) -> Array:
    m, n = a.shape
    rows = jnp.arange(m)

    def reflect(i: Any, q: Array) -> Array:
        j = taus.size - 1 - i
        column = lax.dynamic_slice(a, (0, j), (m, 1))[:, 0]
        v = jnp.where(rows == j, 1, jnp.where(rows > j, column, 0))
        tau = jnp.sum(jnp.where(jnp.arange(taus.size) == j, taus, 0))
        return q - tau * v[:, None] * (jnp.conj(v) @ q)

    return lax.fori_loop(0, taus.size, reflect, jnp.eye(m, n, dtype=a.dtype))


def _eigh(a: Array, *, lower: bool, subset_by_index: Any = None, **_: Any) -> tuple[Array, Array]:
    """Eigenvectors in columns and eigenvalues, ascending, of Hermitian matrices [..., n, n]."""
    half = jnp.tril if lower else jnp.triu
    strict = half(a, -1 if lower else 1)
    vectors, values = _over_batches(_diagonalized, half(a) + jnp.conj(jnp.swapaxes(strict, -1, -2)))
    first, end = subset_by_index or (0, a.shape[-1])
    return vectors[..., first:end], values[..., first:end]


def _diagonalized(a: Array) -> tuple[Array, Array]:
    n = a.shape[0]
    if n < 2:
        return jnp.ones_like(a), jnp.real(jnp.diagonal(a))
    scale = jnp.maximum(jnp.max(jnp.abs(a)), _tiny(a))
    a = a / scale
    if n % 2:  # one more, which is larger than any other and turns with none
        a = jnp.pad(a, (0, 1)) + jnp.diag(jnp.where(jnp.arange(n + 1) == n, 2.0 * n, 0))
    size = a.shape[0]
    small = float(np.finfo(a.dtype).eps) ** 2

    def goes_on(state: tuple[Any, Array, Array]) -> Any:
        sweeps, a, _ = state
        squares = jnp.abs(a) ** 2
        off = jnp.sum(jnp.where(jnp.eye(size, dtype=bool), 0, squares))
        return (sweeps < SWEEPS_MAX) & (off > small * jnp.sum(squares))

    def sweep(state: tuple[Any, Array, Array]) -> tuple[Any, Array, Array]:
        sweeps, a, v = state
        return sweeps + 1, *lax.fori_loop(0, size - 1, lambda _, both: _rotated(*both), (a, v))

    # The vectors are rows here: each rotation scales rows, which partitions are.
    _, a, v = lax.while_loop(goes_on, sweep, (0, a, jnp.eye(size, dtype=a.dtype)))
    values = jnp.real(jnp.diagonal(a))
    order = jnp.argsort(values)
    return jnp.conj(v[order][:n, :n].T), values[order][:n] * scale


def _rotated(a: Array, v: Array) -> tuple[Array, Array]:
    """Row and column i turned with i + n / 2, for all i at once, so that what couples them is 0;
    then in the order in which others meet (a round-robin tournament's)."""
    h = a.shape[0] // 2
    p, q, coupling = (jnp.diagonal(each) for each in (a[:h, :h], a[h:, h:], a[:h, h:]))
    size = jnp.abs(coupling)
    couples = size != 0
    slope = jnp.real(q - p) / (2 * jnp.where(couples, size, 1))
    tangent = jnp.where(slope < 0, -1, 1) / (jnp.abs(slope) + jnp.sqrt(1 + slope * slope))
    tangent = jnp.where(couples, tangent, 0)
    cosine = lax.rsqrt(1 + tangent * tangent)
    phase = jnp.where(couples, jnp.sign(coupling), 1)  # exactly one in size, where it is real
    columns = (each[:, None] for each in (cosine, tangent * cosine, phase))
    turn = functools.partial(_turned, *columns)
    return turn(jnp.conj(turn(a).T)), turn(v)


def _turned(cosine: Array, sine: Array, phase: Array, rows: Array) -> Array:
    h = cosine.shape[0]
    top, bottom = rows[:h], phase * rows[h:]
    top, bottom = cosine * top - sine * bottom, sine * top + cosine * bottom
    return jnp.concatenate([top[:1], bottom[:1], top[1:-1], bottom[1:], top[-1:]])[: 2 * h]


def _tiny(a: Array) -> float:
    return float(np.finfo(a.dtype).tiny)
