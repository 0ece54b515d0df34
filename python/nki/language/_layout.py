"""Functions of nki.language that move elements. Source: nki.language, NKI 0.6."""

from __future__ import annotations

from trainyard._core import NkiTensor

from nki import _context, _dtypes
from nki.language._memory import ndarray
from nki.language._operators import copy, new_tile, on_chip_tile
from nki.language._types import psum


def expand_dims(x: NkiTensor, axis: int) -> NkiTensor:
    """A view of x with a dimension of size 1 at position `axis`."""
    return x.expand_dim(axis)


def cast(x: NkiTensor, dtype: object) -> NkiTensor:
    """A copy of x in another dtype. Not documented by AWS; older kernels use it."""
    return copy(x, dtype)


def broadcast_to(x: NkiTensor, shape: tuple[int, ...], dtype: object = None) -> NkiTensor:
    """x repeated along its dimensions of size 1, as a new tile; x itself when nothing changes.

    `shape` has the rank of x. Repeating along the partition dimension doubles the filled part with
    DMA copies. Raises InputError "language.shape".
    """
    import nki.isa as nisa

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
    view = x
    for dim in range(1, x.ndim):
        if x.shape[dim] != wanted[dim]:
            view = view.broadcast(dim, wanted[dim])
    result = new_tile(x, name, wanted)
    nisa.tensor_copy(dst=result[0 : x.shape[0]], src=view)
    filled = x.shape[0]
    while filled < wanted[0]:
        more = filled if 2 * filled <= wanted[0] else wanted[0] - filled
        nisa.dma_copy(dst=result[filled : filled + more], src=result[0:more])
        filled += more
    return result


def transpose(x: NkiTensor, dtype: object = None) -> NkiTensor:
    """A 2-D tile with its dimensions swapped, as a new PSUM tile."""
    import nki.isa as nisa

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
    import nki.isa as nisa

    on_chip_tile(x, "matmul"), on_chip_tile(y, "matmul")
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
    import nki.isa as nisa

    on_chip_tile(data, "gather_flattened"), on_chip_tile(indices, "gather_flattened")
    if axis != 0:
        _context.refuse(
            "language.axis", "nl.gather_flattened gathers within each partition", f"axis={axis}"
        )
    at = indices if indices.dtype == "uint32" else copy(indices, "uint32")
    result = new_tile(data, None, indices.shape)
    nisa.nc_n_gather(dst=result, data=data, indices=at)
    return result if dtype is None or _dtypes.name_of(dtype) == data.dtype else copy(result, dtype)
