"""Vectors, coordinates and other narrow arrays of any length: sums, joins, repeats, running sums.

What has few columns, or a length that no number of partitions divides, took 10 to 300 times as
long as a square array of the same size.
"""

from __future__ import annotations

import itertools

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
    "pad": lambda x: jnp.pad(x, [(1, 2)] * x.ndim, constant_values=3),
    "every other": lambda x: (x[..., ::2], x[1::2]),
    "reversed": lambda x: (x[::-1], x[..., ::-1]),
    "tiled": lambda x: jnp.tile(x, 2),
    "rolled": lambda x: (jnp.roll(x, 1, -1), jnp.roll(x, 2, 0)),
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
        turned = x[::-1], x[..., ::-1], jnp.tile(x, 2), jnp.pad(x, [(1, 1)] * x.ndim), x[..., ::2]
        return jnp.stack([x, x], -1), jnp.repeat(x, 2, -1), jnp.concatenate([x, x], -1), *turned

    def counted(x):
        return x.sum(0, dtype="float32"), x.sum(dtype="int32"), x.max(-1), jnp.cumsum(x, 0, "int32")

    assert_as_on_cpu(lambda x: [y.astype("float32") for y in moved(x)], x)
    assert_as_on_cpu(lambda x: [y.astype("float32") for y in counted(x)], x)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8"])
@pytest.mark.parametrize("shape", [(20, 70, 66), (7, 129, 5, 80), (64, 3, 200)], ids=str)
def test_all_orders_of_dimensions_are_the_cpus(shape, dtype):
    x = jnp.asarray(RANDOM.integers(-60, 60, shape), dtype)
    orders = list(itertools.permutations(range(len(shape))))
    assert_as_on_cpu(lambda x: [x.transpose(order).astype("float32") for order in orders], x)


def test_a_stack_of_matrices_is_turned_in_a_few_times_what_its_bytes_take():
    """Element by element it took 30 times as long."""
    array = jax.ShapeDtypeStruct((64, 128, 128), np.float32)
    moved = seconds(lambda x: x + 1, array)
    for order in itertools.permutations(range(3)):
        assert seconds(lambda x, order=order: x.transpose(order) + 0, array) < 6 * moved


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        (name, shape)
        for name in FUNCTIONS
        for shape in [(1048573,), (349525, 3), (3, 349525)]
        # Rows of three are run along one by one, and columns of them from the end.
        if not (shape == (349525, 3) and name == "running sum, backward")
        and not (shape == (3, 349525) and name == "running sum of rows")
    ],
    ids=str,
)
def test_times_are_near_those_of_a_square_array(name, shape):
    square = seconds(FUNCTIONS[name], jax.ShapeDtypeStruct((1024, 1024), np.float32))
    assert seconds(FUNCTIONS[name], jax.ShapeDtypeStruct(shape, np.float32)) < 6 * square


SMALL_PRODUCTS = {
    "rotations": ("bij,bjk->bik", (3000, 3, 3), (3000, 3, 3)),
    "covariances": ("bni,bnj->bij", (2600, 4, 3), (2600, 4, 3)),
    "two batches": ("abij,abjk->abki", (60, 50, 2, 3), (60, 50, 3, 2)),
    "batch last": ("ijb,jkb->ikb", (3, 3, 2500), (3, 2, 2500)),
}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", SMALL_PRODUCTS)
def test_products_of_many_small_matrices_are_the_cpus(name, dtype):
    equation, *shapes = SMALL_PRODUCTS[name]
    a, b = (jnp.asarray(RANDOM.integers(-3, 4, shape), dtype) for shape in shapes)
    assert_as_on_cpu(lambda a, b: jnp.einsum(equation, a, b).astype("float32"), a, b)
    if dtype == "float32":
        slopes = jax.grad(lambda a, b: jnp.sin(jnp.einsum(equation, a, b)).sum(), argnums=(0, 1))
        assert_as_on_cpu(slopes, a, b, tolerance=1e-4)


def test_many_rotations_take_a_twentieth_of_as_many_products():
    """One by one 30,000 products of 3 x 3 took 1.4 ms."""
    matrices = jax.ShapeDtypeStruct((30_000, 3, 3), np.float32)
    assert seconds(lambda a, b: a @ b, matrices, matrices) < 150e-6
