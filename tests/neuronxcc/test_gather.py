"""Does a tile of indices choose along any dimension of an HBM tensor, and is the rest refused?"""

import neuronxcc.nki as nki
import neuronxcc.nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError

RNG = np.random.default_rng(24)
X = RNG.standard_normal((3, 200, 6, 4)).astype(np.float32)
ROWS = RNG.integers(0, 200, (128, 2)).astype(np.int32)
P, F = np.arange(128)[:, None], np.arange(4)[None, :]

KEYS = {
    "in the middle": (lambda i: (1, i[P, 0], 2, F), X[1, ROWS[:, 0], 2, :]),
    "a column of several": (lambda i: (2, i[P, 1], 5, F), X[2, ROWS[:, 1], 5, :]),
    "two dimensions behind": (lambda i: (0, i[:, 0]), X[0, ROWS[:, 0]]),
    "a part of the last dimension": (
        lambda i: (1, i[P, 0], 3, F[:, 1:3]),
        X[1, ROWS[:, 0], 3, 1:3],
    ),
    "some of the rows": (lambda i: (1, i[P[32:64], 0], 2, F), X[1, ROWS[32:64, 0], 2, :]),
}


@pytest.mark.parametrize(("key", "wanted"), KEYS.values(), ids=KEYS)
def test_loads_gather_along_any_dimension(key, wanted: np.ndarray):
    @nki.jit
    def kernel(x, rows):
        return nl.load(x[key(nl.load(rows))])

    np.testing.assert_array_equal(kernel(X, ROWS), wanted)


def test_the_last_dimension_is_gathered_too():
    columns = RNG.integers(0, 200, (64, 1)).astype(np.int32)
    x = RNG.standard_normal((5, 200)).astype(np.float32)

    @nki.jit
    def kernel(x, columns):
        chosen = nl.load(columns)
        return nl.load(x[np.arange(5)[None, :], chosen[np.arange(64)[:, None], 0]])

    np.testing.assert_array_equal(kernel(x, columns), x[:, columns[:, 0]].T)


def test_stores_scatter_along_any_dimension():
    rows = RNG.permutation(200)[:128].astype(np.int32)[:, None]
    values = RNG.standard_normal((128, 4)).astype(np.float32)

    @nki.jit
    def kernel(values, rows):
        out = nl.zeros((3, 200, 4), values.dtype, buffer=nl.shared_hbm)
        chosen = nl.load(rows)
        nl.store(out[1, chosen[P, 0], F], nl.load(values))
        return out

    wanted = np.zeros((3, 200, 4), np.float32)
    wanted[1, rows[:, 0]] = values
    np.testing.assert_array_equal(kernel(values, rows), wanted)


def test_a_mask_leaves_out_rows_whose_index_was_not_loaded():
    @nki.jit
    def kernel(x, rows):
        out = nl.zeros((128, 4), x.dtype, buffer=nl.shared_hbm)
        inside = P.view(type(nl.arange(1))) < 100
        chosen = nl.load(rows, mask=inside)
        nl.store(out[P, F], nl.load(x[1, chosen[P, 0], 2, F], mask=inside), mask=inside)
        return out

    wanted = np.where(P < 100, X[1, ROWS[:, 0], 2, :], 0)
    np.testing.assert_array_equal(kernel(X, ROWS[:100]), wanted)


def test_one_index_moves_any_dimension():
    @nki.jit
    def kernel(x, rows):
        chosen = nl.load(rows[0:1, 0:1])
        i_p, i_f = nl.mgrid[0:6, 0:4]
        return nl.load(x[2, chosen[0, 0], i_p, i_f])

    np.testing.assert_array_equal(kernel(X, ROWS), X[2, ROWS[0, 0]])


def test_an_index_outside_its_dimension_is_not_that_of_the_next_row():
    @nki.jit
    def kernel(x, rows):
        return nl.load(x[1, nl.load(rows)[P, 0], 2, F])

    with pytest.raises(Fault, match="200 rows"):
        kernel(X, np.full((128, 1), 200, np.int32))


REFUSED = {
    "two tiles": lambda x, i: x[i[0, 0], i[P, 1], 2, F],
    "along the free dimension": lambda x, i: x[:, i[P, 0], 2, F],
    "many in a partition": lambda x, i: x[1, i, 2],
    "the same index twice": lambda x, i: x[0, i[P[:6], 0], P[:6], F],
}


@pytest.mark.parametrize("view", REFUSED.values(), ids=REFUSED)
def test_what_one_dma_cannot_gather_is_refused(view):
    @nki.jit
    def kernel(x, rows):
        return nl.load(view(x, nl.load(rows)))

    with pytest.raises(InputError, match=r"view\.gather"):
        kernel(X, ROWS)


def test_a_block_dimension_takes_no_tile_of_indices():
    @nki.jit
    def kernel(rows):
        tiles = nl.zeros((4, nl.par_dim(128), 4), nl.float32)
        return nl.copy(tiles[nl.load(rows[0:1, 0:1])[0, 0], P, F])

    with pytest.raises(InputError, match=r"view\.block"):
        kernel(ROWS)
