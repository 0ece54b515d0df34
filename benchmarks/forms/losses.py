"""Cross-entropy of logits [B, T, V] with labels [B, T], by token."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16, i32

T, V = 256, 128256


def picked(logits: Any, labels: Any) -> Any:
    logp = jax.nn.log_softmax(logits.astype(jnp.float32), -1)
    return -jnp.take_along_axis(logp, labels[..., None], -1)[..., 0]


def one_hot(logits: Any, labels: Any) -> Any:
    logp = jax.nn.log_softmax(logits.astype(jnp.float32), -1)
    return -jnp.sum(jax.nn.one_hot(labels, logits.shape[-1]) * logp, -1)


def less_logsumexp(logits: Any, labels: Any) -> Any:
    """As optax has it with integer labels."""
    x = logits.astype(jnp.float32)
    label = jnp.take_along_axis(x, labels[..., None], -1)[..., 0]
    return jax.nn.logsumexp(x, -1) - label


def shifted(logits: Any, labels: Any) -> Any:
    x = logits.astype(jnp.float32)
    x = x - jax.lax.stop_gradient(x.max(-1, keepdims=True))
    label = jnp.take_along_axis(x, labels[..., None], -1)[..., 0]
    return jnp.log(jnp.exp(x).sum(-1)) - label


def masked(logits: Any, labels: Any) -> Any:
    """The label's logit by comparing places."""
    x = logits.astype(jnp.float32)
    places = jax.lax.broadcasted_iota(jnp.int32, x.shape, x.ndim - 1)
    label = jnp.sum(jnp.where(places == labels[..., None], x, 0.0), -1)
    return jax.nn.logsumexp(x, -1) - label


def mapped(logits: Any, labels: Any) -> Any:
    return jax.vmap(jax.vmap(lambda x, label: -jax.nn.log_softmax(x.astype(jnp.float32))[label]))(
        logits, labels
    )


CLASS = FormClass(
    name="cross-entropy",
    arguments=lambda b: [bf16(b, T, V), i32(b, T)],
    operations=lambda b: 0.0,
    forms={
        "log_softmax, take": picked,
        "one-hot": one_hot,
        "logsumexp": less_logsumexp,
        "shifted": shifted,
        "masked": masked,
        "vmap": mapped,
    },
    differentiated=1,
    integers_below=40,
    small=lambda: [bf16(2, 4, 40), i32(2, 4)],
)
