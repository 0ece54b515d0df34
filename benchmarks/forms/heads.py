"""RMS norms of each head of queries [B, T, N, D] in bfloat16, as Qwen3 and OLMo2 have them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

T, N, D = 2048, 32, 128
EPSILON = 1e-6


def by_rsqrt(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    return (x32 * jax.lax.rsqrt(jnp.mean(x32 * x32, -1, keepdims=True) + EPSILON)).astype(
        x.dtype
    ) * w


def by_quotient(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    root = jnp.sqrt(jnp.mean(jnp.square(x32), axis=-1, keepdims=True) + EPSILON)
    return (x32 / root).astype(x.dtype) * w


def flat(x: Any, w: Any) -> Any:
    """On rows of [B T N, D], as PyTorch code views them."""
    return by_rsqrt(x.reshape(-1, x.shape[-1]), w).reshape(x.shape)


def heads_first(x: Any, w: Any) -> Any:
    """Behind the transposition to [B, N, T, D]."""
    return by_rsqrt(x.swapaxes(1, 2), w).swapaxes(1, 2)


def mapped(x: Any, w: Any) -> Any:
    norm = lambda row: by_rsqrt(row, w)  # noqa: E731
    return jax.vmap(jax.vmap(jax.vmap(norm)))(x)


CLASS = FormClass(
    name="head norm",
    arguments=lambda b: [bf16(b, T, N, D), bf16(D)],
    operations=lambda b: 0.0,
    forms={
        "mean, rsqrt": by_rsqrt,
        "sqrt, divide": by_quotient,
        "flat rows": flat,
        "heads first": heads_first,
        "vmap": mapped,
    },
    differentiated=2,
    small=lambda: [bf16(2, 8, 4, 32), bf16(32)],
)
