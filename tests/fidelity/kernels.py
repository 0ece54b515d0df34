"""Whole kernels whose run time on real machines is published, simulated in time only.

The matrix products follow the structure that the AWS pages describe (which loops, which tiles, what
is loaded where), since their times are of that structure: one tile at a time, loads hoisted out of
the inner loop, free dimensions in blocks, all dimensions in blocks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

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
def tiled(lhs_t, rhs, keep: int = 1):
    """Every product loads its right operand, and its left one for every `keep`-th column."""
    result = output(lhs_t, rhs)
    steps = range(lhs_t.shape[0] // P)
    for m in range(lhs_t.shape[1] // P):
        left = [None] * len(steps)
        for n in range(rhs.shape[1] // N):
            psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
            for k in steps:
                if n % keep == 0:
                    left[k] = load(lhs_t, block(k, P), block(m, P))
                stationary = left[k]
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
def blocked_free(lhs_t, rhs, ms: int = 2):
    """The left dimension in blocks: a right tile serves `ms` results.

    The page's kernel loads the right tiles of two columns before it uses them, more than SBUF
    holds in fp32; the compiler moves loads to their uses, as is written here.
    """
    result = output(lhs_t, rhs)
    steps = range(lhs_t.shape[0] // P)
    for m in range(0, lhs_t.shape[1] // P, ms):
        left = [[load(lhs_t, block(k, P), block(m + i, P)) for k in steps] for i in range(ms)]
        for n in range(rhs.shape[1] // N):
            right = [load(rhs, block(k, P), block(n, N)) for k in steps]
            for i in range(ms):
                psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
                for k in steps:
                    nisa.nc_matmul(dst=psum, stationary=left[i][k], moving=right[k])
                evict(result, psum, m + i, n)
    return result


@nki.jit
def blocked_rows(lhs_t, rhs, ms: int = 8, ns: int = 2):
    """Free dimensions in blocks whose operands are loaded in rows as long as the block."""
    result = output(lhs_t, rhs)
    steps = range(lhs_t.shape[0] // P)
    for mb in range(lhs_t.shape[1] // (P * ms)):
        left = [load(lhs_t, block(k, P), block(mb, P * ms)) for k in steps]
        for nb in range(rhs.shape[1] // (N * ns)):
            right = [load(rhs, block(k, P), block(nb, N * ns)) for k in steps]
            for i in range(ms):
                for j in range(ns):
                    psum = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
                    for k in steps:
                        stationary, moving = left[k][:, block(i, P)], right[k][:, block(j, N)]
                        nisa.nc_matmul(dst=psum, stationary=stationary, moving=moving)
                    evict(result, psum, mb * ms + i, nb * ns + j)
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


@dataclass(frozen=True)
class Product:
    """One published time of a matrix product, and the kernel that has its structure."""

    name: str
    machine: str
    what: str
    published_ms: float
    kernel: Callable
    dtype: type
    shape: tuple[int, int, int]  # M, K, N
    source: str
    blocks: dict[str, int] = field(default_factory=dict)

    def simulate(self) -> float:
        """Milliseconds."""
        m, k, n = self.shape
        arrays = [np.zeros(shape, self.dtype) for shape in ((k, m), (k, n))]
        machine = trainyard.load_machine(self.machine)
        return self.kernel.bench(*arrays, machine=machine, **self.blocks).time_ns / 1e6


BF16, FP32 = ml_dtypes.bfloat16, np.float32
LARGE, CUBE = (4096, 8192, 8192), (4096, 4096, 4096)
PRODUCTS = [
    Product("T1MM-001", "trn1", "tiled", 51.80, tiled, BF16, LARGE, TUTORIAL),
    Product("T1MM-003", "trn1", "loads hoisted", 42.96, hoisted, BF16, LARGE, TUTORIAL),
    Product("T1MM-005", "trn1", "free blocks", 22.07, blocked_free, BF16, LARGE, TUTORIAL),
    Product("T1MM-007", "trn1", "all in blocks", 6.97, blocked, BF16, LARGE, TUTORIAL),
    Product("T2MM-001", "trn2", "tiled", 39.895, tiled, FP32, LARGE, GUIDE),
    Product("T2MM-v3", "trn2", "loads hoisted", 28.2, hoisted, FP32, LARGE, GUIDE),
    Product("T2MM-v4", "trn2", "free blocks", 28.4, blocked_free, FP32, LARGE, GUIDE),
    # Blocks of 16 by 2 by 8 tiles need 224 KiB of a partition, more than Trn2 has for them; AWS's
    # compiler spilled. Blocks of 8 move the same operands.
    Product("T2MM-023", "trn2", "all in blocks", 28.302, blocked, FP32, LARGE, GUIDE, {"ms": 8}),
    # 8,192 and 3,068 loads by the published byte counts: the compiler kept some left operands.
    Product("AGT-V0", "trn2", "tiled", 8.602, tiled, BF16, CUBE, AGENTIC, {"keep": 3}),
    Product("AGT-V1", "trn2", "free blocks", 2.451, blocked_free, BF16, CUBE, AGENTIC, {"ms": 8}),
    Product("AGT-V2", "trn2", "blocks in rows", 1.801, blocked_rows, BF16, CUBE, AGENTIC),
]


def rows(only: str = "") -> list[dict]:
    """All kernels whose id begins with `only`."""
    found = []
    for product in PRODUCTS:
        if not product.name.startswith(only):
            continue
        simulated = product.simulate()
        m, k, n = product.shape
        found.append(
            {
                "id": product.name,
                "machine": product.machine,
                "what": f"{np.dtype(product.dtype)} matmul [{m},{k}]x[{k},{n}], {product.what}",
                "published": product.published_ms,
                "simulated": simulated,
                "unit": "ms",
                "error": simulated / product.published_ms - 1,
                "source": product.source,
            }
        )
    return found
