"""Tensors and their contents. Source: nki.language, NKI 0.6."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from trainyard import _core, files

from nki import _context, _dtypes, _values
from nki import _isa as nisa
from nki.language._tensor import NkiTensor
from nki.language._tile_size import tile_size
from nki.language._types import MemoryRegion, is_hbm, is_on_chip, is_sbuf, sbuf

_BYTES_MAX = 2**63 - 1


def ndarray(
    shape: tuple[int, ...],
    dtype: object,
    buffer: MemoryRegion = sbuf,
    name: str = "",
    address: tuple[int, ...] | None = None,
) -> NkiTensor:
    """A new, uninitialised tensor.

    shape: integers, on chip the first is the partition dimension (at most 128). dtype: one of NKI
    or NumPy. buffer: sbuf, psum, private_hbm or shared_hbm. address: (partition, byte within the
    partition), to place an on-chip tensor by hand; (byte,) in HBM, where tensors are placed apart
    all the same. Raises TypeError and InputError ("tensor.*",
    "memory.address").
    """
    if not isinstance(buffer, MemoryRegion):
        raise TypeError(
            f"buffer is nl.sbuf, nl.psum, nl.private_hbm or nl.shared_hbm, not {buffer!r}"
        )
    context = _context.thread.context or _context.context()
    name_of_dtype = _dtypes.name_of(dtype)
    sizes = shape if _core.are_sizes(shape) else _checked_sizes(shape, name_of_dtype)
    place = None if address is None else _in_hbm(address) if is_hbm(buffer) else _place(address)
    return context.trace.tensor(sizes, name_of_dtype, buffer._value_, name or "", place)


def _integer(value: Any) -> int | None:
    """The value as an int if it is an integer of Python or NumPy, and no bool."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        return None
    return operator.index(value)


def _checked_sizes(shape: Any, dtype: str) -> tuple[int, ...]:
    """The sizes of a new tensor. Raises InputError "tensor.shape"."""
    given = shape if isinstance(shape, (tuple, list)) else (shape,)
    # Public kernels divide with /, where nothing is left over.
    found = [int(n) if isinstance(n, float) and n.is_integer() else _integer(n) for n in given]
    sizes = tuple(n for n in found if n is not None)
    if len(sizes) < len(found):
        _context.refuse(
            "tensor.shape",
            "every size of a tensor is an integer",
            f"shape {shape!r}",
            "divide with //, which gives an integer",
        )
    most = _BYTES_MAX // _dtypes.numpy_dtype(dtype).itemsize
    if math.prod(max(abs(n), 1) for n in sizes) > most:
        _context.refuse(
            "tensor.shape",
            "the bytes of a tensor are a 64-bit number",
            f"shape {shape!r} of {dtype}",
            "check how the sizes are calculated",
        )
    return sizes


def _in_hbm(address: Any) -> Any:
    """The address of an HBM tensor, which has no effect. Raises InputError "memory.address"."""
    if not isinstance(address, (tuple, list)) or len(address) != 1:
        return _place(address)
    byte = _integer(address[0])
    if byte is None or not 0 <= byte <= _BYTES_MAX:
        _context.refuse(
            "memory.address",
            "the address of an HBM tensor is (byte,)",
            f"address={address!r}",
            "pass a byte from 0 on, or leave the address out",
        )
    return None


def _place(address: Any) -> tuple[int, int]:
    """The address of a tensor placed by hand. Raises InputError "memory.address"."""
    is_pair = isinstance(address, (tuple, list)) and len(address) == 2
    first, byte = map(_integer, address) if is_pair else (None, None)
    if first is None or byte is None or max(abs(first), abs(byte)) > _BYTES_MAX:
        _context.refuse(
            "memory.address",
            "address is a pair of integers: (partition, byte within the partition)",
            f"address={address!r}",
            "pass address=(0, byte) for a tensor that begins in partition 0",
        )
    return first, byte


def full(
    shape: tuple[int, ...],
    fill_value: float,
    dtype: object,
    buffer: MemoryRegion = sbuf,
    name: str = "",
) -> NkiTensor:
    """A new tensor filled with one value."""
    result = ndarray(shape, dtype, buffer, name)
    if is_on_chip(buffer):
        nisa.memset(dst=result, value=fill_value)
        return result
    tile = None
    for rows in by_rows(result):
        if tile is None:
            tile = ndarray(rows.shape, dtype)
            nisa.memset(dst=tile, value=fill_value)
        nisa.dma_copy(dst=rows, src=tile[0 : rows.shape[0]])
    return result


def by_rows(tensor: NkiTensor) -> Iterator[NkiTensor]:
    """2-D views of an HBM tensor of at most as many rows as there are partitions."""
    partitions = tile_size.pmax
    flat = tensor.reshape((tensor.shape[0], tensor.size // tensor.shape[0]))
    for first in range(0, flat.shape[0], partitions):
        yield flat[first : min(first + partitions, flat.shape[0])]


def zeros(
    shape: tuple[int, ...], dtype: object, buffer: MemoryRegion = sbuf, name: str = ""
) -> NkiTensor:
    """A new tensor of zeros."""
    return full(shape, 0, dtype, buffer, name)


def ones(
    shape: tuple[int, ...], dtype: object, buffer: MemoryRegion = sbuf, name: str = ""
) -> NkiTensor:
    """A new tensor of ones."""
    return full(shape, 1, dtype, buffer, name)


def zeros_like(
    x: NkiTensor, dtype: object = None, buffer: MemoryRegion | None = None, name: str = ""
) -> NkiTensor:
    """A new tensor of zeros shaped like x."""
    return zeros(x.shape, dtype or x.dtype, buffer or x.buffer, name)


def in_hbm(tensor: object, function: str, parameter: str) -> None:
    """Raises InputError "language.hbm" unless the argument is an HBM tensor."""
    if isinstance(tensor, NkiTensor) and is_hbm(tensor.buffer):
        return
    is_tile = isinstance(tensor, NkiTensor)
    _context.refuse(
        "language.hbm",
        f"{parameter} of nl.{function} is an HBM tensor",
        repr(tensor) if is_tile else _values.described(tensor),
        "on-chip tiles are copied with nl.copy or nki.isa.tensor_copy"
        if is_tile
        else "pass arrays to the kernel as arguments, or make them nl.shared_constant",
    )


def load(src: NkiTensor, dtype: object = None) -> NkiTensor:
    """An HBM region in a new SBUF tile, cast when dtype differs; one of rank 1 as (size, 1)."""
    in_hbm(src, "load", "src")
    if src.ndim < 2 and src.size > tile_size.pmax:
        _context.refuse(
            "tensor.partitions",
            f"nl.load takes a tensor of one dimension as a column, of at most {tile_size.pmax}",
            f"shape {src.shape}",
            f"load it as a row: nl.load(t.reshape((1, {src.size})))",
        )
    view = src if src.ndim >= 2 else src.reshape((src.size, 1))
    result = ndarray(view.shape, dtype or src.dtype)
    nisa.dma_copy(dst=result, src=view)
    return result


def store(dst: NkiTensor, value: NkiTensor) -> None:
    """Writes an SBUF tile to an HBM region."""
    in_hbm(dst, "store", "dst")
    if not isinstance(value, NkiTensor) or not is_sbuf(value.buffer):
        _context.refuse(
            "language.tile",
            "nl.store writes an SBUF tile",
            repr(value),
            "copy a PSUM tile with nl.copy first",
        )
    nisa.dma_copy(dst=dst, src=value)


def shared_constant(constant: Any) -> NkiTensor:
    """An array, or the path of an .npy file, as a constant in shared HBM."""
    is_path = isinstance(constant, (str, Path))
    array = _values.to_numpy(files.read_array(constant) if is_path else constant)
    dtype = _values.dtype_name(array)
    trace = _context.context().trace
    return trace.constant(list(array.shape), dtype, _values.as_bytes(array).tobytes())


def shared_identity_matrix(
    n: int, dtype: object = "uint8", dst: NkiTensor | None = None
) -> NkiTensor:
    """The n x n identity in SBUF; one for each size and dtype of a kernel unless `dst` is given."""
    name = _dtypes.name_of(dtype)
    cache = _context.context().identities
    if dst is None and (n, name) in cache:
        return cache[(n, name)]
    result = ndarray((n, n), name) if dst is None else dst
    array = np.eye(n, dtype=_dtypes.numpy_dtype(name))
    nisa.dma_copy(dst=result, src=shared_constant(array))
    if dst is None:
        cache[(n, name)] = result
    return result


class ds:
    """A slice by start and size, for indexing: x[nl.ds(8, 4)] is x[8:12]."""

    __slots__ = ("size", "start")

    def __init__(self, start: int, size: int) -> None:
        self.start = start
        self.size = size
