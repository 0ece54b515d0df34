"""Is a tensor's memory told apart from that of the one that had it before, byte by byte?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import findings_of, ids

CHANNELS, ROWS, WIDTH = 2, 40, 224
rng = np.random.default_rng(11)
X = rng.standard_normal((CHANNELS * 128, ROWS * 2 + 2, WIDTH), dtype=np.float32)
W = rng.standard_normal((128, 128), dtype=np.float32)


@nki.jit
def convolution(x, w):
    out = nl.ndarray((128, ROWS * 2, WIDTH - 2), dtype=x.dtype, buffer=nl.shared_hbm)
    weights = nl.ndarray((128, 128), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=weights, src=w)
    for h in nl.affine_range(ROWS):
        # Later ones lie where earlier ones are still being read, in their second half.
        rows = nl.ndarray((128, CHANNELS, 4, WIDTH), dtype=x.dtype, buffer=nl.sbuf)
        for i in range(CHANNELS):
            nisa.dma_copy(
                dst=rows[:, i, :, :], src=x[i * 128 : (i + 1) * 128, 2 * h : 2 * h + 4, :]
            )
        sums = nl.ndarray((128, 2, WIDTH - 2), dtype=nl.float32, buffer=nl.psum)
        for i in range(CHANNELS):
            for a in range(3):
                for b in range(3):
                    nisa.nc_matmul(sums, weights, rows[:, i, a : a + 2, b : b + WIDTH - 2])
        result = nl.ndarray((128, 2, WIDTH - 2), dtype=x.dtype, buffer=nl.sbuf)
        nisa.tensor_copy(result, sums)
        nisa.dma_copy(dst=out[:, 2 * h : 2 * h + 2, :], src=result)
    return out


@pytest.mark.parametrize("schedule", ["author", "list"])
def test_a_tile_still_being_read_where_the_next_one_begins_is_written(schedule):
    assert ids(findings_of(convolution, X, W, schedule=schedule), "warning") == set()
