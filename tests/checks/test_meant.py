"""Are idioms of public kernels, which look like mistakes, left alone?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
from harness import findings_of, ids

X = np.random.default_rng(5).standard_normal((128, 64), dtype=np.float32)


def stored(tile):
    out = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


def test_a_row_is_broadcast_in_its_quadrant():
    @nki.jit
    def kernel(x):
        tile = nl.ndarray((32, 64), x.dtype)
        nisa.dma_copy(dst=tile[0:1], src=x[0:1])
        nisa.nc_stream_shuffle(dst=tile, src=tile[0:1], shuffle_mask=[0] * 32)
        return stored(tile)

    assert "memory.alias" not in ids(findings_of(kernel, X), "warning")


def test_a_result_may_be_written_for_the_sum_beside_it():
    @nki.jit
    def kernel(x):
        tile, total = nl.load(x), nl.ndarray((128, 1), x.dtype)
        result = nl.ndarray(x.shape, x.dtype)
        for command, where in (
            (nisa.reduce_cmd.reset_reduce, None),
            (nisa.reduce_cmd.reduce, total),
        ):
            nisa.tensor_scalar_reduce(
                dst=result,
                data=tile,
                op0=nl.multiply,
                operand0=1.0,
                reduce_op=nl.add,
                reduce_res=where,
                reduce_cmd=command,
            )
        return stored(total)

    assert "memory.dead_store" not in ids(findings_of(kernel, X), "warning")


def sums(columns_read):
    """A product overwritten after so many of its columns were read."""

    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        product = nl.ndarray((64, 64), nl.float32, buffer=nl.psum)
        result = nl.ndarray((64, 64), nl.float32)
        nisa.memset(dst=result, value=0.0)
        for columns in (columns_read, 64):
            nisa.nc_matmul(dst=product, stationary=tile, moving=tile, accumulate=False)
            if columns:
                nisa.tensor_copy(dst=result[:, 0:columns], src=product[:, 0:columns])
        return stored(result)

    return ids(findings_of(kernel, X), "warning")


def test_a_sum_may_be_read_in_part():
    assert "psum.lost_sum" in sums(0)
    assert "psum.lost_sum" not in sums(10)
