"""Are products in FP8 those of their operands, and twice as fast as in bfloat16?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

RANDOM = np.random.default_rng(0)
FORMATS = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("turned", [(False, False), (True, True), (False, True), (True, False)])
@pytest.mark.parametrize("size", [(96, 256, 640), (130, 448, 70), (8, 1024, 512), (300, 100, 40)])
def test_exact_sums_are_exact(size, turned, format):
    m, k, n = size
    x = RANDOM.integers(-4, 5, (k, m) if turned[0] else (m, k)).astype(format)
    w = RANDOM.integers(-4, 5, (n, k) if turned[1] else (k, n)).astype(format)

    def product(x, w):
        left, right = x.T if turned[0] else x, w.T if turned[1] else w
        return jnp.matmul(left, right, preferred_element_type=jnp.float32)

    compiled = model.compile(product, x, w)
    assert not compiled.routines
    left, right = x.astype(np.float32), w.astype(np.float32)
    expected = (left.T if turned[0] else left) @ (right.T if turned[1] else right)
    np.testing.assert_array_equal(compiled(x, w), expected)


def test_a_deep_product_keeps_its_sums_in_psum():
    x = RANDOM.integers(-4, 5, (256, 12800)).astype(ml_dtypes.float8_e4m3fn)
    w = RANDOM.integers(-4, 5, (12800, 600)).astype(ml_dtypes.float8_e4m3fn)
    made = model.compile(lambda x, w: jnp.matmul(x, w, preferred_element_type=jnp.float32), x, w)(
        x, w
    )
    np.testing.assert_array_equal(made, x.astype(np.float32) @ w.astype(np.float32))


@pytest.mark.parametrize("by_rows", [True, False])
def test_two_rows_a_partition_take_half_the_time_of_bfloat16(by_rows):
    def seconds(dtype):
        shape = jax.ShapeDtypeStruct((4096, 4096), dtype)

        def product(x, w):
            right = w.T if by_rows else w
            return jnp.matmul(x, right, preferred_element_type=jnp.bfloat16)

        return model.compile(product, shape, shape).time().seconds

    assert seconds(ml_dtypes.float8_e4m3fn) < 0.6 * seconds(ml_dtypes.bfloat16)
