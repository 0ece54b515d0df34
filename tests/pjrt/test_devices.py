"""shard_map and pmap over the four devices of a chip, in the mode that computes values only."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

RANDOM = np.random.default_rng(2)
X = RANDOM.normal(size=(8, 12)).astype(np.float32)


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("neuron")), ("x",))


def over(mesh, given, wanted, function):
    """The function on every device, jitted with shard_map's own shardings."""

    def shardings(specs):
        return jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs)

    mapped = jax.shard_map(function, mesh=mesh, in_specs=given, out_specs=wanted, check_vma=False)
    return jax.jit(mapped, in_shardings=shardings(given), out_shardings=shardings(wanted))


def layer(x, w):
    y = jnp.tanh(x @ w)
    return lax.ppermute(y, "x", [(i, (i + 1) % 4) for i in range(4)]), lax.psum(y.sum(0), "x")


def test_a_layer_whose_rows_are_divided(mesh):
    w = RANDOM.normal(size=(12, 5)).astype(np.float32)
    turned, total = over(mesh, (P("x"), P()), (P("x"), P()), layer)(X, w)
    y = np.tanh(X @ w)
    np.testing.assert_allclose(turned, np.roll(y, 2, 0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(total, y.sum(0), rtol=1e-5, atol=1e-6)


EXCHANGES = {
    "psum": (lambda x: lax.psum(x, "x"), P(), X.reshape(4, 2, 12).sum(0)),
    "pmax": (lambda x: lax.pmax(x, "x"), P(), X.reshape(4, 2, 12).max(0)),
    "all_gather": (
        lambda x: lax.all_gather(x, "x", axis=1, tiled=True),
        P(),
        np.concatenate(X.reshape(4, 2, 12), 1),
    ),
    "psum_scatter": (
        lambda x: lax.psum_scatter(x, "x", scatter_dimension=1, tiled=True),
        P(None, "x"),
        X.reshape(4, 2, 12).sum(0),
    ),
    "all_to_all": (
        lambda x: lax.all_to_all(x, "x", split_axis=1, concat_axis=0, tiled=True),
        P(None, "x"),
        X,
    ),
    "axis_index": (
        lambda x: x + lax.axis_index("x"),
        P("x"),
        X + np.repeat(np.arange(4), 2)[:, None],
    ),
    "nobody sends": (
        lambda x: lax.ppermute(x, "x", [(0, 3)]),
        P("x"),
        np.concatenate([np.zeros((6, 12)), X[:2]]),
    ),
    "in a loop": (
        lambda x: lax.fori_loop(0, 3, lambda i, x: x * 0.5 + lax.pmean(x, "x"), x),
        P("x"),
        None,
    ),
    "in a function": (
        lambda x: jax.jit(lambda y: lax.psum(y, "x") * y)(x),
        P("x"),
        np.tile(X.reshape(4, 2, 12).sum(0), (4, 1)) * X,
    ),
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_what_devices_exchange(mesh, name):
    function, wanted, expected = EXCHANGES[name]
    if expected is None:
        expected = X
        for _ in range(3):
            expected = expected * 0.5 + np.tile(expected.reshape(4, 2, 12).mean(0), (4, 1))
    got = over(mesh, P("x"), wanted, function)(X)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_groups_of_a_mesh_of_two_by_two():
    mesh = Mesh(np.array(jax.devices("neuron")).reshape(2, 2), ("a", "b"))
    got = over(mesh, P("a", "b"), P("a"), lambda x: lax.psum(x, "b"))(X)
    np.testing.assert_allclose(got, X[:, :6] + X[:, 6:], rtol=1e-6)


def test_pmap():
    got = jax.pmap(lambda x: x / lax.psum(x, "i"), axis_name="i", devices=jax.devices("neuron"))(
        X[:4]
    )
    np.testing.assert_allclose(got, X[:4] / X[:4].sum(0), rtol=1e-5)


def test_the_results_stay_on_their_devices(mesh):
    function = over(mesh, P("x"), P("x"), lambda x: x * 2)
    y = function(function(X))
    assert {shard.device for shard in y.addressable_shards} == set(jax.devices("neuron"))
    np.testing.assert_array_equal(y, X * 4)


def test_replicated_values(mesh):
    whole = NamedSharding(mesh, P())
    got = jax.jit(lambda x: jnp.tanh(x), in_shardings=whole, out_shardings=whole)(X)
    np.testing.assert_allclose(got, np.tanh(X), rtol=1e-6)


def chosen(x, on):
    return lax.cond(on, lambda x: lax.psum(x, "x"), lambda x: lax.pmax(-x, "x"), x.sum())


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_a_branch_may_hold_collectives(mesh, mode):
    mapped = jax.shard_map(chosen, mesh=mesh, in_specs=(P("x"), P()), out_specs=P())
    function = jax.jit(mapped, compiler_options={"mode": mode})
    parts = X.reshape(4, 2, 12).sum((1, 2))
    np.testing.assert_allclose(function(X, True), parts.sum(), rtol=1e-5)
    np.testing.assert_allclose(function(X, False), (-parts).max(), rtol=1e-5)


def test_devices_that_take_different_sides_are_refused(mesh):
    def function(x):
        return chosen(x, x[0, 0] > 0)

    assert 0 < (X[::2, 0] > 0).sum() < 4
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"graph\.devices(.|\n)*different devices"):
        jax.block_until_ready(over(mesh, P("x"), P(), function)(X))


SENT = np.array([[1, 2, 3, 4], [4, 3, 2, 1], [0, 5, 0, 5], [2, 2, 2, 2]], np.int32)


def ragged(x, sizes):
    sizes = sizes.reshape(-1)
    start = jnp.cumsum(sizes) - sizes
    come = lax.all_to_all(sizes, "x", 0, 0, tiled=True)
    to = lax.all_to_all(jnp.cumsum(come) - come, "x", 0, 0, tiled=True)
    output = jnp.full((24, 3), -1, x.dtype)
    return lax.ragged_all_to_all(x, output, start, sizes, to, come, axis_name="x")


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_rows_go_where_their_sizes_say(mesh, mode):
    rows = RANDOM.normal(size=(40, 3)).astype(np.float32)
    mapped = jax.shard_map(ragged, mesh=mesh, in_specs=(P("x"), P("x")), out_specs=P("x"))
    compiled = jax.jit(mapped, compiler_options={"mode": mode}).lower(rows, SENT).compile()
    got = np.asarray(compiled(rows, SENT)).reshape(4, 24, 3)
    for target in range(4):
        begins = [10 * d + SENT[d, :target].sum() for d in range(4)]
        came = [rows[b : b + SENT[d, target]] for d, b in enumerate(begins)]
        want = np.concatenate([*came, np.full((24, 3), -1, np.float32)])[:24]
        np.testing.assert_array_equal(got[target], want)
    if mode == "machine":
        assert compiled.cost_analysis()["collective seconds"] > 0


def test_rows_beyond_the_end_are_refused(mesh):
    rows = np.zeros((40, 3), np.float32)
    mapped = jax.shard_map(ragged, mesh=mesh, in_specs=(P("x"), P("x")), out_specs=P("x"))
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"20 rows from row 0 of 10"):
        jax.block_until_ready(jax.jit(mapped)(rows, np.full((4, 4), 20, np.int32)))


def test_on_the_machine(mesh):
    w = RANDOM.normal(size=(12, 5)).astype(np.float32)
    mapped = jax.shard_map(
        layer, mesh=mesh, in_specs=(P("x"), P()), out_specs=(P("x"), P()), check_vma=False
    )
    compiled = jax.jit(mapped, compiler_options={"mode": "machine"}).lower(X, w).compile()
    turned, total = compiled(X, w)
    y = np.tanh(X @ w)
    np.testing.assert_allclose(turned, np.roll(y, 2, 0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(total, y.sum(0), rtol=1e-5, atol=1e-6)
    assert compiled.cost_analysis()["collective seconds"] > 0
