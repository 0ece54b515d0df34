"""The next tokens of logits [B, V] in float32 by temperature, with numbers given: no generator."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, f32

B, V = 32, 128256


def gumbel(logits: Any, u: Any) -> Any:
    """As jax.random.categorical has it."""
    return jnp.argmax(logits - jnp.log(-jnp.log(u)), -1)


def exponential(logits: Any, u: Any) -> Any:
    """As gpt-fast has it: probabilities over exponential numbers."""
    return jnp.argmax(jax.nn.softmax(logits, -1) / -jnp.log(u), -1)


def log_probabilities(logits: Any, u: Any) -> Any:
    return jnp.argmax(jax.nn.log_softmax(logits, -1) - jnp.log(-jnp.log(u)), axis=-1)


def mapped(logits: Any, u: Any) -> Any:
    return jax.vmap(lambda x, u: jnp.argmax(x - jnp.log(-jnp.log(u))))(logits, u)


def by_top(logits: Any, u: Any) -> Any:
    return jax.lax.top_k(logits - jnp.log(-jnp.log(u)), 1)[1][..., 0]


CLASS = FormClass(
    name="sampling",
    arguments=lambda b: [f32(b * B, V)] * 2,
    operations=lambda b: 0.0,
    forms={
        "Gumbel": gumbel,
        "exponential": exponential,
        "log_softmax": log_probabilities,
        "vmap": mapped,
        "top_k": by_top,
    },
)
