"""A layer of GPT-3 175B in plain JAX, reading whole prompts: one shard of tensor parallelism.

Arguments are shapes, since only time is asked for. Nothing here knows of Trainyard.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

WIDTH, HEADS, HEAD, HIDDEN = 12288, 96, 128, 49152
BF16 = jnp.bfloat16


def shape(*dims: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, BF16)


def arguments(batch: int, tokens: int, shards: int) -> tuple:
    inner, hidden = HEADS // shards * HEAD, HIDDEN // shards
    weights = {
        **{name: shape(WIDTH) for name in ("scale_1", "shift_1", "scale_2", "shift_2")},
        **{name: shape(WIDTH, inner) for name in "qkv"},
        "out": shape(inner, WIDTH),
        "up": shape(WIDTH, hidden),
        "down": shape(hidden, WIDTH),
    }
    return weights, shape(batch, tokens, WIDTH)


def norm(x, scale, shift):
    real = x.astype(jnp.float32)
    mean, variance = real.mean(-1, keepdims=True), real.var(-1, keepdims=True)
    return ((real - mean) * jax.lax.rsqrt(variance + 1e-5)).astype(x.dtype) * scale + shift


def layer(w, x):
    """[batch, tokens, WIDTH]: what the shard adds, before the sum over all shards."""
    batch, tokens, _ = x.shape
    seen = jnp.tril(jnp.ones((tokens, tokens), bool))
    h = norm(x, w["scale_1"], w["shift_1"])
    q, k, v = ((h @ w[name]).reshape(batch, tokens, -1, HEAD) for name in "qkv")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32)
    scores = jnp.where(seen, scores * HEAD**-0.5, -1e30)
    shares = jax.nn.softmax(scores).astype(x.dtype)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", shares, v).reshape(batch, tokens, -1)
    x = x + mixed @ w["out"]
    h = norm(x, w["scale_2"], w["shift_2"])
    return x + jax.nn.gelu(h @ w["up"]) @ w["down"]
