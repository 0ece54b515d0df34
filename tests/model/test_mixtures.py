"""Do routed mixtures of experts, as people write them in JAX, give XLA's values, and does a matrix
that a router picks take the time that reading it takes?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

BF16 = np.dtype(ml_dtypes.bfloat16)


def router(x, weights, k):
    likely = jax.nn.softmax((x @ weights).astype(jnp.float32))
    top, chosen = jax.lax.top_k(likely, k)
    return top / top.sum(-1, keepdims=True), chosen


def sorted_rows(x, weights, gate, up, down, k):
    """Rows sorted by expert, ragged products, sums by scatter."""
    share, chosen = router(x, weights, k)
    flat = chosen.reshape(-1)
    order = jnp.argsort(flat)
    sizes = jnp.bincount(flat, length=weights.shape[1])
    rows = x[order // k]
    inner = jax.nn.silu(jax.lax.ragged_dot(rows, gate, sizes))
    made = jax.lax.ragged_dot(inner * jax.lax.ragged_dot(rows, up, sizes), down, sizes)
    made = made * share.reshape(-1)[order][:, None].astype(x.dtype)
    return jnp.zeros_like(x).at[order // k].add(made)


def by_token(x, weights, gate, up, down, k):
    """The matrices of each token's experts, as in a decode step."""
    share, chosen = router(x, weights, k)
    inner = jax.nn.silu(jnp.einsum("th,tkhi->tki", x, gate[chosen]))
    inner = inner * jnp.einsum("th,tkhi->tki", x, up[chosen])
    made = jnp.einsum("tki,tkih->tkh", inner, down[chosen])
    return (made * share[..., None].astype(x.dtype)).sum(1)


def with_capacity(x, weights, gate, up, down, k):
    """Slots by one_hot, which a token beyond the capacity does not get."""
    experts, capacity = weights.shape[1], max(4, len(x) * k // weights.shape[1])
    share, chosen = router(x, weights, k)
    hot = jax.nn.one_hot(chosen, experts, dtype=jnp.int32)
    place = (jnp.cumsum(hot.reshape(-1, experts), 0).reshape(hot.shape) - 1) * hot
    slot = jax.nn.one_hot(jnp.where(hot > 0, place, -1), capacity, dtype=x.dtype)
    rows = jnp.einsum("tkec,th->ech", slot, x)
    inner = jax.nn.silu(jnp.einsum("ech,ehi->eci", rows, gate))
    inner = inner * jnp.einsum("ech,ehi->eci", rows, up)
    made = jnp.einsum("eci,eih->ech", inner, down)
    return jnp.einsum("tkec,tk,ech->th", slot, share.astype(x.dtype), made)


def layer(form, tokens, hidden, inner, experts, k, dtype=np.float32):
    random = np.random.default_rng(0)

    def normal(*shape):
        return (random.standard_normal(shape) / np.sqrt(shape[-2])).astype(dtype)

    arguments = [
        normal(tokens, hidden),
        normal(hidden, experts),
        normal(experts, hidden, inner),
        normal(experts, hidden, inner),
        normal(experts, inner, hidden),
    ]
    return (lambda *given: form(*given, k)), arguments


def check(function, arguments, tolerance=1e-5):
    compiled = model.compile(function, *arguments)
    assert compiled.routines == []
    expected = jax.tree.leaves(jax.jit(function)(*arguments))
    for made, wanted in zip(jax.tree.leaves(compiled(*arguments)), expected, strict=True):
        wanted = np.asarray(wanted, np.float32)
        scale = np.abs(wanted).max()
        np.testing.assert_allclose(made.astype(np.float32), wanted, atol=tolerance * scale)


SHAPES = [(16, 64, 96, 8, 2), (5, 128, 128, 4, 3), (96, 128, 160, 16, 4)]


@pytest.mark.parametrize("form", [sorted_rows, by_token, with_capacity])
@pytest.mark.parametrize("shape", SHAPES)
def test_values_are_those_of_xla(form, shape):
    check(*layer(form, *shape))


def brought_back(x, weights, gate, up, down, k):
    """The same, where each row is brought back by the argsort of the order."""
    share, chosen = router(x, weights, k)
    order = jnp.argsort(chosen.reshape(-1))
    sizes = jnp.bincount(chosen.reshape(-1), length=weights.shape[1])
    rows = jnp.repeat(x, k, 0)[order]
    inner = jax.nn.silu(jax.lax.ragged_dot(rows, gate, sizes))
    made = jax.lax.ragged_dot(inner * jax.lax.ragged_dot(rows, up, sizes), down, sizes)
    made = made[jnp.argsort(order)].reshape(*chosen.shape, -1)
    return (made * share[..., None].astype(x.dtype)).sum(1)


@pytest.mark.parametrize("form", [sorted_rows, brought_back])
def test_so_many_rows_that_their_order_is_counted(form):
    function, arguments = layer(form, 320, 64, 48, 8, 2)  # 640 rows in blocks of 128
    check(function, arguments)
    check(lambda g, *given: jax.vjp(function, *given)[1](g), [arguments[0][::-1], *arguments])


def test_an_order_that_is_counted_is_stable():
    x = np.random.default_rng(0).standard_normal((256, 7)).astype(np.float32)
    compiled = model.compile(lambda x: jnp.argsort(jax.lax.top_k(x, 4)[1].reshape(-1)), x)
    expected = np.argsort(np.argsort(-x, kind="stable")[:, :4].reshape(-1), kind="stable")
    np.testing.assert_array_equal(compiled(x), expected)


@pytest.mark.parametrize("form", [sorted_rows, by_token, with_capacity])
def test_gradients_are_those_of_xla(form):
    function, arguments = layer(form, 16, 128, 128, 8, 2)
    check(lambda g, *given: jax.vjp(function, *given)[1](g), [arguments[0][::-1], *arguments])


def test_rows_of_no_group_are_zero():
    random = np.random.default_rng(0)
    rows = random.standard_normal((300, 128)).astype(np.float32)
    matrices = random.standard_normal((5, 128, 160)).astype(np.float32)
    sizes = np.array([0, 130, 1, 0, 140], np.int32)  # of 300
    check(jax.lax.ragged_dot, [rows, matrices, sizes])


def test_an_index_that_is_no_matrix_takes_the_last_one():
    random = np.random.default_rng(0)
    x = random.standard_normal((3, 128)).astype(np.float32)
    matrices = random.standard_normal((4, 128, 128)).astype(np.float32)
    chosen = np.array([1, 9, 3], np.int32)
    check(lambda x, m, i: jnp.einsum("th,thi->ti", x, m[i]), [x, matrices, chosen])


@pytest.mark.parametrize("tokens", [2, 4])
def test_chosen_matrices_take_the_time_that_reading_them_takes(tokens):
    shapes = [(tokens, 4096), (4096, 8), (8, 4096, 14336), (8, 4096, 14336), (8, 14336, 4096)]
    arguments = [jax.ShapeDtypeStruct(shape, BF16) for shape in shapes]
    made = model.compile(lambda *given: by_token(*given, 2), *arguments)
    read = tokens * 2 * 3 * 4096 * 14336 * 2 / 614.4e9  # at the rate of the DMA engines
    assert read < made.time().seconds < 1.1 * read


def test_rows_are_multiplied_with_the_matrix_of_their_group_alone():
    rows = jax.ShapeDtypeStruct((1024, 1024), BF16)
    matrices = jax.ShapeDtypeStruct((8, 1024, 4096), BF16)
    sizes = jax.ShapeDtypeStruct((8,), np.int32)
    made = model.compile(jax.lax.ragged_dot, rows, matrices, sizes)
    multiplied = 2 * 1024 * 1024 * 4096 / 78.6e12
    assert made.time().seconds < 5 * multiplied  # with every matrix: 16 times
