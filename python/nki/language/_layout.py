"""Functions of nki.language that move elements. Source: nki.language, NKI 0.6."""

from __future__ import annotations

import math

from nki import _context, _dtypes
from nki import _isa as nisa
from nki.language._memory import in_hbm, ndarray
from nki.language._operators import copy, new_tile, on_chip_tile
from nki.language._tensor import NkiTensor
from nki.language._tile_size import tile_size
from nki.language._types import psum, sbuf


def expand_dims(x: NkiTensor, axis: int) -> NkiTensor:
    """A view of x with a dimension of size 1 at position `axis`."""
    return x.expand_dim(axis)


def cast(x: NkiTensor, dtype: object) -> NkiTensor:
    """A copy of x in another dtype. Not documented by AWS; older kernels use it."""
    return copy(x, dtype)


def broadcast_to(x: NkiTensor, shape: tuple[int, ...], dtype: object = None) -> NkiTensor:
    """x repeated along its dimensions of size 1, as a new tile; x itself when nothing changes.

    `shape` has the rank of x. One partition is repeated over several by the Tensor engine, as AWS
    says NKI does; a float32 result that fits into a PSUM bank stays there. Other dtypes and more
    partitions take DMA copies. Raises InputError "language.shape".
    """
    on_chip_tile(x, "broadcast_to")
    name = x.dtype if dtype is None else _dtypes.name_of(dtype)
    wanted = tuple(shape)
    if wanted == x.shape:
        return x if name == x.dtype else copy(x, name)
    fits = len(wanted) == x.ndim and all(a in (1, b) for a, b in zip(x.shape, wanted, strict=False))
    if not fits:
        _context.refuse(
            "language.shape",
            "nl.broadcast_to keeps the rank and repeats only dimensions of size 1",
            f"{x.shape} to {wanted}",
            "insert dimensions with nl.expand_dims first",
        )
    if x.shape[0] == 1 < wanted[0] and x.dtype in _EXACT_TIMES_ONE:
        return _times_ones(x, name, wanted)
    return _doubled(x, name, wanted)


_EXACT_TIMES_ONE = ("float32", "bfloat16", "float16")


def _stretched(x: NkiTensor, wanted: tuple[int, ...]) -> NkiTensor:
    """A view of x with its free dimensions repeated."""
    for dim in range(1, x.ndim):
        if x.shape[dim] != wanted[dim]:
            x = x.broadcast(dim, wanted[dim])
    return x


def _times_ones(x: NkiTensor, name: str, wanted: tuple[int, ...]) -> NkiTensor:
    """One partition over many, as the product of a column of ones and x.

    Source: Trainium and Inferentia2 architecture guide, "Partition Broadcast".
    """
    row = x if x._space == "sbuf" and x.shape[1:] == wanted[1:] else copy(_stretched(x, wanted))
    columns, widest = math.prod(wanted[1:]), tile_size.gemm_moving_fmax
    row = row.reshape((1, columns))
    ones = ndarray((1, wanted[0]), x.dtype)
    nisa.memset(dst=ones, value=1.0, engine=nisa.engine.gpsimd)
    stays = name == "float32" and columns <= widest
    result = ndarray((wanted[0], columns), name, buffer=psum if stays else sbuf)
    for at in range(0, columns, widest):
        part = slice(at, min(at + widest, columns))
        product = result
        if not stays:
            product = ndarray((wanted[0], part.stop - at), "float32", buffer=psum)
        nisa.nc_matmul(
            dst=product, stationary=ones, moving=row[:, part], is_stationary_onezero=True
        )
        if not stays:
            nisa.activation(dst=result[:, part], op=copy, data=product)
    return result.reshape(wanted)


def _doubled(x: NkiTensor, name: str, wanted: tuple[int, ...]) -> NkiTensor:
    """x over more partitions; each DMA copy doubles the filled part."""
    result = new_tile(x, name, wanted)
    nisa.tensor_copy(dst=result[0 : x.shape[0]], src=_stretched(x, wanted))
    filled = x.shape[0]
    while filled < wanted[0]:
        more = filled if 2 * filled <= wanted[0] else wanted[0] - filled
        nisa.dma_copy(dst=result[filled : filled + more], src=result[0:more])
        filled += more
    return result


def transpose(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """A 2-D tile with its dimensions swapped, as a new PSUM tile."""
    on_chip_tile(x, "transpose")
    if x.ndim != 2:
        _context.refuse("language.shape", "nl.transpose takes a 2-D tile", f"shape {x.shape}")
    name = x.dtype if dtype is None else _dtypes.name_of(dtype)
    swapped = (x.shape[1], x.shape[0])
    result = ndarray(swapped, x.dtype, buffer=psum)
    nisa.nc_transpose(dst=result, data=x)
    if name == x.dtype:
        return result
    converted = ndarray(swapped, name, buffer=psum)
    nisa.tensor_copy(dst=converted, src=result)
    return converted


def matmul(x: NkiTensor, y: NkiTensor, transpose_x: bool = False) -> NkiTensor:
    """x @ y, or x.T @ y with transpose_x, as a new float32 PSUM tile.

    Without transpose_x, x is transposed by the Tensor engine first. x: SBUF, at most 128 x 128;
    y: SBUF, at most 128 x 512.
    """
    on_chip_tile(x, "matmul")
    on_chip_tile(y, "matmul")
    contracted = x.shape[0] if transpose_x else x.shape[1]
    if x.ndim != 2 or y.ndim != 2 or contracted != y.shape[0]:
        _context.refuse(
            "language.shape",
            "nl.matmul contracts a dimension of x with dimension 0 of y",
            f"{x.shape} and {y.shape}, transpose_x={transpose_x}",
        )
    stationary = x if transpose_x else copy(transpose(x))
    result = ndarray((stationary.shape[1], y.shape[1]), "float32", buffer=psum)
    nisa.nc_matmul(dst=result, stationary=stationary, moving=y)
    return result


def gather_flattened(
    data: NkiTensor, indices: NkiTensor, axis: int = 0, dtype: object = None
) -> NkiTensor:
    """For every partition, the elements of data's flattened free dimensions at `indices`.

    indices: integer SBUF tile with data's partitions; the result has its shape. axis: only 0.
    """
    on_chip_tile(data, "gather_flattened")
    on_chip_tile(indices, "gather_flattened")
    if axis != 0:
        _context.refuse(
            "language.axis", "nl.gather_flattened gathers within each partition", f"axis={axis}"
        )
    at = indices if indices.dtype == "uint32" else copy(indices, "uint32")
    result = new_tile(data, None, indices.shape)
    nisa.nc_n_gather(dst=result, data=data, indices=at)
    return result if dtype is None or _dtypes.name_of(dtype) == data.dtype else copy(result, dtype)


def load_transpose2d(src: NkiTensor, dtype: object = None) -> NkiTensor:
    """An HBM matrix [M, N] as a new SBUF tile [N, M], transposed by the DMA engines."""
    in_hbm(src, "load_transpose2d", "src")
    if src.ndim != 2:
        _context.refuse("language.shape", "nl.load_transpose2d takes a matrix", f"{src.shape}")
    result = ndarray((src.shape[1], src.shape[0]), src.dtype)
    nisa.dma_transpose(dst=result, src=src, axes=(1, 0))
    if dtype is None or _dtypes.name_of(dtype) == src.dtype:
        return result
    return copy(result, dtype)
