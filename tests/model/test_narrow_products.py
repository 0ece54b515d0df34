"""Do products multiply the numbers that their operands were widened from?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import model

RANDOM = np.random.default_rng(0)
BF16, F16 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16)
E4M3, E5M2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
F32, INT8 = np.dtype(np.float32), np.dtype(np.int8)
# The formats of both sides, and the one that they are multiplied in.
PAIRS = [
    (BF16, BF16, BF16),
    (F16, F16, F16),
    (E4M3, BF16, BF16),
    (E4M3, F16, F16),
    (E5M2, E4M3, BF16),
    (E4M3, E4M3, E4M3),
    (INT8, BF16, BF16),
    (F16, BF16, F32),
    (F32, BF16, F32),
]


def whole(dtype: np.dtype, *shape: int) -> np.ndarray:
    """Whole numbers, whose products and sums are exact in float32."""
    return RANDOM.integers(-4, 5, shape).astype(dtype)


def widened(x, y):
    return x.astype(jnp.float32) @ y.astype(jnp.float32)


def moved(x, y):
    return jnp.einsum(
        "ki,jk->ij", x.astype(jnp.float32).T.reshape(y.shape[1], -1), y.T.astype("f4").T
    )


def looped(x, y):
    def step(sums, row):
        return sums + row[None].astype(jnp.float32) @ y.astype(jnp.float32), row

    return jax.lax.scan(step, jnp.zeros((1, y.shape[1]), jnp.float32), x)[0]


@pytest.mark.parametrize("function", [widened, moved, looped])
@pytest.mark.parametrize(("left", "right", "multiplied"), PAIRS)
def test_values_are_exact(function, left, right, multiplied):
    x, y = whole(left, 128, 128), whole(right, 128, 128)
    compiled = model.compile(function, x, y)
    assert not compiled.routines
    exact = x.astype(np.float64), y.astype(np.float64)
    expected = {
        widened: lambda x, y: x @ y,
        moved: lambda x, y: x @ y.T,
        looped: lambda x, y: (x @ y).sum(0, keepdims=True),
    }[function](*exact)
    np.testing.assert_array_equal(np.asarray(compiled(x, y), np.float64), expected)


@pytest.mark.parametrize(("left", "right", "multiplied"), PAIRS)
def test_they_take_the_time_of_the_smaller_format(left, right, multiplied):
    size = (1024, 1024)

    def seconds(function, *dtypes):
        shapes = [jax.ShapeDtypeStruct(size, dtype) for dtype in dtypes]
        return model.compile(function, *shapes).time().seconds

    def plain(x, y):
        return jnp.matmul(x, y, preferred_element_type=jnp.float32)

    assert seconds(widened, left, right) < 1.3 * seconds(plain, multiplied, multiplied)


def test_formats_that_a_machine_lacks_are_multiplied_in_bfloat16():
    x, y = whole(E4M3, 64, 128), whole(E4M3, 128, 32)
    compiled = model.compile(jnp.matmul, x, y, machine="trn1")
    assert not compiled.routines
    expected = x.astype(np.float64) @ y.astype(np.float64)
    np.testing.assert_array_equal(np.asarray(compiled(x, y)), expected.astype(compiled(x, y).dtype))
