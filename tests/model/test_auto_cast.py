"""Does --auto-cast compute as it says: the values of the explicit cast, in less time?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import _core, model, settings

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(64, 256)).astype(np.float32)
W = RANDOM.normal(size=(256, 192)).astype(np.float32) / 16
IMAGE = RANDOM.normal(size=(2, 8, 8, 3)).astype(np.float32)
KERNEL = RANDOM.normal(size=(3, 3, 3, 4)).astype(np.float32)


def rounded_to_tf32(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    kept = (bits + 0xFFF + ((bits >> 13) & 1)) & 0xFFFFE000
    return kept.astype(np.uint32).view(np.float32)


def rounded_to(dtype):
    return lambda x: np.asarray(x).astype(dtype).astype(np.float32)


ROUND = {
    "bf16": rounded_to(ml_dtypes.bfloat16),
    "fp16": rounded_to(np.float16),
    "tf32": rounded_to_tf32,
    "fp8_e4m3": rounded_to(ml_dtypes.float8_e4m3),
}


def layer(x, w):
    return jnp.exp(-jnp.abs(x @ w)) + 1.0


@pytest.mark.parametrize("name", ROUND)
def test_products_take_cast_operands_and_sum_in_float32(name):
    compiled = model.compile(layer, X, W, auto_cast="matmult", auto_cast_type=name)
    assert not compiled.routines
    expected = np.exp(-np.abs(ROUND[name](X) @ ROUND[name](W))) + 1
    np.testing.assert_allclose(compiled(X, W), expected, rtol=2e-6, atol=2e-6)
    assert np.abs(np.asarray(compiled(X, W)) - layer(X, W)).max() > 1e-6  # not as uncast


def test_convolutions_are_cast_too():
    def convolution(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    result = model.compile(convolution, IMAGE, KERNEL, auto_cast="matmult")(IMAGE, KERNEL)
    expected = convolution(*map(ROUND["bf16"], (IMAGE, KERNEL)))
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


def test_all_computes_in_the_type_between_float32_arguments_and_results():
    compiled = model.compile(layer, X, W, auto_cast="all")
    result = compiled(X, W)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, ROUND["bf16"](result))
    expected = jax.jit(layer)(*(jnp.asarray(each, jnp.bfloat16) for each in (X, W)))
    np.testing.assert_allclose(result, np.asarray(expected, np.float32), rtol=2e-2)


def test_all_leaves_bits_random_numbers_and_loops_alone():
    def program(x):
        noise = jax.random.uniform(jax.random.key(3), x.shape)
        bits = jax.lax.bitcast_convert_type(x, jnp.int32)
        total = jax.lax.fori_loop(0, 3, lambda _, c: c + x.mean(), jnp.float32(0))
        return noise, bits, total, jnp.sort(x, -1), jnp.argmax(x, -1)

    x = ROUND["bf16"](X[:4, :8])
    results = model.compile(program, x, auto_cast="all")(x)
    expected = jax.jit(program)(x)
    np.testing.assert_allclose(results[0], expected[0], atol=1e-2)
    np.testing.assert_array_equal(results[1], expected[1])
    np.testing.assert_allclose(results[2], expected[2], rtol=3e-2, atol=1e-2)
    np.testing.assert_array_equal(results[3], expected[3])
    np.testing.assert_array_equal(results[4], expected[4])


def test_a_cast_product_takes_less_time():
    x, w = np.zeros((512, 1024), np.float32), np.zeros((1024, 1024), np.float32)

    def seconds(**cast):
        compiled = model.compile(jnp.matmul, x, w, **cast)
        return compiled.run(x, w, timed=True, values=False).seconds

    assert seconds(auto_cast="matmult") < 0.6 * seconds()


def test_flags_come_from_the_environment_and_the_settings(monkeypatch):
    def product(x, w):
        return x @ w

    cast = ROUND["bf16"](X) @ ROUND["bf16"](W)
    monkeypatch.setenv("NEURON_CC_FLAGS", "--model-type=transformer --auto-cast matmult")
    np.testing.assert_allclose(model.compile(product, X, W)(X, W), cast, rtol=1e-5, atol=1e-5)
    with settings.using(compiler_flags="--auto-cast=none"):
        exact = model.compile(product, X, W)(X, W)
    np.testing.assert_allclose(exact, X @ W, rtol=1e-5, atol=1e-5)


def test_unknown_flags_are_warned_of_and_wrong_values_refused(monkeypatch):
    monkeypatch.setenv("NEURON_CC_FLAGS", "--frobnicate")
    with pytest.warns(UserWarning, match="--frobnicate"):
        model.compile(layer, X, W)
    monkeypatch.delenv("NEURON_CC_FLAGS")
    with pytest.raises(_core.InputError, match=r"none\|matmult\|all"):
        model.compile(layer, X, W, auto_cast="matmul")
