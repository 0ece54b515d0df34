"""Index expressions: integer arrays made by nl.arange and nl.mgrid, and masks over them.

Loop variables are plain integers here, so an index expression is a NumPy array of known numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from nki import _context

Box = tuple[tuple[int, int], ...]  # (first, end) for each dimension

_NEGATED = {"less": "greater_equal", "greater": "less_equal"}
_NEGATED |= {value: key for key, value in _NEGATED.items()}
_NEGATED |= {"equal": "not_equal", "not_equal": "equal"}


class Index(np.ndarray):
    """Integers that index a tensor, or a mask over them.

    A mask remembers its comparisons as `atoms` (left minus right, comparison with zero), which
    affine_select needs. An array is true, as the symbolic expressions of AWS's compiler are.
    """

    atoms: tuple[tuple[np.ndarray, str], ...] = ()
    grid: tuple[int, ...] = ()  # of nl.mgrid: the sizes of all its dimensions

    def __array_finalize__(self, obj: object) -> None:
        self.atoms = ()
        grid = getattr(obj, "grid", ())
        spans = len(grid) == self.ndim and all(
            size in (1, whole) for size, whole in zip(self.shape, grid, strict=True)
        )
        self.grid = grid if spans else ()

    def spread(self) -> np.ndarray:
        """The values for every index of the nl.mgrid that the expression was made of."""
        return np.broadcast_to(np.asarray(self), self.grid or self.shape)

    def __bool__(self) -> bool:
        return bool(self.item()) if self.size == 1 else True

    def __and__(self, other: Any) -> Any:
        made = np.ndarray.__and__(self, other)
        if isinstance(made, Index):
            made.atoms = self.atoms + getattr(other, "atoms", ())
        return made

    def __invert__(self) -> Any:
        made = np.ndarray.__invert__(self)
        if len(self.atoms) == 1:
            difference, comparison = self.atoms[0]
            made.atoms = ((difference, _NEGATED[comparison]),)
        return made


def _comparison(name: str, method: str) -> Any:
    def compare(self: Index, other: Any) -> Any:
        made = getattr(np.ndarray, method)(self, other)
        if isinstance(made, Index):
            made.atoms = ((np.subtract(self, other, dtype=np.int64), name),)
        return made

    return compare


for _name, _method in (
    ("less", "__lt__"),
    ("less_equal", "__le__"),
    ("greater", "__gt__"),
    ("greater_equal", "__ge__"),
    ("equal", "__eq__"),
    ("not_equal", "__ne__"),
):
    setattr(Index, _method, _comparison(_name, _method))


def arange(*args: int) -> Index:
    """Integers from start (0) to stop, step (1) apart, for indexing."""
    return np.arange(*args).view(Index)


class Grid(tuple):
    """The index arrays of nl.mgrid; .p, .x, .y, .z and .w are the first to the fifth."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Index:
        at = "pxyzw".find(name) if len(name) == 1 else -1
        if not 0 <= at < len(self):
            raise AttributeError(f"an nl.mgrid of {len(self)} dimensions has no .{name}")
        return self[at]


class _MGrid:
    """nl.mgrid[a:b, c:d]: one index array for each dimension, shaped to broadcast together."""

    def __getitem__(self, key: Any) -> Grid:
        slices = key if isinstance(key, tuple) else (key,)
        lines = [arange(one.start or 0, one.stop, one.step or 1) for one in slices]
        arrays = []
        for at, line in enumerate(lines):
            shape = [1] * len(slices)
            shape[at] = -1
            arrays.append(line.reshape(shape))
            arrays[-1].grid = tuple(one.size for one in lines)
        return Grid(arrays)


mgrid = _MGrid()


def affine(array: np.ndarray, rank: int) -> tuple[int, tuple[int, ...]]:
    """(first value, step along each of `rank` dimensions) of an index array.

    Raises InputError "index.affine" where the values are no such sum.
    """
    values = np.asarray(array)
    shape = (1,) * (rank - values.ndim) + values.shape
    wide = [dim for dim, size in enumerate(shape) if size > 1]
    if len(wide) <= 1:
        steps = [0] * rank
        if wide:
            line = values.ravel().tolist()
            steps[wide[0]] = step = int(line[1]) - int(line[0])
            if line == list(range(line[0], line[0] + step * len(line), step or 1)):
                return line[0], tuple(steps)
        elif values.size:
            return int(values.item()), tuple(steps)
    return _affine_of(values.astype(np.int64).reshape(shape), rank)


def _affine_of(values: np.ndarray, rank: int) -> tuple[int, tuple[int, ...]]:
    origin = values[(0,) * rank]
    steps = []
    expected: Any = origin
    for dim, size in enumerate(values.shape):
        at = (0,) * dim
        step = int(values[(*at, 1, *((0,) * (rank - dim - 1)))] - origin) if size > 1 else 0
        steps.append(step)
        if step:
            shape = [1] * rank
            shape[dim] = size
            expected = expected + step * np.arange(size).reshape(shape)
    if not np.array_equal(np.broadcast_to(expected, values.shape), values):
        _context.refuse(
            "index.affine",
            "an index expression is a sum of multiples of nl.arange and a constant",
            f"an array of shape {values.shape} that is not",
            "use a tile of indices for irregular accesses",
        )
    return int(origin), tuple(steps)


def box_of(mask: Any, shape: tuple[int, ...]) -> Box | None:
    """The part of an index space where a mask holds; None: everywhere.

    Raises InputError "mask.rectangle" where it is not a product of intervals.
    """
    if mask is None:
        return None
    values = np.asarray(mask, bool)
    rank = len(shape)
    if values.ndim > rank:
        values = values.reshape(values.shape[values.ndim - rank :])
    missing = (1,) * (rank - values.ndim)
    # As NumPy aligns it, or with the dimensions of the index arrays, which stand in front.
    fits = all(n in (1, size) for n, size in zip(values.shape[::-1], shape[::-1], strict=False))
    values = values.reshape(missing + values.shape if fits else values.shape + missing)
    if values.all():
        return None
    box = []
    for dim, size in enumerate(shape):
        others = tuple(d for d in range(rank) if d != dim)
        hits = np.flatnonzero(values.any(axis=others))
        if hits.size == 0:
            return ((0, 0),) * rank
        # A dimension that the mask does not vary along is taken whole.
        box.append((0, size) if values.shape[dim] == 1 else (int(hits[0]), int(hits[-1]) + 1))
    inside = values[tuple(slice(*b) if values.shape[d] > 1 else 0 for d, b in enumerate(box))]
    if not inside.all():
        _context.refuse(
            "mask.rectangle",
            "a mask is true on one interval of each dimension",
            "a mask of another form",
            "use nl.where or nisa.affine_select for it; masks of other forms are not built",
        )
    return tuple(box)


def is_empty(box: Box | None) -> bool:
    """Whether a box holds no element."""
    return box is not None and any(end <= first for first, end in box)


def intersection(x: Box | None, y: Box | None) -> Box | None:
    """What lies in both boxes of one index space."""
    if x is None or y is None:
        return y if x is None else x
    return tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(x, y, strict=True))
