"""Do programs that say the same in other words give the same values, in about the same time?"""

import importlib
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beside_cpu import assert_as_on_cpu, seconds
from jax import lax
from trainyard import model

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
FORMS = {name: importlib.import_module(f"forms.{name}").CLASS for name in ("convolutions", "heads")}
RANDOM = np.random.default_rng(5)
shaped = jax.ShapeDtypeStruct


def real(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def times_of(form, gradient, *names):
    times = []
    for name in names:
        function = form.forms[name]
        shapes = form.arguments_of(function, form.arguments(1), gradient)
        times.append(seconds(form.gradient(function) if gradient else function, *shapes))
    return times


@pytest.mark.parametrize(("gradient", "most"), [(False, 1.2), (True, 1.5)])
def test_a_sum_of_stacked_taps_is_a_sum_of_taps(gradient, most):
    stacked, shifted = times_of(FORMS["convolutions"], gradient, "stacked", "shifted")
    assert stacked < most * shifted


def test_sums_over_joined_values():
    x, y, w = real(40, 64), real(56, 64), real(96, 64)

    def weighted(x, y, w):
        return jnp.sum(jnp.concatenate([x, y]) * w, 0)

    def each_apart(x, w):
        """Of parts that meet one factor, as gradients of taps are."""
        return jnp.sum(jnp.stack([x, jnp.roll(x, 1, 0), -x], 1) * w[:40, None], 0)

    def by_gradient(x, y, w):
        return jax.grad(lambda *a: jnp.sum(jnp.sin(weighted(*a))), (0, 1, 2))(x, y, w)

    assert_as_on_cpu(weighted, x, y, w)
    assert_as_on_cpu(each_apart, x, w)
    assert_as_on_cpu(by_gradient, x, y, w)


@pytest.mark.parametrize("gradient", [False, True])
def test_norms_of_turned_heads_take_no_longer(gradient):
    turned, flat = times_of(FORMS["heads"], gradient, "heads first", "flat rows")
    assert turned < 1.02 * flat


def norm(x, w):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (2, 0, 1, 3), (1, 2, 0, 3)])
def test_norms_of_turned_values(order):
    x, w, y = real(3, 20, 6, 32), real(32), real(3, 6, 20, 32)

    def turned_back(x, w):
        return norm(x.transpose(order), w).transpose(np.argsort(order))

    def scores(x, w, y):
        """Products read what was turned; a bias each has of its own is turned, too."""
        q = norm(x.swapaxes(1, 2), w) + x[:, :1, :, :].swapaxes(1, 2)
        return jnp.einsum("bntd,bnsd->bnts", q, y)

    assert_as_on_cpu(turned_back, x, w)
    assert_as_on_cpu(lambda x, w: jax.vjp(turned_back, x, w)[1](x), x, w)
    assert_as_on_cpu(scores, x, w, y, tolerance=1e-4)


def in_scan(x):
    return lax.scan(lambda h, row: ((h := jnp.tanh(h * 0.5 + row)), h), x[0], x)[1]


def in_loop(x):
    def turn(t, state):
        h, out = state
        h = jnp.tanh(h * 0.5 + x[t])
        return h, out.at[t].set(h)

    return lax.fori_loop(0, x.shape[0], turn, (x[0], jnp.zeros_like(x)))[1]


def test_a_loop_that_writes_its_turns_in_place_is_a_scan():
    x = real(12, 64)
    assert_as_on_cpu(in_loop, x)
    shape = shaped((64, 64, 1024), np.float32)
    assert seconds(in_loop, shape) < 1.15 * seconds(in_scan, shape)


def test_places_outside_are_left_out():
    def turn(t, out):
        return out.at[t + 3, 2 * t].set(t + 1.0).at[t - 2].add(1.0)

    assert_as_on_cpu(lambda x: lax.fori_loop(0, 6, turn, x), real(6, 8))


@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16])
@pytest.mark.parametrize("running", [lax.cumsum, lax.cummax, lax.cumprod])
@pytest.mark.parametrize("reverse", [False, True])
def test_running_along_outer_dimensions(running, reverse, dtype):
    x = jnp.asarray(RANDOM.uniform(0.5, 1.5, (4, 16, 40, 48)), dtype)
    tolerance = 1e-5 if dtype == jnp.float32 else 2e-2
    got = model.compile(lambda x: running(x, 1, reverse=reverse), x).run(x, timed=False).results
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = running(x.astype(jnp.float32), 1, reverse=reverse)
    [found] = jax.tree.leaves(got)
    found = np.asarray(found, np.float32)
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def test_running_sums_of_states_take_about_their_bytes():
    """Of 8 x 16 states of 64 x 64, with which linear attention goes from chunk to chunk: 350 us
    where each element was a row of its own."""
    assert seconds(lambda x: jnp.cumsum(x, 1), shaped((8, 16, 64, 64), np.float32)) < 40e-6


def test_few_long_rows_fill_the_partitions():
    """Three quarters of the partitions stood idle, and quotients took eight cycles an element."""

    def over(x, y):
        return x / jnp.exp(y) * jnp.max(x, -1, keepdims=True)

    assert_as_on_cpu(over, real(3, 8192), real(3, 8192))
    shape = shaped((32, 131072), np.float32)
    assert seconds(over, shape, shape) < 300e-6


def chunked(x, b, c, share):
    """Queries and keys of all heads in chunks of 64."""
    n, h = x.shape[0] // 64, x.shape[1]
    x = x.reshape(n, 64, *x.shape[1:])
    if share:
        scores = jnp.einsum("nqd,nkd->nqk", c.reshape(n, 64, -1), b.reshape(n, 64, -1))
        states = jnp.einsum("nkhv,nkd->nhvd", x, b.reshape(n, 64, -1))
        return jnp.einsum("nqk,nkhv->nqhv", scores, x), states
    b, c = (
        jnp.broadcast_to(each[:, None], (n * 64, h, each.shape[1])).reshape(n, 64, h, -1)
        for each in (b, c)
    )
    scores = jnp.einsum("nqhd,nkhd->nhqk", c, b)
    return jnp.einsum("nhqk,nkhv->nqhv", scores, x), jnp.einsum("nkhv,nkhd->nhvd", x, b)


def test_what_heads_share_is_multiplied_once():
    arguments = real(128, 4, 16), real(128, 24), real(128, 24)
    assert_as_on_cpu(lambda *a: chunked(*a, share=False), *arguments, tolerance=2e-4)
    shapes = [shaped(s, np.float32) for s in ((2048, 32, 64), (2048, 128), (2048, 128))]
    repeated, shared = (
        seconds(lambda *a, share=share: chunked(*a, share=share), *shapes)
        for share in (False, True)
    )
    assert repeated < 1.25 * shared


def test_states_are_read_by_vector_as_sums():
    """Of 32 heads: 16 us where each is a product of the array."""

    def read(states, keys):
        return jnp.einsum("hij,hj->hi", states, keys)

    assert_as_on_cpu(read, real(32, 64, 64), real(32, 64))
    shapes = shaped((32, 64, 64), np.float32), shaped((32, 64), np.float32)
    assert seconds(read, *shapes) < 9e-6
