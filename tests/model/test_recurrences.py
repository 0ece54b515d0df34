"""Do recurrences at real sizes take a few microseconds a turn, and do they fit?"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from trainyard.model import Model

TURNS = 256


def gated(x, a):
    def turn(h, row):
        h = row[1] * h + jnp.sqrt(1 - row[1] ** 2) * row[0]
        return h, h

    return lax.scan(turn, jnp.zeros(x.shape[1:]), (x, a))[1]


def state_space(x, dt, a, b, c):
    def turn(h, row):
        x, dt, b, c = row
        h = jnp.exp(dt[:, None] * a) * h + (dt * x)[:, None] * b
        return h, (h * c).sum(-1)

    return lax.scan(turn, jnp.zeros(a.shape), (x, dt, b, c))[1]


def lstm(x, wx, wh):
    def turn(state, row):
        h, c = state
        i, f, g, o = jnp.split(row @ wx + h @ wh, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((x.shape[1], wh.shape[0]), x.dtype)
    return lax.scan(turn, (zeros, zeros), x)[1]


def shape(*sizes: int, dtype=jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(sizes, dtype)


def microseconds_a_turn(function, *shapes) -> float:
    exported = jax.export.export(jax.jit(function), platforms=["cpu"])(*shapes)
    return Model(exported.mlir_module_serialized, cores=2).time().seconds * 1e6 / TURNS


WIDE = (shape(TURNS, 4096), shape(TURNS, 4096))
SPACE = (*WIDE, shape(4096, 16), shape(TURNS, 16), shape(TURNS, 16))


@pytest.mark.parametrize(
    ("function", "shapes", "most"),
    [
        (gated, WIDE, 0.5),
        (gated, (shape(TURNS, 8, 4096), shape(TURNS, 8, 4096)), 2.5),
        (state_space, SPACE, 4),
        (jax.grad(lambda x, a: gated(x, a).sum(), (0, 1)), WIDE, 5),
        (jax.grad(lambda *a: state_space(*a).sum(), (0, 1, 2, 3, 4)), SPACE, 30),
    ],
)
def test_states_are_scanned(function, shapes, most):
    assert microseconds_a_turn(function, *shapes) < most


def test_turns_with_products_multiply_the_state_alone():
    half = jnp.bfloat16
    shapes = [shape(TURNS, 64, 512, dtype=half), *[shape(512, 2048, dtype=half)] * 2]
    assert microseconds_a_turn(lstm, *shapes) < 35
