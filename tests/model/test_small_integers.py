"""Do integers of 8 and 16 bits wrap, shift and convert as XLA's do, on the engines?"""

from __future__ import annotations

import numpy as np
import pytest
from exact import same
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
RANDOM = np.random.default_rng(0)
SMALL = [np.int8, np.uint8, np.int16, np.uint16]
ALL = [*SMALL, np.int32, np.uint32]


def integers(dtype, count: int = 2000) -> np.ndarray:
    """Edges and random numbers."""
    info = np.iinfo(dtype)
    edges = np.array([info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3], dtype)
    return np.concatenate([edges, RANDOM.integers(info.min, info.max, count, dtype, endpoint=True)])


@pytest.mark.parametrize("dtype", SMALL)
def test_sums_and_products_wrap(dtype):
    a = integers(dtype)
    b = RANDOM.permutation(a)
    one, seven = dtype(1), dtype(7)
    same(lambda a, b: (a + b, a - b, a * b, -a), a, b)
    same(lambda a: (a + one, one - a, a * seven), a)
    if np.iinfo(dtype).min < 0:
        same(lambda a: (jnp.abs(a), jnp.sign(a)), a)


@pytest.mark.parametrize("dtype", SMALL)
def test_quotients_and_remainders_are_exact(dtype):
    a = integers(dtype)
    b = RANDOM.permutation(a)
    same(lambda a, b: (lax.div(a, b), lax.rem(a, b)), a, b)
    same(lambda a: (a // dtype(7), a % dtype(7)), a)


@pytest.mark.parametrize("dtype", ALL)
def test_shifts_by_any_number(dtype):
    a = integers(dtype)
    by = (np.arange(len(a)) % (2 * 8 * a.itemsize)).astype(dtype)
    functions = (lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic)
    same(lambda a, by: tuple(f(a, by) for f in functions), a, by)
    same(lambda a: tuple(f(a, dtype(3)) for f in functions), a)


@pytest.mark.parametrize("source", ALL)
@pytest.mark.parametrize("target", SMALL)
def test_conversions_keep_the_lower_bits(source, target):
    same(lambda a: a.astype(target), integers(source).reshape(8, -1))


def test_random_numbers_of_bfloat16_take_no_routine():
    def draw(key):
        return jax.random.normal(key, (128, 256), jnp.bfloat16)

    key = jax.random.key(0)
    compiled = model.compile(draw, key)
    assert compiled.routines == []


def product(a, b, dims, result=np.int32):
    return lax.dot_general(a, b, dims, preferred_element_type=result)


@pytest.mark.parametrize("left", [np.int8, np.uint8])
@pytest.mark.parametrize("right", [np.int8, np.uint8])
@pytest.mark.parametrize("depth", [96, 1024, 3000])
def test_products_are_exact(left, right, depth):
    """Also where all numbers are the largest, whose sums float32 does not hold."""
    a = RANDOM.integers(*edges(left), (40, depth), left, endpoint=True)
    b = RANDOM.integers(*edges(right), (depth, 72), right, endpoint=True)
    a[0] = edges(left)[0] or edges(left)[1]
    b[:, 0] = edges(right)[0] or edges(right)[1]
    dims = (((1,), (0,)), ((), ()))
    same(lambda a, b: product(a, b, dims), a, b)
    same(lambda a, b: product(a, b, dims, np.uint32), a, b)


def edges(dtype) -> tuple[int, int]:
    return np.iinfo(dtype).min, np.iinfo(dtype).max


def test_products_of_batches_and_of_several_dimensions():
    a = RANDOM.integers(-128, 127, (3, 20, 9, 160), np.int8, endpoint=True)
    b = RANDOM.integers(-128, 127, (3, 9, 160, 24), np.int8, endpoint=True)
    same(lambda a, b: product(a, b, (((2, 3), (1, 2)), ((0,), (0,)))), a, b)
    same(lambda a, b: product(a, b, (((3,), (2,)), ((0,), (0,)))), a, b)
    same(lambda a: jnp.matmul(a[0, 0], a[1, 0].T), a)  # wraps in 8 bits


def test_a_quantised_layer_scales_its_sums():
    x = RANDOM.integers(-127, 127, (64, 2048), np.int8)
    w = RANDOM.integers(-127, 127, (2048, 256), np.int8)
    scale = RANDOM.random(256).astype(np.float32)

    def layer(x, w, scale):
        sums = jnp.matmul(x, w, preferred_element_type=jnp.int32)
        return sums.astype(jnp.float32) * scale

    same(layer, x, w, scale)


def weights_in_8_bits(x, w, scale):
    return jnp.matmul(x, w.astype(x.dtype)) * scale


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("rows", [1, 40, 300])
def test_weights_of_8_bits_are_cast_on_chip(rows, turned, dtype):
    """Small numbers, whose sums are exact in any order."""
    x = RANDOM.integers(-8, 8, (rows, 640)).astype(jnp.bfloat16)
    w = RANDOM.integers(*edges(dtype), (320, 640) if turned else (640, 320), dtype, endpoint=True)
    scale = (2.0 ** RANDOM.integers(-3, 3, 320)).astype(jnp.bfloat16)
    same(lambda x, w, s: weights_in_8_bits(x, w.T if turned else w, s), x, w, scale)


def test_weights_of_8_bits_take_less_time_than_bfloat16():
    def seconds(dtype):
        shapes = [((16, 4096), jnp.bfloat16), ((4096, 4096), dtype), ((4096,), jnp.bfloat16)]
        arguments = [jax.ShapeDtypeStruct(*shape) for shape in shapes]
        return model.compile(weights_in_8_bits, *arguments).time().seconds

    assert seconds(np.int8) < 0.85 * seconds(jnp.bfloat16)
