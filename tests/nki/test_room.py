"""Do runs without time and checks compute what does not fit on chip, and all others refuse it?"""

import warnings

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import InputError

TILES, COLUMNS = 6, 16384  # 6 x 64 KiB of a partition


@nki.jit
def in_sbuf(x):
    tiles = [nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf) for _ in range(TILES)]
    out = nl.ndarray((TILES, *x.shape), x.dtype, buffer=nl.shared_hbm)
    for i, tile in enumerate(tiles):
        nisa.dma_copy(dst=tile, src=x)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=float(i))
    for i, tile in enumerate(tiles):
        nisa.dma_copy(dst=out[i], src=tile)
    return out


@nki.jit
def in_psum(x):
    out = nl.ndarray((TILES * 2, *x.shape), x.dtype, buffer=nl.shared_hbm)
    tile = nl.load(x)
    sums = [nl.ndarray(x.shape, nl.float32, buffer=nl.psum) for _ in range(TILES * 2)]
    for i, bank in enumerate(sums):
        nisa.tensor_scalar(dst=bank, data=tile, op0=nl.add, operand0=float(i))
    for i, bank in enumerate(sums):
        nl.store(out[i], nl.copy(bank))
    return out


CASES = {"sbuf": (in_sbuf, COLUMNS, TILES), "psum": (in_psum, 512, TILES * 2)}


@pytest.mark.parametrize("memory", CASES)
def test_values_have_the_room_they_need_and_say_so(memory):
    kernel, columns, count = CASES[memory]
    x = np.random.default_rng(0).standard_normal((128, columns)).astype(np.float32)
    with pytest.warns(UserWarning, match=rf"{memory}\.capacity.*test_room"):
        found = kernel.run(x, checks=False)[0]
    expected = np.stack([x + np.float32(i) for i in range(count)])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("how", [{}, {"timed": True, "checks": False}], ids=["checked", "timed"])
@pytest.mark.parametrize("memory", CASES)
def test_a_checked_or_timed_run_has_what_the_machine_has(memory, how):
    kernel, columns, _ = CASES[memory]
    with warnings.catch_warnings(), pytest.raises(InputError, match=rf"{memory}\.capacity"):
        warnings.simplefilter("error")
        kernel.run(np.zeros((128, columns), np.float32), **how)
