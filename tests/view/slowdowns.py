"""Kernels with one planted slowdown each, for the test that the page names its cause."""

import ml_dtypes
import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
from trainyard import settings

P = 128


@nki.jit
def load_order(x):
    """One buffer: each load waits for the work on the tile before it."""
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((P, 2048), x.dtype)
    for i in range(x.shape[1] // 2048):
        part = nl.ds(2048 * i, 2048)
        nisa.dma_copy(dst=tile, src=x[:, part])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[:, part], src=tile)
    return out


@nki.jit
def small_descriptors(x):
    """Columns of a row-major matrix: every element is a packet of its own."""
    out = nl.ndarray((P, 512), x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((P, 512), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:8192:16])
    nisa.activation(dst=tile, op=nl.exp, data=tile)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def psum_eviction(x):
    """Every product leaves PSUM by a copy of one engine, which takes longer than the product."""
    out = nl.ndarray((P, 512), nl.float32, buffer=nl.shared_hbm)
    tile = nl.ndarray((P, 512), x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    for i in range(32):
        sums = nl.ndarray((P, 512), nl.float32, buffer=nl.psum)
        nisa.nc_matmul(dst=sums, stationary=tile[:, 0:P], moving=tile)
        kept = nl.ndarray((P, 512), nl.float32)
        nisa.tensor_copy(dst=kept, src=sums, engine=nisa.engine.vector)
        if i == 31:
            nisa.dma_copy(dst=out, src=kept)
    return out


@nki.jit
def slow_link(x):
    """A sum over the chips of a sled, most of the run."""
    part = nl.ndarray(x.shape, x.dtype, buffer=nl.private_hbm)
    total = nl.ndarray(x.shape, x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=part, src=x)
    group = ncc.ReplicaGroup([list(range(16))])
    ncc.all_reduce(dsts=[total], srcs=[part], op=nl.add, replica_group=group)
    nisa.dma_copy(dst=out, src=total)
    return out


@nki.jit
def unfused_norm(x):
    """Squares, sums, roots and products each go through HBM."""
    width = x.shape[1]
    squares = nl.ndarray(x.shape, nl.float32, buffer=nl.private_hbm)
    scales = nl.ndarray((P, 1), nl.float32, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    first = nl.ndarray((P, width), nl.float32)
    nisa.dma_copy(dst=first, src=x)
    nisa.tensor_tensor(dst=first, data1=first, data2=first, op=nl.multiply)
    nisa.dma_copy(dst=squares, src=first)
    second, total = nl.ndarray((P, width), nl.float32), nl.ndarray((P, 1), nl.float32)
    nisa.dma_copy(dst=second, src=squares)
    nisa.tensor_reduce(dst=total, op=nl.add, data=second, axis=1)
    nisa.activation(dst=total, op=nl.rsqrt, data=total, scale=1.0 / width)
    nisa.dma_copy(dst=scales, src=total)
    third, scale = nl.ndarray((P, width), nl.float32), nl.ndarray((P, 1), nl.float32)
    nisa.dma_copy(dst=third, src=x)
    nisa.dma_copy(dst=scale, src=scales)
    nisa.tensor_scalar(dst=third, data=third, op0=nl.multiply, operand0=scale)
    nisa.dma_copy(dst=out, src=third)
    return out


SHAPES = {
    load_order: ((128, 16384), ml_dtypes.bfloat16),
    small_descriptors: ((128, 8192), ml_dtypes.bfloat16),
    psum_eviction: ((128, 512), ml_dtypes.bfloat16),
    unfused_norm: ((128, 4096), np.float32),
}


def results():
    """By name, the recorded result of each kernel, slow_link's with a fault."""
    found = {
        kernel.__name__: kernel.bench(np.zeros(*spec), record=True, values=False)
        for kernel, spec in SHAPES.items()
    }
    x = np.zeros((128, 8192), np.float32)
    options = {"machine": "trn3-gen2", "timed": True, "values": False, "record": True}
    with settings.using(faults=("link:0.sled@1us=x0.1",)):
        found["slow_link"] = slow_link.run_ranks([{"x": x}] * 16, **options)[1]
    return found
