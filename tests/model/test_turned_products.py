"""Are products of which only the transpose is read computed transposed, with what follows them?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from exact import same
from trainyard import model

RANDOM = np.random.default_rng(0)


def whole(*shape):
    """Whole numbers, whose products and sums are exact."""
    return RANDOM.integers(-4, 5, shape).astype(np.float32)


def product(x, y, batches=()):
    """Sums over the first dimension behind the batches."""
    depth = (len(batches),)
    return jax.lax.dot_general(x, y, ((depth, depth), (batches, batches)))


FORMS = {
    "matrices": (lambda x, y: product(x, y).T, whole(70, 130), whole(70, 200)),
    "several dimensions": (
        lambda x, y: product(x, y).transpose(2, 0, 1),
        whole(70, 3, 50),
        whole(70, 60),
    ),
    "batches": (
        lambda x, y: product(x, y, (0,)).transpose(0, 2, 1),
        whole(3, 70, 50),
        whole(3, 70, 60),
    ),
    "batches that move": (
        lambda x, y: product(x, y, (0,)).transpose(2, 0, 1),
        whole(3, 70, 50),
        whole(3, 70, 60),
    ),
    "dimensions of an operand that move": (
        lambda x, y: product(x, y).transpose(2, 1, 0),
        whole(70, 3, 50),
        whole(70, 60),
    ),
    "read as it is, too": (
        lambda x, y: (product(x, y), product(x, y).T + 1),
        whole(70, 50),
        whole(70, 60),
    ),
    "in a loop": (
        lambda x, y, w: jax.lax.fori_loop(
            0, 3, lambda i, w: w - product(x, y).T * i.astype(jnp.float32), w
        ),
        whole(70, 50),
        whole(70, 60),
        whole(60, 50),
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_values_are_exact(name):
    function, *arguments = FORMS[name]
    same(function, *arguments)


def test_a_weight_is_updated_as_its_gradient_is_computed():
    """HBM sees the weight twice and its gradient never."""
    dtype = np.dtype(ml_dtypes.bfloat16)
    x, g = (jax.ShapeDtypeStruct((512, 1024), dtype) for _ in range(2))
    w = jax.ShapeDtypeStruct((1024, 1024), dtype)

    def step(w, x, g):
        return w - 0.125 * jax.vjp(lambda w: x @ w, w)[1](g)[0]

    [report] = model.compile(step, w, x, g).time().reports
    [moved] = [each["bytes"] for each in report["traffic"] if each["memory"] == "hbm"]
    assert moved == {"read": 2 * (1024 + 2 * 512) * 1024, "written": 2 * 1024 * 1024}
