"""Keys that are split and numbers that are drawn in bodies of loops and branches.

jax.random counts places with 64 bits, which no engine has: where that stays in a body, it is a
routine, and the host turns the loop.
"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
KEY = np.array([7, 11], np.uint32)


def keys(key, count):
    return jax.random.split(jax.random.wrap_key_data(key), count)


def nested_loops(key):
    """A state that is no recurrence, drawn in an inner loop of known turns."""

    def turn(_, state):
        drawn = jax.random.uniform(keys(jax.random.key_data(state[0]), 2)[1])
        return jax.random.split(state[0])[0], jnp.where(drawn > 0.5, state[1] - 1, state[1] * 2)

    def step(state, _):
        state = jax.lax.fori_loop(0, 3, turn, state)
        return state, state[1]

    first = (jax.random.wrap_key_data(key), jnp.float32(1))
    return jax.lax.scan(step, first, None, length=4)[1]


def while_of_data(key):
    """Turns that depend on what is drawn."""

    def draw(state):
        return jax.random.split(state[0], 3)[2], jax.random.randint(state[0], (5,), 0, 9)

    first = (jax.random.wrap_key_data(key), jnp.zeros(5, jnp.int32))
    return jax.lax.while_loop(lambda state: jnp.max(state[1]) < 8, draw, first)[1]


def branches(key):
    def first(key):
        return jax.random.bits(jax.random.split(key, 3)[1], (4, 6))

    def second(key):
        return jax.random.bits(jax.random.split(key, 5)[4], (4, 6)) >> 1

    return jax.lax.switch(key[1] & 1, [first, second], jax.random.wrap_key_data(key))


def drawn_by_weight(key):
    """A search of running sums, which is a loop, behind keys split in a scan and under vmap."""

    def step(count, key):
        def pick(key):
            return jax.random.choice(key, 6, (), p=jnp.arange(1.0, 7) / 21)

        return count + 1, jax.vmap(pick)(jax.random.split(key, 3))

    return jax.lax.scan(step, 0, keys(key, 4))[1]


def dropped_out(key):
    """The gradient of layers with dropout, in a scan over them."""
    x, weights = jnp.linspace(-1, 1, 128).reshape(8, 16), jnp.ones((4, 16, 16)) / 16

    def layer(x, given):
        weight, key = given
        kept = jax.random.bernoulli(jax.random.split(key)[1], 0.75, x.shape)
        return jnp.where(kept, jnp.tanh(x @ weight), 0) + x, None

    def loss(x):
        return jnp.sum(jax.lax.scan(layer, x, (weights, keys(key, 4)))[0] ** 2)

    return jax.grad(loss)(x)


@pytest.mark.parametrize(
    "program", [nested_loops, while_of_data, branches, drawn_by_weight, dropped_out]
)
def test_bodies_draw_the_cpus_numbers_without_routines(program):
    compiled = model.compile(program, KEY)
    assert compiled.routines == []
    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(program)(KEY))
    got = np.asarray(compiled(KEY))
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    else:
        np.testing.assert_array_equal(got, wanted)
