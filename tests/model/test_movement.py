"""Do operations that only move elements move them all, and row by row rather than one by one?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

RANDOM = np.random.default_rng(0)
DTYPES = ["float32", "bfloat16", "float16", "int32", "uint8"]
MOVES = {
    "broadcast a scalar": lambda x: jnp.broadcast_to(x[0, 0], (200, 300)),
    "broadcast a column": lambda x: jnp.broadcast_to(x[:, :1], (x.shape[0], 300)),
    "repeat": lambda x: jnp.repeat(x, 16, 1),
    "transpose": lambda x: x.T,
    "transpose inner dimensions": lambda x: x.reshape(-1, 10, x.shape[1]).transpose(0, 2, 1),
    "transpose outer dimensions": lambda x: x.reshape(10, -1, x.shape[1]).transpose(2, 1, 0),
    "every second": lambda x: x[:, 1::2],
    "every third, reversed": lambda x: x[:, ::-3],
    "reverse": lambda x: x[:, ::-1],
    "pad": lambda x: jnp.pad(x, ((1, 2), (3, 0)), constant_values=1),
    "pad between": lambda x: jax.lax.pad(x, x[0, 0], ((0, 0, 0), (1, 0, 1))),
}


def values(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Bits of every kind: infinities and NaN too."""
    x = RANDOM.integers(0, 256, (*shape, np.dtype(dtype_of(dtype)).itemsize), np.uint8)
    return x.view(dtype_of(dtype))[..., 0]


def dtype_of(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, name))


def bits(x: np.ndarray) -> np.ndarray:
    """The same bits for equal numbers; NaN by name, since casts make them quiet."""
    return np.where(np.isnan(x.astype(np.float32)), np.float32(np.nan), x.astype(np.float32))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("shape", [(160, 256), (170, 129)])
def test_every_element_arrives(name, dtype, shape):
    x = values(dtype, shape)
    if dtype == "uint8" and name.startswith("transpose"):
        x = x[:40, :48]
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = np.asarray(MOVES[name](jnp.asarray(x)))
    found = np.asarray(model.compile(MOVES[name], x)(x))
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(bits(found), bits(wanted))


@pytest.mark.parametrize(
    "name", sorted(MOVES.keys() - {"pad between", "transpose outer dimensions"})
)
def test_they_take_a_few_times_what_dma_allows(name):
    x = np.zeros((640, 1024), np.float32)
    result = jax.eval_shape(MOVES[name], x)
    whole_bytes = x.nbytes + result.size * result.dtype.itemsize
    run = model.compile(MOVES[name], x).run(x, timed=True, values=False)
    floor = 5e-6  # a transfer in, an engine, a transfer out
    assert run.seconds < floor + 8 * whole_bytes / 614e9


def test_a_transposed_operand_of_elementwise_operations_is_turned_on_chip():
    x = RANDOM.normal(size=(512, 640)).astype(np.float32)
    y = RANDOM.normal(size=(640, 512)).astype(np.float32)
    compiled = model.compile(lambda x, y: x.T + y, x, y)
    np.testing.assert_array_equal(compiled(x, y), x.T + y)
    assert compiled.run(x, y, timed=True, values=False).seconds < 5e-6 + 5 * 3 * x.nbytes / 614e9


def test_a_result_that_is_written_transposed_is_turned_on_chip():
    x = RANDOM.normal(size=(512, 640)).astype(np.float32)
    compiled = model.compile(lambda x: jnp.cumsum(x, 0), x)
    np.testing.assert_allclose(compiled(x), np.cumsum(x, 0), rtol=1e-4, atol=1e-4)
    assert compiled.run(x, timed=True, values=False).seconds < 5e-6 + 12 * x.nbytes / 614e9


def test_a_slice_at_run_time_may_be_empty():
    x, update = np.ones((3, 4), np.float32), np.ones((0, 4), np.float32)

    def empty(x, update, i):
        return (
            jax.lax.dynamic_slice(x, (i, 0), (0, 4)),
            jax.lax.dynamic_update_slice(x, update, (i, 0)),
        )

    given = (x, update, np.int32(1))
    found, kept = model.compile(empty, *given)(*given)
    assert found.shape == (0, 4)
    np.testing.assert_array_equal(kept, x)


def test_a_slice_at_a_place_known_at_run_time_is_as_fast_as_another():
    w, v = np.zeros((2, 1024, 2048), np.float32), np.zeros((1024, 2048), np.float32)
    index = np.int32(1)
    known = model.compile(lambda w: w[1], w).time().seconds
    read = model.compile(lambda w, i: jax.lax.dynamic_index_in_dim(w, i, 0, False), w, index)
    written = model.compile(
        lambda w, v, i: jax.lax.dynamic_update_index_in_dim(w, v, i, 0), w, v, index
    )
    assert read.time().seconds < 10e-6 + known
    assert written.time().seconds < 10e-6 + 3 * known  # a copy of both, then the update


BLOCKS = {
    "patches": ("bchpwq->bhwpqc", (2, 3, 4, 8, 4, 8)),
    "image of patches": ("bhwpqc->bchpwq", (2, 4, 4, 8, 8, 3)),
    "shuffled pixels": ("bcpqhw->bchpwq", (2, 3, 2, 2, 16, 32)),
    "unshuffled pixels": ("bchpwq->bcpqhw", (2, 3, 16, 2, 32, 2)),
    "of three": ("bchpwq->bcpqhw", (2, 5, 9, 3, 17, 3)),
}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "uint8"])
@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_that_lie_close_on_both_sides(name, dtype):
    order, shape = BLOCKS[name]
    x = values(dtype, shape)
    before, after = order.split("->")
    places = [before.index(letter) for letter in after]
    got = model.compile(lambda x: x.transpose(places), x).run(x, timed=False).results
    np.testing.assert_array_equal(bits(np.asarray(got)), bits(x.transpose(places)))


@pytest.mark.parametrize("name", ["patches", "image of patches", "shuffled pixels"])
def test_blocks_move_in_runs(name):
    """1,764 us, one element at a time."""
    order, shape = BLOCKS[name]
    before, after = order.split("->")
    shape = [4 * n if letter in "bhw" else n for letter, n in zip(before, shape, strict=True)]
    places = [before.index(letter) for letter in after]
    x = jax.ShapeDtypeStruct(shape, jnp.float32)
    moved = model.compile(lambda x: x.transpose(places), x).time().seconds
    assert moved < 5e-6 + 8 * model.compile(lambda x: x + 1, x).time().seconds
