"""Dropout of [B, T, H] in bfloat16 by numbers that are given, between 0 and 1."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16, f32

T, H, KEPT = 2048, 4096, 0.9


def chosen(x: Any, u: Any) -> Any:
    """As flax has it."""
    return jnp.where(u < KEPT, x / KEPT, jnp.zeros_like(x))


def multiplied(x: Any, u: Any) -> Any:
    return x * (u < KEPT).astype(x.dtype) / KEPT


def scaled_mask(x: Any, u: Any) -> Any:
    return x * jnp.where(u < KEPT, 1 / KEPT, 0.0).astype(x.dtype)


def selected(x: Any, u: Any) -> Any:
    return jax.lax.select(u < KEPT, x * jnp.asarray(1 / KEPT, x.dtype), jnp.zeros_like(x))


def mapped(x: Any, u: Any) -> Any:
    return jax.vmap(jax.vmap(chosen))(x, u)


CLASS = FormClass(
    name="dropout",
    arguments=lambda b: [bf16(b, T, H), f32(b, T, H)],
    operations=lambda b: 0.0,
    forms={
        "where": chosen,
        "mask times": multiplied,
        "scaled mask": scaled_mask,
        "select": selected,
        "vmap": mapped,
    },
    differentiated=1,
    small=lambda: [bf16(2, 8, 16), f32(2, 8, 16)],
)
