"""Products of few rows whose wide operand was made on chip, its columns in several dimensions or
apart: values that are joined element by element (stacked gates and their gradients), and every
second one.
"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]
RANDOM = np.random.default_rng(40)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def close(program, *arguments):
    compiled = model.compile(program, *arguments)
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(program)(*arguments))
    for got, want in zip(jax.tree.leaves(compiled(*arguments)), wanted, strict=True):
        want = np.asarray(want)
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5 * np.abs(want).max())


@pytest.mark.parametrize("columns", [64, 96, 128, 160, 320])
@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("depth", [24, 128])
def test_joined_columns(columns, parts, depth):
    first, second, x = normal(1, depth, columns), normal(1, depth, columns), normal(1, depth, 64)

    def product(first, second, x):
        joined = jnp.stack([first * 2, second, first + second][:parts])
        return jnp.einsum("cbtD,btd->cdD", joined, x)

    close(product, first, second, x)


@pytest.mark.parametrize("rows", [1, 24])
def test_gradient_of_stacked_gates(rows):
    """As Griffin's and Gemma's MLPs have them, for one sequence."""
    x, weights, bias = normal(1, rows, 64), normal(2, 64, 96), normal(2, 1, 1, 96)

    def loss(x, weights, bias):
        gate, up = jnp.einsum("...td,cdD->c...tD", x, weights) + bias
        return jnp.sum(jax.nn.gelu(gate) * up)

    close(jax.grad(loss, argnums=(0, 1, 2)), x, weights, bias)


@pytest.mark.parametrize("step", [2, 3])
@pytest.mark.parametrize("columns", [96, 192, 288])
def test_columns_apart(step, columns):
    wide, x = normal(24, columns * step), normal(24, 48)

    def product(wide, x):
        wide = wide * 2 + 1
        return jnp.einsum("tD,td->dD", wide[:, ::step], x), wide

    close(product, wide, x)
