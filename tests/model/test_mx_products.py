"""Are products in MXFP8 those of quantised operands, and faster than in bfloat16?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

RANDOM = np.random.default_rng(0)
BF16 = np.dtype(ml_dtypes.bfloat16)


def quantised(x, axis):
    """Blocks of 32: the scale that NKI documents for quantize_mx, elements to nearest even."""
    x = np.moveaxis(x.astype(BF16).astype(np.float32), axis, -1)
    blocks = x.reshape(*x.shape[:-1], -1, 32)
    largest = np.abs(blocks).max(-1, keepdims=True)
    scale = 2.0 ** (np.floor(np.log2(np.where(largest > 0, largest, 1))) - 7)
    rounded = (blocks / scale).astype(ml_dtypes.float8_e4m3fn).astype(np.float32) * scale
    return np.moveaxis(rounded.reshape(x.shape), -1, axis)


@pytest.mark.parametrize("turned", [(False, False), (True, True)])
@pytest.mark.parametrize("size", [(64, 256, 96), (130, 1184, 700), (2, 96, 2)])
def test_operands_are_quantised_on_the_machine(size, turned):
    m, k, n = size
    x = RANDOM.normal(size=(k, m) if turned[0] else (m, k)).astype(np.float32)
    w = RANDOM.normal(size=(n, k) if turned[1] else (k, n)).astype(np.float32)
    bias = RANDOM.normal(size=n).astype(np.float32)

    def layer(x, w, bias):
        return jnp.maximum((x.T if turned[0] else x) @ (w.T if turned[1] else w) + bias, 0)

    compiled = model.compile(layer, x, w, bias, matmul_format="mxfp8")
    assert not compiled.routines
    expected = quantised(x, 0 if turned[0] else 1).T if turned[0] else quantised(x, 1)
    expected = expected @ (quantised(w, 1).T if turned[1] else quantised(w, 0)) + bias
    np.testing.assert_allclose(
        compiled(x, w, bias), np.maximum(expected, 0), rtol=1e-5, atol=2e-5 * np.sqrt(k)
    )


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("by_rows", [True, False])
def test_an_operand_that_passes_by_again_comes_from_words_in_memory(by_rows, cores):
    m, k, n = 258, 32768 + 96, 512
    x = RANDOM.normal(size=(m, k) if by_rows else (k, m)).astype(BF16)
    w = RANDOM.normal(size=(k, n)).astype(BF16)

    def product(x, w):
        return jnp.matmul(x if by_rows else x.T, w, preferred_element_type=jnp.float32)

    compiled = model.compile(product, x, w, matmul_format="mxfp8", cores=cores)
    wide = quantised(x, 1) if by_rows else quantised(x, 0).T
    expected = wide.astype(np.float64) @ quantised(w, 0)
    np.testing.assert_allclose(compiled(x, w), expected, rtol=1e-4, atol=1e-2)


def test_a_chain_of_layers_quantises_what_stays_on_chip():
    x = RANDOM.normal(size=(64, 128)).astype(np.float32)
    weights = [RANDOM.normal(size=(128, 128)).astype(np.float32) / 11 for _ in range(2)]

    def chain(x, first, second):
        return jnp.tanh(jnp.tanh(x @ first) @ second)

    result = model.compile(chain, x, *weights, matmul_format="mxfp8")(x, *weights)
    hidden = np.tanh(quantised(x, 1) @ quantised(weights[0], 0))
    expected = np.tanh(quantised(hidden, 1) @ quantised(weights[1], 0))
    np.testing.assert_allclose(result, expected, atol=0.02)  # where tanh rounds across a step


def test_what_does_not_divide_into_blocks_stays_as_it_is():
    x = RANDOM.normal(size=(3, 64, 40)).astype(np.float32)
    batched = model.compile(lambda x: x @ x.swapaxes(1, 2), x, matmul_format="mxfp8")(x)
    np.testing.assert_allclose(batched, x @ x.swapaxes(1, 2), rtol=1e-5, atol=1e-5)
    uneven = model.compile(lambda x: x[0] @ x[1].T, x, matmul_format="mxfp8")(x)
    np.testing.assert_allclose(uneven, x[0] @ x[1].T, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("by_rows", [True, False])
@pytest.mark.parametrize(
    "formats",
    [("float8_e4m3fn", "float8_e4m3fn"), ("float8_e5m2", "float4_e2m1fn")],
)
@pytest.mark.parametrize("size", [(66, 288, 130), (258, 2400, 514)])
def test_scaled_dot_takes_elements_and_scales_as_they_are(size, formats, by_rows):
    m, k, n = size

    def operand(name, count):
        shape = (count, k) if by_rows else (k, count)
        scales = (count, k // 32) if by_rows else (k // 32, count)
        elements = RANDOM.normal(size=shape).astype(ml_dtypes.finfo(name).dtype)
        scale = (2.0 ** RANDOM.integers(-4, 5, scales)).astype(ml_dtypes.float8_e8m0fnu)
        wide = np.repeat(scale.astype(np.float32), 32, axis=1 if by_rows else 0)
        return elements, scale, elements.astype(np.float32) * wide

    (a, a_scale, left), (b, b_scale, right) = operand(formats[0], m), operand(formats[1], n)
    depth = 1 if by_rows else 0

    def product(a, b, a_scale, b_scale):
        return jax.lax.scaled_dot(
            a,
            b,
            lhs_scale=a_scale,
            rhs_scale=b_scale,
            dimension_numbers=(((depth,), (depth,)), ((), ())),
            preferred_element_type=jnp.float32,
        )

    compiled = model.compile(product, a, b, a_scale, b_scale)
    assert not compiled.routines
    expected = np.tensordot(left, right, (depth, depth))
    np.testing.assert_allclose(
        compiled(a, b, a_scale, b_scale), expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max()
    )


def test_it_takes_less_time_than_bfloat16():
    x = np.zeros((2048, 2048), BF16)

    def seconds(**options):
        compiled = model.compile(jnp.matmul, x, x, **options)
        return compiled.run(x, x, timed=True, values=False).seconds

    assert seconds(matmul_format="mxfp8") < 0.65 * seconds()


def test_a_large_product_keeps_the_array_busy_while_its_operands_are_quantised():
    shape = jax.ShapeDtypeStruct((8192, 8192), BF16)
    compiled = model.compile(jnp.matmul, shape, shape, matmul_format="mxfp8")
    (report,) = compiled.time().reports
    assert report["speed_of_light"]["share"] > 0.82
