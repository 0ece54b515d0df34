"""Does the code that public first-generation kernels and their harnesses contain run?"""

import logging

import ml_dtypes
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest
import trainyard
from neuronxcc.nki.typing import scalar
from trainyard import InputError

RNG = np.random.default_rng(25)
X = RNG.standard_normal((128, 64)).astype(np.float32)
COLUMN = RNG.standard_normal((128, 1)).astype(np.float32)
P, F = np.arange(128)[:, None], np.arange(64)[None, :]


def test_activation_takes_nl_copy():
    @nki.jit
    def kernel(x):
        return nisa.activation(op=nl.copy, data=nl.load(x), scale=2.0)

    np.testing.assert_array_equal(kernel(X), 2 * X)


@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3, np.int8])
@pytest.mark.parametrize("placed", [False, True])
def test_tiles_of_one_byte_are_transposed(dtype, placed: bool):
    @nki.jit
    def kernel(x):
        if not placed:
            return nl.copy(nisa.nc_transpose(nl.load(x)))
        own = nl.ndarray((nl.par_dim(64), 128), x.dtype, buffer=nl.psum)
        own[...] = nisa.nc_transpose(nl.load(x))
        return nl.copy(own)

    x = RNG.integers(-8, 8, (128, 64)).astype(dtype)
    np.testing.assert_array_equal(kernel(x), x.T)


@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float32])
def test_a_matmul_that_transposes_takes_any_dtype(machine: str, dtype):
    @nki.jit
    def kernel(x):
        identity = nl.load(nl.shared_constant(np.eye(128), dtype=x.dtype))
        return nl.copy(nisa.nc_matmul(nl.load(x), identity, is_transpose=True), dtype=x.dtype)

    x = X.astype(dtype)
    made = kernel.run(x, machine=trainyard.load_machine(machine))[0]
    np.testing.assert_array_equal(made, x.T)


WHERE = {
    "a column as condition": (lambda x, c: nl.where(c > 0.0, x, 0.0), lambda: (COLUMN > 0, X, 0)),
    "a column as value": (lambda x, c: nl.where(x > 0.0, x, c), lambda: (X > 0, X, COLUMN)),
    "a column as other value": (lambda x, c: nl.where(x > 0.0, c, x), lambda: (X > 0, COLUMN, X)),
    "indices": (
        lambda x, c: nl.where(nl.arange(128)[:, None] >= nl.arange(64)[None, :], x, -1.0),
        lambda: (P >= F, X, -1),
    ),
    "indices and two tiles": (
        lambda x, c: nl.where(nl.arange(128)[:, None] > nl.arange(64)[None, :], x, c),
        lambda: (P > F, X, COLUMN),
    ),
    "indices joined by or": (
        lambda x, c: nl.where(_either(*nl.mgrid[0:128, 0:64]), x, 0.0),
        lambda: ((P < 3) | (F > 60), X, 0),
    ),
}


def _either(p, f):
    return (p < 3) | (f > 60)


@pytest.mark.parametrize(("made", "wanted"), WHERE.values(), ids=WHERE)
@pytest.mark.found("memory.unused")
def test_where_broadcasts_as_numpy_does(made, wanted):
    @nki.jit
    def kernel(x, column):
        return made(nl.load(x), nl.load(column))

    np.testing.assert_array_equal(kernel(X, COLUMN), np.where(*wanted()))


@pytest.mark.found("memory.unused")
def test_iota_of_one_index_of_a_grid_has_the_shape_of_the_grid():
    @nki.jit
    def kernel():
        grid = nl.mgrid[0:128, 0:4]
        assert nisa.iota(grid.x[:, 1:3], dtype=nl.int32).shape == (1, 2)
        return nisa.iota(grid.x, dtype=nl.int32), nisa.iota(3 * grid.p + 1, dtype=nl.int32)

    columns, rows = kernel()
    np.testing.assert_array_equal(columns, np.broadcast_to(np.arange(4), (128, 4)))
    np.testing.assert_array_equal(rows, np.broadcast_to(3 * P + 1, (128, 4)))


@pytest.mark.found("memory.unused")
def test_under_a_mask_that_never_holds_nothing_is_read():
    @nki.jit
    def kernel(x):
        i_p, i_f = nl.mgrid[0:128, 0:128]
        part = nl.load(x[i_p, i_f], mask=(i_p < 100) & (i_f < 64))
        out = nl.zeros((128, 1), x.dtype, buffer=nl.shared_hbm)
        nl.store(out, nl.copy(part[:, 70], mask=False), mask=False)
        return out

    assert not kernel(X[:100]).any()


def test_a_mask_belongs_to_the_dimensions_of_the_index():
    x = np.arange(4, dtype=np.float32).reshape(4, 1)

    @nki.jit
    def kernel(x):
        out = nl.zeros((128, 1), x.dtype, buffer=nl.shared_hbm)
        i_p, i_f = nl.mgrid[0:128, 0:1]
        at = i_f + 1 * i_p
        nl.store(out[i_p, i_f], nl.load(x[at], mask=at + 1 < 4), mask=at + 1 < 4)
        return out

    np.testing.assert_array_equal(kernel(x)[:4, 0], [0, 1, 2, 0])


@pytest.mark.found("memory.unused")
def test_scalar_is_the_number_that_a_tile_holds():
    @nki.jit
    def kernel(x, turns):
        tile, left = nl.load(x), nl.load(turns)
        for _ in range(scalar(left)):
            tile[...] = tile * 2.0
        going = True
        while scalar(going):
            left[...] = left - 1
            going = left[0, 0]
        return tile + float(scalar(left))

    for n in (1, 3):
        np.testing.assert_array_equal(kernel(X, np.full((1, 1), n, np.int32)), X * 2**n)


def test_scalar_takes_one_element():
    @nki.jit
    def kernel(x):
        return nl.load(x) * float(scalar(nl.load(x)))

    with pytest.raises(InputError, match=r"neuronxcc\.scalar(.*\n)*.*\(128, 64\)"):
        kernel(X)


def test_peek_shows_tiles(capsys):
    @nki.jit
    def kernel(x):
        tile = nl.load(x) + 1.0
        print(trainyard.peek(tile)[3, 5] == X[3, 5] + 1, trainyard.peek(tile[0:2, 7]).shape)
        return tile

    np.testing.assert_array_equal(kernel(X), X + 1)
    assert capsys.readouterr().out == "True (2, 1)\n"


def test_names_that_harnesses_import():
    import nki.language.constants as constants
    from neuronxcc.nki.language.constants import sizeinbytes

    assert constants.sizeinbytes(nl.bfloat16) == sizeinbytes(np.float16) == 2
    assert logging.OFF > logging.CRITICAL
