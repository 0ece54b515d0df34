"""Rows of a table [V, H] that the tokens [B, T] name."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16, i32

T, V, H = 2048, 32000, 2048


def indexed(table: Any, tokens: Any) -> Any:
    return table[tokens]


def taken(table: Any, tokens: Any) -> Any:
    return jnp.take(table, tokens, axis=0)


def clipped(table: Any, tokens: Any) -> Any:
    return jnp.take(table, tokens, axis=0, mode="clip")


def flat(table: Any, tokens: Any) -> Any:
    return jnp.take(table, tokens.reshape(-1), axis=0).reshape(*tokens.shape, -1)


def mapped(table: Any, tokens: Any) -> Any:
    return jax.vmap(lambda some: table[some])(tokens)


CLASS = FormClass(
    name="embedding",
    arguments=lambda b: [bf16(V, H), i32(b, T)],
    operations=lambda b: 0.0,
    forms={
        "indexed": indexed,
        "take": taken,
        "take, clip": clipped,
        "flat tokens": flat,
        "vmap": mapped,
    },
    differentiated=1,
    integers_below=50,
    small=lambda: [bf16(50, 16), i32(2, 8)],
)
