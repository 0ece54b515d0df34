"""Llama in plain JAX, at the sizes of Llama 3: a decode step with its cache, and a layer's training
step. `shards` cuts heads and the hidden dimension as tensor parallelism does.

Arguments are shapes, since only time is asked for. Nothing here knows of Trainyard.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Size:
    """Of a model, or of one of its shards."""

    width: int
    heads: int
    kv_heads: int
    hidden: int
    layers: int
    vocabulary: int = 128256
    head: int = 128


LLAMA_8B = Size(4096, 32, 8, 14336, 32)
LLAMA_70B = Size(8192, 64, 8, 28672, 80)
BF16 = jnp.bfloat16


def shape(*dims: int, dtype=BF16) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)


def layer_weights(size: Size, shards: int = 1) -> dict:
    heads, kv_heads = (count // shards * size.head for count in (size.heads, size.kv_heads))
    hidden = size.hidden // shards
    return {
        "norm_1": shape(size.width),
        "q": shape(size.width, heads),
        "k": shape(size.width, kv_heads),
        "v": shape(size.width, kv_heads),
        "out": shape(heads, size.width),
        "norm_2": shape(size.width),
        "gate": shape(size.width, hidden),
        "up": shape(size.width, hidden),
        "down": shape(hidden, size.width),
    }


def norm(x, weight):
    real = x.astype(jnp.float32)
    mean = jnp.square(real).mean(-1, keepdims=True)
    return (real * jax.lax.rsqrt(mean + 1e-5)).astype(x.dtype) * weight


def turned(x, positions):
    """Rotary embedding of [tokens, heads, head]."""
    rate = 5e5 ** (-np.arange(0, x.shape[-1], 2, dtype=np.float32) / x.shape[-1])
    angle = (positions[:, None].astype(jnp.float32) * rate)[:, None, :]
    cosine, sine = jnp.cos(angle).astype(x.dtype), jnp.sin(angle).astype(x.dtype)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def attention(q, k, v, bias):
    """[tokens, heads, head] over [length, kv_heads, head]; a group of heads shares its keys."""
    tokens, heads, head = q.shape
    grouped = q.reshape(tokens, k.shape[1], -1, head)
    scores = jnp.einsum("qkgd,tkd->kgqt", grouped, k, preferred_element_type=jnp.float32)
    shares = jax.nn.softmax(scores * head**-0.5 + bias).astype(v.dtype)
    return jnp.einsum("kgqt,tkd->qkgd", shares, v).reshape(tokens, heads * head)


def mlp(x, w):
    return (jax.nn.silu(x @ w["gate"]) * (x @ w["up"])) @ w["down"]


def decode_layer(w, cache, x, position, bias, head):
    """A token's layer; keys and values of all tokens before it are in the cache."""
    keys, values = cache
    h = norm(x, w["norm_1"])
    q, k, v = ((h @ w[name]).reshape(1, -1, head) for name in "qkv")
    at = position[None]
    k = jax.lax.dynamic_update_slice(keys, turned(k, at), (position, 0, 0))
    v = jax.lax.dynamic_update_slice(values, v, (position, 0, 0))
    x = x + attention(turned(q, at), k, v, bias) @ w["out"]
    return x + mlp(norm(x, w["norm_2"]), w), (k, v)


def decode(weights, caches, token, position):
    """The scores behind a token, and the caches with it."""
    length = caches[0][0].shape[0]
    head = caches[0][0].shape[2]
    bias = jnp.where(jnp.arange(length) <= position, 0.0, -1e30).astype(jnp.float32)
    x = weights["tokens"][token][None]
    made = []
    for number, (w, cache) in enumerate(zip(weights["layers"], caches, strict=True)):
        with jax.named_scope(f"layer_{number}"):
            x, cache = decode_layer(w, cache, x, position, bias, head)
        made.append(cache)
    return (norm(x, weights["norm"]) @ weights["head"])[0].astype(jnp.float32), made


def decode_arguments(size: Size, length: int) -> tuple:
    cache = shape(length, size.kv_heads, size.head)
    weights = {
        "tokens": shape(size.vocabulary, size.width),
        "layers": [layer_weights(size) for _ in range(size.layers)],
        "norm": shape(size.width),
        "head": shape(size.width, size.vocabulary),
    }
    number = shape(dtype=jnp.int32)
    return weights, [(cache, cache)] * size.layers, number, number


def layer(w, x, head: int = 128):
    """[tokens, width] through a layer, each token seeing those before it."""
    tokens = x.shape[0]
    positions = jnp.arange(tokens)
    seen = positions[None, :] <= positions[:, None]
    bias = jnp.where(seen, 0.0, -1e30).astype(jnp.float32)
    h = norm(x, w["norm_1"])
    q, k, v = ((h @ w[name]).reshape(tokens, -1, head) for name in "qkv")
    x = x + attention(turned(q, positions), turned(k, positions), v, bias) @ w["out"]
    return x + mlp(norm(x, w["norm_2"]), w)


def layer_step(w, x, gradient):
    """Forward, backward and a step of SGD of one layer: new weights and the gradient of x."""
    _, back = jax.vjp(layer, w, x)
    of_weights, of_x = back(gradient)
    return jax.tree.map(lambda a, g: a - 1e-3 * g, w, of_weights), of_x


def layer_step_arguments(size: Size, tokens: int, shards: int = 1) -> tuple:
    x = shape(tokens, size.width)
    return layer_weights(size, shards), x, x
