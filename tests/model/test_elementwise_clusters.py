"""Elementwise operations that read each other's results, computed tile by tile in one pass."""

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


def normal(*shape, dtype=np.float32):
    return (RANDOM.normal(size=shape) * 2).astype(dtype)


def curve(x):
    """Values that several operations read, one result."""
    y = jnp.tanh(x)
    return y * x + jnp.exp(-y * y) * (1 - y)


def several(x, y):
    """Results that read the same arguments, one of which others read."""
    s = x * y
    return s + x, s - y, jnp.maximum(s, 0.5)


def swiglu_gradient(x, gate, g):
    return jax.vjp(lambda x, gate: jax.nn.silu(gate) * x, x, gate)[1](g)


def rotations(x, y):
    """Words: sums on GpSimd, bits on Vector."""
    for turn in (13, 15, 26, 6):
        x = x + y
        y = (y << turn | y >> (32 - turn)) ^ x
    return x ^ y, jax.lax.bitcast_convert_type(x >> 9 | 0x3F800000, jnp.float32)


def softplus(x):
    return jax.nn.softplus(x) * x


def halves(x, y):
    """Each half's sum is computed where it is joined."""
    low, high = jnp.split(x, 2, -1)
    return jnp.concatenate([low * y - high * y, high * y + low * y], -1)


def product_behind(x, w, b):
    y = x @ w + b
    return y * jnp.tanh(y), y


CASES = [
    (curve, [normal(256, 640)]),
    (curve, [normal(7, 33, 41)]),
    (curve, [normal(300, 512, dtype=BF16)]),
    (several, [normal(200, 384), normal(200, 384)]),
    (several, [normal(5000), normal(5000)]),
    (several, [normal(128, 96, dtype=BF16), normal(128, 96, dtype=BF16)]),
    (swiglu_gradient, [normal(256, 384) for _ in range(3)]),
    (swiglu_gradient, [normal(256, 384, dtype=BF16) for _ in range(3)]),
    (softplus, [normal(128, 512) * 20]),
    (halves, [normal(128, 256), normal(128, 128)]),
    (product_behind, [normal(128, 64), normal(64, 256) / 8, normal(256)]),
]


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_values(function, arguments, cores):
    compiled = model.compile(function, *arguments, cores=cores)
    assert compiled.routines == []
    with jax.default_device(CPU):
        wanted = function(*[jnp.asarray(each, jnp.float32) for each in arguments])
    close = 3e-5 if arguments[0].dtype == np.float32 else 0.06
    found = compiled(*arguments)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(one.astype(np.float32), other, rtol=close, atol=close)


@pytest.mark.parametrize("shape", [(64, 1024), (4097,), (3, 50, 70)])
def test_bits(shape):
    words = [RANDOM.integers(0, 2**32, shape, np.uint32) for _ in range(2)]
    with jax.default_device(CPU):
        wanted = rotations(*[jnp.asarray(each) for each in words])
    for one, other in zip(model.compile(rotations, *words)(*words), wanted, strict=True):
        np.testing.assert_array_equal(one.view(np.uint32), np.asarray(other).view(np.uint32))


@pytest.mark.parametrize("shape", [(96, 64), (5001,), (2, 3, 1000)])
def test_random_numbers_are_those_of_the_cpu_without_routines(shape):
    key = np.asarray([3, 1234567890], np.uint32)

    def drawn(key):
        return jax.random.uniform(jax.random.wrap_key_data(key), shape)

    compiled = model.compile(drawn, key)
    assert compiled.routines == []
    with jax.default_device(CPU):
        wanted = drawn(jnp.asarray(key))
    np.testing.assert_array_equal(compiled(key), wanted)


def test_intermediate_values_lie_nowhere():
    x, y = (jax.ShapeDtypeStruct((2048, 2048), np.dtype(np.float32)) for _ in range(2))
    [report] = model.compile(several, x, y).time().reports
    [hbm] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
    size = 2048 * 2048 * 4
    assert hbm == {"read": 2 * size, "written": 3 * size}


def descent(w, g):
    return w - 1e-3 * g


def descent_with_momentum(w, g, m):
    m = 0.9 * m + g
    return w - 1e-3 * m, m


def turned(x, cosine, sine):
    """Rotary embedding."""
    low, high = jnp.split(x, 2, -1)
    cosine, sine = cosine[:, None], sine[:, None]
    return jnp.concatenate([low * cosine - high * sine, high * cosine + low * sine], -1)


HEADS = (2048, 32, 128), (2048, 64), (2048, 64)
SQUARES = ((4096, 4096),) * 3


@pytest.mark.parametrize(
    ("function", "shapes", "dtype", "least"),
    [
        (descent, SQUARES[:2], BF16, 0.85),
        (descent_with_momentum, SQUARES, BF16, 0.9),
        (turned, HEADS, np.float32, 0.8),
        (turned, HEADS, BF16, 0.5),
    ],
)
def test_engines_share_what_takes_them_longer_than_the_transfers(function, shapes, dtype, least):
    """GpSimd computes as much as Vector, and then does not issue what the transfers wait for."""
    arguments = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    [report] = model.compile(function, *arguments).time().reports
    assert report["speed_of_light"]["share"] > least


def test_a_cast_is_the_format_that_the_instruction_before_it_writes():
    def sums(x, y):
        return (x * 3 + y).astype(jnp.bfloat16), (x * y).astype(jnp.float16)

    x, y = normal(96, 200), normal(96, 200)
    compiled = model.compile(sums, x, y)
    [program] = [instance.program for instance in compiled._core.programs]
    names = [program.mnemonic(i) for i in range(len(program))]
    assert "tensor_copy" not in names
    assert len(names) == 2 + 2 + 2  # loads, one instruction each, stores
    for found, wanted in zip(compiled(x, y), sums(*map(jnp.asarray, (x, y))), strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
