"""Large values that are computed again instead of being kept: values, times, and what is left."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

TOKENS, HEADS, DEPTH, LAYERS = 256, 8, 16, 2
WIDTH = HEADS * DEPTH
RANDOM = np.random.default_rng(11)
WEIGHTS = {
    name: (RANDOM.normal(size=(LAYERS, WIDTH, WIDTH)) / WIDTH**0.5).astype(np.float32)
    for name in "qkvo"
}
X = RANDOM.normal(size=(1, TOKENS, WIDTH)).astype(np.float32)


def layer(x, w):
    q, k, v = ((x @ w[name]).reshape(1, TOKENS, HEADS, DEPTH) for name in "qkv")
    scores = jnp.einsum("bthd,bshd->bhts", q, k) * DEPTH**-0.5
    scores = jnp.where(jnp.tril(jnp.ones((TOKENS, TOKENS), bool)), scores, -1e9)
    mixed = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, -1), v)
    return jnp.tanh(x + mixed.reshape(1, TOKENS, WIDTH) @ w["o"])


def by_scan(x, w):
    return lax.scan(lambda x, w: (layer(x, w), None), x, w)[0]


def with_checkpoints(x, w):
    return lax.scan(lambda x, w: (jax.checkpoint(layer)(x, w), None), x, w)[0]


def unrolled(x, w):
    for i in range(LAYERS):
        x = layer(x, jax.tree.map(lambda a, i=i: a[i], w))
    return x


def turned_twice(x, w):
    """A loop in a loop, whose masks come from outside of both."""

    def twice(x, w):
        return lax.fori_loop(0, 2, lambda _, x: layer(x, w), x), None

    return lax.scan(twice, x, w)[0]


def gradient(forward):
    return jax.grad(lambda w, x: jnp.mean(jnp.square(forward(x, w))))


@pytest.fixture(autouse=True)
def on_neuron():
    with jax.default_device(jax.devices("neuron")[0]):
        yield


@pytest.fixture(scope="module")
def expected():
    with jax.default_device(jax.devices("cpu")[0]):
        return jax.tree.map(np.asarray, jax.jit(gradient(unrolled))(WEIGHTS, X))


def check(found, expected):
    for name, each in expected.items():
        np.testing.assert_allclose(found[name], each, rtol=2e-3, atol=2e-3 * np.abs(each).max())


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("forward", [by_scan, with_checkpoints])
def test_gradients_are_those_of_the_unrolled_layers(forward, mode, expected):
    check(jax.jit(gradient(forward), compiler_options={"mode": mode})(WEIGHTS, X), expected)


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("forward", [by_scan, with_checkpoints, unrolled])
def test_heads_and_batches_are_divided(forward, mode, expected):
    mesh = Mesh(np.array(jax.devices("neuron")), ("model",))
    lie = {"q": P(None, None, "model"), "o": P(None, "model")}
    lie |= {"k": lie["q"], "v": lie["q"]}
    w = {name: jax.device_put(WEIGHTS[name], NamedSharding(mesh, lie[name])) for name in WEIGHTS}
    x = jax.device_put(X, NamedSharding(mesh, P()))
    found = jax.jit(gradient(forward), compiler_options={"mode": mode})(w, x)
    assert found["q"].sharding.is_equivalent_to(NamedSharding(mesh, lie["q"]), 3)
    check(found, expected)


def test_a_loop_in_a_loop():
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = jax.jit(turned_twice)(X, WEIGHTS)
    found = jax.jit(turned_twice, compiler_options={"mode": "machine"})(X, WEIGHTS)
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)


def cost(function, *arguments):
    compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(*arguments).compile()
    return compiled.cost_analysis()["seconds"], compiled.memory_analysis()


def test_no_stack_of_scores_is_kept(monkeypatch):
    """A loop's memory grows with its layers by less than one layer's scores."""
    monkeypatch.setitem(globals(), "TOKENS", 1024)
    x = jax.ShapeDtypeStruct((1, 1024, WIDTH), np.float32)
    scores = HEADS * 1024 * 1024 * 4

    def memory(layers):
        w = {name: jax.ShapeDtypeStruct((layers, WIDTH, WIDTH), np.float32) for name in WEIGHTS}
        return cost(gradient(by_scan), w, x)[1].temp_size_in_bytes

    assert memory(6) - memory(2) < scores


def test_a_scan_takes_about_as_long_as_the_unrolled_layers(monkeypatch):
    monkeypatch.setitem(globals(), "TOKENS", 1024)
    x = jax.ShapeDtypeStruct((1, 1024, WIDTH), np.float32)
    w = {name: jax.ShapeDtypeStruct(WEIGHTS[name].shape, np.float32) for name in WEIGHTS}
    longest = 2 * cost(gradient(unrolled), w, x)[0]  # 3.2 times with the scores in stacks
    assert cost(gradient(by_scan), w, x)[0] < longest


def test_what_a_turn_prints_is_printed_where_scores_are_computed_again(capfd):
    def told(x, w):
        def inner(i, total):
            jax.debug.print("turn {i} {x}", i=i, x=lax.stop_gradient(x[0, 0, 0]))
            return total

        lax.fori_loop(0, 2, inner, 0)
        return layer(x, w)

    def by_told_scan(x, w):
        return lax.scan(lambda x, w: (told(x, w), None), x, w)[0]

    step = jax.jit(gradient(by_told_scan), compiler_options={"mode": "machine"})
    jax.block_until_ready(step(WEIGHTS, X))
    jax.effects_barrier()
    assert capfd.readouterr().out.count("turn 1") == LAYERS
