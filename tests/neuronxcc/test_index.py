"""Does an index expression choose the elements that NumPy chooses?"""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest
from trainyard import InputError

X = np.arange(32 * 12 * 10, dtype=np.float32).reshape(32, 12, 10)
P = np.arange(32)[:, None]
Q = np.arange(32)[:, None, None]

KEYS = {
    "arrays": (P, 3, np.arange(10)[None, :]),
    "a stride and an offset": (P, 1 + 2 * np.arange(4)[None, :], 5),
    "two dimensions from three": (Q, np.arange(12)[None, :, None], np.arange(10)[None, None, :]),
    "one dimension in two indices": (P, np.arange(10)[None, :], np.arange(10)[None, :]),
    "overlapping windows": (Q, np.arange(4)[None, :, None] + np.arange(3)[None, None, :], 0),
    "backwards": (P, 11 - np.arange(12)[None, :], 2),
    "slices": (slice(0, 16), slice(2, 12, 3), slice(None)),
    "an ellipsis": (..., slice(4, 6)),
    "a number counted from the end": (slice(None), -1),
    "a slice and an array": (slice(None), np.arange(5), 1),
    "part of the partitions": (P[:16], 0, np.arange(10)[None, :]),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("where", ["hbm", "sbuf"])
def test_a_view_has_the_elements_that_numpy_gives(key: tuple, where: str):
    wanted = X[key]

    @nki.jit
    def kernel(x):
        out = nl.ndarray(wanted.shape, x.dtype, buffer=nl.shared_hbm)
        if where == "hbm":
            nl.store(out, nl.load(x[key]))
        else:
            nl.store(out, nl.copy(nl.load(x)[key]))
        return out

    np.testing.assert_array_equal(kernel(X), wanted)


def test_views_of_views_compose():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((16, 3), x.dtype, buffer=nl.shared_hbm)
        tile = nl.load(x)
        nl.store(out, nl.copy(tile[0:16, 2:11, :][:, nl.ds(1, 6), 7][:, ::2]))
        return out

    np.testing.assert_array_equal(kernel(X), X[0:16, 2:11, :][:, 1:7, 7][:, ::2])


def test_a_written_view_changes_only_its_elements():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((32, 12), x.dtype, buffer=nl.shared_hbm)
        tile = nl.zeros((nl.par_dim(32), 12), x.dtype)
        i_p, i_f = nl.mgrid[0:32, 0:5]
        tile[i_p, 2 * i_f + 1] = nl.load(x[i_p, 0, i_f])
        nl.store(out, tile)
        return out

    wanted = np.zeros((32, 12), np.float32)
    wanted[:, 1:10:2] = X[:, 0, :5]
    np.testing.assert_array_equal(kernel(X), wanted)


def test_rows_are_gathered_by_a_tile_of_indices():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((8, 10), x.dtype, buffer=nl.shared_hbm)
        rows = nisa.iota(3 * nl.arange(8)[:, None] + 1, dtype=nl.int32)
        nl.store(out, nl.load(x[rows, nl.arange(10)[None, :]]))
        return out

    flat = X.reshape(-1, 10)
    np.testing.assert_array_equal(kernel(flat), flat[3 * np.arange(8) + 1])


def test_mgrid_names_its_dimensions():
    grid = nl.mgrid[0:4, 2:8:3]
    assert grid.p.shape == (4, 1) and grid.x.tolist() == [[2, 5]]
    with pytest.raises(AttributeError, match=r"no \.y"):
        _ = grid.y


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ((P, np.array([[0, 1, 3]]), 0), "index.affine"),
        ((P, 12 + np.arange(2)[None, :], 0), "view.bounds"),
        ((0, 0, 0, 0), "view.index"),
    ],
)
def test_what_no_access_pattern_can_say_is_refused(key: tuple, label: str):
    @nki.jit
    def kernel(x):
        return nl.load(x[key])

    with pytest.raises(InputError, match=label):
        kernel(X)


def test_the_partitions_of_a_view_come_first():
    @nki.jit
    def kernel(x):
        return nl.copy(nl.load(x)[nl.arange(12)[None, :], nl.arange(12)[:, None], 0])

    with pytest.raises(InputError, match=r"view\.partition"):
        kernel(X)
