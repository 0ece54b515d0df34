"""Rows that are longer than a partition of SBUF, and searches and sorts of one long row."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import EXACT, add, draw, real, ties, whole

# --- Rows that are longer than SBUF's partitions, in pieces ---


def softmax(x):
    exponentials = jnp.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def logsumexp(x):
    largest = x.max(-1)
    return jnp.log(jnp.exp(x - largest[:, None]).sum(-1)) + largest


def moments_norm(x, weight, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * weight + bias


def several_sweeps(x, y):
    low, high = x.min(-1, keepdims=True), x.max(-1, keepdims=True)
    scaled = (x - low) / (high - low) + y
    mean = scaled.mean(-1, keepdims=True)
    return scaled, scaled - mean, jnp.exp(scaled - mean).sum(-1)


def two_ways(x, y):
    product = x * y
    largest = product.max(-1, keepdims=True)
    return product.sum(0), (product - largest).sum(0), largest


add("rows_pieces_softmax", softmax, real(2, 70000), tolerance=1e-4)
add("rows_pieces_softmax_odd", softmax, real(3, 30011), tolerance=1e-4)
add("rows_pieces_softmax_bf16", softmax, draw("bf16", 2, 90000), tolerance=2e-2)
add("rows_pieces_log_softmax", jax.nn.log_softmax, real(2, 61003), tolerance=1e-4)
add("rows_pieces_logsumexp", logsumexp, real(2, 70000), tolerance=1e-4)
add(
    "rows_pieces_layer_norm",
    moments_norm,
    real(2, 40003),
    real(40003, seed=2),
    real(40003, seed=3),
    tolerance=1e-4,
)
add("rows_pieces_several", several_sweeps, real(2, 40000), real(2, 40000, seed=2), tolerance=1e-4)
add("rows_pieces_two_ways", two_ways, real(2, 50000), real(2, 50000, seed=2), tolerance=1e-4)
add(
    "rows_pieces_cross_entropy_gradient",
    lambda x, labels: jax.grad(
        lambda x: -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], -1).mean()
    )(x),
    real(2, 50000),
    whole("i32", 2, first=0, count=50000),
    tolerance=1e-4,
)
add(
    "rows_pieces_softmax_gradient",
    lambda x, g: jax.vjp(softmax, x)[1](g)[0],
    real(2, 50000),
    real(2, 50000, seed=2),
    tolerance=1e-3,
)

# --- Searches and sorts of one long row ---

for name, function in {
    "argmax": lambda x: (jnp.argmax(x, -1), x.max(-1)),
    "argmin": lambda x: jnp.argmin(x, -1),
    "top_k": lambda x: lax.top_k(x, 6),
    "top_one": lambda x: lax.top_k(x, 1),
}.items():
    add(f"rows_long_{name}", function, real(1, 33000), tolerance=EXACT)
    if name.startswith("top"):
        add(f"rows_long_{name}_of_few", function, ties(3, 33000), tolerance=EXACT)
add("rows_argmin_words", lambda x: (jnp.argmin(x, -1), jnp.argmax(x, 0)), whole("i32", 40, 70))
add(
    "rows_argmax_words_unsigned",
    lambda x: (jnp.argmax(x, -1), jnp.argmin(x, -1)),
    whole("ui8", 40, 70, first=0, count=250),
)
add("rows_sort_long", lambda x: jnp.sort(x, -1), real(1, 2048), tolerance=EXACT)
add("rows_argsort_long", lambda x: jnp.argsort(x, -1), ties(1, 1024), tolerance=EXACT)
add("rows_argsort_words_long", lambda x: jnp.argsort(x), whole("i32", 1024, count=50))
add(
    "rows_fold_any_region",
    lambda x: (
        lax.reduce(x, jnp.float32(-1e30), jnp.logaddexp, (1,)),
        lax.reduce(x, jnp.float32(0), lambda a, b: jnp.sqrt(a * a + b * b), (2,)),
    ),
    real(6, 20, 37),
    tolerance=1e-4,
)
