"""ViT-B/16 (Dosovitskiy et al.) in plain JAX: pictures to scores of 1,000 classes.

Nothing here knows of Trainyard.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

SIDE, PATCH = 224, 16
WIDTH, HEADS, LAYERS, HIDDEN, CLASSES = 768, 12, 12, 3072, 1000
TOKENS = (SIDE // PATCH) ** 2 + 1


def initial(dtype: np.dtype, seed: int = 0) -> dict:
    """Random weights."""
    draw = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return (0.02 * draw.standard_normal(shape, np.float32)).astype(dtype)

    def norm() -> dict:
        return {"scale": np.ones(WIDTH, dtype), "bias": np.zeros(WIDTH, dtype)}

    def dense(inner: int, outer: int) -> dict:
        return {"kernel": normal(inner, outer), "bias": np.zeros(outer, dtype)}

    def layer() -> dict:
        return {
            "before_attention": norm(),
            "qkv": dense(WIDTH, 3 * WIDTH),
            "out": dense(WIDTH, WIDTH),
            "before_mlp": norm(),
            "up": dense(WIDTH, HIDDEN),
            "down": dense(HIDDEN, WIDTH),
        }

    return {
        "patches": dense(PATCH * PATCH * 3, WIDTH),
        "first": normal(1, 1, WIDTH),
        "places": normal(1, TOKENS, WIDTH),
        "layers": [layer() for _ in range(LAYERS)],
        "norm": norm(),
        "classes": dense(WIDTH, CLASSES),
    }


def dense(x, weights):
    return jnp.dot(x, weights["kernel"]) + weights["bias"]


def normalised(x, weights):
    real = x.astype(jnp.float32)
    mean, variance = real.mean(-1, keepdims=True), real.var(-1, keepdims=True)
    return ((real - mean) * jax.lax.rsqrt(variance + 1e-6)).astype(x.dtype) * weights[
        "scale"
    ] + weights["bias"]


def attention(x, weights):
    batch, tokens, _ = x.shape
    split = dense(x, weights["qkv"]).reshape(batch, tokens, 3, HEADS, WIDTH // HEADS)
    q, k, v = split.transpose(2, 0, 3, 1, 4)
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=jnp.float32)
    shares = jax.nn.softmax(scores * (WIDTH // HEADS) ** -0.5, -1).astype(x.dtype)
    mixed = jnp.einsum("bhqk,bhkd->bqhd", shares, v)
    return dense(mixed.reshape(batch, tokens, WIDTH), weights["out"])


def scores(weights: dict, x):
    """[batch, 1000] of pictures [batch, 224, 224, 3]."""
    batch, count = x.shape[0], SIDE // PATCH
    patches = x.reshape(batch, count, PATCH, count, PATCH, 3).transpose(0, 1, 3, 2, 4, 5)
    x = dense(patches.reshape(batch, count * count, -1), weights["patches"])
    first = jnp.broadcast_to(weights["first"], (batch, 1, WIDTH))
    x = jnp.concatenate([first, x], 1) + weights["places"]
    for number, layer in enumerate(weights["layers"]):
        with jax.named_scope(f"layer_{number}"):
            x = x + attention(normalised(x, layer["before_attention"]), layer)
            inner = jax.nn.gelu(dense(normalised(x, layer["before_mlp"]), layer["up"]), False)
            x = x + dense(inner, layer["down"])
    return dense(normalised(x[:, 0], weights["norm"]), weights["classes"])
