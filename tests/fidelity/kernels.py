"""Whole kernels whose run time on real machines is published, simulated in time only.

The matrix products follow the structure that the AWS pages describe (which loops, which tiles, what
is loaded where), since their times are of that structure: one tile at a time, loads hoisted out of
the inner loop, free dimensions in blocks, all dimensions in blocks.
"""

from collections.abc import Callable

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import trainyard

P = 128  # partitions, rows of the array, columns of a stationary operand
N = 512  # columns of a moving operand


def load(source, rows: slice, columns: slice):
    """A tile of SBUF with a block of an HBM matrix."""
    tile = nl.ndarray((rows.stop - rows.start, columns.stop - columns.start), dtype=source.dtype)
    nisa.dma_copy(dst=tile, src=source[rows, columns])
    return tile


def block(index: int, size: int) -> slice:
    """The index-th piece of a dimension cut into pieces of `size`."""
    return slice(index * size, (index + 1) * size)


def evict(result, psum, m: int, n: int) -> None:
    """One product of P x N out of PSUM, by way of SBUF, into its place."""
    out = nl.ndarray(psum.shape, dtype=result.dtype)
    nisa.tensor_copy(dst=out, src=psum)
    nisa.dma_copy(dst=result[block(m, P), block(n, N)], src=out)


def output(lhs_t, rhs):
    """Where the product of lhs_t.T and rhs goes."""
    return nl.ndarray((lhs_t.shape[1], rhs.shape[1]), dtype=lhs_t.dtype, buffer=nl.shared_hbm)


@nki.jit
def tiled(lhs_t, rhs):
    """Every product loads both of its operands."""
    result = output(lhs_t, rhs)
    for m in range(lhs_t.shape[1] // P):
        for n in range(rhs.shape[1] // N):
            psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
            for k in range(lhs_t.shape[0] // P):
                stationary = load(lhs_t, block(k, P), block(m, P))
                moving = load(rhs, block(k, P), block(n, N))
                nisa.nc_matmul(dst=psum, stationary=stationary, moving=moving)
            evict(result, psum, m, n)
    return result


@nki.jit
def hoisted(lhs_t, rhs):
    """The left tiles of a row of results are loaded once; the right ones once a result."""
    result = output(lhs_t, rhs)
    steps = range(lhs_t.shape[0] // P)
    for m in range(lhs_t.shape[1] // P):
        left = [load(lhs_t, block(k, P), block(m, P)) for k in steps]
        for n in range(rhs.shape[1] // N):
            right = [load(rhs, block(k, P), block(n, N)) for k in steps]
            psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
            for k in steps:
                nisa.nc_matmul(dst=psum, stationary=left[k], moving=right[k])
            evict(result, psum, m, n)
    return result


@nki.jit
def blocked_free(lhs_t, rhs, ms: int = 2, ns: int = 2):
    """The free dimensions in blocks: a loaded tile serves `ms` or `ns` results."""
    result = output(lhs_t, rhs)
    steps = range(lhs_t.shape[0] // P)
    for m in range(0, lhs_t.shape[1] // P, ms):
        left = [[load(lhs_t, block(k, P), block(m + i, P)) for k in steps] for i in range(ms)]
        for n in range(0, rhs.shape[1] // N, ns):
            right = [[load(rhs, block(k, P), block(n + j, N)) for k in steps] for j in range(ns)]
            for i in range(ms):
                for j in range(ns):
                    psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
                    for k in steps:
                        nisa.nc_matmul(dst=psum, stationary=left[i][k], moving=right[j][k])
                    evict(result, psum, m + i, n + j)
    return result


@nki.jit
def blocked(lhs_t, rhs, ms: int = 16, ns: int = 2, ks: int = 8):
    """All dimensions in blocks, sums of blocks in SBUF, loads and stores of long rows."""
    result = output(lhs_t, rhs)
    k_total, m_total = lhs_t.shape
    for n in range(rhs.shape[1] // (N * ns)):
        sums = []
        for _ in range(m_total // P):
            total = nl.ndarray((P, N * ns), dtype=result.dtype)
            nisa.memset(dst=total, value=0.0)
            sums.append(total)
        for kb in range(k_total // (P * ks)):
            right = [load(rhs, block(kb * ks + k, P), block(n, N * ns)) for k in range(ks)]
            for mb in range(m_total // (P * ms)):
                left = [load(lhs_t, block(kb * ks + k, P), block(mb, P * ms)) for k in range(ks)]
                for j in range(ns):
                    for i in range(ms):
                        psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
                        for k in range(ks):
                            nisa.nc_matmul(
                                dst=psum,
                                stationary=left[k][:, block(i, P)],
                                moving=right[k][:, block(j, N)],
                            )
                        total = sums[mb * ms + i][:, block(j, N)]
                        nisa.tensor_tensor(dst=total, data1=total, data2=psum, op=nl.add)
        for m, total in enumerate(sums):
            nisa.dma_copy(dst=result[block(m, P), block(n, N * ns)], src=total)
    return result


TUTORIAL = "aws-neuron/aws-neuron-sdk:nki/guides/tutorials/matrix_multiplication.rst"
GUIDE = "aws-neuron/aws-neuron-sdk:nki/guides/kernel-optimization.rst + nki/img/how-to/v*-*.png"
AGENTIC = (
    "aws-neuron/neuron-agentic-development:skills/neuron-nki-profile-querying/references/"
    "example-bounds-analysis.md"
)


def product(kernel: Callable, machine: str, dtype, m: int, k: int, n: int):
    """The simulated run of one matrix product."""
    shapes = (k, m), (k, n)
    arrays = (np.zeros(shape, dtype) for shape in shapes)
    return kernel.bench(*arrays, machine=trainyard.load_machine(machine))


def rows(only: str = "") -> list[dict]:
    """All kernels whose id begins with `only`."""
    bf16, fp32 = ml_dtypes.bfloat16, np.float32
    large, cube = (4096, 8192, 8192), (4096, 4096, 4096)
    ladder = "matmul [4096,8192]x[8192,8192]"
    cases = [
        ("T1MM-001", "trn1", f"bf16 {ladder}, tiled", 51.80, tiled, bf16, large, TUTORIAL),
        (
            "T1MM-003",
            "trn1",
            f"bf16 {ladder}, loads hoisted",
            42.96,
            hoisted,
            bf16,
            large,
            TUTORIAL,
        ),
        (
            "T1MM-005",
            "trn1",
            f"bf16 {ladder}, free blocks",
            22.07,
            blocked_free,
            bf16,
            large,
            TUTORIAL,
        ),
        ("T1MM-007", "trn1", f"bf16 {ladder}, all in blocks", 6.97, blocked, bf16, large, TUTORIAL),
        ("T2MM-001", "trn2", f"fp32 {ladder}, tiled", 39.895, tiled, fp32, large, GUIDE),
        ("T2MM-v3", "trn2", f"fp32 {ladder}, loads hoisted", 28.2, hoisted, fp32, large, GUIDE),
        ("T2MM-v4", "trn2", f"fp32 {ladder}, free blocks", 28.4, blocked_free, fp32, large, GUIDE),
        ("T2MM-023", "trn2", f"fp32 {ladder}, all in blocks", 28.302, blocked, fp32, large, GUIDE),
        ("AGT-V0", "trn2", "bf16 matmul 4096 cubed, tiled", 8.602, tiled, bf16, cube, AGENTIC),
        ("AGT-V1", "trn2", "bf16 matmul 4096 cubed, free blocks", 2.451, None, bf16, cube, AGENTIC),
        ("AGT-V2", "trn2", "bf16 matmul 4096 cubed, row loads", 1.801, None, bf16, cube, AGENTIC),
    ]
    found = []
    for name, machine, what, published, kernel, dtype, shape, source in cases:
        if not name.startswith(only) or kernel is None:
            continue
        simulated = product(kernel, machine, dtype, *shape).time_ns / 1e6
        found.append(
            {
                "id": name,
                "machine": machine,
                "what": what,
                "published": published,
                "simulated": simulated,
                "unit": "ms",
                "error": simulated / published - 1,
                "source": source,
            }
        )
    return found
