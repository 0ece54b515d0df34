"""What stands behind tensors: nki tensors, one for each index of the block dimensions.

A cell also knows which part of it has ever been written, where that is a box because of a mask, and
whether it is a PSUM accumulator whose zeros have not been written because the first matmul will.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import nki.isa as nisa
import numpy as np
from nki import _context
from nki.language import NkiTensor

from neuronxcc.nki._dtypes import DType, dtype_of
from neuronxcc.nki._index import Box


class Cell:
    """One nki tensor, and what is known about its contents."""

    def __init__(self, tensor: NkiTensor, written: bool = False) -> None:
        self.tensor = tensor
        self.shape = tuple(tensor.shape)
        self.touches: tuple[int, int] | None = None  # first and last instruction that uses it
        self.writes: list[tuple[Box, tuple[tuple[object, int], ...]]] = []  # of a strict kernel
        self.fresh = not written
        self.valid: Box | None = None  # None: all of it, or unknown
        self._covered: np.ndarray | None = None  # zeros left to matmuls: what these have written
        self._unwritten = False

    def leave_zeros_to_matmul(self) -> None:
        """The cell is zero, which is not written unless something but a matmul needs it."""
        self._unwritten = True
        self.fresh = False

    def matmul_wrote(self, region: Box) -> None:
        """Notes what a matmul has written."""
        if not self._unwritten:
            return
        if self._covered is None:
            self._covered = np.zeros(self.shape, bool)
        self._covered[tuple(slice(*one) for one in region)] = True
        if self._covered.all():
            self._unwritten, self._covered = False, None

    def settle_zeros(self, region: Box) -> None:
        """Writes zeros where an access other than a matmul would miss them."""
        if not self._unwritten:
            return
        if self._covered is None:
            nisa.memset(dst=self.tensor, value=0)
            self._unwritten = False
            return
        slices = tuple(slice(*one) for one in region)
        missing = ~self._covered[slices]
        if not missing.any():
            return
        spots = np.argwhere(missing)
        low, high = spots.min(axis=0), spots.max(axis=0) + 1
        if len(spots) != math.prod(high - low):
            _context.refuse(
                "psum.zeros",
                "the part of a zeroed PSUM tile that matmuls leave unwritten is a rectangle",
                f"a tile of shape {self.shape}",
                "write zeros to the rest with nisa.memset",
            )
        box = tuple(
            slice(int(one.start + a), int(one.start + b))
            for one, a, b in zip(slices, low, high, strict=True)
        )
        nisa.memset(dst=self.tensor[box], value=0)
        self._covered[box] = True

    def touch(self) -> None:
        """Notes that the next instruction uses the cell."""
        now = len(_context.context().trace)
        self.touches = (now if self.touches is None else self.touches[0], now)

    def to_read(self, region: Box) -> NkiTensor:
        """The tensor, of which an instruction reads a region."""
        self.touch()
        self.settle_zeros(region)
        return self.tensor

    def to_write(self, region: Box, by_matmul: bool, keeps: bool = False) -> NkiTensor:
        """The tensor, of which an instruction writes a region; `keeps`: not all of it."""
        self.touch()
        if by_matmul:
            self.matmul_wrote(region)
        else:
            self.settle_zeros(region)
        return self.tensor

    def wrote_nothing(self) -> None:
        """Notes a write whose mask holds nowhere: a fresh cell stays empty, and known to be."""
        if self.fresh:
            self.valid = ((0, 0),) * len(self.shape)

    def wrote(self, region: Box, masked: bool) -> None:
        """Notes a write; `masked`: a mask kept it from being larger."""
        if self.fresh:
            self.fresh = False
            self.valid = region if masked else None
        elif self.valid is not None:
            self.valid = tuple(
                (min(a, c), max(b, d)) for (a, b), (c, d) in zip(self.valid, region, strict=True)
            )
        if self.valid == tuple((0, size) for size in self.shape):
            self.valid = None


class Storage:
    """A declared tensor: cells by the index of the block dimensions, made when first touched."""

    def __init__(
        self,
        make: Callable[[], Cell],
        blocks: tuple[int, ...],
        shape: tuple[int, ...],
        dtype: object,
        space: str,
    ) -> None:
        self._make = make
        self._cells: dict[tuple[int, ...], Cell] = {}
        self.blocks, self.shape = blocks, shape
        self.argument = ""  # the name of an argument that the kernel may not write
        self.pinned = False  # written beside the result of an instruction: it cannot be spilled
        self.dtype: DType = dtype_of(dtype)
        self.space = space

    @property
    def on_chip(self) -> bool:
        """Whether it lies in SBUF or PSUM."""
        return self.space != "hbm"

    def cell(self, block: tuple[int, ...]) -> Cell:
        """The cell of one index of the block dimensions."""
        found = self._cells.get(block)
        if found is None:
            if any(not 0 <= at < size for at, size in zip(block, self.blocks, strict=True)):
                _context.refuse(
                    "view.bounds",
                    "a block index lies inside its dimension",
                    f"{block} of {self.blocks}",
                )
            found = self._cells[block] = self._make()
        return found

    def cells(self) -> list[Cell]:
        """The cells that have been touched."""
        return list(self._cells.values())

    @property
    def cell_bytes(self) -> int:
        """Bytes that a cell takes in each partition."""
        return math.prod(self.shape[1:]) * self.dtype.itemsize


def of_tensor(tensor: NkiTensor) -> Storage:
    """A tensor of nki, with all of it written."""
    cell = Cell(tensor, written=True)
    return Storage(lambda: cell, (), tuple(tensor.shape), tensor.dtype, tensor._space)
