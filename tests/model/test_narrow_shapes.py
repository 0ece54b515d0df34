"""Vectors, coordinates and other narrow arrays of any length: sums, joins, repeats, running sums.

What has few columns, or a length that no number of partitions divides, took 10 to 300 times as
long as a square array of the same size.
"""

from __future__ import annotations

import numpy as np
import pytest
from beside_cpu import assert_as_on_cpu, seconds

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
RANDOM = np.random.default_rng(13)

FUNCTIONS = {
    "sum of all": lambda x: ((x * x).sum(), x.max()),
    "sum of rows": lambda x: (x.sum(-1), x.min(-1), x.mean(-1) * 2),
    "sum of columns": lambda x: (x.sum(0), x.max(0), (x * x).mean(0)),
    "softmax": lambda x: (jax.nn.softmax(x, -1), jax.nn.softmax(x, 0)),
    "variance": lambda x: (x.var(-1), x - x.mean(0)),
    "length": lambda x: x / jnp.sqrt((x * x).sum(-1, keepdims=True) + 1e-3),
    "stack": lambda x: jnp.stack([x, x * 2, jnp.tanh(x)], -1),
    "concatenate": lambda x: jnp.concatenate([x, x[..., :1]], -1),
    "repeat": lambda x: (jnp.repeat(x, 2, -1), jnp.repeat(x, 3, 0)),
    "running sum": lambda x: (jnp.cumsum(x * 0.1, 0), lax.cummax(x, 0)),
    "running sum, backward": lambda x: lax.cumsum(x * 0.1, 0, reverse=True),
    "running sum of rows": lambda x: jnp.cumsum(x.T * 0.1, -1),
}
SHAPES = [(20011,), (20011, 1), (6007, 3), (6000, 3), (3001, 2, 3), (3, 20011), (2, 16400, 2)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_are_the_cpus(name, shape):
    x = RANDOM.normal(size=shape).astype(np.float32)
    assert_as_on_cpu(FUNCTIONS[name], x, tolerance=1e-4)


@pytest.mark.parametrize("shape", [(20011,), (6007, 3), (3, 20011)], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_the_cpus(name, shape):
    def loss(x):
        return sum(jnp.sum(jnp.sin(y * 1e-3)) for y in jax.tree.leaves(FUNCTIONS[name](x)))

    assert_as_on_cpu(jax.grad(loss), RANDOM.normal(size=shape).astype(np.float32), tolerance=2e-3)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "int32", "int8", "bool"])
@pytest.mark.parametrize("shape", [(20011,), (6007, 3), (3, 20011)], ids=str)
def test_other_formats_are_the_cpus(shape, dtype):
    """Of whole numbers that each format holds, so that sums have one value."""
    x = jnp.asarray(RANDOM.integers(0, 2, shape), dtype)

    def moved(x):
        return jnp.stack([x, x], -1), jnp.repeat(x, 2, -1), jnp.concatenate([x, x], -1)

    def counted(x):
        return x.sum(0, dtype="float32"), x.sum(dtype="int32"), x.max(-1), jnp.cumsum(x, 0, "int32")

    assert_as_on_cpu(lambda x: [y.astype("float32") for y in moved(x)], x)
    assert_as_on_cpu(lambda x: [y.astype("float32") for y in counted(x)], x)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        (name, shape)
        for name in FUNCTIONS
        for shape in [(1048573,), (349525, 3), (3, 349525)]
        # Rows of three that are repeated, turned round or run along are moved one by one.
        if not (shape == (349525, 3) and name in {"repeat", "running sum, backward"})
        and not (shape == (3, 349525) and name == "running sum of rows")
    ],
    ids=str,
)
def test_times_are_near_those_of_a_square_array(name, shape):
    square = seconds(FUNCTIONS[name], jax.ShapeDtypeStruct((1024, 1024), np.float32))
    assert seconds(FUNCTIONS[name], jax.ShapeDtypeStruct(shape, np.float32)) < 6 * square
