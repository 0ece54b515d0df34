"""Decoders of the Llama, Qwen and Gemma families in plain JAX, over a paged cache: what the exact
engine compiles. Families differ in what the weights have (biases, norms of queries and keys) and in
fields of Config.

The cache's keys and values are [layers, blocks, block, heads, head]; a request's blocks are found
through its table. A step reads them and returns the keys and values of its own tokens, which the
engine writes into the blocks. Nothing here knows of Trainyard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

Weights = dict[str, Any]
OWNERS = "lora_owners"  # of weights: the adapter of each column of the low-rank matrices


@dataclass(frozen=True)
class Config:
    """Shapes of a model, in the words of its config.json."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    vocabulary: int
    theta: float
    epsilon: float
    context_max: int
    gate: str = "silu"  # or "gelu", by tanh
    embedding_scale: float = 1.0


def random_weights(
    config: Config, seed: int, dtype: Any = np.float32, extras: Sequence[str] = ()
) -> Weights:
    """Weights of a model that nobody has trained: normal, scaled to keep activations near 1.

    extras: of each layer besides, the names of biases and of norms of queries and keys.
    """
    random = np.random.default_rng(seed)

    def normal(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(dtype)

    ones = np.ones(config.hidden, dtype)
    mixed, kept = config.heads * config.head, config.kv_heads * config.head
    weights: Weights = {}
    for layer in range(config.layers):
        named = {
            "attn_norm": ones,
            "attn_q": normal(config.hidden, mixed),
            "attn_k": normal(config.hidden, kept),
            "attn_v": normal(config.hidden, kept),
            "attn_output": normal(mixed, config.hidden),
            "ffn_norm": ones,
            "ffn_gate": normal(config.hidden, config.inner),
            "ffn_up": normal(config.hidden, config.inner),
            "ffn_down": normal(config.inner, config.hidden),
        }
        for name in extras:
            size = mixed if name.startswith("attn_q") else kept
            drawn = random.standard_normal(config.head if name.endswith("_norm") else size)
            around = 1.0 if name.endswith("_norm") else 0.0
            named[name] = (around + 0.3 * drawn).astype(dtype)
        weights |= {f"blk.{layer}.{name}": value for name, value in named.items()}
    weights["token_embd"] = random.standard_normal((config.vocabulary, config.hidden)).astype(dtype)
    weights["output_norm"] = ones
    weights["head"] = normal(config.hidden, config.vocabulary)
    return weights


def norm(x: Any, weight: Any, epsilon: float) -> Any:
    """x over its root mean square, computed in float32, times weight."""
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    mean = jnp.square(wide).mean(-1, keepdims=True)
    return (wide * jax.lax.rsqrt(mean + epsilon)).astype(x.dtype) * weight


def rotate(x: Any, positions: Any, config: Config) -> Any:
    """Rotary embedding of [tokens, heads, head]."""
    import jax.numpy as jnp

    rate = config.theta ** (-np.arange(0, config.head, 2, dtype=np.float32) / config.head)
    known = jnp.clip(positions, 0, config.context_max)  # so that angles are known not to be large
    angle = known[:, None].astype(jnp.float32) * rate
    cosine, sine = (one(angle)[:, None, :].astype(x.dtype) for one in (jnp.cos, jnp.sin))
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def _layers(
    weights: Weights,
    ids: Any,
    positions: Any,
    config: Config,
    attend: Any,
    chosen: Any,
    kept: Any,
) -> tuple[Any, Any, Any]:
    """What the layers make of the tokens, and their keys and values: [layers, tokens, ...].

    kept: the type of the cache. A token sees itself, and those beside it, as the cache keeps them,
    so that it is the same whether they are computed together or one after the other.
    """
    import jax
    import jax.numpy as jnp

    x = weights["token_embd"][ids]
    if config.embedding_scale != 1.0:
        x = x * jnp.asarray(config.embedding_scale, x.dtype)
    gate = jax.nn.silu if config.gate == "silu" else partial(jax.nn.gelu, approximate=True)
    owned = None if chosen is None else _owned(weights, chosen, x.dtype)
    made_keys, made_values = [], []
    for layer in range(config.layers):
        w = partial(_named, weights, layer)
        times = partial(_product, weights, layer, owned)
        with jax.named_scope(f"layer_{layer}"):
            h = norm(x, w("attn_norm"), config.epsilon)
            q = times("attn_q", h).reshape(-1, config.heads, config.head)
            q = rotate(_normed(weights, layer, "attn_q_norm", q, config), positions, config)
            k = times("attn_k", h).reshape(-1, config.kv_heads, config.head)
            k = rotate(_normed(weights, layer, "attn_k_norm", k, config), positions, config)
            v = times("attn_v", h).reshape(-1, config.kv_heads, config.head)
            k, v = k.astype(kept), v.astype(kept)
            made_keys.append(k)
            made_values.append(v)
            k, v = k.astype(x.dtype), v.astype(x.dtype)
            x = x + times("attn_output", attend(layer, q, k, v))
            h = norm(x, w("ffn_norm"), config.epsilon)
            x = x + times("ffn_down", gate(times("ffn_gate", h)) * times("ffn_up", h))
    return x, jnp.stack(made_keys), jnp.stack(made_values)


def _normed(weights: Weights, layer: int, name: str, x: Any, config: Config) -> Any:
    """Heads, each over its root mean square, where the family does so."""
    weight = weights.get(f"blk.{layer}.{name}")
    return x if weight is None else norm(x, weight, config.epsilon)


def _owned(weights: Weights, chosen: Any, dtype: Any) -> Any:
    """1 where a column of the adapters' products is of a token's adapter: [tokens, columns]."""
    return (weights[OWNERS][None, :] == chosen[:, None]).astype(dtype)


def _product(weights: Weights, layer: int, owned: Any, name: str, x: Any) -> Any:
    """x times a matrix of a layer, and what the adapter of each token adds to it.

    The low-rank matrices of all adapters lie side by side: one product computes those of every
    adapter, of which each token keeps its own. Tokens of any adapters share a step.
    """
    whole = x @ _named(weights, layer, name)
    bias = weights.get(f"blk.{layer}.{name}_bias")
    whole = whole if bias is None else whole + bias
    down = weights.get(f"blk.{layer}.{name}.lora_a")
    if owned is None or down is None:
        return whole
    return whole + ((x @ down) * owned) @ _named(weights, layer, f"{name}.lora_b")


def _named(weights: Weights, layer: int, name: str) -> Any:
    return weights[f"blk.{layer}.{name}"]


def _logits(weights: Weights, x: Any, config: Config) -> Any:
    import jax.numpy as jnp

    # Not rounded to a narrower type of the weights, in which the largest logits would often tie.
    normed = norm(x, weights["output_norm"], config.epsilon)
    return jnp.matmul(normed, weights["head"], preferred_element_type=jnp.float32)


def decode(
    weights: Weights,
    keys: Any,
    values: Any,
    tables: Any,
    ids: Any,
    positions: Any,
    chosen: Any = None,
    *,
    config: Config,
) -> tuple[Any, Any, Any]:
    """A token of each request: tables int32 [requests, blocks], ids and positions [requests].

    chosen: int32 [requests], the adapter of each, -1 for none; None: the weights have no adapters.
    Returns float32 logits [requests, vocabulary] and the tokens' keys and values.
    """
    import jax
    import jax.numpy as jnp

    seen = tables.shape[1] * keys.shape[2]
    known = jnp.arange(seen, dtype=jnp.int32)[None, :] < positions[:, None]
    bias = jnp.where(known, 0.0, -1e30).astype(jnp.float32)[:, None, None, :]
    scale = np.float32(config.head**-0.5)

    def attend(layer: int, q: Any, k: Any, v: Any) -> Any:
        rows = q.shape[0]
        shape = rows, seen, config.kv_heads, config.head
        past_k, past_v = (
            pool[layer][tables].reshape(shape).astype(q.dtype) for pool in (keys, values)
        )
        grouped = q.reshape(rows, config.kv_heads, -1, config.head)
        wide = {"preferred_element_type": jnp.float32}
        before = jnp.einsum("bkgd,btkd->bkgt", grouped, past_k, **wide) * scale + bias
        own = jnp.einsum("bkgd,bkd->bkg", grouped, k, **wide)[..., None] * scale
        shares = jax.nn.softmax(jnp.concatenate([before, own], -1)).astype(v.dtype)
        mixed = jnp.einsum("bkgt,btkd->bkgd", shares[..., :-1], past_v)
        return (mixed + shares[..., -1:] * v[:, :, None, :]).reshape(rows, -1)

    x, made_keys, made_values = _layers(weights, ids, positions, config, attend, chosen, keys.dtype)
    return _logits(weights, x, config), made_keys, made_values


def verify(
    weights: Weights,
    keys: Any,
    values: Any,
    tables: Any,
    ids: Any,
    starts: Any,
    chosen: Any = None,
    *,
    config: Config,
) -> tuple[Any, Any, Any]:
    """Several tokens of each request, as drafted: ids int32 [requests, tokens] at positions
    starts, starts + 1, ...; the rest as in decode().

    Returns float32 logits [requests, tokens, vocabulary], and keys and values of all tokens, those
    of the first request first.
    """
    import jax
    import jax.numpy as jnp

    rows, width = ids.shape
    seen = tables.shape[1] * keys.shape[2]
    positions = (starts[:, None] + jnp.arange(width, dtype=jnp.int32)[None, :]).reshape(-1)
    known = jnp.arange(seen, dtype=jnp.int32)[None, :] < starts[:, None]
    known = jnp.broadcast_to(known[:, None, :], (rows, width, seen))
    causal = jnp.broadcast_to(np.tril(np.ones((width, width), bool))[None], (rows, width, width))
    bias = jnp.where(jnp.concatenate([known, causal], 2), 0.0, -1e30).astype(jnp.float32)
    scale = np.float32(config.head**-0.5)

    def attend(layer: int, q: Any, k: Any, v: Any) -> Any:
        past, own = ((rows, one, config.kv_heads, config.head) for one in (seen, width))
        all_k, all_v = (
            jnp.concatenate(
                [pool[layer][tables].reshape(past).astype(new.dtype), new.reshape(own)], 1
            )
            for pool, new in ((keys, k), (values, v))
        )
        grouped = q.reshape(rows, width, config.kv_heads, -1, config.head)
        scores = jnp.einsum("bqkgd,btkd->bkgqt", grouped, all_k, preferred_element_type=jnp.float32)
        shares = jax.nn.softmax(scores * scale + bias[:, None, None]).astype(v.dtype)
        return jnp.einsum("bkgqt,btkd->bqkgd", shares, all_v).reshape(rows * width, -1)

    every = None if chosen is None else jnp.repeat(chosen, width, total_repeat_length=rows * width)
    flat = ids.reshape(-1)
    x, made_keys, made_values = _layers(weights, flat, positions, config, attend, every, keys.dtype)
    logits = _logits(weights, x, config).reshape(rows, width, -1)
    return logits, made_keys, made_values


def prefill(
    weights: Weights,
    keys: Any,
    values: Any,
    table: Any,
    ids: Any,
    start: Any,
    last: Any,
    chosen: Any = None,
    *,
    config: Config,
) -> tuple[Any, Any, Any]:
    """A piece of one prompt: ids int32 [tokens] at positions start, start + 1, ...

    chosen: the adapter of the request, int32 [1], as in decode().
    Returns the float32 logits behind token `last` of them, [vocabulary], and all keys and values.
    """
    import jax
    import jax.numpy as jnp

    tokens, seen = ids.shape[0], table.shape[0] * keys.shape[2]
    positions = start + jnp.arange(tokens, dtype=jnp.int32)
    known = jnp.broadcast_to(jnp.arange(seen, dtype=jnp.int32)[None, :] < start, (tokens, seen))
    causal = np.tril(np.ones((tokens, tokens), bool))
    bias = jnp.where(jnp.concatenate([known, causal], 1), 0.0, -1e30).astype(jnp.float32)
    scale = np.float32(config.head**-0.5)

    def attend(layer: int, q: Any, k: Any, v: Any) -> Any:
        shape = seen, config.kv_heads, config.head
        all_k, all_v = (
            jnp.concatenate([pool[layer][table].reshape(shape).astype(new.dtype), new], 0)
            for pool, new in ((keys, k), (values, v))
        )
        grouped = q.reshape(tokens, config.kv_heads, -1, config.head)
        scores = jnp.einsum("qkgd,tkd->kgqt", grouped, all_k, preferred_element_type=jnp.float32)
        shares = jax.nn.softmax(scores * scale + bias).astype(v.dtype)
        return jnp.einsum("kgqt,tkd->qkgd", shares, all_v).reshape(tokens, -1)

    every = None if chosen is None else jnp.broadcast_to(chosen, (tokens,))
    x, made_keys, made_values = _layers(weights, ids, positions, config, attend, every, keys.dtype)
    row = jax.lax.dynamic_slice(x, (last, 0), (1, x.shape[1]))
    return _logits(weights, row, config)[0], made_keys, made_values
