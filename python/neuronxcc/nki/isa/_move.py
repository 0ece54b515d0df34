"""nisa functions that move elements, and memset. Source: NKI 0.1."""

from __future__ import annotations

import functools
from typing import Any

import nki.isa as nisa

from neuronxcc.nki import _elementwise, _state
from neuronxcc.nki._dtypes import dtype_of
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._index import box_of, intersection, is_empty
from neuronxcc.nki._operands import column, common_box, result_dtype
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, conformed, defer


def tensor_copy(
    src: Tensor,
    *,
    mask: Any = None,
    dtype: Any = None,
    engine: Any = nisa.engine.unknown,
    **_: Any,
) -> Tensor:
    """A copy within SBUF and PSUM."""
    return _elementwise.copy(src, dtype, mask, engine)


def memset(
    shape: tuple[int, ...],
    value: float,
    dtype: Any,
    *,
    mask: Any = None,
    engine: Any = nisa.engine.unknown,
    **_: Any,
) -> Tensor:
    """A tile of one value."""
    made = tuple(int(n) for n in shape)
    return defer(
        Operation(
            made,
            dtype_of(dtype),
            lambda dst: nisa.memset(dst=dst, value=value, engine=engine),
            box_of(mask, made),
        )
    )


def dma_copy(
    *,
    dst: Tensor,
    src: Tensor,
    mask: Any = None,
    dst_rmw_op: Any = None,
    oob_mode: Any = nisa.oob_mode.error,
    dge_mode: Any = nisa.dge_mode.unknown,
    **_: Any,
) -> None:
    """A copy by DMA between any two memories; dst_rmw_op adds to what dst holds."""
    source = conformed(src, dst.shape)
    box = intersection(box_of(mask, dst.shape), source.valid())
    if is_empty(box):
        return
    data = source.read(box)
    _state.flush()
    part = dst.boxed(box)
    if dst_rmw_op is not None:
        target = part.target(keeps=True)
        nisa.dma_compute(dst=target, srcs=[data, target], reduce_op=dst_rmw_op, oob_mode=oob_mode)
    else:
        target = part.target(keeps=oob_mode is not nisa.oob_mode.error)
        nisa.dma_copy(dst=target, src=data, oob_mode=oob_mode, dge_mode=dge_mode)
    part.wrote(box is not None)


def dma_transpose(
    src: Tensor,
    *,
    axes: Any = None,
    mask: Any = None,
    dtype: Any = None,
    dge_mode: Any = nisa.dge_mode.unknown,
    oob_mode: Any = nisa.oob_mode.error,
    **_: Any,
) -> Tensor:
    """A tensor with its dimensions in the order `axes` (reversed unless given), in SBUF."""
    order = tuple(axes or reversed(range(src.ndim)))
    data = src.nki()
    return defer(
        Operation(
            tuple(src.shape[a] for a in order),
            result_dtype(dtype, src.dtype),
            functools.partial(
                _transpose, src=data, axes=order, dge_mode=dge_mode, oob_mode=oob_mode
            ),
            spaces=("sbuf",),
            cast=False,
        )
    )


def _transpose(dst: Any, **options: Any) -> None:
    nisa.dma_transpose(dst=dst, **options)


def local_gather(
    src_buffer: Tensor,
    index: Tensor,
    num_elem_per_idx: int = 1,
    num_valid_indices: int | None = None,
    *,
    mask: Any = None,
    **_: Any,
) -> Tensor:
    """Elements of a partition chosen by the indices of its GpSimd core."""
    source, chosen = tile(src_buffer, "local_gather").nki(), index.nki()
    count = num_valid_indices or index.shape[0] * index.size // index.shape[0] // 8
    shape = (src_buffer.shape[0], count, num_elem_per_idx)
    return defer(
        Operation(
            shape,
            src_buffer.dtype,
            lambda dst: nisa.local_gather(
                dst=dst,
                src_buffer=source,
                index=chosen,
                num_elem_per_idx=num_elem_per_idx,
                num_valid_indices=num_valid_indices,
            ),
            spaces=("sbuf",),
        )
    )


def nc_stream_shuffle(
    src: Tensor,
    dst: Tensor,
    shuffle_mask: list[int],
    *,
    dtype: Any = None,
    mask: Any = None,
    **_: Any,
) -> None:
    """dst[i] = src[shuffle_mask[i]] in each group of 32 partitions."""
    source = src.nki()
    _state.flush()
    nisa.nc_stream_shuffle(dst=dst.target(), src=source, shuffle_mask=list(shuffle_mask))
    dst.wrote()


def tensor_scalar_cumulative(
    *,
    src: Tensor,
    dst: Tensor,
    op0: Any,
    op1: Any,
    imm0: Any,
    imm1: Any = None,
    reduce_cmd: Any = nisa.reduce_cmd.reset_reduce,
    mask: Any = None,
    **_: Any,
) -> None:
    """dst[:, i] = (src[:, i] op0 imm0) op1 dst[:, i - 1]."""
    box = common_box(src.shape, mask, src)
    if is_empty(box):
        return
    source, first, second = src.read(box), column(imm0, box), column(imm1, box)
    _state.flush()
    part = dst.boxed(box)
    nisa.tensor_scalar_cumulative(
        dst=part.target(),
        src=source,
        op0=op0,
        op1=op1,
        imm0=first,
        imm1=second,
        reduce_cmd=reduce_cmd,
    )
    part.wrote(box is not None)
