"""Two cores that have each half of the batch: the values of one core, in about half of its time."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
RANDOM = np.random.default_rng(5)
WIDTH, HEADS, BATCH, LENGTH = 64, 4, 8, 48


def normal(*shape, dtype=np.float32):
    return RANDOM.normal(size=shape).astype(dtype)


def norm(x):
    y = x - x.mean(-1, keepdims=True)
    return y * jax.lax.rsqrt((y**2).mean(-1, keepdims=True) + 1e-5)


def block(weights, x):
    q, k, v = ((norm(x) @ w).reshape(*x.shape[:-1], HEADS, -1) for w in weights[:3])
    x = x + jax.nn.dot_product_attention(q, k, v).reshape(x.shape) @ weights[3]
    return x + jax.nn.gelu(norm(x) @ weights[4]) @ weights[4].T


def loss(weights, x, y):
    logits = block(weights, x).mean(1)
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1).mean()


def step(state, x, y):
    """Adam, with gradients of a norm of at most 1."""
    weights, means, squares, count = state
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    length = jnp.sqrt(sum((g**2).sum() for g in gradients))
    gradients = [g / jnp.maximum(length, 1) for g in gradients]
    means = [0.9 * m + 0.1 * g for m, g in zip(means, gradients, strict=True)]
    squares = [0.99 * s + 0.01 * g**2 for s, g in zip(squares, gradients, strict=True)]
    weights = [
        w - 1e-3 * m / (jnp.sqrt(s) + 1e-6) for w, m, s in zip(weights, means, squares, strict=True)
    ]
    return (weights, means, squares, count + 1), value


def layers_step(stack, x, y):
    """Layers in a loop, whose backward pass puts each layer's gradients away."""

    def scanned(stack):
        out, _ = jax.lax.scan(lambda x, weights: (block(weights, x), None), x, stack)
        return -jnp.take_along_axis(jax.nn.log_softmax(out.mean(1)), y[:, None], 1).mean()

    value, gradients = jax.value_and_grad(scanned)(stack)
    return jax.tree.map(lambda w, g: w - 0.1 * g, stack, gradients), value


def recurrence(w, x):
    def turn(h, u):
        return (h := jnp.tanh(h @ w + u)), h

    return jax.lax.scan(turn, jnp.zeros_like(x[:, 0]), x.swapaxes(0, 1))[0]


def batch_norm(x, w):
    y = x @ w
    return (y - y.mean(0)) / y.std(0)


def weights_of(dtype=np.float32):
    shapes = [(WIDTH, WIDTH)] * 4 + [(WIDTH, 4 * WIDTH)]
    return [(normal(*shape) / 8).astype(dtype) for shape in shapes]


X = normal(BATCH, LENGTH, WIDTH)
Y = RANDOM.integers(0, WIDTH, BATCH, dtype=np.int32)
ZEROS = [np.zeros_like(w) for w in weights_of()]
STATE = weights_of(), ZEROS, ZEROS, np.int32(3)


def run(function, *arguments, **options):
    """On one core and on two, checked for races; the faster one's is_in_halves."""
    results = []
    for cores in (1, 2):
        made = model.compile(function, *arguments, cores=cores, **options)
        found = made.run(*arguments, timed=True, checks=True)
        results.append((jax.tree.leaves(found.results), found.seconds))
    return *results, made._core.in_halves


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_a_forward_pass_gives_the_bits_of_one_core(dtype):
    x = X.astype(dtype)
    (one, time), (two, time_of_two), in_halves = run(block, weights_of(dtype), x)
    assert in_halves
    np.testing.assert_array_equal(two[0], one[0])
    assert time_of_two < time


STACK = [np.stack([w, w[::-1]]) for w in STATE[0]]


@pytest.mark.parametrize("function, state", [(step, STATE), (layers_step, STACK)])
def test_a_training_step_adds_the_gradients_of_both(function, state):
    (one, time), (two, time_of_two), in_halves = run(function, state, X, Y)
    assert in_halves
    assert time_of_two < time
    for got, wanted in zip(two, one, strict=True):
        scale = np.abs(wanted).max() + 1e-30
        np.testing.assert_allclose(got / scale, wanted / scale, rtol=0, atol=2e-5)


@pytest.mark.parametrize("function, share", [(block, 0.7), (step, 0.8)])
def test_a_small_vision_transformer_gains_from_a_second_core(function, share):
    x, y = np.zeros((8, 197, 192), ml_dtypes.bfloat16), np.zeros(8, np.int32)
    weights = [np.zeros(s, x.dtype) for s in [(192, 192)] * 4 + [(192, 768)]]
    state = weights if function is block else (weights, weights, weights, np.int32(0))
    arguments = (state, x) if function is block else (state, x, y)
    one, two = (model.compile(function, *arguments, cores=c).time().seconds for c in (1, 2))
    assert two < share * one


def test_donated_weights_are_written_behind_both():
    arguments = STATE, X, Y
    kept = model.compile(step, *arguments, cores=2)
    given = model.compile(jax.jit(step, donate_argnums=0), *arguments, cores=2)
    assert any(given._core.donated)
    assert given._core.in_halves
    for got, wanted in zip(
        jax.tree.leaves(given(*arguments)), jax.tree.leaves(kept(*arguments)), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)


def test_a_loop_turns_on_each_core():
    (one, _), (two, _), _ = run(recurrence, normal(WIDTH, WIDTH) / 8, X)
    np.testing.assert_array_equal(two[0], one[0])


def test_rows_that_meet_are_not_halved():
    x, w = normal(256, 128), normal(128, 128)
    (one, _), (two, _), in_halves = run(batch_norm, x, w)
    assert not in_halves
    np.testing.assert_array_equal(two[0], one[0])


def test_what_follows_from_constants_alone_is_whole():
    """A mask that attention reads is returned, too, as pieces of a divided gradient hand it on."""

    def masked(q, k):
        mask = jnp.broadcast_to(jnp.tril(jnp.ones((32, 32), bool)), (2, 1, 32, 32))
        scores = jnp.where(mask, jnp.einsum("btnd,bsnd->bnts", q, k) * 0.25, -1e9)
        return jnp.exp(scores - scores.max(-1, keepdims=True)), mask

    q, k = normal(2, 32, 1, 16), normal(2, 32, 1, 16)
    found = jax.jit(masked)(*(jax.device_put(x, jax.devices("neuron")[0]) for x in (q, k)))
    np.testing.assert_array_equal(found[1], np.tril(np.ones((2, 1, 32, 32), bool)))
    found = model.compile(masked, q, k, cores=2)(q, k)
    np.testing.assert_array_equal(found[1], np.tril(np.ones((2, 1, 32, 32), bool)))
