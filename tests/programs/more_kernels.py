"""Random emitters that need tiles of their own: gathers, counts, generators, MX, double rows, DMA.

What they write joins the pool, so that later instructions read it and the kernel returns it.
"""

from __future__ import annotations

from typing import Any

import nki.isa as nisa
import nki.language as nl
from random_kernels import Emitter, P, Pool


def new(g: Pool, shape: tuple[int, ...], dtype: Any) -> Any:
    """A tile that the kernel returns."""
    tile = nl.ndarray(shape, dtype)
    g.extra.append(tile)
    return tile


def positions(shape: tuple[int, int], dtype: str, step: int, channel: int, offset: int = 0) -> Any:
    """Integers that count up along the rows and down the partitions."""
    tile = nl.ndarray(shape, dtype)
    pattern = [[step, shape[1]]]
    nisa.iota(dst=tile, pattern=pattern, offset=offset, channel_multiplier=channel)
    return tile


def gathers(g: Pool) -> None:
    src = g.tile(slice(0, 32), 32)
    index = positions((32, 2), "uint16", int(g.random.integers(1, 16)), int(g.flag()) // 2)
    nisa.local_gather(dst=new(g, (32, 32), src.dtype), src_buffer=src, index=index)
    places = positions((32, 8), "uint32", int(g.random.integers(1, 4)), 0, 3)
    nisa.nc_n_gather(dst=new(g, (32, 8), src.dtype), data=src, indices=places)


def counts(g: Pool) -> None:
    ids = g.tile(slice(0, 1), 32, ["float32", "int32"])
    nisa.sequence_bounds(dst=new(g, (1, 2, 32), ids.dtype), segment_ids=ids)
    found = new(g, (32, 33), nl.int32)
    nisa.memset(dst=found, value=5)
    data = g.tile(slice(0, 32), 32, ["float32", "int32"])
    nisa.nonzero_with_count(dst=found, src=data, index_offset=g.one([0, 7]), padding_val=-2)
    values, index = new(g, (32, 8), nl.bfloat16), new(g, (32, 8), nl.uint32)
    many = g.tile(slice(0, 32), 9, ["bfloat16"])
    nisa.topk(val_dst=values, idx_dst=index, src=many, n=int(g.one([140, 144])))


def generators(g: Pool) -> None:
    engine, words = g.one([(nisa.engine.vector, 24), (nisa.engine.gpsimd, 6)])
    state = new(g, (P, words), nl.uint32)
    if g.flag():
        seeds = positions((P, words), "uint32", 77777, 12345, 1)
        nisa.rand_set_state(src_seeds=seeds, engine=engine)
    nisa.rng(dst=new(g, (P, 9), nl.uint32), engine=engine)
    p, n = g.shape()
    dst = g.tile(p, n)
    data = g.tile(p, n, [str(dst.dtype)])
    nisa.dropout(dst=dst, data=data, prob=g.one([0.0, 0.3, 1.0]))
    nisa.rand_get_state(dst=state, engine=engine)


def mx(g: Pool) -> None:
    rows = int(g.one([32, 64, P]))
    sides = []
    for _ in range(2):
        packed = g.one([nl.float8_e4m3fn_x4, nl.float8_e5m2_x4])
        data = nl.ndarray((rows, 16), packed)
        scale = new(g, (rows, 16), nl.uint8)
        nisa.memset(dst=scale, value=0)
        src = g.tile(slice(0, rows), 64, ["bfloat16", "float16"])
        nisa.quantize_mx(dst=data, src=src, dst_scale=scale)
        sides.append((data, scale))
    (left, left_scale), (right, right_scale) = sides
    dst = g.tile(slice(0, 16), 16, ["float32", "bfloat16"])
    nisa.nc_matmul_mx(
        dst=dst, stationary=left, moving=right, stationary_scale=left_scale,
        moving_scale=right_scale, accumulate=g.flag(),
    )  # fmt: skip


def double_rows(g: Pool) -> None:
    k = slice(0, int(g.one([P, 64])))
    left, right = (g.tile(k, 64, ["float8_e4m3", "float8_e5m2"]).reshape((k.stop, 2, 32))
                   for _ in range(2))  # fmt: skip
    dst = g.tile(slice(0, 32), 32, ["float32", "bfloat16"])
    mode = nisa.matmul_perf_mode.double_row
    nisa.nc_matmul(dst=dst, stationary=left, moving=right, perf_mode=mode, accumulate=g.flag())


def tiled_matmul(g: Pool) -> None:
    k = slice(64, 96)
    dst = g.tile(slice(32, 64), 32, ["float32", "bfloat16"])
    left, right = (g.tile(k, 32, ["bfloat16"]) for _ in range(2))
    nisa.nc_matmul(
        dst=dst, stationary=left, moving=right, tile_position=(64, 32), tile_size=(32, 32),
        accumulate=g.flag(),
    )  # fmt: skip


def exact_transpose(g: Pool) -> None:
    data = g.tile(slice(0, 64), 32, ["bfloat16", "float32"])
    identity = nl.shared_identity_matrix(64, data.dtype)
    turned = nl.ndarray((32, 64), data.dtype, buffer=nl.psum)
    nisa.nc_matmul(dst=turned, stationary=data, moving=identity, is_transpose=True)
    nisa.tensor_copy(dst=new(g, (32, 64), data.dtype), src=turned)
    whole = nl.ndarray((32, 32), data.dtype, buffer=nl.psum)
    nisa.nc_transpose(dst=whole, data=data[0:32], engine=nisa.engine.tensor)
    nisa.tensor_copy(dst=new(g, (32, 32), data.dtype), src=whole)


def rows_by_index(g: Pool) -> None:
    table = nl.ndarray((40, 64), nl.float32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=table, src=g.tile(slice(0, 40), 64))
    index = positions((20, 1), "int32", 1, int(g.one([1, 2])), int(g.one([0, 1])))
    gathered = new(g, (20, 64), g.one([nl.float32, nl.bfloat16]))
    nisa.dma_copy(dst=gathered, src=table.vector_select(0, index))
    nisa.dma_copy(dst=table.ap([[64, 20], [1, 64]], vector_offset=index), src=gathered)
    summed = new(g, (40, 64), nl.float32)
    nisa.dma_compute(dst=summed, srcs=[table, g.tile(slice(0, 40), 64)], reduce_op=nl.add)


def loops(g: Pool) -> None:
    source, total = g.tile(slice(0, 32), 64, ["float32"]), new(g, (32, 8), nl.float32)
    nisa.memset(dst=total, value=1.0)

    def body(i: Any) -> None:
        column = source[:, nl.ds(i, 8)]
        nisa.tensor_tensor(dst=total, data1=total, data2=column, op=nl.add)

    nl.fori_loop(0, int(g.one([3, 5])), body, step=int(g.one([1, 2])))


def indirect(g: Pool) -> None:
    index = positions((64, 1), "uint16", 1, *g.one([(1, 0), (0, 5)]))
    source = g.tile(slice(0, 64), 64, ["bfloat16", "float16"])
    view = source.indirect(index, 16)
    nisa.tensor_copy(dst=new(g, (64, 16), source.dtype), src=view)
    scattered = new(g, (64, 70), nl.float32)
    nisa.memset(dst=scattered, value=0)
    nisa.activation(dst=scattered.indirect(index, 16), op=nl.copy, data=view)
    # The Tensor engine reads the same view by lists of 32 partitions.
    product = nl.ndarray((64, 16), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=product, stationary=source, moving=view)
    nisa.tensor_copy(dst=new(g, (64, 16), nl.float32), src=product)


MORE: list[Emitter] = [
    gathers, counts, generators, mx, double_rows, tiled_matmul, exact_transpose, rows_by_index,
    loops, indirect,
]  # fmt: skip
