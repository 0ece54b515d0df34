"""Causal attention with grouped heads, as public models and libraries write it.

Queries [B, T, N, D], keys and values [B, T, K, D] in bfloat16, softmax in float32.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

N, K, D, T = 16, 4, 128, 1024


def causal(t: int) -> Any:
    return jnp.tril(jnp.ones((t, t), bool))


def grouped_einsum(q: Any, k: Any, v: Any) -> Any:
    b, t, n, d = q.shape
    q = q.reshape(b, t, k.shape[2], n // k.shape[2], d)
    s = jnp.einsum("btkgd,bskd->bkgts", q, k).astype(jnp.float32) * d**-0.5
    s = jnp.where(causal(t), s, -1e9)
    p = jax.nn.softmax(s, -1).astype(q.dtype)
    return jnp.einsum("bkgts,bskd->btkgd", p, v).reshape(b, t, n * d)


def hugging_face(q: Any, k: Any, v: Any) -> Any:
    """repeat_kv by broadcast and reshape, heads first, an additive mask."""
    b, t, n, d = q.shape
    q, k, v = (jnp.swapaxes(x, 1, 2) for x in (q, k, v))

    def repeat(x: Any) -> Any:
        shape = (b, x.shape[1], n // x.shape[1], t, d)
        return jnp.broadcast_to(x[:, :, None], shape).reshape(b, n, t, d)

    k, v = repeat(k), repeat(v)
    s = jnp.matmul(q, jnp.swapaxes(k, 2, 3)) * d**-0.5
    mask = jnp.where(causal(t), 0.0, jnp.finfo(jnp.bfloat16).min)[None, None]
    p = jax.nn.softmax((s + mask.astype(s.dtype)).astype(jnp.float32), -1).astype(q.dtype)
    return jnp.swapaxes(jnp.matmul(p, v), 1, 2).reshape(b, t, n * d)


def repeated_heads(q: Any, k: Any, v: Any) -> Any:
    b, t, n, d = q.shape
    k, v = (jnp.repeat(x, n // x.shape[2], axis=2) for x in (k, v))
    s = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) / jnp.sqrt(jnp.float32(d))
    s = jnp.where(causal(t)[None, None], s, -jnp.inf)
    p = jax.nn.softmax(s, axis=-1).astype(v.dtype)
    return jnp.einsum("bhts,bshd->bthd", p, v).reshape(b, t, n * d)


def library(q: Any, k: Any, v: Any) -> Any:
    return jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(*q.shape[:2], -1)


def one_batch(q: Any, k: Any, v: Any) -> Any:
    """Batches and heads as one, as torch.bmm wants them."""
    b, t, n, d = q.shape
    k, v = (jnp.repeat(x, n // x.shape[2], axis=2) for x in (k, v))
    q, k, v = (jnp.swapaxes(x, 1, 2).reshape(b * n, t, d) for x in (q, k, v))
    s = jax.lax.batch_matmul(q, jnp.swapaxes(k, 1, 2)).astype(jnp.float32) * d**-0.5
    s = jnp.where(causal(t)[None], s, -1e9)
    p = jax.nn.softmax(s, -1).astype(v.dtype)
    o = jax.lax.batch_matmul(p, v).reshape(b, n, t, d)
    return jnp.swapaxes(o, 1, 2).reshape(b, t, n * d)


def written_out(q: Any, k: Any, v: Any) -> Any:
    """The softmax by its maximum, its exponentials and their sum."""
    b, t, n, d = q.shape
    q = (q * jnp.bfloat16(d**-0.5)).reshape(b, t, k.shape[2], -1, d)
    s = jnp.einsum("btkgd,bskd->bkgts", q, k, preferred_element_type=jnp.float32)
    s = s + jnp.where(causal(t), 0.0, -1e9)
    e = jnp.exp(s - jnp.max(s, -1, keepdims=True))
    p = (e / jnp.sum(e, -1, keepdims=True)).astype(v.dtype)
    return jnp.einsum("bkgts,bskd->btkgd", p, v).reshape(b, t, n * d)


def mapped(q: Any, k: Any, v: Any) -> Any:
    """One head at a time, mapped over heads, groups and batches."""

    def head(q: Any, k: Any, v: Any) -> Any:
        s = (q @ k.T).astype(jnp.float32) * q.shape[-1] ** -0.5
        s = jnp.where(causal(q.shape[0]), s, -1e9)
        return jax.nn.softmax(s, -1).astype(v.dtype) @ v

    b, t, n, d = q.shape
    q = q.reshape(b, t, k.shape[2], -1, d)
    group = jax.vmap(head, in_axes=(1, None, None), out_axes=1)
    heads = jax.vmap(group, in_axes=(1, 1, 1), out_axes=1)
    return jax.vmap(heads)(q, k, v).reshape(b, t, n * d)


CLASS = FormClass(
    name="attention",
    arguments=lambda b: [bf16(b, T, N, D), bf16(b, T, K, D), bf16(b, T, K, D)],
    operations=lambda b: 2.0 * b * T * T * N * D,  # half of the scores are masked
    forms={
        "grouped einsum": grouped_einsum,
        "Hugging Face": hugging_face,
        "repeated heads": repeated_heads,
        "jax.nn": library,
        "one batch (bmm)": one_batch,
        "softmax written out": written_out,
        "vmap": mapped,
    },
    differentiated=3,
    small=lambda: [bf16(2, 16, 4, 32), bf16(2, 16, 2, 32), bf16(2, 16, 2, 32)],
)
