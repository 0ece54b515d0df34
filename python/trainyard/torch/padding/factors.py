"""How the dimensions of a padded value are made: which of its elements are part of the real one.

A dimension is a list of factors, outermost first: [batch 8 of which 3 count, 16] is one of 128
elements, of which 48 count. Views merge dimensions and split them again; factors stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy


class Unpadded(Exception):
    """A graph that cannot be computed at a larger size: with the reason."""


@dataclass(frozen=True)
class Factor:
    """`extent` elements, of which the first `count` count; of None, all do."""

    extent: int
    count: sympy.Expr | None = None


# The factors of one dimension. None: all its elements are equal, so that any factors fit.
Dim = tuple[Factor, ...] | None
Dims = tuple[Dim, ...]


def plain(extent: int) -> Dim:
    """A dimension of which every element counts."""
    return () if extent == 1 else (Factor(extent),)


def plain_dims(shape: Iterable[int]) -> Dims:
    return tuple(plain(int(extent)) for extent in shape)


def is_padded(dim: Dim) -> bool:
    return dim is None or any(factor.count is not None for factor in dim)


def any_padded(dims: Iterable[Dim]) -> bool:
    return any(map(is_padded, dims))


def extent_of(dim: Dim) -> int:
    if dim is None:
        raise Unpadded("a dimension whose parts are not known")
    return math.prod(factor.extent for factor in dim)


def count_of(dim: Dim) -> sympy.Expr:
    """How many of its elements count."""
    if dim is None:
        raise Unpadded("a dimension whose parts are not known")
    counts = (factor.extent if factor.count is None else factor.count for factor in dim)
    return sympy.Mul(*counts)


def single(dim: Dim) -> Factor | None:
    """The factor of a dimension that has one."""
    return dim[0] if dim is not None and len(dim) == 1 else None


def normal(factors: Iterable[Factor]) -> Dim:
    """Neighbours of which all counts are one factor."""
    made: list[Factor] = []
    for factor in factors:
        if factor.count is None and factor.extent == 1:
            continue
        if made and factor.count is None and made[-1].count is None:
            made[-1] = Factor(made[-1].extent * factor.extent)
        else:
            made.append(factor)
    return tuple(made)


def same(a: Dim, b: Dim, what: str) -> Dim:
    """What both are. Raises Unpadded where they differ."""
    if a is None or b is None or a == b:
        return b if a is None else a
    raise Unpadded(f"{what} of dimensions that are padded differently")


def broadcast(shapes: Sequence[Dims]) -> Dims:
    """The dimensions of an elementwise result."""
    rank = max((len(dims) for dims in shapes), default=0)
    made: list[Dim] = []
    for i in range(rank):
        found: Dim = ()
        for dims in shapes:
            place = i - rank + len(dims)
            if place >= 0 and dims[place] != ():
                found = dims[place] if found == () else same(found, dims[place], "an operator")
        made.append(found)
    return tuple(made)


def regroup(dims: Dims, shape: Sequence[int], counts: Sequence[Any]) -> Dims:
    """The dimensions of a view of this shape, of which `counts` elements count."""
    if any(dim is None for dim in dims):
        if all(dim is None or not is_padded(dim) for dim in dims):
            return tuple(None if extent != 1 else () for extent in shape)
        raise Unpadded("a view of a dimension whose parts are not known")
    factors = [factor for dim in dims for factor in dim or ()]
    made: list[Dim] = []
    for extent, count in zip(shape, counts, strict=True):
        dim = normal(_take(factors, int(extent)))
        if sympy.expand(count_of(dim) - count) != 0:
            raise Unpadded("a view whose dimensions are not those of its source")
        made.append(dim)
    if any(factor.extent != 1 for factor in factors):
        raise Unpadded("a view of fewer elements")
    return tuple(made)


def _take(factors: list[Factor], wanted: int) -> list[Factor]:
    """The first factors, of `wanted` elements; they are taken from the list."""
    taken: list[Factor] = []
    while wanted > 1:
        if not factors:
            raise Unpadded("a view of more elements")
        first = factors.pop(0)
        if wanted % first.extent == 0:
            taken.append(first)
            wanted //= first.extent
        elif first.count is None and first.extent % wanted == 0:
            taken.append(Factor(wanted))
            factors.insert(0, Factor(first.extent // wanted))
            wanted = 1
        else:
            raise Unpadded("a view that cuts a padded dimension")
    return taken


def real_shape(dims: Dims, value: Callable[[sympy.Expr], int]) -> list[list[int]]:
    """Of each dimension, the real extents of its factors."""
    return [
        [factor.extent if factor.count is None else value(factor.count) for factor in dim or ()]
        for dim in dims
    ]
