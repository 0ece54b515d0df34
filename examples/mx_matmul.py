"""MXFP8 matrix product on one NeuronCore, operands quantised on the device, as an NKI kernel.

The tensor engine takes blocks of 32 values with one power-of-two scale: 8 neighbouring partitions
by 4 packed elements. Row k of a 512-deep slice sits in packed slot k // 128 of partition k % 128.
"""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128  # partitions
PACK = 4  # values in one element of an x4 dtype
DEPTH = P * PACK  # rows of the contraction that one instruction takes
WIDTH = 512  # columns that one instruction moves


def quantised(source, depth, columns):
    """A slice [512, columns] of an HBM matrix [K, N] from row `depth`, quantised in SBUF.

    Returns (data [128, columns] float8_e4m3fn_x4, scales [128, columns] uint8).
    """
    rows = nl.ndarray((P, PACK, columns.size), nl.bfloat16)
    for slot in range(PACK):
        nisa.dma_copy(dst=rows[:, slot, :], src=source[nl.ds(depth + slot * P, P), columns])
    packed = nl.ndarray((P, columns.size, PACK), nl.bfloat16)
    nisa.tensor_copy(dst=packed, src=rows.permute((0, 2, 1)), engine=nisa.engine.scalar)
    data = nl.ndarray((P, columns.size), nl.float8_e4m3fn_x4)
    scales = nl.ndarray((P, columns.size), nl.uint8)
    nisa.quantize_mx(dst=data, src=packed.reshape((P, columns.size * PACK)), dst_scale=scales)
    return data, scales


@nki.jit
def mx_matmul(a, b):
    """a.T @ b with both operands quantised to MXFP8 (E4M3, blocks of 32).

    a: [K, M] bf16, b: [K, N] bf16; K a multiple of 512, M of 128, N of 512. Returns [M, N] bf16.
    """
    depth, height = a.shape
    _, width = b.shape
    out = nl.ndarray((height, width), nl.bfloat16, buffer=nl.shared_hbm)
    slices = range(0, depth, DEPTH)
    left = [quantised(a, at, nl.ds(0, height)) for at in slices]
    for first in range(0, width, WIDTH):
        columns = nl.ds(first, WIDTH)
        right = [quantised(b, at, columns) for at in slices]
        for row in range(0, height, P):
            rows = nl.ds(row, P)
            product = nl.ndarray((P, WIDTH), nl.float32, buffer=nl.psum)
            for (a_data, a_scales), (b_data, b_scales) in zip(left, right, strict=True):
                nisa.nc_matmul_mx(
                    dst=product,
                    stationary=a_data[:, rows],
                    moving=b_data,
                    stationary_scale=a_scales[:, rows],
                    moving_scale=b_scales,
                )
            result = nl.ndarray((P, WIDTH), out.dtype)
            nisa.tensor_copy(dst=result, src=product, engine=nisa.engine.vector)
            nisa.dma_copy(dst=out[rows, columns], src=result)
    return out
