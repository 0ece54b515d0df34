"""Do operators, reductions, loops, blocks and grids mean what first-generation kernels expect?"""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest
from neuronxcc.nki import compiler
from trainyard import InputError

RNG = np.random.default_rng(3)
X = RNG.standard_normal((128, 64)).astype(np.float32)
COLUMN = RNG.uniform(1, 2, (128, 1)).astype(np.float32)
ROW = RNG.standard_normal((1, 64)).astype(np.float32)

EXPRESSIONS = {
    "numbers": lambda x, c, r: 2.0 - x * 0.5 + 1,
    "a column on the right": lambda x, c, r: x - c,
    "a column on the left": lambda x, c, r: c - x,
    "a row over the partitions": lambda x, c, r: x * r,
    "column and row": lambda x, c, r: c + r,
    "quotients": lambda x, c, r: x / c + 1.0 / c - x / 4,
    "a sign": lambda x, c, r: -x,
    "comparisons": lambda x, c, r: (x > 0) * 1.0 + (x <= c) * 2.0,
}


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
@pytest.mark.found("memory.unused")
def test_operators_broadcast_as_numpy_does(expression):
    @nki.jit
    def kernel(x, column, row):
        return expression(nl.load(x), nl.load(column), nl.load(row))

    wanted = np.asarray(expression(X, COLUMN, ROW), np.float32)
    made = kernel(X, COLUMN, ROW)
    np.testing.assert_allclose(np.asarray(made, np.float32), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("dtypes", "wanted"),
    [
        (("bfloat16", "float32"), "float32"),
        (("bfloat16", "float16"), "float32"),
        (("int32", "bfloat16"), "bfloat16"),
        (("uint8", "int32"), "int32"),
    ],
)
def test_a_result_has_the_wider_dtype(dtypes: tuple[str, str], wanted: str):
    @nki.jit
    def kernel(x, y):
        return nl.load(x) + nl.load(y)

    arrays = [np.ones((8, 8), dtype) for dtype in dtypes]
    assert kernel(*arrays).dtype == np.dtype(wanted)


@pytest.mark.found("memory.unused")
def test_reductions_keep_two_dimensions_and_take_inner_axes():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        assert nl.max(tile, axis=[1, 2]).shape == (16, 1)
        assert nl.sum(tile, axis=2, keepdims=True).shape == (16, 4, 1)
        return nl.sum(tile, axis=1), nl.mean(tile, axis=[1, 2]), nl.max(tile, axis=2)

    x = RNG.standard_normal((16, 4, 6)).astype(np.float32)
    sums, means, largest = kernel(x)
    np.testing.assert_allclose(sums, x.sum(1), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(means[:, 0], x.mean((1, 2)), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(largest, x.max(2))


def test_mod_is_right_where_a_quotient_is_whole():
    @nki.jit
    def kernel(x):
        return nl.mod(nl.load(x), 49, dtype=nl.int32)

    x = np.arange(128 * 100, dtype=np.int32).reshape(128, 100)
    np.testing.assert_array_equal(kernel(x), x % 49)


def test_tiles_of_many_dimensions_are_taken_in_pieces():
    @nki.jit
    def kernel(x):
        tile = nl.load(x).reshape((16, 2, 3, 2, 2, 4, 2))
        i, a, b, c, d, e, f = nl.mgrid[0:16, 0:2, 0:2, 0:2, 0:2, 0:3, 0:2]
        made = nl.zeros((16, 2, 2, 2, 2, 3, 2), x.dtype)
        made[i, 1 - a, b, c, d, e, f] = tile[i, a, b, c, d, e, f] * 3.0 - tile[i, a, b, c, d, e, f]
        return made.reshape((16, 96))

    x = RNG.standard_normal((16, 192)).astype(np.float32)
    cut = x.reshape(16, 2, 3, 2, 2, 4, 2)[:, ::-1, :2, :, :, :3]
    np.testing.assert_allclose(kernel(x), 2 * cut.reshape(16, 96), rtol=1e-5)


def test_operators_are_numpys_too():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        largest = nisa.tensor_reduce(np.max, tile, axis=1)
        return nisa.activation(np.copy, nisa.tensor_scalar(tile, np.subtract, largest))

    np.testing.assert_array_equal(kernel(X), X - X.max(1, keepdims=True))


def test_block_dimensions_are_tiles_of_their_own():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((3, nl.par_dim(128), 64), x.dtype, buffer=nl.shared_hbm)
        tiles = nl.ndarray((3, nl.par_dim(128), 64), x.dtype)
        for i in nl.affine_range(3):
            tiles[i] = nl.load(x)
            tiles[i, :, 0:8] = nl.exp(tiles[i, :, 0:8])
        for i in nl.affine_range(3):
            nl.store(out[i], tiles[i])
        return out

    wanted = np.concatenate([np.exp(X[:, :8]), X[:, 8:]], axis=1)
    np.testing.assert_allclose(kernel(X), np.stack([wanted] * 3), rtol=1e-6)


def test_a_whole_block_dimension_is_no_operand():
    @nki.jit
    def kernel(x):
        return nl.exp(nl.zeros((3, nl.par_dim(128), 64), nl.float32))

    with pytest.raises(InputError, match=r"view\.block"):
        kernel(X)


def test_loop_reduce_sums_over_the_loop_it_names():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((2, nl.par_dim(128), 64), x.dtype, buffer=nl.shared_hbm)
        tile = nl.load(x)
        for i in nl.affine_range(2):
            kept = nl.ndarray((128, 64), x.dtype)
            for j in nl.affine_range(1, 4):
                kept[...] = nl.loop_reduce(tile * float(j), np.add, loop_indices=[j])
                named = nl.loop_reduce(tile * float(j), np.add, loop_indices=[j])
            nl.store(out[i], kept + named * float(i))
        return out

    np.testing.assert_allclose(kernel(X), np.stack([6 * X, 12 * X]), rtol=1e-5)


def test_a_grid_of_any_rank_covers_its_instances():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        i, j = nl.program_id(0), nl.program_id(1)
        assert (nl.program_ndim(), nl.num_programs(0), nl.num_programs(1)) == (2, 4, 2)
        nl.store(out[i, j], nl.load(x[i, j]) + float(10 * i + j))
        return out

    x = np.zeros((4, 2, 8, 8), np.float32)
    wanted = 10 * np.arange(4)[:, None] + np.arange(2)
    np.testing.assert_array_equal(kernel[4, 2](x)[:, :, 0, 0], wanted)
    np.testing.assert_array_equal(kernel[nl.nc(2) * 2, 2](x)[:, :, 0, 0], wanted)


def test_allocation_call_backs_choose_the_memory():
    @nki.jit
    def kernel(x):
        tile = nl.ndarray(
            (nl.par_dim(128), 64), x.dtype, buffer=compiler.sbuf.mod_alloc(base_addr=0)
        )
        tile[...] = nl.load(x)
        place = compiler.psum.alloc(lambda idx, pdim_size, fdim_size: (0, 0, 0))
        product = nl.ndarray((nl.par_dim(64), 64), nl.float32, buffer=place)
        assert product.buffer is nl.psum
        product[...] = nisa.nc_matmul(tile, tile)
        return product

    np.testing.assert_allclose(kernel(X), X.T @ X, rtol=1e-5, atol=1e-4)


def test_a_dtype_equals_numpys():
    assert nl.float32 == np.float32 and nl.bfloat16 == np.dtype("bfloat16")
    assert nl.float32 != np.float16 and nl.float32 != "bfloat16"
    assert np.zeros(3, nl.bfloat16).dtype == np.dtype("bfloat16")


@pytest.mark.parametrize("name", ["bn_stats", "bn_aggr", "max8"])
def test_what_is_no_tile_is_refused_by_the_instruction_that_got_it(name):
    @nki.jit
    def kernel(x):
        operand = {"src" if name == "max8" else "data": x}
        return nl.store(nl.ndarray((128, 8), x.dtype), getattr(nisa, name)(**operand))

    with pytest.raises(InputError, match=f"{name} works on tiles in SBUF or PSUM"):
        kernel(X)
