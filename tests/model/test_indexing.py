"""Gather and scatter on the simulated machine: do they give the numbers of the CPU, on engines?"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
CPU = jax.devices("cpu")[0]

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(7, 9, 11)).astype(np.float32)
PAIRS = np.array([[3, -1], [0, 200], [6, 5]], np.int32)
FIRST = PAIRS[:, 0]
MEETING = np.array([1, 1, 6, 99, -1], np.int32)  # two updates meet, one is outside
DISTINCT = np.array([1, 6, 99], np.int32)


def noise(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def windows(x, i):
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(0, 2), collapsed_slice_dims=(1,), start_index_map=(2, 1)
    )
    return lax.gather(x, i, numbers, (3, 1, 5), mode="clip")


GATHERS = {
    "rows": (lambda x, i: x[i], PAIRS),
    "two dimensions": (lambda x, i: x[i, :, i], PAIRS),
    "columns": (lambda x, i: x[:, i], PAIRS),
    "filled outside": (lambda x, i: x.at[i].get(mode="fill", fill_value=3), PAIRS),
    "unsigned": (lambda x, i: x.at[i].get(mode="clip"), np.array([1, 2**31 + 5, 6], np.uint32)),
    "along an axis": (
        lambda x, i: jnp.take_along_axis(x, i, -1),
        RANDOM.integers(0, 11, (7, 9, 4)).astype(np.int32),
    ),
    "slices": (
        lambda x, i: jax.vmap(lambda j: lax.dynamic_slice(x, (j, 0, j), (2, 3, 4)))(i),
        FIRST,
    ),
    "windows": (windows, np.array([[1, 2], [9, -5]], np.int32)),
}

SCATTERS = {
    "rows that meet": (lambda x, i, u: x.at[i].add(u), MEETING, noise(5, 9, 11)),
    "columns": (lambda x, i, u: x.at[:, i].add(u), PAIRS % 9, noise(7, 3, 2, 11)),
    "two dimensions": (lambda x, i, u: x.at[i, i].add(u), MEETING, noise(5, 11)),
    "two apart": (lambda x, i, u: x.at[i, :, i].add(u), MEETING, noise(5, 9)),
    "one": (lambda x, i, u: x.at[i].add(u), np.int32(3), np.float32(2)),
    "replaced rows": (lambda x, i, u: x.at[i].set(u), DISTINCT, noise(3, 9, 11)),
    "replaced elements": (lambda x, i, u: x.at[:, i, 2].set(u), DISTINCT, noise(7, 3)),
    "gradient of rows": (
        lambda x, i, u: jax.grad(lambda y: (y[i] * u).sum())(x),
        MEETING,
        noise(5, 9, 11),
    ),
    "gradient along an axis": (
        lambda x, i, u: jax.grad(lambda y: (jnp.take_along_axis(y, i, -1) * u).sum())(x),
        RANDOM.integers(0, 11, (7, 9, 1)).astype(np.int32),
        noise(7, 9, 1),
    ),
    "segments": (
        lambda x, i, u: jax.ops.segment_sum(x * u, i, 5),
        np.array([0, 1, 1, 4, 4, 7, 2], np.int32),
        np.float32(2),
    ),
}


def check(function, *arguments):
    compiled = model.compile(function, *arguments)
    assert compiled.routines == []
    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(function)(*arguments))
    np.testing.assert_allclose(compiled(*arguments), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", GATHERS)
def test_gather(name):
    function, indices = GATHERS[name]
    check(function, X, indices)


@pytest.mark.parametrize("name", SCATTERS)
def test_scatter(name):
    function, indices, updates = SCATTERS[name]
    check(function, X, indices, updates)


def routed(scores):
    """The second expert of SparseMixer's routing, as Phi-3.5-MoE has it."""
    first = jnp.argmax(scores, -1)
    others = scores.at[jnp.arange(scores.shape[0]), first].set(-jnp.inf)
    best = jnp.max(others, -1, keepdims=True)
    far = (best - scores) / jnp.maximum(jnp.abs(scores), best) > 0.02
    gates = jax.nn.softmax(jnp.where(far, -jnp.inf, others), -1)
    return jnp.take_along_axis(gates, jnp.argmax(others, -1)[:, None], -1)


def test_an_infinity_that_is_set_stays_where_it_is():
    check(routed, noise(64, 4))
    check(jax.grad(lambda s: (routed(s) * 3).sum()), noise(64, 4))


def test_whole_numbers_are_replaced():
    check(lambda x, i: x.at[i].set(5), np.arange(20, dtype=np.int32), DISTINCT)


def test_numbers_outlive_a_routine():
    """What is known when a program is compiled is known behind a routine as well."""

    def function(x):
        return jnp.where(x > 0, jnp.cbrt(x), 2.0).max()

    compiled = model.compile(function, X[0, 0])
    assert [name for name, _, _ in compiled.routines] == ["cbrt"]
    with jax.default_device(CPU):
        np.testing.assert_allclose(compiled(X[0, 0]), function(X[0, 0]), rtol=1e-6)


def test_slices_of_turned_and_stepped_values_at_run_time():
    w, v = RANDOM.normal(size=(6, 64, 96)), RANDOM.normal(size=(96, 64))
    w, v, i = w.astype(np.float32), v.astype(np.float32), np.int32(4)

    def of_turned(w, i):
        return lax.dynamic_index_in_dim(jnp.swapaxes(w, 1, 2), i, 0, False)

    def of_every_second(w, i):
        return lax.dynamic_index_in_dim(w[:, :, ::2], i, 0, False)

    def turned_into(w, v, i):
        return lax.dynamic_update_index_in_dim(w, v.T, i, 0)

    np.testing.assert_array_equal(model.compile(of_turned, w, i)(w, i), w[4].T)
    np.testing.assert_array_equal(model.compile(of_every_second, w, i)(w, i), w[4, :, ::2])
    expected = w.copy()
    expected[4] = v.T
    np.testing.assert_array_equal(model.compile(turned_into, w, v, i)(w, v, i), expected)


@pytest.mark.parametrize("k", [20, 50])
@pytest.mark.parametrize("shape", [(34, 15, 120), (1000, 64), (600, 128)])
def test_many_batches_of_small_sums_find_room(shape, k):
    """Each is a product of ones and updates, of which there are hundreds."""

    def loss(x):
        return (jax.lax.top_k(x, k)[0] ** 2).sum()

    x = np.random.default_rng(8).standard_normal(shape).astype(np.float32)
    gradient = jax.jit(jax.grad(loss))
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = np.asarray(gradient(x))
    np.testing.assert_allclose(model.compile(gradient, x)(x), wanted, rtol=1e-5, atol=1e-6)
