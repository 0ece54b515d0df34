"""Loops whose turns could keep, or carry, what costs less to compute again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import add, real


def masked(x, w):
    """A layer of attention whose mask jax.checkpoint puts before the loop."""
    scores = (x @ w) @ x.T * 0.05
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape, bool)), scores, -1e9)
    return jnp.tanh(jax.nn.softmax(scores, -1) @ x)


def scanned(layer):
    return lambda w, x: jnp.sum(lax.scan(lambda x, w: (layer(x, w), None), x, w)[0] ** 2)


def masked_turns(x):
    mask = jnp.tril(jnp.ones((32, 32), bool))
    return lax.fori_loop(0, 3, lambda _, x: jnp.where(mask, x * 0.5, x), x)


def outer_products_read_again(rows):
    """Each turn leaves an outer product, which follows from its row."""

    def leave(total, row):
        product = jnp.exp(row[:, None] * row)
        return total + jnp.sum(product, 0), product

    total, products = lax.scan(leave, jnp.zeros(512), rows)
    return lax.scan(lambda t, p: (t * 0.5 + jnp.sum(p, 1), None), total, products)[0]


add("loops_mask", masked_turns, real(32, 32, seed=1))
add("loops_outer_products", outer_products_read_again, real(3, 512, seed=2), tolerance=1e-3)
add(
    "loops_mask_outside",
    jax.grad(scanned(jax.checkpoint(masked))),
    real(2, 16, 16, seed=1),
    real(40, 16, seed=2),
    tolerance=2e-3,
)
add(
    "loops_scores_kept",
    jax.grad(scanned(masked)),
    real(2, 16, 16, seed=1),
    real(512, 16, seed=2),
    tolerance=5e-3,
)
