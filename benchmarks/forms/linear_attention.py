"""Linear attention of heads [B, N, T, D] in float32, without decay: a state of D x D a head."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, f32

N, T, D, CHUNK = 8, 1024, 64, 64


def masked(q: Any, k: Any, v: Any) -> Any:
    """All pairs, those of later keys left out."""
    s = jnp.einsum("bntd,bnsd->bnts", q, k)
    return jnp.einsum("bnts,bnsd->bntd", jnp.tril(s), v)


def compared(q: Any, k: Any, v: Any) -> Any:
    t = q.shape[2]
    mask = (jnp.arange(t)[:, None] >= jnp.arange(t)[None]).astype(q.dtype)
    return (q @ k.swapaxes(-1, -2) * mask) @ v


def in_chunks(q: Any, k: Any, v: Any) -> Any:
    """States between chunks, pairs within them."""
    b, n, t, d = q.shape
    size = min(CHUNK, t)
    q, k, v = (x.reshape(b, n, t // size, size, d) for x in (q, k, v))
    states = jnp.einsum("bncsd,bncse->bncde", k, v)
    before = jnp.cumsum(states, 2) - states
    inner = jnp.tril(jnp.einsum("bnctd,bncsd->bncts", q, k))
    out = jnp.einsum("bnctd,bncde->bncte", q, before) + jnp.einsum("bncts,bncse->bncte", inner, v)
    return out.reshape(b, n, t, d)


def chunks_scanned(q: Any, k: Any, v: Any) -> Any:
    b, n, t, d = q.shape
    size = min(CHUNK, t)
    parts = [x.reshape(b, n, t // size, size, d).transpose(2, 0, 1, 3, 4) for x in (q, k, v)]

    def turn(state: Any, part: Any) -> Any:
        q, k, v = part
        out = q @ state + jnp.tril(q @ k.swapaxes(-1, -2)) @ v
        return state + k.swapaxes(-1, -2) @ v, out

    out = jax.lax.scan(turn, jnp.zeros((b, n, d, d), q.dtype), tuple(parts))[1]
    return out.transpose(1, 2, 0, 3, 4).reshape(b, n, t, d)


def mapped(q: Any, k: Any, v: Any) -> Any:
    one = lambda q, k, v: jnp.tril(q @ k.T) @ v  # noqa: E731
    return jax.vmap(jax.vmap(one))(q, k, v)


CLASS = FormClass(
    name="linear attention",
    arguments=lambda b: [f32(b, N, T, D)] * 3,
    operations=lambda b: 2.0 * b * N * T * (2 * CHUNK * D + 2 * D * D),
    forms={
        "tril": masked,
        "mask by places": compared,
        "chunks": in_chunks,
        "scan of chunks": chunks_scanned,
        "vmap": mapped,
    },
    differentiated=3,
    small=lambda: [f32(1, 2, 16, 8)] * 3,
)
