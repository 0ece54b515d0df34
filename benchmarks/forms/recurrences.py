"""A gated recurrence h = a h + b over [B, T, H], the heart of RG-LRU and of S4D, in float32."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, f32

T, H = 1024, 1024


def scanned(a: Any, b: Any) -> Any:
    def step(h: Any, ab: Any) -> Any:
        h = ab[0] * h + ab[1]
        return h, h

    along = (a.swapaxes(0, 1), b.swapaxes(0, 1))
    return jax.lax.scan(step, jnp.zeros_like(a[:, 0]), along)[1].swapaxes(0, 1)


def associative(a: Any, b: Any) -> Any:
    def join(left: Any, right: Any) -> Any:
        return left[0] * right[0], right[0] * left[1] + right[1]

    return jax.lax.associative_scan(join, (a, b), axis=1)[1]


def looped(a: Any, b: Any) -> Any:
    def step(t: Any, state: Any) -> Any:
        h, out = state
        h = a[:, t] * h + b[:, t]
        return h, jax.lax.dynamic_update_index_in_dim(out, h, t, 1)

    return jax.lax.fori_loop(0, a.shape[1], step, (jnp.zeros_like(a[:, 0]), jnp.zeros_like(b)))[1]


def mapped(a: Any, b: Any) -> Any:
    def step(h: Any, ab: Any) -> Any:
        h = ab[0] * h + ab[1]
        return h, h

    def one(a: Any, b: Any) -> Any:
        return jax.lax.scan(step, jnp.zeros_like(a[0]), (a, b))[1]

    return jax.vmap(one)(a, b)


def by_turns(a: Any, b: Any) -> Any:
    """Unrolled eight times."""

    def step(h: Any, ab: Any) -> Any:
        h = ab[0] * h + ab[1]
        return h, h

    along = (a.swapaxes(0, 1), b.swapaxes(0, 1))
    return jax.lax.scan(step, jnp.zeros_like(a[:, 0]), along, unroll=8)[1].swapaxes(0, 1)


CLASS = FormClass(
    name="recurrence",
    arguments=lambda b: [f32(b, T, H), f32(b, T, H)],
    operations=lambda b: 0.0,
    forms={
        "scan": scanned,
        "associative scan": associative,
        "fori_loop": looped,
        "vmap of scan": mapped,
        "scan, unroll 8": by_turns,
    },
    small=lambda: [f32(2, 16, 8), f32(2, 16, 8)],
)
