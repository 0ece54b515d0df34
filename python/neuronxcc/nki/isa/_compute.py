"""nisa functions of the Vector, Scalar and GpSimd engines that compute. Source: NKI 0.1."""

from __future__ import annotations

from typing import Any

import nki.isa as nisa
import nki.language as nl

from neuronxcc.nki import _elementwise
from neuronxcc.nki._elementwise import tile
from neuronxcc.nki._operands import (
    column,
    common_box,
    common_shape,
    result_dtype,
    spread,
    two_dims,
    used,
    written,
)
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, defer

unknown = nisa.engine.unknown
idle = nisa.reduce_cmd.idle


def tensor_tensor(
    data1: Tensor,
    data2: Tensor,
    op: Any,
    *,
    dtype: Any = None,
    mask: Any = None,
    engine: Any = unknown,
    **_: Any,
) -> Tensor:
    """data1 op data2, element by element."""
    data1, data2 = tile(data1, "tensor_tensor"), tile(data2, "tensor_tensor")
    default = _elementwise._default_dtype(op, data1, data2)
    return _elementwise.tensors(op, data1, data2, result_dtype(dtype, default), mask, engine)


def tensor_scalar(
    data: Tensor,
    op0: Any,
    operand0: Any,
    reverse0: bool = False,
    op1: Any = None,
    operand1: Any = None,
    reverse1: bool = False,
    *,
    dtype: Any = None,
    mask: Any = None,
    engine: Any = unknown,
    **_: Any,
) -> Tensor:
    """(data op0 operand0) op1 operand1 for numbers or [P, 1] tiles."""
    data = tile(data, "tensor_scalar")
    operands = [o for o in (operand0, operand1) if isinstance(o, Tensor)]
    box = common_box(data.shape, mask, data, *(spread(o, data.shape) for o in operands))
    source, first, second = data.read(box), column(operand0, box), column(operand1, box)

    def emit(dst: Any) -> None:
        nisa.tensor_scalar(dst, source, op0, first, reverse0, op1, second, reverse1, engine=engine)

    return defer(Operation(data.shape, result_dtype(dtype, data.dtype), emit, box))


def scalar_tensor_tensor(
    *,
    data: Tensor,
    op0: Any,
    operand0: Any,
    op1: Any,
    operand1: Tensor,
    reverse0: bool = False,
    reverse1: bool = False,
    dtype: Any = None,
    mask: Any = None,
    **_: Any,
) -> Tensor:
    """(data op0 operand0) op1 operand1; operand1 is a tile."""
    data = tile(data, "scalar_tensor_tensor")
    other = spread(operand1, data.shape)
    box = common_box(data.shape, mask, data, other)
    source, first, second = data.read(box), column(operand0, box), other.read(box)

    def emit(dst: Any) -> None:
        nisa.scalar_tensor_tensor(
            dst=dst,
            data=source,
            op0=op0,
            operand0=first,
            op1=op1,
            operand1=second,
            reverse0=reverse0,
            reverse1=reverse1,
        )

    return defer(Operation(data.shape, result_dtype(dtype, data.dtype), emit, box))


def activation(
    op: Any,
    data: Tensor,
    *,
    bias: Any = None,
    scale: Any = 1.0,
    reduce_op: Any = None,
    reduce_res: Tensor | None = None,
    reduce_cmd: Any = idle,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> Tensor:
    """op(data * scale + bias), and a reduction of it."""
    box = common_box(data.shape, mask, data)
    reduction = {}
    if reduce_op is not None or reduce_cmd is not idle:
        reduction = {"reduce_op": reduce_op, "reduce_cmd": reduce_cmd}
        reduction["reduce_res"] = written(reduce_res, box)
    return _elementwise.activation(op, data, dtype, mask, bias, scale, **reduction)


def activation_reduce(
    op: Any,
    data: Tensor,
    *,
    reduce_op: Any = None,
    reduce_res: Tensor | None = None,
    bias: Any = None,
    scale: Any = 1.0,
    mask: Any = None,
    dtype: Any = None,
    **_: Any,
) -> Tensor:
    """op(data * scale + bias), and its sum in reduce_res."""
    return activation(
        op,
        data,
        bias=bias,
        scale=scale,
        reduce_op=reduce_op or nl.add,
        reduce_res=reduce_res,
        reduce_cmd=nisa.reduce_cmd.reset_reduce,
        mask=mask,
        dtype=dtype,
    )


def reciprocal(data: Tensor, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 / data."""
    return _elementwise.reciprocal(data, dtype, mask)


def tensor_reduce(
    op: Any,
    data: Tensor,
    axis: Any,
    *,
    mask: Any = None,
    dtype: Any = None,
    negate: bool = False,
    keepdims: bool = False,
    **_: Any,
) -> Tensor:
    """A reduction along free dimensions; the result has at least two dimensions."""
    data = tile(data, "tensor_reduce")
    axes = sorted(a % data.ndim for a in (axis if isinstance(axis, (tuple, list)) else (axis,)))
    kept = [d for d in range(data.ndim) if d not in axes]
    box = common_box(data.shape, mask, data)
    moved = data.permuted((*kept, *axes)).read(
        None if box is None else tuple(box[d] for d in (*kept, *axes))
    )
    narrow = two_dims(tuple(data.shape[d] for d in kept))
    result_box = None if box is None else tuple(box[d] for d in kept)
    if result_box is not None and len(result_box) < 2:
        result_box = (*result_box, (0, 1))
    trailing = tuple(range(len(kept), data.ndim))

    def emit(dst: Any) -> None:
        nisa.tensor_reduce(dst=dst, op=op, data=moved, axis=trailing, negate=negate)

    wide = tuple(1 if d in axes else n for d, n in enumerate(data.shape))
    if not keepdims:
        return defer(Operation(narrow, result_dtype(dtype, data.dtype), emit, result_box))
    made = defer(Operation(narrow, result_dtype(dtype, data.dtype), emit, result_box))
    return made.reshape(wide)


def tensor_partition_reduce(
    op: Any, data: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any
) -> Tensor:
    """A reduction over the partitions."""
    data = tile(data, "tensor_partition_reduce")
    box, source = used(data, mask)
    return defer(
        Operation(
            (1, *data.shape[1:]),
            result_dtype(dtype, data.dtype),
            lambda dst: nisa.tensor_partition_reduce(dst=dst, op=op, data=source),
            None if box is None else ((0, 1), *box[1:]),
        )
    )


def tensor_scalar_reduce(
    *,
    data: Tensor,
    op0: Any,
    operand0: Any,
    reduce_op: Any,
    reduce_res: Tensor,
    reverse0: bool = False,
    dtype: Any = None,
    mask: Any = None,
    **_: Any,
) -> Tensor:
    """data op0 operand0, and a reduction of it in reduce_res."""
    data = tile(data, "tensor_scalar_reduce")
    box, source = used(data, mask)
    first, reduced = column(operand0, box), written(reduce_res, box)

    def emit(dst: Any) -> None:
        nisa.tensor_scalar_reduce(
            dst=dst,
            data=source,
            op0=op0,
            operand0=first,
            reduce_op=reduce_op,
            reduce_res=reduced,
            reverse0=reverse0,
        )

    return defer(Operation(data.shape, result_dtype(dtype, data.dtype), emit, box))


def tensor_tensor_scan(
    data0: Tensor,
    data1: Tensor,
    initial: Any,
    op0: Any,
    op1: Any,
    reverse0: bool = False,
    reverse1: bool = False,
    *,
    dtype: Any = None,
    mask: Any = None,
    **_: Any,
) -> Tensor:
    """result[:, i] = (data0[:, i] op0 result[:, i - 1]) op1 data1[:, i], from `initial` on."""
    shape = common_shape(data0, data1)
    data0, data1 = spread(data0, shape), spread(data1, shape)
    box = common_box(shape, mask, data0, data1)
    first, second = data0.read(box), data1.read(box)
    start = column(initial, box)

    def emit(dst: Any) -> None:
        nisa.tensor_tensor_scan(dst, first, second, start, op0, op1, reverse0, reverse1)

    return defer(Operation(shape, result_dtype(dtype, data0.dtype), emit, box))


def dropout(data: Tensor, prob: Any, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """data with elements set to zero at random; prob: a number or a [P, 1] tile."""
    data = tile(data, "dropout")
    box, source = used(data, mask)
    chance = column(prob, box)
    return defer(
        Operation(
            data.shape,
            result_dtype(dtype, data.dtype),
            lambda dst: nisa.dropout(dst=dst, data=source, prob=chance),
            box,
        )
    )


def bn_stats(data: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """Count, mean and variance of the even and the odd elements, six numbers a partition."""
    return _of_each_partition(nisa.bn_stats, data, 6, mask, dtype)


def bn_aggr(data: Tensor, *, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """Mean and variance from the results of bn_stats."""
    return _of_each_partition(nisa.bn_aggr, data, 2, mask, dtype)


def max8(*, src: Tensor, mask: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """The eight largest elements of each partition, descending."""
    return _of_each_partition(nisa.max8, src, 8, mask, dtype)


def _of_each_partition(function: Any, data: Tensor, n: int, mask: Any, dtype: Any) -> Tensor:
    """n numbers a partition."""
    data = tile(data, function.__name__)
    box, source = used(data, mask)
    return defer(
        Operation(
            (data.shape[0], n),
            result_dtype(dtype, data.dtype),
            lambda dst: function(dst, source),
            None if box is None else (box[0], (0, n)),
        )
    )
