"""Rotary embedding of x [P, n] by positions: halves are rotated by sin and cos of an angle."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128


@nki.jit
def rotary(x, first=0):
    n = x.shape[1]
    half = n // 2
    tile = nl.ndarray((P, n), x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    position = nl.ndarray((P, half), nl.int32)
    nisa.iota(dst=position, pattern=[[1, half]], offset=first)
    angle = nl.ndarray((P, half), nl.float32)
    nisa.tensor_scalar(dst=angle, data=position, op0=nl.multiply, operand0=0.01)
    sine = nl.ndarray((P, half), nl.float32)
    nisa.activation(dst=sine, op=nl.sin, data=angle)
    turned = nl.ndarray((P, n), x.dtype)
    nisa.tensor_tensor(dst=turned[:, 0:half], data1=tile[:, half:n], data2=sine, op=nl.multiply)
    nisa.tensor_tensor(dst=turned[:, half:n], data1=tile[:, 0:half], data2=sine, op=nl.multiply)
    nisa.tensor_tensor(dst=turned, data1=turned, data2=tile, op=nl.add)
    out = nl.ndarray((P, n), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=turned)
    return out
