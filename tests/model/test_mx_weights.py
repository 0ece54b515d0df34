"""Are products with weights in MX words those of what the words stand for, and read fewer bytes?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_mx_products import quantised
from trainyard import model, mx

RANDOM = np.random.default_rng(0)
BF16 = np.dtype(ml_dtypes.bfloat16)


@pytest.mark.parametrize("format", mx.FORMATS)
@pytest.mark.parametrize("size", [(1, 256, 512), (3, 1184, 70), (130, 2048, 1030), (7, 96, 1)])
def test_words_are_multiplied_as_they_lie(size, format):
    m, k, n = size
    x = RANDOM.normal(size=(m, k)).astype(BF16)
    weights = RANDOM.normal(size=(k, n)).astype(np.float32)
    words, scales = mx.quantize(weights, format)
    bias = RANDOM.normal(size=n).astype(np.float32)

    def layer(x, words, scales, bias):
        return jnp.maximum(mx.matmul(x.astype(jnp.float32), words, scales) + bias, 0)

    compiled = model.compile(layer, x, words, scales, bias)
    assert not compiled.routines
    expected = np.maximum(quantised(x, 1) @ mx.dequantize(words, scales) + bias, 0)
    np.testing.assert_allclose(
        compiled(x, words, scales, bias), expected, rtol=1e-5, atol=2e-5 * np.sqrt(k)
    )


@pytest.mark.parametrize("format", mx.FORMATS)
def test_other_platforms_compute_the_same_values(format):
    x = RANDOM.normal(size=(2, 5, 128)).astype(np.float32)
    words, scales = mx.quantize(RANDOM.normal(size=(128, 12)), format)
    with jax.default_device(jax.local_devices(backend="cpu")[0]):
        on_cpu = jax.jit(mx.matmul)(x, words, scales)
    expected = quantised(x, 2) @ mx.dequantize(words, scales)
    np.testing.assert_allclose(np.asarray(on_cpu), expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("format", mx.FORMATS)
def test_quantised_weights_are_the_nearest_of_their_block(format):
    weights = RANDOM.normal(size=(64, 8)).astype(np.float32)
    step = {"mxfp4": 2.0**-1, "mxfp8": 2.0**-3}[format]
    found = mx.dequantize(*mx.quantize(weights, format))
    largest = np.abs(weights.reshape(2, 32, 8)).max(1).repeat(32, axis=0)
    assert (np.abs(found - weights) <= step * largest).all()
    again = mx.dequantize(*mx.quantize(found, format))
    np.testing.assert_array_equal(again, found)


def test_what_does_not_fit_is_refused():
    words, scales = mx.quantize(np.ones((64, 4), np.float32))
    with pytest.raises(ValueError, match="no format of weights: mxfp4, mxfp8"):
        mx.quantize(np.ones((64, 4)), "mxfp6")
    with pytest.raises(ValueError, match="K in blocks of 32"):
        mx.quantize(np.ones((40, 4)))
    with pytest.raises(ValueError, match=r"scales are \[2, 4\]"):
        mx.matmul(jnp.ones((2, 64)), words, scales[:1])
    with pytest.raises(ValueError, match="uint16 of MXFP4 or uint32 of MXFP8"):
        mx.matmul(jnp.ones((2, 64)), words.astype(np.int8), scales)


def test_a_decode_steps_product_takes_less_than_half_of_bfloat16s_time():
    x = jax.ShapeDtypeStruct((1, 4096), BF16)
    words = jax.ShapeDtypeStruct((1024, 14336), np.uint16)
    scales = jax.ShapeDtypeStruct((128, 14336), np.uint8)
    fast = model.compile(mx.matmul, x, words, scales).time().seconds
    weights = jax.ShapeDtypeStruct((4096, 14336), BF16)
    assert fast < model.compile(jnp.matmul, x, weights).time().seconds * 0.5
