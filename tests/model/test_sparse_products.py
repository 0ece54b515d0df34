"""Are products with compressed weights those of the weights, and faster than dense ones?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model, sparse

RANDOM = np.random.default_rng(0)
BF16 = np.dtype(ml_dtypes.bfloat16)


def weights(depth, columns, pattern, dtype=BF16):
    """Pruned, and compressed."""
    dense = sparse.prune(RANDOM.normal(size=(depth, columns)).astype(dtype), pattern)
    return dense, *sparse.compress(dense, pattern)


@pytest.mark.parametrize("pattern", sparse.PATTERNS)
def test_every_pattern_gives_the_product_of_the_pruned_weights(pattern):
    depth, columns = 48 * 16, 136
    x = RANDOM.normal(size=(2, 70, depth)).astype(BF16)
    bias = RANDOM.normal(size=columns).astype(BF16)
    dense, elements, tags = weights(depth, columns, pattern)

    def layer(x, elements, tags, bias):
        return jnp.maximum(sparse.matmul(x, elements, tags, pattern) + bias, 0)

    compiled = model.compile(layer, x, elements, tags, bias)
    assert not compiled.routines
    expected = (x.astype(np.float32) @ dense.astype(np.float32)).astype(BF16)
    expected = np.maximum(expected.astype(np.float32) + bias.astype(np.float32), 0)
    made = compiled(x, elements, tags, bias).astype(np.float32)
    np.testing.assert_allclose(made, expected, rtol=2**-7, atol=2**-5)


def test_exact_sums_are_the_dense_products_bit_by_bit():
    x = RANDOM.integers(-8, 8, (130, 1024)).astype(BF16)
    dense = sparse.prune(RANDOM.integers(-8, 8, (1024, 260)).astype(BF16), (4, 16))
    elements, tags = sparse.compress(dense, (4, 16))
    made = model.compile(sparse.matmul, x, elements, tags)(x, elements, tags)
    expected = (x.astype(np.float32) @ dense.astype(np.float32)).astype(BF16)
    np.testing.assert_array_equal(made, expected)


def test_operands_may_be_transposed_and_computed_before():
    x = RANDOM.normal(size=(512, 96)).astype(np.float16)
    dense, elements, tags = weights(512, 512, (4, 16), np.float16)

    def twice(x, elements, tags):
        hidden = sparse.matmul(x.T, elements, tags)
        return sparse.matmul(jnp.tanh(hidden), elements, tags).T

    made = model.compile(twice, x, elements, tags)(x, elements, tags)
    wide = dense.astype(np.float32)
    hidden = np.tanh((x.T.astype(np.float32) @ wide).astype(np.float16)).astype(np.float16)
    expected = (hidden.astype(np.float32) @ wide).T
    np.testing.assert_allclose(made.astype(np.float32), expected, rtol=0.02, atol=0.02)


def test_a_machine_without_the_instruction_expands_the_weights():
    x = RANDOM.normal(size=(32, 128)).astype(BF16)
    dense, elements, tags = weights(128, 64, (2, 4))
    compiled = model.compile(
        lambda x, e, t: sparse.matmul(x, e, t, (2, 4)), x, elements, tags, machine="trn1"
    )
    expected = x.astype(np.float32) @ dense.astype(np.float32)
    made = compiled(x, elements, tags).astype(np.float32)
    np.testing.assert_allclose(made, expected, rtol=2**-7, atol=2**-5)


def test_what_does_not_fit_is_refused_by_name():
    x = jnp.zeros((8, 64), BF16)
    elements, tags = jnp.zeros((16, 8), BF16), jnp.zeros((16, 2), np.uint16)
    with pytest.raises(ValueError, match="3:16 is no pattern"):
        sparse.matmul(x, elements, tags, (3, 16))
    with pytest.raises(ValueError, match="both bfloat16 or both float16, not float32"):
        sparse.matmul(x.astype(np.float32), elements, tags)
    with pytest.raises(ValueError, match="with K = 64 in whole groups of 16"):
        sparse.matmul(x, elements[:8], tags[:8])
    with pytest.raises(ValueError, match=r"tags are uint16 \[16, 2\]"):
        sparse.matmul(x, elements, tags[:, :1])
    with pytest.raises(ValueError, match="4:16 allows 4: prune the matrix first"):
        sparse.compress(np.ones((16, 4), BF16), (4, 16))


def test_a_large_product_takes_a_third_of_the_dense_ones_time():
    x = jax.ShapeDtypeStruct((4096, 4096), BF16)
    elements = jax.ShapeDtypeStruct((1024, 4096), BF16)
    tags = jax.ShapeDtypeStruct((1024, 1024), np.uint16)
    fast = model.compile(sparse.matmul, x, elements, tags).time().seconds
    assert fast < model.compile(jnp.matmul, x, x).time().seconds / 3
