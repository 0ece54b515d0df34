"""Softmax of the rows of x [rows, n], with a mask of the columns from `valid` on."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128
MASKED = -1e30


@nki.jit
def softmax(x, valid=480):
    rows, n = x.shape
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for first in range(0, rows, P):
        tile = nl.ndarray((P, n), x.dtype)
        nisa.dma_copy(dst=tile, src=x[first : first + P, :])
        nisa.memset(dst=tile[:, valid:n], value=MASKED)
        largest = nl.ndarray((P, 1), nl.float32)
        nisa.tensor_reduce(dst=largest, op=nl.maximum, data=tile, axis=1)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.subtract, operand0=largest)
        weights = nl.ndarray((P, n), nl.float32)
        nisa.activation(dst=weights, op=nl.exp, data=tile)
        total = nl.ndarray((P, 1), nl.float32)
        nisa.tensor_reduce(dst=total, op=nl.add, data=weights, axis=1)
        scale = nl.ndarray((P, 1), nl.float32)
        nisa.reciprocal(dst=scale, data=total)
        result = nl.ndarray((P, n), x.dtype)
        nisa.tensor_scalar(dst=result, data=weights, op0=nl.multiply, operand0=scale)
        nisa.dma_copy(dst=out[first : first + P, :], src=result)
    return out
