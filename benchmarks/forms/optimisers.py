"""A step of AdamW of one matrix in float32: the weights, behind two moments and a gradient."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, f32

ROWS, COLUMNS = 4096, 4096
RATE, FIRST, SECOND, EPSILON, DECAY, STEP = 1e-3, 0.9, 0.95, 1e-8, 0.1, 10


def textbook(w: Any, g: Any, m: Any, v: Any) -> Any:
    m = FIRST * m + (1 - FIRST) * g
    v = SECOND * v + (1 - SECOND) * g * g
    step = (m / (1 - FIRST**STEP)) / (jnp.sqrt(v / (1 - SECOND**STEP)) + EPSILON)
    return w - RATE * (step + DECAY * w), m, v


def chained(w: Any, g: Any, m: Any, v: Any) -> Any:
    """Transformations one after the other, as optax has them."""
    m = (1 - FIRST) * g + FIRST * m
    v = (1 - SECOND) * (g**2) + SECOND * v
    update = (m / (1 - FIRST**STEP)) / (jnp.sqrt(v / (1 - SECOND**STEP) + 0.0) + EPSILON)
    update = -RATE * (update + DECAY * w)
    return w + update, m, v


def in_place(w: Any, g: Any, m: Any, v: Any) -> Any:
    """As PyTorch has it: decay first, bias in the size of the step."""
    w = w * (1 - RATE * DECAY)
    m = m + (g - m) * (1 - FIRST)
    v = v * SECOND + g * g * (1 - SECOND)
    root = jnp.sqrt(v) / (1 - SECOND**STEP) ** 0.5 + EPSILON
    return w - (RATE / (1 - FIRST**STEP)) * (m / root), m, v


def of_trees(w: Any, g: Any, m: Any, v: Any) -> Any:
    """By leaves of a tree, the count an argument that is traced."""
    count = jnp.asarray(STEP, jnp.int32)
    m = jax.tree.map(lambda g, m: FIRST * m + (1 - FIRST) * g, g, m)
    v = jax.tree.map(lambda g, v: SECOND * v + (1 - SECOND) * g * g, g, v)
    right = lambda x, decay: x / (1 - decay**count)  # noqa: E731
    step = right(m, FIRST) / (jnp.sqrt(right(v, SECOND)) + EPSILON)
    return w - RATE * (step + DECAY * w), m, v


def mapped(w: Any, g: Any, m: Any, v: Any) -> Any:
    return jax.vmap(textbook)(w, g, m, v)


CLASS = FormClass(
    name="AdamW",
    arguments=lambda b: [f32(b * ROWS, COLUMNS)] * 4,
    operations=lambda b: 0.0,
    forms={
        "textbook": textbook,
        "chain (optax)": chained,
        "in place (PyTorch)": in_place,
        "tree, traced count": of_trees,
        "vmap": mapped,
    },
)
