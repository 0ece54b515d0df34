"""Does the training of a norm move no more bytes than it must?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

BF16 = np.dtype(ml_dtypes.bfloat16)
ROWS, COLUMNS = 2048, 4096
CPU = jax.devices("cpu")[0]


def rms_norm(x, w):
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.square(wide).mean(-1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype) * w


def layer_norm(x, w, b):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * w + b


def step(x, w, m, g):
    """The gradients of a norm and of a product, whose result they wait for."""
    return jax.vjp(lambda x, w, m: jnp.tanh(rms_norm(x, w) @ m), x, w, m)[1](g)


def gradient(g, x, w, b):
    return jax.vjp(layer_norm, x, w, b)[1](g)


def moved(function, *arguments):
    compiled = model.compile(function, *arguments)
    [report] = compiled.run(*arguments, timed=True, values=False).reports
    [bytes_] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
    return bytes_


def zeros(*shape, dtype=BF16):
    return np.zeros(shape, dtype)


def test_what_a_norm_has_computed_is_computed_again_from_what_it_read():
    """Its result is stored, and no float32 of its size."""
    x = zeros(ROWS, COLUMNS)
    bytes_ = moved(step, x, zeros(COLUMNS), zeros(COLUMNS, 512), zeros(ROWS, 512))
    assert bytes_["written"] < 2.6 * x.nbytes  # the norm's result, dx; what is small
    assert bytes_["read"] < 5.2 * x.nbytes


def test_sums_down_the_rows_are_of_the_same_pass():
    """The gradient of a bias sums what that of the norm reads."""
    x = zeros(ROWS, COLUMNS, dtype=np.float32)
    bytes_ = moved(gradient, x, x, x[0], x[0])
    assert bytes_["read"] < 2.3 * x.nbytes


@pytest.mark.parametrize(("dtype", "most"), [(np.dtype(np.float32), 1e-5), (BF16, 2e-2)])
def test_values(dtype, most):
    random = np.random.default_rng(0)
    x, g = (random.standard_normal((256, 512), np.float32).astype(dtype) for _ in range(2))
    w, b = (random.standard_normal(512, np.float32).astype(dtype) for _ in range(2))
    m, h = (random.standard_normal((s, 64), np.float32).astype(dtype) for s in (512, 256))
    m = m * np.float32(2**-7).astype(dtype)  # where tanh is not flat
    for function, arguments in ((gradient, (g, x, w, b)), (step, (x, w, m, h))):
        results = model.compile(function, *arguments).run(*arguments, timed=False).results
        with jax.default_device(CPU):
            wanted = jax.jit(function)(*(np.float32(each) for each in arguments))
        for got, want in zip(jax.tree.leaves(results), jax.tree.leaves(wanted), strict=True):
            error = np.abs(np.asarray(got, np.float32) - np.asarray(want)).max()
            assert error / np.abs(want).max() < most


def narrow_rms_norm(x, w):
    """In the type of its operands."""
    return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * w


@pytest.mark.parametrize("columns", [384, 20000])
@pytest.mark.parametrize(("dtype", "most"), [(np.dtype(np.float32), 1e-5), (BF16, 2e-2)])
def test_sums_down_the_rows_weigh_each_row(columns, dtype, most):
    """The gradient of the weights: the array multiplies with one number a row, also of rows that
    come in pieces, whose number is known behind the last of them."""

    def back(g, x, w):
        return jax.vjp(narrow_rms_norm, x, w)[1](g)

    random = np.random.default_rng(0)
    g, x = (random.standard_normal((200, columns), np.float32).astype(dtype) for _ in range(2))
    x *= np.arange(1, 201, dtype=np.float32).astype(dtype)[:, None]
    w = random.standard_normal(columns, np.float32).astype(dtype)
    results = model.compile(back, g, x, w).run(g, x, w, timed=False).results
    with jax.default_device(CPU):
        wanted = jax.jit(back)(*(np.float32(each) for each in (g, x, w)))
    for got, want in zip(results, wanted, strict=True):
        error = np.abs(np.asarray(got, np.float32) - np.asarray(want)).max()
        assert error / np.abs(want).max() < most


def test_sums_that_are_zero_are_left_out_and_no_others():
    """Of distances from the mean of the row, also where it is large; not of those from another."""

    def shifted(x, y):
        mean, most = x.mean(-1, keepdims=True), x.max(-1, keepdims=True)
        zeros, others = (x - mean).sum(-1, keepdims=True), (x - most).sum(-1, keepdims=True)
        return y + zeros * 3, y - others, 4 * (x - mean) * most

    random = np.random.default_rng(0)
    x, y = (random.standard_normal((256, 512), np.float32) for _ in range(2))
    for moved_by in (0, 10):
        arguments = x + np.float32(moved_by), y
        results = model.compile(shifted, *arguments).run(*arguments, timed=False).results
        wanted = shifted(*(np.float64(each) for each in arguments))
        for got, want in zip(results, wanted, strict=True):
            assert np.abs(np.asarray(got) - want).max() / np.abs(want).max() < 2e-5


@pytest.mark.parametrize(
    ("norm", "dtype", "most"),
    [
        (layer_norm, np.float32, 2.1),
        (layer_norm, BF16, 2.7),
        (narrow_rms_norm, np.float32, 1.3),
        (narrow_rms_norm, BF16, 2.2),
    ],
)
def test_the_gradient_of_a_norm_takes_about_as_long_as_its_bytes(norm, dtype, most):
    """`most` times what its transfers take at least."""
    x = zeros(4096, 4096, dtype=dtype)
    vectors = [x[0]] * (2 if norm is layer_norm else 1)
    compiled = model.compile(lambda g, *a: jax.vjp(norm, *a)[1](g), x, x, *vectors)
    [report] = compiled.time().reports
    assert 1 / report["speed_of_light"]["share"] < most
