"""Choices by comparisons, as gradients of relu and masks have them: their bits, and their time."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
BF16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = [BF16, np.dtype(np.float16), np.dtype(np.float32)]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 6e4]  # subnormals are zero to XLA on the CPU

CHOICES = {
    "a number elsewhere": lambda x, y: jnp.where(x > 0, y, 0),
    "a number there": lambda x, y: jnp.where(x >= y, 1.5, y),
    "minus infinity elsewhere": lambda x, y: jnp.where(x < y, x, -jnp.inf),
    "two values": lambda x, y: jnp.where(x != 0, y, x),
    "two numbers": lambda x, y: jnp.where(x <= y, 1.0, -1.0).astype(x.dtype),
    "one comparison, two choices": lambda x, y: (jnp.where(x > y, x, 0), jnp.where(x > y, y, x)),
    "the truth, too": lambda x, y: (x == y, jnp.where(x == y, x, 2)),
    "of two truths": lambda x, y: jnp.where((x > 0) & (y > 0), x, 0),
    "a relu's gradient": lambda x, y: jax.vjp(jax.nn.relu, x)[1](y)[0],
    "of another type": lambda x, y: jnp.where(x > 0, y.astype(jnp.float32), 0),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", CHOICES)
def test_bits(name, dtype):
    random = np.random.default_rng(5)
    with np.errstate(over="ignore"):
        x, y = (random.standard_normal((192, 600)).astype(dtype) for _ in range(2))
        x[0], y[:, 0] = (np.resize(SPECIAL, n).astype(dtype) for n in (600, 192))
    y[100:] = x[100:]
    found = jax.tree.leaves(model.compile(CHOICES[name], x, y)(x, y))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(CHOICES[name])(x, y))
    for ours, theirs in zip(found, wanted, strict=True):
        theirs = np.asarray(theirs)
        assert ours.dtype == theirs.dtype
        is_number = ~np.isnan(ours.astype(np.float32))
        np.testing.assert_array_equal(is_number, ~np.isnan(theirs.astype(np.float32)))
        np.testing.assert_array_equal(
            ours[is_number].view(np.uint8), theirs[is_number].view(np.uint8)
        )


@pytest.mark.parametrize("dtype", [BF16, np.dtype(np.float32)], ids=str)
def test_the_gradient_of_relu_takes_what_its_bytes_take(dtype):
    x = jax.ShapeDtypeStruct((4096, 4096), dtype)
    gradient = CHOICES["a relu's gradient"]
    [report] = model.compile(gradient, x, x).time().reports
    assert report["speed_of_light"]["share"] > 0.9
