"""Reductions of elements that lie apart, with kept ones between them, beside NumPy."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy

# Few and many of them, one and several dimensions, runs that no tile divides, short runs.
SHAPES = {
    "middle": ((128, 8, 300), 1),
    "first": ((5, 130, 257), 0),
    "first of many": ((90, 64, 256), 0),
    "for each of few": ((3, 200, 320), 1),
    "two apart": ((6, 130, 5, 96), (0, 2)),
    "two together": ((2, 40, 9, 500), (1, 2)),
    "short runs": ((3, 2000, 17), 0),
    "prime runs": ((4, 1031), 0),
    "a wide one": ((7, 2, 5000), 0),
}
REDUCTIONS = {"sum": jnp.sum, "max": jnp.max, "min": jnp.min, "prod": jnp.prod}


def inputs(shape, dtype):
    random = np.random.default_rng(3)
    return (1 + random.normal(size=shape) / 8).astype(dtype)


@pytest.mark.parametrize("how", REDUCTIONS)
@pytest.mark.parametrize("name", SHAPES)
def test_reductions_are_numpys(name, how):
    shape, axis = SHAPES[name]
    x = inputs(shape, np.float32)
    found = model.compile(lambda x: REDUCTIONS[how](x, axis), x)(x)
    expected = getattr(np, how)(x.astype(np.float64), axis)
    np.testing.assert_allclose(found, expected, rtol=2e-5)


@pytest.mark.parametrize("name", SHAPES)
def test_narrow_sums_round_once(name):
    shape, axis = SHAPES[name]
    x = inputs(shape, ml_dtypes.bfloat16)
    found = np.asarray(model.compile(lambda x: jnp.sum(x, axis), x)(x), np.float32)
    expected = x.astype(np.float64).sum(axis).astype(ml_dtypes.bfloat16).astype(np.float32)
    np.testing.assert_allclose(found, expected, rtol=2**-7)
    assert np.mean(found == expected) > 0.95


@pytest.mark.parametrize("name", SHAPES)
def test_operations_in_front_are_part_of_it(name):
    shape, axis = SHAPES[name]
    x = inputs(shape, np.float32)
    w = inputs(shape[-1:], np.float32)
    found = model.compile(lambda x, w: 2 + jnp.sum(jnp.square(x - w), axis), x, w)(x, w)
    expected = 2 + np.square(x.astype(np.float64) - w).sum(axis)
    np.testing.assert_allclose(found, expected, rtol=2e-5)


@pytest.mark.parametrize("dtype", [np.int32, np.int8, bool])
def test_words_and_flags_are_exact(dtype):
    x = np.random.default_rng(5).integers(-9, 9, (12, 130, 80)).astype(dtype)
    found = model.compile(lambda x: (jnp.sum(x, 0), jnp.max(x, 1)), x)(x)
    for each, expected in zip(found, (x.sum(0), x.max(1)), strict=True):
        np.testing.assert_array_equal(each, expected)


def test_a_start_of_its_own_counts():
    x = inputs((8, 128, 256), np.float32)
    found = model.compile(lambda x: jax.lax.reduce(x, np.float32(5), jax.lax.add, (0,)), x)(x)
    np.testing.assert_allclose(found, 5 + x.sum(0), rtol=1e-5)


def test_they_take_as_long_as_their_bytes():
    """Within a small factor of reading the value once."""
    x = np.zeros((12, 3000, 1500), np.float32)
    times = [
        model.compile(lambda x, axis=axis: jnp.sum(x, axis), x).time().seconds for axis in (0, 2)
    ]
    assert times[0] < 2 * times[1]
