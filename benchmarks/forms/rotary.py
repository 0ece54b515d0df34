"""Rotary embeddings of [B, T, N, D] in bfloat16 at the positions 0, 1, 2 ..."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

N, D, T = 32, 128, 2048
BASE = 500000.0


def angles(t: int, d: int) -> Any:
    frequencies = 1.0 / (BASE ** (jnp.arange(0, d, 2, dtype=jnp.float32) / d))
    return jnp.outer(jnp.arange(t, dtype=jnp.float32), frequencies)


def split(x: Any) -> Any:
    a = angles(x.shape[1], x.shape[3])
    c, s = jnp.cos(a)[None, :, None], jnp.sin(a)[None, :, None]
    left, right = jnp.split(x.astype(jnp.float32), 2, axis=-1)
    return jnp.concatenate([left * c - right * s, right * c + left * s], -1).astype(x.dtype)


def rotate_half(x: Any) -> Any:
    a = angles(x.shape[1], x.shape[3])
    a = jnp.concatenate([a, a], -1)
    c, s = jnp.cos(a)[None, :, None], jnp.sin(a)[None, :, None]
    x32 = x.astype(jnp.float32)
    half = x.shape[-1] // 2
    turned = jnp.concatenate([-x32[..., half:], x32[..., :half]], -1)
    return (x32 * c + turned * s).astype(x.dtype)


def stacked(x: Any) -> Any:
    """Halves as a dimension of two."""
    a = angles(x.shape[1], x.shape[3])
    c, s = jnp.cos(a)[None, :, None], jnp.sin(a)[None, :, None]
    pair = x.astype(jnp.float32).reshape(*x.shape[:-1], 2, -1)
    left, right = pair[..., 0, :], pair[..., 1, :]
    out = jnp.stack([left * c - right * s, right * c + left * s], axis=-2)
    return out.reshape(x.shape).astype(x.dtype)


def rolled(x: Any) -> Any:
    a = angles(x.shape[1], x.shape[3])
    c = jnp.concatenate([jnp.cos(a), jnp.cos(a)], -1)[None, :, None]
    s = jnp.concatenate([-jnp.sin(a), jnp.sin(a)], -1)[None, :, None]
    x32 = x.astype(jnp.float32)
    return (x32 * c + jnp.roll(x32, x.shape[-1] // 2, axis=-1) * s).astype(x.dtype)


def mapped(x: Any) -> Any:
    """One position and head at a time."""
    a = angles(x.shape[1], x.shape[3])

    def one(x: Any, c: Any, s: Any) -> Any:
        left, right = jnp.split(x.astype(jnp.float32), 2)
        return jnp.concatenate([left * c - right * s, right * c + left * s]).astype(x.dtype)

    heads = jax.vmap(one, in_axes=(0, None, None))
    return jax.vmap(jax.vmap(heads), in_axes=(0, None, None))(x, jnp.cos(a), jnp.sin(a))


CLASS = FormClass(
    name="rotary",
    arguments=lambda b: [bf16(b, T, N, D)],
    operations=lambda b: 0.0,
    forms={
        "split": split,
        "rotate_half": rotate_half,
        "stacked": stacked,
        "roll": rolled,
        "vmap": mapped,
    },
    differentiated=1,
    small=lambda: [bf16(2, 16, 4, 32)],
)
