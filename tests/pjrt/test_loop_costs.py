"""What cost_analysis() says of loops and branches that depend on data."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from trainyard import model

KEY = "data-dependent loops counted once"
X = np.ones((128, 512), np.float32)


def cost(function, *arguments):
    jitted = jax.jit(function, compiler_options={"mode": "machine"})
    with jax.default_device(jax.devices("neuron")[0]):
        return jitted.lower(*arguments).compile().cost_analysis()


def doubled(x):
    """Until the sum is large: once, for X."""
    return lax.while_loop(lambda h: h.sum() < 1.5 * X.size, lambda h: h * 2, x)


def test_a_loop_that_reads_its_state_counts_one_turn(neuron):
    found = cost(doubled, X)
    assert found[KEY] == 1
    measured = model.compile(doubled, X, cores=2).run(X, timed=True)
    np.testing.assert_array_equal(np.asarray(measured.results), 2 * X)
    assert found["seconds"] == pytest.approx(measured.seconds, rel=0.02)
    assert found["joules"] > 0


def test_a_loop_around_what_no_instruction_computes_counts_one_turn(neuron):
    def roots(x):
        return lax.while_loop(lambda h: h.sum() > 2.0 * X.size, jnp.cbrt, x)

    found = cost(roots, X)
    assert found[KEY] == 1
    assert found["seconds"] > cost(jnp.cbrt, X)["seconds"]


def test_each_side_of_a_branch_counts_once(neuron):
    def chosen(x):
        return lax.cond(x.sum() > 0, lambda x: x * 2, jnp.tanh, x)

    found = cost(chosen, X)
    assert found[KEY] == 2
    sides = model.compile(chosen, X, cores=2)
    for x in (X, -X):
        assert sides.run(x, timed=True).seconds < found["seconds"]


def test_loops_whose_turns_are_known_have_them_all(neuron):
    def counted(turns):
        return cost(lambda x: lax.fori_loop(0, turns, lambda i, h: h * 2, x), X)

    ten, twenty = counted(10), counted(20)
    assert KEY not in ten
    assert ten["seconds"] < twenty["seconds"]


def test_a_loop_in_a_loop_is_counted_too(neuron):
    def nested(x):
        return lax.while_loop(lambda h: h.sum() < 0, doubled, x)

    assert cost(nested, X)[KEY] == 2


def test_several_devices_count_once_what_depends_on_values(neuron):
    mesh = Mesh(np.array(jax.devices("neuron")), ("x",))
    x = jax.device_put(np.ones((128, 512), np.float32), NamedSharding(mesh, P("x")))

    def alone(x):  # each device turns its loop by itself
        return jax.shard_map(doubled, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(x)

    for function in (doubled, alone):
        compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(x).compile()
        for _ in range(2):
            assert compiled.cost_analysis()[KEY] == 1
        assert compiled.cost_analysis()["seconds"] > 0
