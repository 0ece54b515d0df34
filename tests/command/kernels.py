"""Kernels that the tests of the command run: good ones, and one for each kind of mistake."""

import nki
import nki.isa as nisa
import nki.language as nl


def _tile(x, dtype=None):
    return nl.ndarray(x.shape, dtype=dtype or x.dtype, buffer=nl.sbuf)


def _output(x):
    return nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)


@nki.jit
def double(x, factor=2.0):
    out, tile = _output(x), _tile(x)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def slow(x):
    """Seconds of work in the core."""
    out, tile = _output(x), _tile(x)
    nisa.dma_copy(dst=tile, src=x)
    for _ in range(20000):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=1.0)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def unwritten(x):
    out, tile = _output(x), _tile(x)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def wrong_shape(x):
    tile = _tile(x)
    nisa.tensor_copy(dst=tile, src=tile[0:64, :])
    return x


@nki.jit
def too_large(x):
    tiles = [nl.ndarray((128, 40000), dtype=nl.float32, buffer=nl.sbuf) for _ in range(4)]
    for tile in tiles:
        nisa.memset(dst=tile, value=0.0)
    out = nl.ndarray((128, 40000), dtype=nl.float32, buffer=nl.shared_hbm)
    for tile in tiles:
        nisa.dma_copy(dst=out, src=tile)
    return out
