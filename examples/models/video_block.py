"""A block of a video diffusion transformer in plain JAX, shaped as those of Wan 2.1 14B: attention
over the tokens of all frames with rotary places, attention to the text, and an MLP, each scaled and
shifted by the time step.

`heads` and `hidden` may be a part of the whole, as tensor parallelism cuts them. Nothing here knows
of Trainyard.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Shape:
    """The sizes of a block, and of a video behind the encoder: 8 by 8 pixels and 4 frames become
    one place, 2 by 2 places one token."""

    width: int = 5120
    heads: int = 40
    hidden: int = 13824
    head: int = 128
    text: int = 512
    frames: int = 9
    height: int = 480
    pixels: int = 832

    @property
    def tokens(self) -> int:
        return ((self.frames - 1) // 4 + 1) * (self.height // 16) * (self.pixels // 16)


def initial(shape: Shape, dtype: np.dtype, seed: int = 0) -> dict:
    """Random weights."""
    draw = np.random.default_rng(seed)
    inner = shape.heads * shape.head

    def dense(rows: int, columns: int) -> dict:
        kernel = 0.02 * draw.standard_normal((rows, columns), np.float32)
        return {"kernel": kernel.astype(dtype), "bias": np.zeros(columns, dtype)}

    def attention() -> dict:
        made = {name: dense(shape.width, inner) for name in ("q", "k", "v")}
        made |= {name: np.ones(inner, dtype) for name in ("norm_q", "norm_k")}
        return made | {"out": dense(inner, shape.width)}

    return {
        "own": attention(),
        "text": attention(),
        "norm": {"scale": np.ones(shape.width, dtype), "bias": np.zeros(shape.width, dtype)},
        "up": dense(shape.width, shape.hidden),
        "down": dense(shape.hidden, shape.width),
        "modulation": 0.02 * draw.standard_normal((6, shape.width), np.float32),
    }


def inputs(shape: Shape, dtype: np.dtype) -> tuple[np.ndarray, ...]:
    """Tokens, text, the time step's six vectors, and the angles of each token's place."""
    angles = np.zeros((shape.tokens, 1, shape.head // 2), np.float32)
    return (
        np.zeros((shape.tokens, shape.width), dtype),
        np.zeros((shape.text, shape.width), dtype),
        np.zeros((6, shape.width), np.float32),
        np.cos(angles),
        np.sin(angles),
    )


def dense(x, weights):
    return jnp.dot(x, weights["kernel"]) + weights["bias"]


def normalised(x):
    real = x.astype(jnp.float32)
    mean, variance = real.mean(-1, keepdims=True), real.var(-1, keepdims=True)
    return (real - mean) * jax.lax.rsqrt(variance + 1e-6)


def rms(x, scale):
    real = x.astype(jnp.float32)
    return (real * jax.lax.rsqrt(jnp.square(real).mean(-1, keepdims=True) + 1e-6)).astype(
        x.dtype
    ) * scale


def turned(x, cosine, sine):
    """Pairs (x[i], x[i + half]) turned by their angles."""
    first, second = jnp.split(x.astype(jnp.float32), 2, -1)
    pairs = [first * cosine - second * sine, second * cosine + first * sine]
    return jnp.concatenate(pairs, -1).astype(x.dtype)


def attention(x, other, weights, head: int, places=None):
    def split(value):
        return value.reshape(value.shape[0], -1, head)

    q = split(rms(dense(x, weights["q"]), weights["norm_q"]))
    k = split(rms(dense(other, weights["k"]), weights["norm_k"]))
    v = split(dense(other, weights["v"]))
    if places is not None:
        q, k = turned(q, *places), turned(k, *places)
    scores = jnp.einsum("qhd,khd->hqk", q, k, preferred_element_type=jnp.float32)
    shares = jax.nn.softmax(scores * head**-0.5, -1).astype(x.dtype)
    mixed = jnp.einsum("hqk,khd->qhd", shares, v)
    return dense(mixed.reshape(x.shape[0], -1), weights["out"])


def block(weights: dict, x, text, time, cosine, sine, head: int = 128):
    """The tokens behind the block, [tokens, width]."""
    steps = weights["modulation"] + time
    own = (normalised(x) * (1 + steps[1]) + steps[0]).astype(x.dtype)
    with jax.named_scope("self_attention"):
        made = attention(own, own, weights["own"], head, (cosine, sine))
    x = (x + made * steps[2]).astype(x.dtype)
    with jax.named_scope("text_attention"):
        own = normalised(x).astype(x.dtype) * weights["norm"]["scale"] + weights["norm"]["bias"]
        x = x + attention(own, text, weights["text"], head)
    with jax.named_scope("mlp"):
        own = (normalised(x) * (1 + steps[4]) + steps[3]).astype(x.dtype)
        made = dense(jax.nn.gelu(dense(own, weights["up"])), weights["down"])
    return (x + made * steps[5]).astype(x.dtype)
