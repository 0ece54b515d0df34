"""Values that stay on chip, fused functions and products of any layout: the numbers of the CPU."""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(1)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def attention(q, k, v, mask):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 5.0 + mask[:, None, None, :]
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(*q.shape[:2], -1)


def heads_in_front(q, k, v):
    return jax.nn.softmax(q @ jnp.swapaxes(k, -1, -2)) @ v


def layer(x, w, u):
    """A residual block with a layer norm on both sides."""
    centred = x - x.mean(-1, keepdims=True)
    y = centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-6)
    return x + jnp.tanh(y @ w) @ u


def many_alive(x):
    """More values alive at once than stay on chip, read last in first out."""
    values = [x * number for number in range(1, 12)]
    sums = [jnp.tanh(value).sum(-1) for value in values]
    return sum(value * total[:, None] for value, total in zip(values[::-1], sums, strict=True))


def both_ways(x, y):
    """One product read by rows and by columns."""
    z = x @ y
    return z.sum(0), z.sum(1), z.T @ x, z.reshape(-1)[::3]


def decode_step(x, w, cache, position):
    """One token: few rows, a norm along them, and a cache that grows."""
    x = x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6)
    h = jax.nn.silu(x @ w)
    cache = jax.lax.dynamic_update_slice(cache, h, (position, 0))
    return jax.nn.softmax(h @ cache.T) @ cache, cache


def outer_products_of_sums(x, y):
    """Batches without a dimension to sum over, of which the first lies on chip."""
    return jnp.einsum("bi,bj->bij", x.sum(-1), y)


PROGRAMS = {
    "outer products of sums": (outer_products_of_sums, [normal(3, 4, 5), normal(3, 6)]),
    "attention of 24 tokens": (
        attention,
        [normal(3, 24, 4, 32), normal(3, 24, 4, 32), normal(3, 24, 4, 32), normal(3, 24)],
    ),
    "attention of 40 keys": (
        attention,
        [normal(2, 7, 3, 16), normal(2, 40, 3, 16), normal(2, 40, 3, 16), normal(2, 40)],
    ),
    "heads in front": (heads_in_front, [normal(2, 3, 50, 64) for _ in range(3)]),
    "attention of many batches": (heads_in_front, [normal(400, 8, 16) for _ in range(3)]),
    "residual layer": (layer, [normal(200, 384), normal(384, 700), normal(700, 384)]),
    "residual layer of batches": (layer, [normal(6, 24, 96), normal(96, 200), normal(200, 96)]),
    "more values than fit": (many_alive, [normal(256, 4000)]),
    "more columns than one band": (jnp.matmul, [normal(130, 2048), normal(2048, 2000)]),
    "few rows": (lambda x, w: jnp.tanh(x @ w / 20), [normal(9, 300), normal(300, 700)]),
    "both ways": (both_ways, [normal(130, 70), normal(70, 150)]),
    "decode": (decode_step, [normal(1, 576), normal(576, 192), normal(40, 192), np.int32(17)]),
    "reduced batches": (lambda x: (x.max((0, 2)), x.sum(1), x.mean((1, 2))), [normal(5, 24, 96)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_the_cpu(name):
    function, arguments = PROGRAMS[name]
    found = jax.tree.leaves(model.compile(function, *arguments)(*arguments))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for ours, theirs in zip(found, wanted, strict=True):
        scale = max(1.0, float(np.abs(theirs).max()))
        np.testing.assert_allclose(ours / scale, np.asarray(theirs) / scale, rtol=2e-5, atol=5e-6)


FUNCTIONS = {
    "gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "gelu by tanh": jax.nn.gelu,
    "silu": jax.nn.silu,
    "logistic": lambda x: 1 / (1 + jnp.exp(-x)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_spelled_out_function_is_one_instruction(name):
    x = np.linspace(-9, 9, 64 * 256, dtype=np.float32).reshape(64, 256)
    compiled = model.compile(FUNCTIONS[name], x)
    assert compiled.instructions == 3  # a load, an activation, a store
    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(FUNCTIONS[name])(x))
    # JAX's own erfc is a polynomial good to 1e-6 of what remains far from 0.
    np.testing.assert_allclose(compiled(x), wanted, rtol=5e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["gelu", "gelu by tanh", "silu"])
def test_a_function_spelled_out_in_bfloat16_is_one_instruction(name):
    x = np.linspace(-9, 9, 64 * 256, dtype=np.float32).reshape(64, 256).astype(jnp.bfloat16)
    compiled = model.compile(FUNCTIONS[name], x)
    assert compiled.instructions == 3
    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(FUNCTIONS[name])(x.astype(np.float32)))
    found = compiled(x).astype(np.float32)
    np.testing.assert_allclose(found, wanted, rtol=2**-8, atol=1e-6)  # rounded once


def test_a_function_that_only_looks_like_gelu_stays_what_it_is():
    x = np.linspace(-3, 3, 512, dtype=np.float32).reshape(2, 256)

    def other(x):
        return 0.5 * x * jax.lax.erfc(-x * np.float32(0.7))

    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(other)(x))
    np.testing.assert_allclose(model.compile(other, x)(x), wanted, rtol=1e-5, atol=2e-6)


def test_a_value_between_operations_does_not_go_through_hbm():
    x, w = normal(128, 256), normal(256, 256)

    def chain(x, w):
        for _ in range(4):
            x = jax.nn.softmax(x @ w)
        return x

    compiled = model.compile(chain, x, w)
    traffic = compiled.run(x, w, timed=True, values=False).reports[0]["traffic"]
    read = next(each for each in traffic if each["memory"] == "hbm")["bytes"]["read"]
    assert read <= x.nbytes + 4 * w.nbytes


def test_what_is_read_last_leaves_the_chip_first():
    """Twenty values find no room at once; one that each step reads is older than all of them."""
    steps, x, w = 20, normal(128, 1024), normal(1024, 1024)

    def function(x, w):
        each_time, kept = jnp.tanh(x @ w), []
        for _ in range(steps):
            x = jnp.tanh((x * each_time) @ w)
            kept.append(x)
        for each in kept:
            x = jnp.tanh((x * each) @ w)
        return x

    run = model.compile(function, x, w).run(x, w, timed=True, values=False)
    traffic = run.reports[0]["traffic"]
    moved = next(each for each in traffic if each["memory"] == "hbm")["bytes"]
    evicted = moved["written"] - x.nbytes  # but for the result
    assert 0 < evicted <= 5 * x.nbytes
    assert moved["read"] <= 2 * x.nbytes + (1 + 2 * steps) * w.nbytes + evicted  # each once


def test_a_row_on_chip_in_parts_does_not_keep_a_norm_from_one_pass_over_memory():
    x, step = normal(256, 5120), normal(5120)

    def function(x, step):
        scale = 1 + step * step  # in tiles of fewer columns
        return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * scale, scale

    run = model.compile(function, x, step).run(x, step, timed=True, values=False)
    traffic = run.reports[0]["traffic"]
    moved = next(each for each in traffic if each["memory"] == "hbm")["bytes"]
    assert moved["written"] <= x.nbytes + 2 * step.nbytes
    assert moved["read"] <= x.nbytes + 130 * step.nbytes  # the row once on each partition


def test_what_repeats_is_computed_once():
    x = normal(64, 96)

    def again(x):
        return jnp.sin(x * 3) + jnp.sin(x * 3) @ jnp.ones((96, 96), np.float32)

    def once(x):
        angle = jnp.sin(x * 3)
        return angle + angle @ jnp.ones((96, 96), np.float32)

    assert model.compile(again, x).instructions == model.compile(once, x).instructions


def test_addresses_that_are_computed_need_no_values_to_be_timed():
    arguments = [normal(1, 576), normal(576, 192), normal(40, 192), np.int32(17)]
    compiled = model.compile(decode_step, *arguments)
    with_values = compiled.run(*arguments, timed=True)
    assert compiled.run(*arguments, timed=True, values=False).seconds == with_values.seconds
