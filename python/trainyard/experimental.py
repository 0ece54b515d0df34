"""What the hardware has and AWS's API does not (yet): structured sparsity, addition in SBUF by DMA,
and DMA traffic classes with shares of the bandwidth.

Its instructions (`nc_matmul_sparse`, `dma_read_add_write`) are for kernels, like those of nki.isa;
their rules are in docs/reference/isa.md. Shapes and meaning follow what AWS has published of the
hardware; what it has not is marked assumed there and in DEVIATIONS.md.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from nki import _instructions, _target
from nki._enums import engine

from trainyard import settings

__all__ = [
    "PATTERNS",
    "compress",
    "expand",
    "prune",
    "traffic_shares",
]

PATTERNS = ((4, 16), (4, 12), (4, 8), (2, 8), (2, 4), (1, 4), (1, 2))
"""The published M:N patterns: at most M of every N elements along the contraction are not zero."""

_TAG_BITS = 4
_TAGS_PER_WORD = 4

_functions = {
    name: _instructions.make(name, {"engine": engine})
    for name in _instructions.of_interface(_instructions.Interface.EXPERIMENTAL)
}
globals().update(_functions)


def __getattr__(name: str) -> Callable[..., _instructions.NkiInstruction]:
    # Reached for names that do not exist; type checkers learn here what the others are.
    raise AttributeError(f"trainyard.experimental has no {name}; instructions: {list(_functions)}")


def _groups(matrix: np.ndarray, pattern: tuple[int, int]) -> np.ndarray:
    """[K, M] as [groups, N, M]. Raises ValueError for a pattern or a K that does not fit."""
    if tuple(pattern) not in PATTERNS:
        known = ", ".join(f"{m}:{n}" for m, n in PATTERNS)
        raise ValueError(f"{pattern} is no pattern of the hardware; use one of {known}")
    if matrix.ndim != 2 or matrix.shape[0] % pattern[1] != 0:
        raise ValueError(
            f"a matrix [K, columns] has K in whole groups of {pattern[1]}, not {matrix.shape}"
        )
    return matrix.reshape(-1, pattern[1], matrix.shape[1])


def prune(matrix: np.ndarray, pattern: tuple[int, int]) -> np.ndarray:
    """The matrix [K, columns] with all but the M largest magnitudes of every N set to zero.

    Of equal magnitudes the first are kept.
    """
    groups = _groups(matrix, pattern)
    magnitude = np.abs(groups.astype(np.float32))
    order = np.argsort(-magnitude, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(pattern[1])[None, :, None], axis=1)
    return np.where(rank < pattern[0], groups, np.zeros((), matrix.dtype)).reshape(matrix.shape)


def compress(matrix: np.ndarray, pattern: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """A sparse [K, columns] as nc_matmul_sparse takes it: elements, and the tags that place them.

    Returns ([K * M/N, columns] of the matrix's dtype, [K * M/N, columns / 4] of uint16). The
    elements of a group keep their order; zeros fill up groups with fewer than M. Raises ValueError
    where a group has more than M that are not zero.
    """
    kept, of = pattern
    groups = _groups(matrix, pattern)
    columns = matrix.shape[1]
    if columns % _TAGS_PER_WORD != 0:
        raise ValueError(f"the columns come in fours, because their tags do; not {columns}")
    present = groups.astype(np.float32) != 0  # NaN too
    if (excess := np.argwhere(present.sum(axis=1) > kept)).size:
        group, column = excess[0]
        count = int(present[group, :, column].sum())
        raise ValueError(
            f"rows {group * of} to {group * of + of - 1} of column {column} have {count} elements "
            f"that are not zero; {kept}:{of} allows {kept}: prune the matrix first"
        )
    # Elements first, then zeros, each in the order of their positions; then the chosen ascending.
    chosen = np.sort(np.argsort(~present, axis=1, kind="stable")[:, :kept], axis=1)
    elements = np.take_along_axis(groups, chosen, axis=1).reshape(-1, columns)
    nibbles = chosen.reshape(-1, columns // _TAGS_PER_WORD, _TAGS_PER_WORD).astype(np.uint16)
    shifts = (_TAG_BITS * np.arange(_TAGS_PER_WORD)).astype(np.uint16)
    return elements, np.bitwise_or.reduce(nibbles << shifts, axis=2)


def expand(elements: np.ndarray, tags: np.ndarray, pattern: tuple[int, int]) -> np.ndarray:
    """The matrix [K, columns] that `compress` made the elements and tags of."""
    kept, of = pattern
    rows, columns = elements.shape
    shifts = (_TAG_BITS * np.arange(_TAGS_PER_WORD)).astype(np.uint16)
    nibbles = (tags[:, :, None] >> shifts) & (2**_TAG_BITS - 1)
    chosen = nibbles.reshape(rows // kept, kept, columns).astype(np.int64)
    dense = np.zeros((rows // kept, of, columns), elements.dtype)
    np.put_along_axis(dense, chosen, elements.reshape(rows // kept, kept, columns), axis=1)
    return dense.reshape(-1, columns)


@contextlib.contextmanager
def traffic_shares(
    highest: int, second: int, third: int, lowest: int, machine: Any = None
) -> Iterator[Any]:
    """Within the block, DMA bandwidth is shared among the four traffic classes in these ratios.

    The class of a transfer is its `priority`, 0 (highest) to 3. Elsewhere a lower class waits
    until no higher one has anything to move. Gives the machine. Raises InputError for a machine
    without classes (before Trainium3 `priority` itself is refused) and for shares below 1.
    """
    shares = (highest, second, third, lowest)
    given = machine or settings.current().machine or _target.machine()
    chosen = _target.resolved(given)
    shaped = chosen.with_overrides(
        ["policy.dma_arbitration=weighted"]
        + [f"dma.class_share_{k}={share}" for k, share in enumerate(shares)]
    )
    with settings.using(machine=shaped):
        yield shaped
