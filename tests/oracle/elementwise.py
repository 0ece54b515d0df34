"""Copies and elementwise operators."""

from __future__ import annotations

import numpy as np

from oracle.values import BITS, F32, OPERATORS, cast, column, from_patterns, operate, patterns, wide


def tensor_copy(src, dtype):
    return src.copy() if src.dtype == dtype else cast(wide(src), dtype)


def memset(shape, value, dtype):
    return np.full(shape, value).astype(dtype)


def tensor_copy_predicated(dst, src, predicate, reverse_pred=False):
    return np.where((predicate != 0) != reverse_pred, src, dst).astype(dst.dtype)


def tensor_tensor(data1, data2, op, dtype, exact=False):
    if op in BITS:
        return from_patterns(BITS[op](patterns(data1), patterns(data2)), dtype)
    if exact:
        function = {"maximum": np.maximum, "minimum": np.minimum}.get(op, OPERATORS[op])
        return function(data1, data2).astype(dtype)
    return cast(operate(op, wide(data1), wide(data2)), dtype)


def tensor_scalar(
    data, op0, operand0, dtype, reverse0=False, op1=None, operand1=None, reverse1=False
):
    if op0 in BITS:
        x = patterns(data)
        for op, operand, reverse in ((op0, operand0, reverse0), (op1, operand1, reverse1)):
            if op is None:
                continue
            other = np.uint32(int(operand) % 2**32) if np.isscalar(operand) else patterns(operand)
            other = np.broadcast_to(other, x.shape)
            x = BITS[op](other, x) if reverse else BITS[op](x, other)
        return from_patterns(x, dtype)
    x = operate(op0, wide(data), column(operand0), reverse0)
    if op1 is not None:
        x = operate(op1, x, column(operand1), reverse1)
    return cast(x, dtype)


def scalar_tensor_tensor(data, op0, operand0, op1, operand1, dtype, reverse0=False, reverse1=False):
    x = operate(op0, wide(data), column(operand0), reverse0)
    return cast(operate(op1, x, wide(operand1), reverse1), dtype)


def reciprocal(data, dtype):
    with np.errstate(all="ignore"):
        return cast(F32(1) / wide(data), dtype)
