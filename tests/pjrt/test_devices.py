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


def test_a_collective_in_a_branch_is_refused(mesh):
    def function(x):
        return lax.cond(x[0, 0] > 0, lambda x: lax.psum(x, "x"), lambda x: x, x)

    with pytest.raises(jax.errors.JaxRuntimeError, match=r"graph\.devices"):
        jax.block_until_ready(over(mesh, P("x"), P("x"), function)(X))


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
