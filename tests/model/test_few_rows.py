"""Are products of few rows, as in a decode step, right, and as fast as their weights are read?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

BF16, F32 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)


@pytest.mark.parametrize(
    "size",
    [
        (1, 576, 3072),
        (47, 640, 2000),
        (1, 384, 5000),
        (3, 200, 2049),
        (8, 256, 4096),
        (64, 128, 2304),
    ],
)
@pytest.mark.parametrize("dtype", [BF16, np.float32])
def test_values_are_right(size, dtype):
    rows, depth, columns = size
    random = np.random.default_rng(0)
    x = random.integers(-8, 8, (rows, depth)).astype(dtype)
    weights = random.integers(-8, 8, (depth, columns)).astype(dtype)
    bias = random.integers(-8, 8, columns).astype(np.float32)

    def layer(x, weights, bias):
        return jnp.maximum(jnp.matmul(x, weights, preferred_element_type=jnp.float32) + bias, 0)

    expected = np.maximum(x.astype(np.float32) @ weights.astype(np.float32) + bias, 0)
    np.testing.assert_array_equal(
        model.compile(layer, x, weights, bias)(x, weights, bias), expected
    )


def test_one_row_takes_the_time_that_reading_the_weights_takes():
    x = jax.ShapeDtypeStruct((1, 4096), BF16)
    weights = jax.ShapeDtypeStruct((4096, 14336), BF16)
    [report] = model.compile(jnp.matmul, x, weights).time().reports
    assert report["speed_of_light"]["share"] > 0.9


@pytest.mark.parametrize("lies_by_depth", [False, True])
@pytest.mark.parametrize("depth, columns", [(576, 3072), (2048, 2048), (2048, 8192)])
def test_few_rows_of_float32_take_no_longer_than_more(depth, columns, lies_by_depth):
    """However few they are, the clock of the array is not limited."""

    def layer(x, weights):
        return x @ (weights if lies_by_depth else weights.T)

    weights = jax.ShapeDtypeStruct((depth, columns) if lies_by_depth else (columns, depth), F32)
    times = [
        model.compile(layer, jax.ShapeDtypeStruct((rows, depth), F32), weights).time().seconds
        for rows in (1, 3, 16, 64)
    ]
    assert max(times[:-1]) <= 1.01 * times[-1]
