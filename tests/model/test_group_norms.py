"""Are norms by groups, whose rows lie in several partitions each, right, and one pass?"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from narrow_errors import errors
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
BF16 = np.dtype(ml_dtypes.bfloat16)
RANDOM = np.random.default_rng(5)


def first(groups):
    """[N, C, ...]"""

    def norm(x, w, b):
        n, c, *rest = x.shape
        wide = (1, c, *[1] * len(rest))
        rows = x.astype(jnp.float32).reshape(n, groups, -1)
        mean, variance = rows.mean(-1, keepdims=True), rows.var(-1, keepdims=True)
        y = ((rows - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)
        return (y * w.reshape(wide) + b.reshape(wide)).astype(x.dtype)

    return norm


def last(groups):
    """[N, ..., C]"""

    def norm(x, w, b):
        n, *_, c = x.shape
        split = x.astype(jnp.float32).reshape(n, -1, groups, c // groups)
        mean = split.mean((1, 3), keepdims=True)
        variance = jnp.square(split).mean((1, 3), keepdims=True) - mean * mean
        y = ((split - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)
        return (y * w + b).astype(x.dtype)

    return norm


def gradients(norm):
    return lambda g, *arguments: jax.vjp(norm, *arguments)[1](g)


def drawn(*shape, dtype):
    return (RANDOM.normal(size=shape) * 2 + 1).astype(dtype)


# Groups that fill 128 partitions or leave some idle; one channel a group; rows too long for SBUF.
SHAPES = [
    ((1, 40, 32, 20), 4),
    ((2, 96, 9, 31), 32),
    ((3, 24, 17), 24),
    ((1, 20, 64, 64), 2),
    ((5, 48, 16, 40), 16),
    ((1, 4, 256, 512), 2),
]


@pytest.mark.parametrize(("shape", "groups"), SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, BF16])
@pytest.mark.parametrize("norm", [first, last])
@pytest.mark.parametrize("differentiate", [False, True])
def test_values_are_right(shape, groups, dtype, norm, differentiate):
    if norm is last:
        shape = (shape[0], *shape[2:], shape[1])
    c = shape[1] if norm is first else shape[-1]
    arguments = [drawn(*shape, dtype=dtype), drawn(c, dtype=dtype), drawn(c, dtype=dtype)]
    function = norm(groups)
    if differentiate:
        arguments.insert(0, drawn(*shape, dtype=dtype))
        function = gradients(function)
    for error, allowed in errors(function, arguments):
        assert error <= 3 * allowed + 1e-4


@pytest.mark.parametrize(
    ("norm", "batch", "times"), [(first, 1, 7), (first, 2, 5), (last, 1, 16), (last, 2, 18)]
)
def test_a_group_norm_goes_over_its_image_few_times(norm, batch, times):
    """Operation by operation it took 16 (batch 2) to 110 times the bound."""
    shape = (batch, 320, 64, 64) if norm is first else (batch, 64, 64, 320)
    image, channels = jax.ShapeDtypeStruct(shape, BF16), jax.ShapeDtypeStruct((320,), BF16)
    seconds = model.compile(norm(32), image, channels, channels, cores=2).time().seconds
    bound = 2 * 2 * batch * 320 * 64 * 64 / (4.7e12 / 4)
    assert seconds <= times * bound
