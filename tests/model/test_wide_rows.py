"""Rows too long for SBUF, computed in pieces: numbers against float64, traffic, infinities."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(23)


def normal(*shape, dtype=np.float32):
    return (RANDOM.normal(size=shape) * 4).astype(dtype)


def softmax(x, np=jnp):
    exponentials = np.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def log_softmax(x, np=jnp):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def logsumexp(x, np=jnp):
    largest = x.max(-1)
    return np.log(np.exp(x - largest[:, None]).sum(-1)) + largest


def layer_norm(x, weight, bias, np=jnp):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * weight + bias


def several(x, y, np=jnp):
    """Results of three sweeps; a sum of both inputs, which are read again."""
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    scaled = (x - low) / (high - low) + y
    mean = scaled.mean(-1, keepdims=True)
    return scaled, scaled - mean, np.exp(scaled - mean).sum(-1)


def column_sums(x, y, np=jnp):
    product = x * y
    return product.sum(0), (product - product.max(-1, keepdims=True)).sum(0), product.max(-1)


PROGRAMS = {
    "softmax": (softmax, [normal(130, 32000)]),
    "softmax of odd sizes": (softmax, [normal(70, 30011)]),
    "softmax of rows that do not stay": (softmax, [normal(64, 70000)]),
    "log_softmax": (log_softmax, [normal(130, 30011)]),
    "logsumexp": (logsumexp, [normal(130, 30011)]),
    "LayerNorm": (layer_norm, [normal(130, 21003) + 9, normal(21003), normal(21003)]),
    "several": (several, [normal(130, 17000), normal(130, 17000)]),
    "column sums": (column_sums, [normal(300, 9990), normal(300, 9990)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_float64(name):
    function, arguments = PROGRAMS[name]
    found = jax.tree.leaves(model.compile(function, *arguments)(*arguments))
    wanted = jax.tree.leaves(function(*[a.astype(np.float64) for a in arguments], np=np))
    for ours, exact in zip(found, wanted, strict=True):
        scale = max(1.0, float(np.abs(exact).max()))
        np.testing.assert_allclose(ours / scale, exact / scale, rtol=1e-5, atol=2e-6)


def test_agrees_in_bf16():
    x = normal(128, 64000, dtype=BF16)
    found = model.compile(softmax, x)(x).astype(np.float64)
    np.testing.assert_allclose(found, softmax(x.astype(np.float64), np=np), rtol=0.06, atol=1e-6)


@pytest.mark.parametrize("function", [jax.nn.softmax, jax.nn.log_softmax, jax.nn.logsumexp])
def test_infinities_and_nan_come_out_as_on_the_cpu(function):
    x = normal(64, 30011)
    x[0, 20000] = np.inf
    x[1, 20000] = -np.inf
    x[2, 20000] = np.nan
    x[3] = -np.inf
    x[4, :6000] = -np.inf  # whole pieces
    x[5, 3000:] = -np.inf
    x[6] = np.inf
    x[7] = 3e38
    x[8, :9000], x[8, 9000:] = 1e38, -1e38
    x[9, 1], x[9, 20000] = np.inf, -np.inf

    def rows(x):
        return function(x, -1)

    found = model.compile(rows, x)(x)
    with jax.default_device(CPU):
        wanted = np.asarray(jax.jit(rows)(x))
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=2e-5)


def traffic(function, *arguments):
    [report] = model.compile(function, *arguments).time().reports
    return next(each for each in report["traffic"] if each["memory"] == "hbm")["bytes"]


def test_rows_are_read_once_where_their_pieces_stay_on_chip():
    x = jax.ShapeDtypeStruct((1024, 32000), np.float32)
    assert traffic(jax.nn.softmax, x) == {"read": x.size * 4, "written": x.size * 4}
    moved = traffic(lambda x: jax.nn.logsumexp(x, -1), x)
    assert moved == {"read": x.size * 4, "written": 1024 * 4}


def test_rows_that_do_not_stay_are_read_by_each_sweep():
    x = jax.ShapeDtypeStruct((256, 128256), np.float32)
    moved = traffic(jax.nn.softmax, x)
    assert moved["written"] == x.size * 4
    assert moved["read"] <= 2 * x.size * 4


def test_the_explanation_says_that_rows_go_in_pieces():
    x = jax.ShapeDtypeStruct((256, 32000), np.float32)
    [[(_, how, *_)]] = model.compile(jax.nn.softmax, x)._core.groups
    assert "16 pieces of 2000 elements" in how
    assert "2 sweeps over the pieces" in how


def rms_norm(x, weight):
    return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * weight


@pytest.mark.parametrize(("function", "columns"), [(rms_norm, 4100), (jax.nn.softmax, 4096)])
def test_bands_of_a_gradient_overlap_in_sweeps(function, columns):
    x, g = normal(1030, columns), normal(1030, columns)
    weights = [normal(columns)] if function is rms_norm else []

    def gradient(g, x, *weights):
        return jax.vjp(function, x, *weights)[1](g)

    compiled = model.compile(gradient, g, x, *weights)
    assert any("several bands at a time" in how for [(_, how, _)] in compiled._core.groups)
    with jax.default_device(CPU):
        wanted = jax.jit(gradient)(g, x, *weights)
    for ours, theirs in zip(compiled(g, x, *weights), wanted, strict=True):
        scale = float(np.abs(np.asarray(theirs)).max())
        # g - sum(g * p) cancels where p is near 1, and engines sum a piece in order: 1.8e-5 was
        # seen. Against float64, sums of g * p and scaled sums of g * exp err alike (7e-6 at most).
        np.testing.assert_allclose(ours / scale, np.asarray(theirs) / scale, rtol=0, atol=2e-5)


def test_weights_that_are_widened_are_read_in_their_own_format():
    def norm(x, weight, bias):
        wide = (each.astype(jnp.float32) for each in (x, weight, bias))
        return layer_norm(*wide).astype(x.dtype)

    x, w, b = normal(1024, 2048, dtype=BF16), *normal(2, 2048, dtype=BF16)
    compiled = model.compile(norm, x, w, b)
    moved = compiled.time().reports[0]["traffic"]
    [hbm] = [each["bytes"] for each in moved if each["memory"] == "hbm"]
    assert hbm["written"] == x.nbytes
    assert hbm["read"] <= x.nbytes + 128 * (w.nbytes + b.nbytes)
    exact = layer_norm(*(each.astype(np.float64) for each in (x, w, b)), np=np)
    np.testing.assert_allclose(compiled(x, w, b).astype(np.float64), exact, rtol=0.01, atol=0.02)
