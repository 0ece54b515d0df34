"""Orthogonal factors of matrices: QR by Householder's reflections, as LAPACK's geqrf and orgqr, and
by Jacobi's rotations singular values and eigenvalues of symmetric matrices. Matrices are the last
two dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.decomposed.loops import at, repeat

SWEEPS = 12  # over all pairs of columns; seven are enough for most, as they converge quadratically


def _range(n: int, like: Any) -> Any:
    return torch.arange(n, dtype=torch.int32, device=like.device)


def _eye(m: int, n: int, like: Any) -> Any:
    made = torch.eye(m, n, dtype=like.dtype, device=like.device)
    return made.expand(*like.shape[:-2], m, n)


def _outer(a: Any, b: Any) -> Any:
    return a[..., :, None] * b[..., None, :]


def geqrf(a: Any) -> tuple[Any, Any]:
    """R above and on the diagonal, the reflections' vectors below it, and their factors."""
    m, n = a.shape[-2:]
    small = min(m, n)

    def reflect(k: Any, x: Any, taus: Any) -> tuple[Any, Any]:
        rows, columns, places = (_range(size, x) for size in (m, n, small))
        column = at(x, columns == k, -1)
        head = at(column, rows == k, -1)[..., None]
        below = torch.where(rows > k, column, 0.0)
        size = below.abs().amax(-1, keepdim=True).clamp(min=1e-30)
        length = size * ((below / size).square().sum(-1, keepdim=True)).sqrt()
        is_plain = (below == 0).all(-1, keepdim=True)
        total = torch.hypot(head, length)
        beta = torch.where(is_plain, head, torch.where(head >= 0, -total, total))
        tau = torch.where(is_plain, 0.0, (beta - head) / torch.where(is_plain, 1.0, beta))
        vector = below / torch.where(is_plain, 1.0, head - beta)
        whole = torch.where(rows == k, 1.0, vector)
        along = (whole[..., :, None] * x).sum(-2) * tau
        x = x - _outer(whole, torch.where(columns > k, along, 0.0))
        stored = torch.where(rows > k, vector, torch.where(rows == k, beta, column))
        x = torch.where(columns == k, stored[..., None], x)
        return x, torch.where(places == k, tau, taus)

    taus = torch.zeros(*a.shape[:-2], small, dtype=a.dtype, device=a.device)
    return repeat(small, reflect, a, taus)


def _reflected(vectors: Any, taus: Any, x: Any, backwards: bool) -> Any:
    """The reflections applied to x, the last one first where `backwards`: that is Q x."""
    m, count = vectors.shape[-2], taus.shape[-1]

    def reflect(turn: Any, x: Any, vectors: Any, taus: Any) -> tuple[Any]:
        rows, columns, places = (_range(n, x) for n in (m, vectors.shape[-1], count))
        k = count - 1 - turn if backwards else turn
        vector = at(vectors, columns == k, -1)
        vector = torch.where(rows > k, vector, torch.where(rows == k, 1.0, 0.0))
        tau = at(taus, places == k, -1)[..., None]
        return (x - _outer(vector * tau, (vector[..., :, None] * x).sum(-2)),)

    return repeat(count, reflect, x, reads=(vectors, taus))[0]


def householder_product(vectors: Any, taus: Any) -> Any:
    m, n = vectors.shape[-2:]
    return _reflected(vectors, taus, _eye(m, n, vectors), True)


def ormqr(a: Any, taus: Any, x: Any, left: bool = True, transpose: bool = False) -> Any:
    if left:
        return _reflected(a, taus, x, not transpose)
    return _reflected(a, taus, x.mT, transpose).mT


def qr(a: Any, mode: str = "reduced") -> tuple[Any, Any]:
    m, n = a.shape[-2:]
    packed, taus = geqrf(a)
    wide = m if mode == "complete" else min(m, n)
    r = packed[..., :wide, :].triu() if wide <= m else packed.triu()
    if mode == "r":
        return a.new_empty((0,)), r
    return _reflected(packed, taus, _eye(m, wide, a), True), r


def lstsq(
    a: Any, b: Any, rcond: float | None = None, *, driver: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """By QR, as LAPACK's gels, for matrices of full rank; no singular values."""
    m, n = a.shape[-2:]
    is_vector = b.dim() == a.dim() - 1
    right = b[..., None] if is_vector else b
    batch = torch.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    a = a.expand(*batch, m, n)
    right = right.expand(*batch, *right.shape[-2:])
    solve = torch.linalg.solve_triangular
    residuals = a.new_empty((0,))
    if m >= n:
        q, r = qr(a, "complete" if m > n else "reduced")
        turned = q.mT @ right
        x = solve(r[..., :n, :], turned[..., :n, :], upper=True)
        if m > n:
            residuals = turned[..., n:, :].square().sum(-2)
    else:
        q, r = qr(a.mT)
        x = q @ solve(r.mT, right, upper=False)
    rank = torch.empty((0,), dtype=torch.int64, device=a.device)
    return x[..., 0] if is_vector else x, residuals, rank, a.new_empty((0,))


def _tournament(x: Any, dim: int) -> Any:
    """The next pairs of a round-robin of the places along a dimension, i with i + half: the first
    place stays, the others move on, and after n - 1 rounds all are where they were."""
    half = x.shape[dim] // 2
    low, high = x.narrow(dim, 0, half), x.narrow(dim, half, half)
    if half == 1:
        return x
    low = torch.cat([low[..., :1], high[..., :1], low[..., 1:-1]], dim)
    high = torch.cat([high[..., 1:], x.narrow(dim, half - 1, 1)], dim)
    return torch.cat([low, high], dim)


def _rotation(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """Cosine and sine that make the symmetric matrix [[a, c], [c, b]] diagonal."""
    is_done = c == 0
    ratio = (b - a) / (2 * torch.where(is_done, 1.0, c))
    sign = torch.where(ratio < 0, -1.0, 1.0)
    tangent = sign / (ratio.abs() + torch.hypot(ratio, torch.ones_like(ratio)))
    tangent = torch.where(is_done, 0.0, tangent)
    cosine = (1 + tangent.square()).rsqrt()
    return cosine, cosine * tangent


def _turn_columns(x: Any, cosine: Any, sine: Any) -> Any:
    half = x.shape[-1] // 2
    low, high = x[..., :half], x[..., half:]
    cosine, sine = cosine[..., None, :], sine[..., None, :]
    return torch.cat([cosine * low - sine * high, sine * low + cosine * high], -1)


def _even(x: Any, dims: tuple[int, ...]) -> Any:
    """One more row or column of zeros where there is an odd number."""
    for dim in dims:
        if x.shape[dim] % 2:
            shape = [1 if i == dim % x.dim() else n for i, n in enumerate(x.shape)]
            x = torch.cat([x, x.new_zeros(shape)], dim)
    return x


def _singular(a: Any) -> tuple[Any, Any, Any]:
    """Of at least as many rows as columns: a V, whose columns are orthogonal, their lengths, and V,
    from the largest on. One-sided Jacobi rotations, n / 2 at a time."""
    n = a.shape[-1]
    x = _even(a, (-1,))
    v = _even(_eye(n, n, a), (-1, -2))
    wide = x.shape[-1]
    half = wide // 2

    def turn(_: Any, x: Any, v: Any) -> tuple[Any, Any]:
        low, high = x[..., :half], x[..., half:]
        a, b = low.square().sum(-2), high.square().sum(-2)
        cosine, sine = _rotation(a, b, (low * high).sum(-2))
        x, v = (_tournament(_turn_columns(y, cosine, sine), -1) for y in (x, v))
        return x, v

    x, v = repeat(SWEEPS * (wide - 1), turn, x, v)
    lengths = x.square().sum(-2).sqrt()
    if wide != n:  # the column of zeros is where it was
        x, v, lengths = x[..., :n], v[..., :n, :n], lengths[..., :n]
    lengths, order = lengths.sort(-1, descending=True)
    x = x.gather(-1, order[..., None, :].expand(x.shape))
    return x, lengths, v.gather(-1, order[..., None, :].expand(v.shape))


def svd(
    a: Any, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None
) -> tuple[Any, Any, Any]:
    """U is made orthogonal by QR of a V, so that columns of the singular value 0 are, too."""
    m, n = a.shape[-2:]
    small = min(m, n)
    if small == 0:
        return (
            _eye(m, m if full_matrices else 0, a),
            a.new_empty(*a.shape[:-2], 0),
            _eye(n if full_matrices else 0, n, a),
        )
    if m < n:
        v, values, ut = svd(a.mT, full_matrices, compute_uv)
        return ut.mT, values, v.mT
    scale = a.abs().amax((-2, -1), keepdim=True)
    scale = torch.where(scale == 0, 1.0, scale)
    x, values, v = _singular(a / scale)
    values = values * scale[..., 0]
    if not compute_uv:
        return a.new_empty((0,)), values, a.new_empty((0,))
    u, r = qr(x, "complete" if full_matrices else "reduced")
    signs = torch.where(r.diagonal(dim1=-2, dim2=-1) < 0, -1.0, 1.0)
    signs = torch.nn.functional.pad(signs, (0, u.shape[-1] - n), value=1.0)
    return u * signs[..., None, :], values, v.mT


def eigh(a: Any, uplo: str = "L", compute_v: bool = True) -> tuple[Any, Any]:
    """Two-sided rotations of the symmetric matrix of which one triangle counts."""
    n = a.shape[-1]
    if n == 0:
        return a.new_empty(a.shape[:-1]), a.new_empty(a.shape if compute_v else (0,))
    low = a.tril() if uplo.upper() == "L" else a.triu().mT
    scale = low.abs().amax((-2, -1), keepdim=True)
    scale = torch.where(scale == 0, 1.0, scale)
    x = _even((low + low.tril(-1).mT) / scale, (-1, -2))
    v = _even(_eye(n, n, a), (-1, -2))
    wide = x.shape[-1]
    half = wide // 2

    def turn(_: Any, x: Any, v: Any) -> tuple[Any, Any]:
        diagonal = x.diagonal(dim1=-2, dim2=-1)
        beside = x.diagonal(half, dim1=-2, dim2=-1)
        cosine, sine = _rotation(diagonal[..., :half], diagonal[..., half:], beside)
        x = _turn_columns(_turn_columns(x, cosine, sine).mT, cosine, sine)
        x = _tournament(_tournament(x, -1).mT, -1)
        return x, _tournament(_turn_columns(v, cosine, sine), -1)

    x, v = repeat(SWEEPS * (wide - 1), turn, x, v)
    values = x.diagonal(dim1=-2, dim2=-1)[..., :n]
    values, order = values.sort(-1)
    values = values * scale[..., 0]
    if not compute_v:
        return values, a.new_empty((0,))
    v = v[..., :n, :n]
    return values, v.gather(-1, order[..., None, :].expand(v.shape))


def pinv(a: Any, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """By singular values, those that are next to nothing left out."""
    a = a.tril() + a.tril(-1).mT if hermitian else a
    u, values, vh = torch.ops.aten._linalg_svd.default(a, False)
    if rtol is None:
        eps = torch.finfo(a.dtype).eps * max(a.shape[-2:])
        rtol = eps if atol is None else torch.where(atol > 0, 0.0, eps)
    least = rtol * values.amax(-1) if values.shape[-1] else values.new_zeros(values.shape[:-1])
    least = least if atol is None else torch.maximum(least, atol.to(least.dtype))
    kept = values > least[..., None]
    inverse = torch.where(kept, torch.where(kept, values, 1.0).reciprocal(), 0.0)
    return (vh.mT * inverse[..., None, :]) @ u.mT


def _shapes_of_geqrf(a: Any) -> tuple[Any, Any]:
    return torch.empty_like(a), a.new_empty((*a.shape[:-2], min(a.shape[-2:])))


# Shapes of results, on PyTorch's device of those, of operators that it knows none of.
SHAPES: dict[str, Callable[..., Any]] = {
    "geqrf": _shapes_of_geqrf,
    "linalg_lstsq": lstsq,
}
DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.geqrf.default": geqrf,
    "aten.linalg_qr.default": qr,
    "aten.linalg_householder_product.default": householder_product,
    "aten.ormqr.default": ormqr,
    "aten.linalg_lstsq.default": lstsq,
    "aten.linalg_pinv.atol_rtol_tensor": pinv,
    "aten._linalg_svd.default": svd,
    "aten._linalg_eigh.default": eigh,
}
