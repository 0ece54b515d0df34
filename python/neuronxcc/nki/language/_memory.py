"""Tensors, loads and stores of first-generation nki.language. Source: NKI 0.1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nki.isa as nisa
import nki.language as nl
import numpy as np
from nki.language._types import MemoryRegion

from neuronxcc.nki import _access, _names, _state
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._index import box_of, intersection, is_empty
from neuronxcc.nki._operands import in_sbuf
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._spill import SpilledCell, made_cell
from neuronxcc.nki._storage import Cell, Storage
from neuronxcc.nki._tensor import Tensor, assign, conformed, defer, wrap


class par_dim(int):
    """The size of a tile's partition dimension; dimensions in front of it are block dimensions."""


def _region(buffer: Any) -> MemoryRegion:
    """The memory of a buffer argument; allocation call-backs say SBUF or PSUM and no more."""
    return getattr(buffer, "region", buffer)


def ndarray(shape: Any, dtype: Any, *, buffer: Any = nl.sbuf, name: str = "", **_: Any) -> Tensor:
    """A new tensor. Dimensions in front of nl.par_dim are block dimensions: each index of them is
    a tile of its own.
    """
    return _declared(shape, dtype, buffer, name, lambda cell: None)


def _declared(
    shape: Any, dtype: Any, buffer: Any, name: str, prepare: Callable[[Cell], None]
) -> Tensor:
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    region = _region(buffer)
    marked = next((i for i, size in enumerate(sizes) if isinstance(size, par_dim)), 0)
    sizes = tuple(int(n) for n in sizes)
    if nl.is_hbm(region):
        return _in_hbm(sizes, dtype, region, name)
    blocks, own = sizes[:marked], sizes[marked:]
    own = own if len(own) > 1 else (*own, 1)

    state = _state.state()
    spilled = len(state.declared) in state.spills

    def make() -> Cell:
        _state.flush()
        cell = made_cell(own, dtype, region, spilled)
        prepare(cell)
        return cell

    storage = Storage(make, blocks, own, dtype, "sbuf" if spilled else region.value)
    state.declared.append(storage)
    if not blocks:
        storage.cell(())
    return Tensor(storage, _access.whole((*blocks, *own)))


def _in_hbm(shape: tuple[int, ...], dtype: Any, region: MemoryRegion, name: str) -> Tensor:
    """An HBM tensor; every instance of a grid gets the same one."""
    state = _state.state()
    at = state.allocated
    state.allocated += 1
    if at == len(state.shared):
        state.shared.append(wrap(nl.ndarray(shape, dtype, region, name)))
    return state.shared[at]


def full(
    shape: Any, fill_value: float, dtype: Any, *, buffer: Any = nl.sbuf, name: str = "", **_: Any
) -> Tensor:
    """A new tensor of one value.

    Zeros in PSUM are not written if the first thing that touches them is a matmul.
    """
    region = _region(buffer)

    def prepare(cell: Cell) -> None:
        if region is nl.psum and fill_value == 0 and not isinstance(cell, SpilledCell):
            cell.leave_zeros_to_matmul()
            return
        everything = tuple((0, size) for size in cell.shape)
        nisa.memset(dst=cell.to_write(everything, False), value=fill_value)
        cell.wrote(everything, False)

    if not nl.is_hbm(region):
        return _declared(shape, dtype, buffer, name, prepare)
    made = ndarray(shape, dtype, buffer=region, name=name)
    _state.flush()
    filler = None
    for rows in nl._memory.by_rows(made.nki()):
        if filler is None:
            filler = nl.ndarray(rows.shape, dtype)
            nisa.memset(dst=filler, value=fill_value)
        nisa.dma_copy(dst=rows, src=filler[0 : rows.shape[0]])
    return made


def zeros(shape: Any, dtype: Any, *, buffer: Any = nl.sbuf, name: str = "", **_: Any) -> Tensor:
    """A new tensor of zeros."""
    return full(shape, 0, dtype, buffer=buffer, name=name)


def ones(shape: Any, dtype: Any, *, buffer: Any = nl.sbuf, name: str = "", **_: Any) -> Tensor:
    """A new tensor of ones."""
    return full(shape, 1, dtype, buffer=buffer, name=name)


def zeros_like(a: Tensor, dtype: Any = None, *, buffer: Any = None, **_: Any) -> Tensor:
    """A new tensor of zeros shaped like another."""
    return zeros(a.shape, dtype or a.dtype, buffer=buffer or a.buffer)


def empty_like(a: Tensor, dtype: Any = None, *, buffer: Any = None, **_: Any) -> Tensor:
    """A new tensor shaped like another."""
    return ndarray(a.shape, dtype or a.dtype, buffer=buffer or a.buffer)


def full_like(
    a: Tensor, fill_value: float, dtype: Any = None, *, buffer: Any = None, **_: Any
) -> Tensor:
    """A new tensor of one value shaped like another."""
    return full(a.shape, fill_value, dtype or a.dtype, buffer=buffer or a.buffer)


def load(src: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """An HBM region as a new tile; of rank 1, one element in each partition."""
    shape = src.shape if src.ndim > 1 else (*src.shape, 1)
    source = conformed(src, shape)
    box = intersection(box_of(mask, shape), source.valid())
    data = None if is_empty(box) else source.read(box)
    return defer(
        Operation(
            shape,
            dtype_of(dtype or src.dtype),
            lambda dst: nisa.dma_copy(dst=dst, src=data),
            box,
            spaces=("sbuf",),
        )
    )


def store(dst: Tensor, value: Any, *, mask: Any = None, **_: Any) -> None:
    """Writes a tile, or a number, to an HBM region."""
    if not isinstance(value, Tensor):
        box = box_of(mask, dst.shape)
        if not is_empty(box):
            assign(dst.boxed(box), value)
        return
    source = in_sbuf(value)
    _state.flush()
    source = conformed(source, dst.shape)
    box = intersection(box_of(mask, dst.shape), source.valid())
    if not is_empty(box):
        nisa.dma_copy(dst=dst.boxed(box).target(), src=source.read(box))


def load_transpose2d(src: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """An HBM matrix [M, N] as a new tile [N, M]."""
    _state.flush()
    return wrap(nl.load_transpose2d(src.read(box_of(mask, src.shape)), dtype))


def atomic_rmw(dst: Tensor, value: Tensor, op: Any, *, mask: Any = None, **_: Any) -> None:
    """dst = dst op value, in HBM."""
    from neuronxcc.nki.isa import dma_copy

    dma_copy(dst=dst, src=value, mask=mask, dst_rmw_op=op)


def copy(src: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """The elements of a tile in another one."""
    from neuronxcc.nki import _elementwise

    return _elementwise.copy(tile(src, "nl.copy"), dtype, mask)


_names.register(copy, "copy")


def shared_constant(constant: Any, dtype: Any = None, **_: Any) -> Tensor:
    """An array as a constant in HBM."""
    if dtype is not None:
        constant = np.asarray(constant).astype(np.dtype(str(dtype_of(dtype))))
    return wrap(nl.shared_constant(constant))


def shared_identity_matrix(n: int, dtype: Any = "uint8", **_: Any) -> Tensor:
    """The n x n identity as a constant in HBM."""
    return shared_constant(np.eye(n), dtype)


__all__ = [
    "atomic_rmw",
    "copy",
    "empty_like",
    "full",
    "full_like",
    "load",
    "load_transpose2d",
    "ndarray",
    "ones",
    "par_dim",
    "shared_constant",
    "shared_identity_matrix",
    "store",
    "zeros",
    "zeros_like",
]
