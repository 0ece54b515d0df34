"""Values of products that one operation reads twice, from the memory of sums."""

import jax.numpy as jnp
import numpy as np
import pytest
from trainyard import model

WAYS = {
    "isnan": jnp.isnan,
    "equal": lambda y: y == y,
    "difference": lambda y: y - y,
    "sum": lambda y: y + y,
    "largest": lambda y: jnp.maximum(y, y),
    "quotient": lambda y: y / y,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rows", [1, 9, 200])
def test_a_product_is_read_twice(way, rows):
    function = WAYS[way]
    draw = np.random.default_rng(rows)
    x = draw.integers(1, 9, (rows, 12)).astype(np.float32)
    w = draw.integers(1, 9, (12, 7)).astype(np.float32)
    x[0, 0] = np.nan
    found = model.compile(lambda x, w: function(x @ w), x, w)(x, w)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found, np.asarray(function(jnp.asarray(x @ w))))
