"""Systems of linear equations by Gauss' elimination with partial pivoting, as LAPACK's getrf, getrs
and what is made of them: solutions, inverses, determinants. Matrices are the last two dimensions;
a loop turns once a column.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.decomposed.loops import at, repeat


def _range(n: int, like: Any) -> Any:
    return torch.arange(n, dtype=torch.int32, device=like.device)


def _eye(n: int, like: Any, columns: int | None = None) -> Any:
    return torch.eye(n, n if columns is None else columns, dtype=like.dtype, device=like.device)


def lu_factor_ex(a: Any, *, pivot: bool = True, check_errors: bool = False) -> tuple[Any, Any, Any]:
    """L and U in one matrix, rows that were exchanged (from 1), and the first pivot of 0, or 0."""
    m, n = a.shape[-2:]
    batch = a.shape[:-2]
    small = min(m, n)

    def eliminate(k: Any, lu: Any, pivots: Any, info: Any) -> tuple[Any, ...]:
        rows, columns, places = (_range(size, lu) for size in (m, n, small))
        is_row, is_column = (rows == k)[:, None], columns == k
        column = at(lu, is_column, -1)
        if pivot:
            sizes = torch.where(rows >= k, column.abs(), -1.0)
            chosen = sizes.argmax(-1, keepdim=True).to(torch.int32)
        else:
            chosen = k.expand(*batch, 1)
        is_chosen = (rows == chosen)[..., None]
        top, other = at(lu, is_chosen, -2), at(lu, is_row, -2)
        lu = torch.where(is_row, top[..., None, :], torch.where(is_chosen, other[..., None, :], lu))
        head = at(top, is_column, -1)[..., None]
        column = at(lu, is_column, -1)
        factors = torch.where((rows > k) & (head != 0), column / head, 0.0)
        rest = torch.where(columns > k, top, 0.0)
        lu = lu - factors[..., None] * rest[..., None, :]
        is_below = is_column & (rows > k)[:, None] & (head != 0)[..., None]
        lu = torch.where(is_below, factors[..., None], lu)
        pivots = torch.where(places == k, chosen + 1, pivots)
        return lu, pivots, torch.where((head[..., 0] == 0) & (info == 0), k + 1, info)

    pivots = (_range(small, a) + 1).expand(*batch, small)
    info = torch.zeros(batch, dtype=torch.int32, device=a.device)
    return repeat(small, eliminate, a, pivots, info)


def order_of_rows(pivots: Any, m: int) -> Any:
    """Which row each one was before the exchanges."""

    def exchange(k: Any, order: Any, pivots: Any) -> tuple[Any]:
        rows, places = _range(m, pivots), _range(pivots.shape[-1], pivots)
        other = at(pivots, places == k, -1)[..., None] - 1
        mine, its = at(order, rows == k, -1)[..., None], at(order, rows == other, -1)[..., None]
        order = torch.where(rows == other, mine.to(order.dtype), order)
        return (torch.where(rows == k, its.to(order.dtype), order),)

    order = _range(m, pivots).expand(*pivots.shape[:-1], m)
    return repeat(pivots.shape[-1], exchange, order, reads=(pivots,))[0]


def _permutation(order: Any, dtype: torch.dtype) -> Any:
    """P of A = P L U."""
    rows = _range(order.shape[-1], order)
    return (rows[:, None] == order[..., None, :]).to(dtype)


def lu_unpack(
    lu: Any, pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Any, Any, Any]:
    m, n = lu.shape[-2:]
    none = lu.new_empty((0,))
    p = _permutation(order_of_rows(pivots, m), lu.dtype) if unpack_pivots else none
    if not unpack_data:
        return p, none, none
    small = min(m, n)
    lower = lu[..., :small].tril(-1) + _eye(m, lu, small)
    return p, lower, lu[..., :small, :].triu()


def lu(a: Any, *, pivot: bool = True) -> tuple[Any, Any, Any]:
    made, pivots, _ = lu_factor_ex(a, pivot=pivot)
    p, lower, upper = lu_unpack(made, pivots, True, pivot)
    return p, lower, upper


def lu_solve(lu: Any, pivots: Any, b: Any, *, left: bool = True, adjoint: bool = False) -> Any:
    """a x = b, or x a = b, where a, or its transposed, is P L U."""
    if not left:
        return lu_solve(lu, pivots, b.mT, adjoint=not adjoint).mT
    batch = torch.broadcast_shapes(lu.shape[:-2], b.shape[:-2])
    b = b.expand(*batch, *b.shape[-2:])
    order = order_of_rows(pivots, lu.shape[-1]).expand(*batch, lu.shape[-1])
    solve = torch.linalg.solve_triangular
    if not adjoint:
        b = b.gather(-2, order.long()[..., None].expand(b.shape))
        return solve(lu, solve(lu, b, upper=False, unitriangular=True), upper=True)
    x = solve(lu.mT, b, upper=False)
    x = solve(lu.mT, x, upper=True, unitriangular=True)
    return x.gather(-2, order.long().argsort(-1)[..., None].expand(x.shape))


def _factored(a: Any) -> tuple[Any, Any, Any]:
    """Of determinants: PyTorch factors the transposed of a matrix that lies row by row, which its
    gradients then read."""
    return torch.ops.aten.linalg_lu_factor_ex.default(a.mT if a.is_contiguous() else a)


def solve_ex(
    a: Any, b: Any, *, left: bool = True, check_errors: bool = False
) -> tuple[Any, Any, Any, Any]:
    made, pivots, info = torch.ops.aten.linalg_lu_factor_ex.default(a)
    is_vector = b.dim() == 1 or (b.dim() == a.dim() - 1 and b.shape == a.shape[:-1])
    right = b[..., None] if is_vector else b
    x = torch.ops.aten.linalg_lu_solve.default(made, pivots, right, left=left)
    return x[..., 0] if is_vector else x, made, pivots, info


def inv_ex(a: Any, *, check_errors: bool = False) -> tuple[Any, Any]:
    made, pivots, info = torch.ops.aten.linalg_lu_factor_ex.default(a)
    right = _eye(a.shape[-1], a).expand(a.shape)
    return torch.ops.aten.linalg_lu_solve.default(made, pivots, right), info


def _sign_of_exchanges(pivots: Any, dtype: torch.dtype) -> Any:
    places = _range(pivots.shape[-1], pivots)
    odd = (pivots != places + 1).to(torch.int32).sum(-1) % 2
    return torch.where(odd == 0, 1.0, -1.0).to(dtype)


def det(a: Any) -> tuple[Any, Any, Any]:
    made, pivots, _ = _factored(a)
    diagonal = made.diagonal(dim1=-2, dim2=-1)
    return diagonal.prod(-1) * _sign_of_exchanges(pivots, a.dtype), made, pivots


def slogdet(a: Any) -> tuple[Any, Any, Any, Any]:
    made, pivots, _ = _factored(a)
    diagonal = made.diagonal(dim1=-2, dim2=-1)
    sign = diagonal.sign().prod(-1) * _sign_of_exchanges(pivots, a.dtype)
    return sign, diagonal.abs().log().sum(-1), made, pivots


def cholesky_solve(b: Any, factor: Any, upper: bool = False) -> Any:
    solve = torch.linalg.solve_triangular
    lower = factor.mT if upper else factor
    return solve(lower.mT, solve(lower, b, upper=False), upper=True)


def cholesky_inverse(factor: Any, upper: bool = False) -> Any:
    return cholesky_solve(_eye(factor.shape[-1], factor).expand(factor.shape), factor, upper)


def cholesky(a: Any, upper: bool = False) -> Any:
    return torch.linalg.cholesky_ex(a, upper=upper)[0]


def triangular_solve(
    b: Any, a: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Any, Any]:
    of = a.mT if transpose else a
    made = torch.linalg.solve_triangular(
        of, b, upper=upper != transpose, unitriangular=unitriangular
    )
    batch = made.shape[:-2]
    return made, a.expand(*batch, *a.shape[-2:]).clone()


_SHARE = (1 + math.sqrt(17)) / 8  # of Bunch and Kaufman: bounds how much elements grow


def _chosen(a: Any, k: Any) -> tuple[Any, Any, Any, Any]:
    """The row that comes to the place of the next block of D, whether that block has two rows, the
    place, and whether column k is zero: Bunch and Kaufman's pivots."""
    places = _range(a.shape[-1], a)
    column = at(a, places == k, -1)
    own, below = at(column, places == k, -1).abs(), torch.where(places > k, column.abs(), -1.0)
    largest, row = below.amax(-1).clamp(min=0), below.argmax(-1).to(torch.int32)
    is_row = places == row[..., None]
    other = at(a, is_row[..., None, :], -1).abs()
    beside = torch.where((places >= k) & ~is_row, other, 0.0).amax(-1)
    is_zero = torch.maximum(own, largest) == 0
    stays = is_zero | (own >= _SHARE * largest) | (own * beside >= _SHARE * largest * largest)
    is_two = ~stays & (at(other, is_row, -1) < _SHARE * beside)
    return torch.where(stays, k, row), is_two, torch.where(is_two, k + 1, k), is_zero


def ldl_factor_ex(
    a: Any, *, hermitian: bool = False, check_errors: bool = False
) -> tuple[Any, Any, Any]:
    """L and D in one triangle, and exchanges, as sytrf gives them below the diagonal; the first
    column that is zero, or 0."""
    n = a.shape[-1]
    batch = a.shape[:-2]

    def step(k: Any, a: Any, pivots: Any, skips: Any, info: Any) -> tuple[Any, ...]:
        places = _range(n, a)
        row, is_two, place, is_zero = _chosen(a, k)
        goes = (skips == 0)[..., None]
        is_two = is_two[..., None] & goes
        here, there = (places == x[..., None] for x in (place, row))
        both = _exchanged(a, here[..., None], there[..., None])
        both = _exchanged(both.mT, here[..., None], there[..., None]).mT
        is_rest = (places >= k)[:, None] & (places >= k) & goes[..., None]
        a = torch.where(is_rest, both, a)
        first, second = at(a, places == k, -1), at(a, places == k + 1, -1)
        head, side = (at(first, places == x, -1)[..., None] for x in (k, k + 1))
        tail = at(second, places == k + 1, -1)[..., None]
        of_side = torch.where(side == 0, 1.0, side)
        up, down = tail / of_side, head / of_side
        scale = 1 / torch.where(is_two, (up * down - 1) * of_side, 1.0)
        alone = first / torch.where(is_zero[..., None], 1.0, head)
        one = torch.where(is_two, scale * (up * first - second), alone)
        two = torch.where(is_two, scale * (down * second - first), 0.0)
        is_below = (places > place[..., None]) & goes
        one, two = torch.where(is_below, one, 0.0), torch.where(is_below, two, 0.0)
        gone = one[..., None] * first[..., None, :] + two[..., None] * second[..., None, :]
        a = torch.where(is_below[..., None, :], a - gone, a)
        is_second = is_two[..., None] & (places == k + 1)
        a = torch.where(is_below[..., None] & (places == k), one[..., None], a)
        a = torch.where(is_below[..., None] & is_second, two[..., None], a)
        told = torch.where(is_two, -row[..., None] - 1, row[..., None] + 1).to(torch.int32)
        is_told = goes & ((places == k) | (is_two & (places == k + 1)))
        info = torch.where(goes[..., 0] & is_zero & (info == 0), k + 1, info)
        return a, torch.where(is_told, told, pivots), is_two[..., 0].to(torch.int32), info

    whole = a.tril() + a.tril(-1).mT
    none = torch.zeros(batch, dtype=torch.int32, device=a.device)
    pivots = torch.zeros((*batch, n), dtype=torch.int32, device=a.device)
    made, pivots, _, info = repeat(n, step, whole, pivots, none, none)
    return made.tril(), pivots, info


def _pair_places(pivots: Any) -> tuple[Any, Any]:
    """Where blocks of two begin and end: their pivots are below zero, two and two."""
    is_pair = pivots < 0
    is_odd = is_pair.to(torch.int32).cumsum(-1) % 2 == 1
    return is_pair & is_odd, is_pair & ~is_odd


def _exchanged(b: Any, is_row: Any, is_other: Any) -> Any:
    """Rows of b in each other's place; no row is marked, or one by each."""
    row, other = at(b, is_row, -2)[..., None, :], at(b, is_other, -2)[..., None, :]
    return torch.where(is_other, row, torch.where(is_row, other, b))


def _divided(ld: Any, starts: Any, ends: Any, b: Any) -> Any:
    """b by the blocks of one and two of the diagonal."""
    own = ld.diagonal(dim1=-2, dim2=-1)
    below = torch.nn.functional.pad(ld.diagonal(-1, -2, -1), (0, 1))
    side = torch.where(starts, below, torch.where(ends, below.roll(1, -1), 0.0))
    beside = torch.where(starts, own.roll(-1, -1), torch.where(ends, own.roll(1, -1), 1.0))
    away = torch.where(starts[..., None], b.roll(-1, -2), b.roll(1, -2))
    area = own * beside - side * side
    return (beside[..., None] * b - side[..., None] * away) / area[..., None]


def ldl_solve(ld: Any, pivots: Any, b: Any, *, hermitian: bool = False) -> Any:
    """By the factors of LAPACK's sytrf, below the diagonal: P1 L1 P2 L2 ... D ... of a symmetric
    matrix, with blocks of one and of two on D's diagonal."""
    batch = torch.broadcast_shapes(ld.shape[:-2], b.shape[:-2])
    n = ld.shape[-1]
    b, ld = b.expand(*batch, *b.shape[-2:]), ld.expand(*batch, n, n)
    pivots = pivots.to(torch.int32).expand(*batch, n)
    starts, ends = _pair_places(pivots)
    rows = pivots.abs() - 1  # that each place was exchanged with

    def down(k: Any, b: Any, ld: Any, starts: Any, ends: Any, rows: Any) -> tuple[Any]:
        places = _range(n, b)
        is_first, is_second = starts[..., None] != 0, ends[..., None] != 0
        now = (places == k)[:, None]
        begins = (is_first & now).any(-2, keepdim=True)
        goes = ~(is_second & now).any(-2, keepdim=True)
        place = torch.where(begins, k + 1, k)  # the one that is exchanged
        other = torch.where(places[:, None] == place, rows[..., None], 0).sum(-2, keepdim=True)
        b = _exchanged(b, goes & (places[:, None] == place), goes & (places[:, None] == other))
        taken = goes & ((places == k) | (begins[..., 0, :] & (places == k + 1)))[..., None, :]
        factors = torch.where(taken & (places[:, None] > place), ld, 0.0)
        return (b - factors @ b,)

    def up(turn: Any, b: Any, ld: Any, starts: Any, ends: Any, rows: Any) -> tuple[Any]:
        k, places = n - 1 - turn, _range(n, b)
        is_first, is_second = starts[..., None] != 0, ends[..., None] != 0
        now = (places == k)[:, None]
        closes = (is_second & now).any(-2, keepdim=True)
        goes = ~(is_first & now).any(-2, keepdim=True)
        taken = goes & ((places == k)[:, None] | (closes & (places[:, None] == k - 1)))
        factors = torch.where(taken & (places > k), ld.mT, 0.0)
        b = b - factors @ b
        other = torch.where(now, rows[..., None], 0).sum(-2, keepdim=True)
        return (_exchanged(b, goes & now, goes & (places[:, None] == other)),)

    reads = (ld, starts.to(torch.int32), ends.to(torch.int32), rows)
    b = repeat(n, down, b, reads=reads)[0]
    return repeat(n, up, _divided(ld, starts, ends, b), reads=reads)[0]


_TERMS = 18  # of the series of exp, for norms of at most 2: the next is under 1e-11


def matrix_exp(a: Any) -> Any:
    """By the series of a / 2^s, squared s times, each matrix as often as its norm asks for:
    few times, as each doubles the error."""
    kind = a.dtype
    a = a.float() if a.itemsize < 4 else a
    norm = a.abs().sum(-2).amax(-1) if a.shape[-1] else a.new_zeros(a.shape[:-2])
    times = (norm.clamp(min=2.0**-20).log2().ceil() - 1).clamp(min=0, max=32)
    x = a * torch.exp2(-times)[..., None, None]
    made = term = _eye(a.shape[-1], a).expand(a.shape)
    for k in range(1, _TERMS + 1):
        term = term @ x / k
        made = made + term

    def square(k: Any, y: Any, times: Any) -> tuple[Any]:
        return (torch.where((times > k)[..., None, None], y @ y, y),)

    return repeat(32, square, made, reads=(times,))[0].to(kind)


# By function rather than by program: they look at how their argument lies in memory.
BY_LAYOUT: dict[str, Callable[..., Any]] = {
    "aten._linalg_det.default": det,
    "aten._linalg_slogdet.default": slogdet,
}
DECOMPOSED: dict[str, Callable[..., Any]] = {
    **BY_LAYOUT,
    "aten._linalg_solve_ex.default": solve_ex,
    "aten.linalg_lu_factor_ex.default": lu_factor_ex,
    "aten.linalg_lu.default": lu,
    "aten.linalg_lu_solve.default": lu_solve,
    "aten.linalg_ldl_factor_ex.default": ldl_factor_ex,
    "aten.linalg_ldl_solve.default": ldl_solve,
    "aten.lu_unpack.default": lu_unpack,
    "aten.linalg_inv_ex.default": inv_ex,
    "aten.cholesky_solve.default": cholesky_solve,
    "aten._cholesky_solve_helper.default": cholesky_solve,
    "aten.cholesky_inverse.default": cholesky_inverse,
    "aten.cholesky.default": cholesky,
    "aten.triangular_solve.default": triangular_solve,
    "aten.linalg_matrix_exp.default": matrix_exp,
}
