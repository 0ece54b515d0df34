"""One element of each row: losses of labels and their gradients make no long value for it."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(29)


def cross_entropy(x, labels):
    likely = jax.nn.log_softmax(x.astype(jnp.float32))
    return -jnp.take_along_axis(likely, labels[..., None], -1).mean()


def weighted(x, labels, weights):
    likely = jax.nn.log_softmax(x.astype(jnp.float32) * 0.5)
    return (jnp.take_along_axis(likely, labels[..., None], -1)[..., 0] * weights).sum()


def from_logsumexp(x, labels):
    """As optax has it."""
    picked = jnp.take_along_axis(x, labels[..., None], -1)[..., 0]
    return (jax.nn.logsumexp(x, -1) - picked).sum()


def casts_first(x, labels):
    """As optax has it of integer labels: the cast is read by the sum, too."""
    x = x.astype(jnp.float32)
    picked = jnp.take_along_axis(x, labels[..., None], -1)[..., 0]
    return (jax.nn.logsumexp(x, -1) - picked).mean()


def hot(x, labels):
    return jax.nn.one_hot(labels, x.shape[-1], dtype=x.dtype)


def one_hot_loss(x, labels):
    """As optax has it of labels as rows."""
    return -(hot(x, labels) * jax.nn.log_softmax(x.astype(jnp.float32))).sum(-1).mean()


def negated_and_weighted(x, labels, weights):
    return ((-hot(x, labels) * jax.nn.log_softmax(x, -1)).sum(-1) * weights).sum()


def hot_elsewhere(x, labels):
    rows = hot(x, labels)
    return (rows * x).sum(-1), rows, rows * x, (rows * x[:, :1]).sum(-1), (rows * 3 - x)


def also_whole(x, labels):
    """The long value is read elsewhere, too."""
    likely = jax.nn.log_softmax(x)
    return likely, jnp.take_along_axis(likely, labels[..., None], -1)


def marked_twice(x, labels):
    picked = jnp.take_along_axis(jnp.tanh(x), labels[..., None], -1)
    other = jnp.take_along_axis(x * 3, (labels + 1)[..., None], -1, mode="clip")
    return (picked * other).sum()


def scattered(x, labels):
    """Zero but for one element a row, as it is."""
    zeros = jnp.zeros_like(x)
    rows = jax.vmap(lambda row, at, value: row.at[at].add(value))(zeros, labels, x[:, 0])
    return rows, x - rows, rows.sum(-1), jnp.maximum(rows, x)


def gradient(f):
    return lambda *arguments: jax.grad(f)(*arguments)


def logits(*shape):
    return (RANDOM.normal(size=shape) * 3).astype(np.float32)


def labels(*shape, below):
    return RANDOM.integers(0, below, shape).astype(np.int32)


X, L = logits(130, 700), labels(130, below=700)
OUTSIDE = np.where(np.arange(130) % 5 == 0, 701, np.where(np.arange(130) % 7 == 0, -3, L))
PROGRAMS = {
    "cross-entropy": (cross_entropy, [X, L]),
    "its gradient": (gradient(cross_entropy), [X, L]),
    "both": (jax.value_and_grad(cross_entropy), [X, L]),
    "both, of three dimensions": (
        jax.value_and_grad(cross_entropy),
        [logits(3, 70, 100), labels(3, 70, below=100)],
    ),
    "both, of long rows": (
        jax.value_and_grad(cross_entropy),
        [logits(130, 30011), labels(130, below=30011)],
    ),
    "weighted": (jax.value_and_grad(weighted), [X, L, logits(130)]),
    "from logsumexp": (jax.value_and_grad(from_logsumexp), [X, L]),
    "cast first": (jax.value_and_grad(casts_first), [X, L]),
    "one-hot": (jax.value_and_grad(one_hot_loss), [X, L]),
    "one-hot, of long rows": (
        jax.value_and_grad(one_hot_loss),
        [logits(130, 30011), labels(130, below=30011)],
    ),
    "one-hot, of three dimensions": (
        jax.value_and_grad(one_hot_loss),
        [logits(3, 70, 100), labels(3, 70, below=100)],
    ),
    "one-hot, labels outside": (jax.value_and_grad(one_hot_loss), [X, OUTSIDE.astype(np.int32)]),
    "one-hot, weighted": (jax.value_and_grad(negated_and_weighted), [X, L, logits(130)]),
    "one-hot rows elsewhere": (hot_elsewhere, [X, L]),
    "labels outside": (jax.value_and_grad(cross_entropy), [X, OUTSIDE.astype(np.int32)]),
    "also whole": (also_whole, [X, L]),
    "marked twice": (jax.value_and_grad(marked_twice), [X, L]),
    "scattered": (scattered, [X, L]),
    "few rows": (jax.value_and_grad(cross_entropy), [logits(3, 50), labels(3, below=50)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_the_cpu(name):
    function, arguments = PROGRAMS[name]
    found = jax.tree.leaves(model.compile(function, *arguments)(*arguments))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=3e-5, atol=1e-5)


def test_what_zeros_of_one_hot_rows_are_multiplied_with_is_not_read():
    """A logit of -inf masks its label out, as XLA has it."""
    for number in (np.inf, -np.inf, np.nan):
        x = X.copy()
        x[5, (L[5] + 1) % 700] = number
        for function in (one_hot_loss, cross_entropy):
            found = model.compile(function, x, L)(x, L)
            with jax.default_device(CPU):
                wanted = jax.jit(function)(x, L)
            np.testing.assert_allclose(found, np.asarray(wanted), rtol=1e-5)


def test_agrees_with_float64():
    x, at = logits(128, 32000), labels(128, below=32000)
    loss, slope = model.compile(jax.value_and_grad(cross_entropy), x, at)(x, at)
    exact = x.astype(np.float64) - x.max(-1, keepdims=True)
    sums = np.exp(exact).sum(-1, keepdims=True)
    likely = exact - np.log(sums)
    rows = np.arange(128)
    np.testing.assert_allclose(loss, -likely[rows, at].mean(), rtol=1e-6)
    wanted = np.exp(exact) / sums
    wanted[rows, at] -= 1
    np.testing.assert_allclose(slope, wanted / 128, rtol=2e-5, atol=1e-9)


def test_agrees_in_bf16():
    x, at = logits(256, 4000).astype(BF16), L[:1].repeat(256)
    loss, slope = model.compile(jax.value_and_grad(cross_entropy), x, at)(x, at)
    with jax.default_device(CPU):
        wanted = jax.value_and_grad(cross_entropy)(x.astype(np.float32), at)
    np.testing.assert_allclose(loss, wanted[0], rtol=1e-4)
    np.testing.assert_allclose(
        slope.astype(np.float32), np.asarray(wanted[1]), rtol=1e-2, atol=1e-6
    )


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), BF16], ids=str)
def test_a_loss_reads_its_logits_once_and_its_gradient_writes_once(dtype):
    x = jax.ShapeDtypeStruct((1024, 32000), dtype)
    at = jax.ShapeDtypeStruct((1024,), np.int32)
    size, little = x.size * dtype.itemsize, 1 << 20
    for function, read, written in (
        (cross_entropy, size, 0),
        (gradient(cross_entropy), size, size),
        (casts_first, size, 0),
        (gradient(casts_first), size, size),
        (one_hot_loss, size, 0),
        (gradient(one_hot_loss), size, size),
    ):
        [report] = model.compile(function, x, at).time().reports
        [hbm] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
        assert hbm["read"] <= read + little
        assert hbm["written"] <= written + little
