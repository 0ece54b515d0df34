"""Elementwise values of few long rows, as vectors are, pass through all lanes of the engines."""

from __future__ import annotations

import numpy as np
import pytest
from beside_cpu import assert_as_on_cpu, seconds

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
RANDOM = np.random.default_rng(12)


def recurrence(x, w):
    """What no scan along rows computes: a turn is not linear in the state."""

    def turn(h, x):
        h = jnp.tanh(w * h + x)
        return h, h

    return lax.scan(turn, jnp.zeros_like(w), x)


def scalar_lstm(i, f, z):
    """xLSTM's cell with exponential gates, which a running maximum keeps small."""

    def turn(state, gates):
        c, n, m = state
        i, f, z = gates
        now = jnp.maximum(f + m, i)
        kept, new = jnp.exp(f + m - now), jnp.exp(i - now)
        c, n = kept * c + new * jnp.tanh(z), kept * n + new
        return (c, n, now), c / n

    zeros = jnp.zeros_like(i[0])
    return lax.scan(turn, (zeros, zeros, zeros - 10), (i, f, z))


def orbit(x, y):
    """An ordinary differential equation, midpoint by midpoint."""

    def slope(x, y):
        return 1.1 * x - 0.4 * x * y, 0.1 * x * y - 0.4 * y

    def turn(_, state):
        x, y = state
        a, b = slope(x, y)
        a, b = slope(x + 0.05 * a, y + 0.05 * b)
        return x + 0.1 * a, y + 0.1 * b

    return lax.fori_loop(0, 40, turn, (x, y))


def chain_to_a_norm(x, w):
    """A sampler's step: the state is a vector, and each turn sums over it."""

    def turn(x, w):
        y = jnp.sin(x) * w + jnp.cos(x) * 0.5 - x * 0.1
        return y * lax.rsqrt((y * y).mean() + 1e-3), y.max()

    return lax.scan(turn, x, w)


def softmax(x):
    return jax.nn.softmax(x), jax.nn.log_softmax(x)


FUNCTIONS = {
    recurrence: lambda n: [(24, n), (n,)],
    scalar_lstm: lambda n: [(24, 2, n)] * 3,
    orbit: lambda n: [(n,), (n,)],
    chain_to_a_norm: lambda n: [(n,), (9, n)],
    softmax: lambda n: [(3, 16 * n)],
}


@pytest.mark.parametrize("n", [2048, 2050, 2053])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_values_and_gradients_are_the_cpus(function, n):
    """Of lengths that have many divisors, few and none."""
    arguments = [
        RANDOM.uniform(0.1, 0.9, shape).astype(np.float32) for shape in FUNCTIONS[function](n)
    ]
    assert_as_on_cpu(function, *arguments, tolerance=1e-3)
    assert_as_on_cpu(
        jax.grad(lambda *a: sum(jnp.sum(jnp.sin(x)) for x in jax.tree.leaves(function(*a)))),
        *arguments,
        tolerance=5e-3,
    )


def test_a_state_that_the_condition_reads_keeps_its_shape():
    """In a branch of the condition, too."""

    def goes_on(state):
        x, turn = state
        return lax.cond(turn < 30, lambda: x.max() < 3.0, lambda: x.sum() < 0.0)

    def turned(x):
        return lax.while_loop(
            goes_on, lambda s: (jnp.sin(s[0]) * 0.2 + s[0] * 1.1, s[1] + 1), (x, 0)
        )

    assert_as_on_cpu(turned, RANDOM.uniform(0.1, 0.9, 16384).astype(np.float32))


@pytest.mark.parametrize("function", [recurrence, orbit, scalar_lstm], ids=lambda f: f.__name__)
def test_a_vector_takes_about_as_long_as_a_matrix_of_its_elements(function):
    """One partition each, a vector of 16,384 took 4 to 45 times as long."""

    def seconds_of(change):
        shapes = [change(shape) for shape in FUNCTIONS[function](16384)]
        return seconds(function, *[jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes])

    assert seconds_of(lambda s: s) < 1.25 * seconds_of(lambda s: (*s[:-1], 128, s[-1] // 128))


def test_softmax_of_a_vocabulary_of_a_million_reads_it_by_all_partitions():
    """On one partition it took 1.9 ms; all of it moves to and from HBM in some 20 us."""
    assert seconds(jax.nn.softmax, jax.ShapeDtypeStruct((1, 1_000_000), np.float32)) < 80e-6
