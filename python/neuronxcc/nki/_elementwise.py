"""Operations element by element, as pending instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nki.isa as nisa
import nki.language as nl
from nki import _context
from nki.language import NkiTensor

from neuronxcc.nki import _names, _operators, _strict, _tensor
from neuronxcc.nki._dtypes import dtype_of, promoted, with_number
from neuronxcc.nki._operands import (
    column,
    common_box,
    common_shape,
    is_column,
    result_dtype,
    spread,
    used,
)
from neuronxcc.nki._operation import Operation
from neuronxcc.nki._tensor import Tensor, defer

COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def tile(x: Any, name: str) -> Tensor:
    """x, which has to be an SBUF or PSUM tile. Raises InputError "language.tile"."""
    if not isinstance(x, Tensor) or x.space == "hbm":
        _context.refuse(
            "language.tile",
            f"{name} works on tiles in SBUF or PSUM",
            repr(x),
            "load HBM tensors with nl.load first",
        )
    return x


# Dimensions that an instruction's access patterns have at most.
_RANK = 5


def by_rank(emit: Callable[..., Any], dst: NkiTensor, *operands: Any) -> None:
    """emit(dst, *operands): one instruction, or several where the tiles have too many dimensions.

    The first free dimensions are taken one index at a time.
    """
    if dst.ndim <= _RANK:
        emit(dst, *operands)
        return
    for i in range(dst.shape[1]):
        parts = [
            one.select(1, i) if isinstance(one, NkiTensor) and one.ndim == dst.ndim else one
            for one in operands
        ]
        by_rank(emit, dst.select(1, i), *parts)


def scalar(
    op: Any,
    x: Tensor,
    y: Any,
    dtype: Any,
    mask: Any = None,
    reverse: bool = False,
    engine: Any = nisa.engine.unknown,
) -> Tensor:
    """x op y, or y op x, for a number or a [P, 1] tile y."""
    tensors = [x, y.stretched(x.shape)] if isinstance(y, Tensor) else [x]
    box = common_box(x.shape, mask, *tensors)
    data, operand = x.read(box), column(y, box)

    def emit(dst: NkiTensor, data: NkiTensor) -> None:
        nisa.tensor_scalar(
            dst=dst, data=data, op0=op, operand0=operand, reverse0=reverse, engine=engine
        )

    return defer(Operation(x.shape, dtype_of(dtype), lambda dst: by_rank(emit, dst, data), box))


def tensors(op: Any, x: Tensor, y: Tensor, dtype: Any, mask: Any, engine: Any) -> Tensor:
    """x op y of two tiles that have one shape once dimensions of size 1 are repeated."""
    shape = common_shape(x, y)
    x, y = spread(x, shape), spread(y, shape)
    box = common_box(shape, mask, x, y)
    data1, data2 = x.read(box), y.read(box)

    def emit(dst: NkiTensor, data1: NkiTensor, data2: NkiTensor) -> None:
        nisa.tensor_tensor(dst=dst, data1=data1, data2=data2, op=op, engine=engine)

    return defer(
        Operation(shape, dtype_of(dtype), lambda dst: by_rank(emit, dst, data1, data2), box)
    )


def _default_dtype(op: Any, x: Any, y: Any) -> str:
    if _names.name_of(op) in COMPARISONS:
        return "uint8"
    if not isinstance(y, Tensor):
        return with_number(x.dtype, y)
    return promoted(x.dtype, y.dtype) if isinstance(x, Tensor) else with_number(y.dtype, x)


def binary(op: Any, x: Any, y: Any, dtype: Any = None, mask: Any = None) -> Tensor:
    """x op y of tiles and numbers, as nl.add and its like mean it."""
    name = "nl." + _names.name_of(op)
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        tile(x, name)
    dtype = dtype_of(_default_dtype(op, x, y) if dtype is None else dtype)
    if not isinstance(y, Tensor):
        return scalar(op, tile(x, name), y, dtype, mask)
    if not isinstance(x, Tensor):
        return scalar(op, tile(y, name), x, dtype, mask, reverse=True)
    tile(x, name), tile(y, name)
    shape = common_shape(x, y)
    if x.shape == shape and _by_scalar(op, y, x):
        return scalar(op, x, y, dtype, mask)
    if y.shape == shape and _by_scalar(op, x, y):
        return scalar(op, y, x, dtype, mask, reverse=True)
    return tensors(op, x, y, dtype, mask, nisa.engine.unknown)


def _by_scalar(op: Any, y: Tensor, x: Tensor) -> bool:
    one_each = is_column(y) and not is_column(x) and y.shape[0] == x.shape[0]
    return one_each and y.dtype == "float32" and not _names.name_of(op).startswith("bitwise")


def divide(x: Any, y: Any, dtype: Any = None, mask: Any = None) -> Tensor:
    """x / y as x times the reciprocal of y."""
    if not isinstance(y, Tensor):
        return binary(nl.multiply, x, 1.0 / y, dtype, mask)
    wide = promoted(x.dtype, y.dtype) if isinstance(x, Tensor) else y.dtype
    inverse = reciprocal(y, "float32", mask)
    return binary(nl.multiply, x, inverse, result_dtype(dtype, with_number(wide, 1.0)), mask)


def reciprocal(x: Tensor, dtype: Any = None, mask: Any = None) -> Tensor:
    """1 / x."""
    x = tile(x, "reciprocal")
    box, data = used(x, mask)
    return defer(
        Operation(
            x.shape,
            result_dtype(dtype, x.dtype),
            lambda dst: nisa.reciprocal(dst=dst, data=data),
            box,
        )
    )


def copy(
    x: Tensor, dtype: Any = None, mask: Any = None, engine: Any = nisa.engine.unknown
) -> Tensor:
    """The elements of a tile in another one."""
    x = tile(x, "copy")
    box, source = used(x, mask)

    def emit(dst: NkiTensor, src: NkiTensor) -> None:
        nisa.tensor_copy(dst=dst, src=src, engine=engine)

    return defer(
        Operation(
            x.shape,
            result_dtype(dtype, x.dtype),
            lambda dst: by_rank(emit, dst, source),
            box,
        )
    )


def activation(
    op: Any,
    x: Tensor,
    dtype: Any = None,
    mask: Any = None,
    bias: Any = None,
    scale: Any = 1.0,
    **reduction: Any,
) -> Tensor:
    """An activation function of scale times x plus bias. `reduction`: as nki.isa has it."""
    x = tile(x, "activation")
    box, data = used(x, mask)
    shift, factor = column(bias, box, convert=False), column(scale, box)

    def emit(dst: Any) -> None:
        nisa.activation(dst=dst, op=op, data=data, bias=shift, scale=factor, **reduction)

    return defer(Operation(x.shape, result_dtype(dtype, x.dtype), emit, box))


def in_place(op: Any, x: Tensor, y: Any) -> Tensor:
    """`x op= y`; what is added to PSUM may be added by the instruction that makes it."""
    operation = y._operation if isinstance(y, Tensor) else None
    if op is nl.add and operation is not None and operation.accumulate is not None:
        view = _tensor.conformed_target(x, operation.shape)
        if view is not None and view.space == "psum":
            y._write_to(view, accumulate=True)
            return x
    with _strict.adding():
        sum_of_both = binary(op, x, y, dtype=x.dtype)
    _tensor.assign(x, sum_of_both)
    return x


class _Arithmetic:
    binary, divide, copy, in_place = map(staticmethod, (binary, divide, copy, in_place))


_operators.compute_by(_Arithmetic)
