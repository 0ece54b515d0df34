"""Loops of many small turns with products take about as long as their turns written out."""

from __future__ import annotations

import numpy as np
import pytest
from beside_cpu import assert_as_on_cpu, seconds

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
RANDOM = np.random.default_rng(11)


def layers(x, ws):
    return lax.scan(lambda x, w: (jax.nn.gelu(x @ w), x[0]), x, ws)


def recurrent(w, xs):
    return lax.scan(lambda h, x: (jnp.tanh(h @ w + x),) * 2, xs[0], xs)


def linear_attention(q, k, v):
    def turn(state, part):
        q, k, v = part
        return state + k.T @ v, q @ state + jnp.tril(q @ k.T) @ v

    return lax.scan(turn, jnp.zeros((q.shape[-1], v.shape[-1]), q.dtype), (q, k, v))


def attention_by_blocks(q, ks, vs):
    def turn(state, part):
        most, total, out = state
        k, v = part
        scores = q @ k.T
        now = jnp.maximum(most, scores.max(-1))
        shares, scale = jnp.exp(scores - now[:, None]), jnp.exp(most - now)
        return (now, total * scale + shares.sum(-1), out * scale[:, None] + shares @ v), None

    rows = jnp.zeros(q.shape[0], q.dtype)
    (_, total, out), _ = lax.scan(turn, (rows - 1e9, rows, jnp.zeros_like(q)), (ks, vs))
    return out / total[:, None]


def steps_of_descent(w, xs, ys):
    def step(w, batch):
        x, y = batch
        loss, slope = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - 0.1 * slope, loss

    return lax.scan(step, w, (xs, ys))


def shapes(turns, large):
    """Of the arguments of each: as a test of values has them, or of times."""
    rows, size = (128, 512) if large else (5, 16)
    part = (turns, rows, 64 if large else 8)
    return {
        layers: [(rows, size), (turns, size, size)],
        recurrent: [(size, size), (turns, rows, size)],
        linear_attention: [part] * 3,
        attention_by_blocks: [(rows, part[2]), part, part],
        steps_of_descent: [(size, size), (turns, rows, size), (turns, rows, size)],
    }


@pytest.mark.parametrize("turns", [17, 24, 31])
@pytest.mark.parametrize("function", shapes(1, False), ids=lambda f: f.__name__)
def test_values_are_the_cpus(function, turns):
    arguments = [
        (0.3 * RANDOM.normal(size=shape)).astype(np.float32)
        for shape in shapes(turns, False)[function]
    ]
    assert_as_on_cpu(function, *arguments, tolerance=1e-3)
    assert_as_on_cpu(
        jax.grad(lambda *a: sum(jnp.sum(jnp.sin(x)) for x in jax.tree.leaves(function(*a)))),
        *arguments,
        tolerance=5e-3,
    )


@pytest.mark.parametrize(
    ("function", "most"),
    [
        (layers, 2.1),
        (recurrent, 1.2),
        (attention_by_blocks, 1.4),
        (steps_of_descent, 1.4),
        (linear_attention, 2.9),
    ],
)
def test_a_turn_takes_about_as_long_as_one_that_is_written_out(function, most):
    """16 turns are written out; one by one the turns of a loop took up to 4.5 times as long."""
    few, many = (
        seconds(function, *[jax.ShapeDtypeStruct(s, np.float32) for s in shapes(n, True)[function]])
        for n in (16, 96)
    )
    assert many / 96 < most * few / 16
