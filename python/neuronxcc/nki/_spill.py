"""Tensors that do not fit on chip: kept in HBM between uses, as AWS's compiler spills them.

A kernel is traced as it is written. Where its tensors do not fit, some declarations are chosen by
how long and how many of their tiles are live, and it is traced again: each tile of these is stored
to HBM when it has been written and loaded again before a use that is not close to the last one.
Where that is not enough, results of instructions are chosen likewise, and fewer uses are close.
"""

from __future__ import annotations

from collections import defaultdict

import nki.isa as nisa
import nki.language as nl
from nki import _context
from nki.language import NkiTensor
from nki.language._types import MemoryRegion

from neuronxcc.nki import _state
from neuronxcc.nki._index import Box
from neuronxcc.nki._storage import Cell, Storage

# The part of a memory that declared tensors may fill; the rest is for unnamed and reloaded tiles.
# The second figure holds once tensors have been spilled and still not everything fits.
_SHARES = (0.8, 0.6)


def made_cell(shape: tuple[int, ...], dtype: str, region: MemoryRegion, spilled: bool) -> Cell:
    """A tile in a memory on chip, or one that is kept in HBM."""
    return SpilledCell(shape, dtype) if spilled else Cell(nl.ndarray(shape, dtype, region))


class SpilledCell(Cell):
    """A tile whose home is in HBM."""

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        self.home = nl.ndarray(shape, dtype, nl.private_hbm)
        super().__init__(self.home)
        self.near: NkiTensor | None = None  # the copy on chip
        self.here: list[Box] = []  # the parts of it that are as in HBM
        self.extent: Box | None = None  # what has been written

    def _nearby(self) -> NkiTensor:
        """The copy on chip, a new one where the last use is long ago."""
        now = len(_context.context().trace)
        if self.near is None or now - self.touches[1] > _state.state().effort.close:
            self.near = nl.ndarray(self.shape, self.tensor.dtype)
            self.here = []
        self.touch()
        return self.near

    def _reload(self, region: Box) -> NkiTensor:
        near = self._nearby()
        wanted = None if self.extent is None else _common(region, self.extent)
        if wanted is not None and not any(_contains(box, wanted) for box in self.here):
            part = tuple(slice(*one) for one in wanted)
            nisa.dma_copy(dst=near[part], src=self.home[part])
            self.here.append(wanted)
        return near

    def to_read(self, region: Box) -> NkiTensor:
        """The tile on chip, what is read of it loaded where that was not used a moment ago."""
        return self._reload(region)

    def to_write(self, region: Box, by_matmul: bool, keeps: bool = False) -> NkiTensor:
        """The tile on chip, which `wrote` stores."""
        # A view with gaps has a larger region than it writes, of which all is stored.
        if keeps or region != tuple((0, size) for size in self.shape):
            return self._reload(region)
        self.near = None
        return self._nearby()

    def wrote(self, region: Box, masked: bool) -> None:
        """Stores what has been written to HBM."""
        super().wrote(region, masked)
        part = tuple(slice(*one) for one in region)
        nisa.dma_copy(dst=self.home[part], src=self.near[part])
        self.here.append(region)
        if self.extent is not None:
            region = tuple(
                (min(a, c), max(b, d)) for (a, b), (c, d) in zip(self.extent, region, strict=True)
            )
        self.extent = region


def _common(x: Box, y: Box) -> Box | None:
    box = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(x, y, strict=True))
    return box if all(first < end for first, end in box) else None


def _contains(outer: Box, inner: Box) -> bool:
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def planned(
    declared: list[tuple[int, Storage]], capacities: dict[str, int], tried: bool, close: int
) -> frozenset[int]:
    """Declarations to spill, of the (number, storage) of a trace, so that the rest fits on chip.

    Spilled tiles stay on chip for `close` instructions between two uses.
    """
    chosen: set[int] = set()
    for space, capacity in capacities.items():
        live = [(n, s) for n, s in declared if s.space == space]
        while True:
            at = _largest_at_peak(
                [(n, s) for n, s in live if n not in chosen], capacity * _SHARES[tried], close
            )
            if at is None:
                break
            chosen.add(at)
    return frozenset(chosen)


def _largest_at_peak(declared: list[tuple[int, Storage]], limit: float, close: int) -> int | None:
    """The declaration with most bytes live where most bytes are; None if all fit, or none can go.

    Tiles of one use or of neighbouring ones gain nothing from being spilled.
    """
    changes: dict[int, int] = defaultdict(int)
    spans = []
    for number, storage in declared:
        for cell in storage.cells():
            if cell.touches is not None:
                spans.append((cell.touches, storage.cell_bytes, number, storage.pinned))
                changes[cell.touches[0]] += storage.cell_bytes
                changes[cell.touches[1] + 1] -= storage.cell_bytes
    total = peak = place = 0
    for now in sorted(changes):
        total += changes[now]
        if total > peak:
            peak, place = total, now
    if peak <= limit:
        return None
    held: dict[int, int] = defaultdict(int)
    for (first, last), size, number, pinned in spans:
        if first <= place <= last and last - first > close and not pinned:
            held[number] += size
    return max(held, key=lambda number: (held[number], -number)) if held else None
