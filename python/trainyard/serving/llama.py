"""Decoders of the Llama, Qwen, Gemma and GPT-OSS families in plain JAX, over a paged cache: what
the exact engine compiles. Families differ in what the weights have (biases, norms of queries and
keys and behind each half of a layer, sinks) and in fields of Config.

The cache's keys and values are [layers, blocks, block, heads, head]; a request's blocks are found
through its table. Groups of layers may have blocks of their own: the cache then has the layers of
one group, and tables one more dimension, of groups, before the others. A step reads them and tells
who stores them the keys and values of its own tokens, layer by layer; caches.in_place() writes them
into the blocks. Nothing here knows of Trainyard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from trainyard.serving.experts import Experts, perceptron
from trainyard.serving.products import Weights, found, named, owned, product
from trainyard.serving.rotations import Rotation

# Of a layer, named by its group and its place there: takes the keys and values of a step's tokens,
# and gives the cache that holds them, which the layers behind it read; None: as it is.
Store = Callable[[int, int, Any, Any], tuple[Any, Any] | None]


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
    rotations: tuple[Rotation, ...] = ()  # of each layer; none: all by theta
    windows: tuple[int, ...] = ()  # tokens that a layer sees, its own included; 0 or none: all
    groups: tuple[int, ...] = ()  # of each layer, where several have blocks of their own
    query_scale: float | None = None  # of scores; None: by the root of the head
    score_cap: float = 0.0  # scores go through its tanh; 0: none
    logit_cap: float = 0.0
    experts: Experts | None = None  # of every layer
    # An axis of devices, of which each has some of the heads and hidden units (the numbers above
    # are those of one): halves of a layer are added up over it. Empty: nothing is divided here.
    axis: str = ""

    def window(self, layer: int) -> int:
        """Of a layer."""
        return self.windows[layer] if self.windows else 0

    def place(self, layer: int) -> tuple[int, int]:
        """A layer's group, and its place among the layers of the group."""
        if not self.groups:
            return 0, layer
        return self.groups[layer], self.groups[:layer].count(self.groups[layer])

    def rotation(self, layer: int) -> Rotation:
        """Of a layer."""
        return self.rotations[layer] if self.rotations else Rotation(self.theta)

    @property
    def scale(self) -> np.float32:
        """Of scores."""
        return np.float32(self.head**-0.5 if self.query_scale is None else self.query_scale)


def random_weights(
    config: Config, seed: int, dtype: Any = np.float32, extras: Sequence[str] = ()
) -> Weights:
    """Weights of a model that nobody has trained: normal, scaled to keep activations near 1.

    extras: of each layer besides, the names of biases, sinks and norms.
    """
    random = np.random.default_rng(seed)

    def normal(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(dtype)

    ones = np.ones(config.hidden, dtype)
    mixed, kept = config.heads * config.head, config.kv_heads * config.head
    widths = {"attn_q_bias": mixed, "attn_output_bias": config.hidden, "attn_sinks": config.heads}
    widths |= dict.fromkeys(("attn_q_norm", "attn_k_norm"), config.head)
    widths |= dict.fromkeys(("attn_post_norm", "ffn_post_norm"), config.hidden)
    weights: Weights = {}
    for layer in range(config.layers):
        named = {
            "attn_norm": ones,
            "attn_q": normal(config.hidden, mixed),
            "attn_k": normal(config.hidden, kept),
            "attn_v": normal(config.hidden, kept),
            "attn_output": normal(mixed, config.hidden),
            "ffn_norm": ones,
        }
        if config.experts is None:
            named |= {
                "ffn_gate": normal(config.hidden, config.inner),
                "ffn_up": normal(config.hidden, config.inner),
                "ffn_down": normal(config.inner, config.hidden),
            }
        else:
            named |= _random_experts(config, normal, extras)
        for name in extras:
            if name.startswith("ffn") and name.endswith("_bias"):
                continue
            drawn = random.standard_normal(widths.get(name, kept))
            around = 1.0 if name.endswith("_norm") else 0.0
            named[name] = (around + 0.3 * drawn).astype(dtype)
        weights |= {f"blk.{layer}.{name}": value for name, value in named.items()}
    weights["token_embd"] = random.standard_normal((config.vocabulary, config.hidden)).astype(dtype)
    weights["output_norm"] = ones
    weights["head"] = normal(config.hidden, config.vocabulary)
    return weights


def _random_experts(config: Config, normal: Any, extras: Sequence[str]) -> Weights:
    experts = config.experts
    assert experts is not None
    shapes = {"ffn_gate": (config.hidden, experts.inner), "ffn_up": (config.hidden, experts.inner)}
    shapes["ffn_down"] = experts.inner, config.hidden
    named: Weights = {"ffn_router": normal(config.hidden, experts.of)}
    for name, shape in shapes.items():
        named[name] = np.stack([normal(*shape) for _ in range(experts.of)])
        if f"{name}_bias" in extras:
            named[f"{name}_bias"] = normal(experts.of, shape[1])
    if "ffn_router_bias" in extras:
        named["ffn_router_bias"] = normal(1, experts.of)[0]
    return named


def norm(x: Any, weight: Any, epsilon: float) -> Any:
    """x over its root mean square, computed in float32, times weight."""
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    mean = jnp.square(wide).mean(-1, keepdims=True)
    return (wide * jax.lax.rsqrt(mean + epsilon)).astype(x.dtype) * weight


def rotate(x: Any, positions: Any, config: Config, layer: int = 0) -> Any:
    """Rotary embedding of [tokens, heads, head]."""
    import jax.numpy as jnp

    rotation = config.rotation(layer)
    rate = rotation.rates(config.head)
    known = jnp.clip(positions, 0, config.context_max)  # so that angles are known not to be large
    angle = known[:, None].astype(jnp.float32) * rate
    cosine, sine = (one(angle)[:, None, :] for one in (jnp.cos, jnp.sin))
    if rotation.stretch != 1.0:
        cosine, sine = (one * np.float32(rotation.stretch) for one in (cosine, sine))
    cosine, sine = cosine.astype(x.dtype), sine.astype(x.dtype)
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def _nowhere(_group: int, _place: int, _keys: Any, _values: Any) -> None:
    """Nothing is stored."""


def _layers(
    weights: Weights,
    ids: Any,
    positions: Any,
    config: Config,
    attend: Any,
    chosen: Any,
    pools: Any,
    store: Store,
) -> Any:
    """What the layers make of the tokens; their keys and values, [tokens, ...], go to `store`.

    pools: the cache's keys and values. A token sees itself, and those beside it, as the cache keeps
    them, so that it is the same whether they are computed together or one after the other.
    """
    import jax
    import jax.numpy as jnp

    x = weights["token_embd"][ids]
    if config.embedding_scale != 1.0:
        x = x * jnp.asarray(config.embedding_scale, x.dtype)
    gate = jax.nn.silu if config.gate == "silu" else partial(jax.nn.gelu, approximate=True)
    own_adapter = None if chosen is None else owned(weights, chosen, x.dtype)
    for layer in range(config.layers):
        w = partial(named, weights, layer)
        times = partial(product, weights, layer, own_adapter, axis=config.axis)
        with jax.named_scope(f"layer_{layer}"):
            h = norm(x, w("attn_norm"), config.epsilon)
            q = times("attn_q", h).reshape(-1, config.heads, config.head)
            q = rotate(_normed(weights, layer, "attn_q_norm", q, config), positions, config, layer)
            k = times("attn_k", h).reshape(-1, config.kv_heads, config.head)
            k = rotate(_normed(weights, layer, "attn_k_norm", k, config), positions, config, layer)
            v = times("attn_v", h).reshape(-1, config.kv_heads, config.head)
            own = k.astype(pools[0].dtype), v.astype(pools[0].dtype)
            k, v = (each.astype(x.dtype) for each in own)
            mixed = times("attn_output", attend(pools, layer, q, k, v))
            pools = store(*config.place(layer), *own) or pools
            x = x + _normed(weights, layer, "attn_post_norm", mixed, config)
            h = norm(x, w("ffn_norm"), config.epsilon)
            if config.experts is None:
                made = times("ffn_down", gate(times("ffn_gate", h)) * times("ffn_up", h))
            else:
                made = perceptron(config.experts, partial(found, weights, layer), h)
            x = x + _normed(weights, layer, "ffn_post_norm", made, config)
    return x


def _normed(weights: Weights, layer: int, name: str, x: Any, config: Config) -> Any:
    """Rows, each over its root mean square, where the family does so."""
    weight = found(weights, layer, name)
    return x if weight is None else norm(x, weight, config.epsilon)


def _capped(values: Any, cap: float) -> Any:
    import jax.numpy as jnp

    return jnp.tanh(values / cap) * np.float32(cap) if cap else values


def _exponentials(
    weights: Weights, layer: int, scores: Any, config: Config, axis: int
) -> tuple[Any, Any]:
    """Scores' exponentials beside the largest, and their sums [..., 1]: a softmax before it is
    divided. axis: of groups, the heads of a group behind it.

    Who divides the products of values instead rounds the same numbers in every program, whatever
    the compiler makes of it: in a narrow type shares and exponentials round differently. A sink is
    one more score of each head, which takes a share and has no value.
    """
    import jax.numpy as jnp

    sinks, top, column = found(weights, layer, "attn_sinks"), scores.max(-1, keepdims=True), None
    if sinks is not None:
        groups = config.kv_heads, config.heads // config.kv_heads
        shape = (1,) * axis + groups + (1,) * (scores.ndim - axis - 2)
        column = jnp.broadcast_to(sinks.astype(scores.dtype).reshape(shape), top.shape)
        top = jnp.maximum(top, column)
    made = jnp.exp(scores - top)
    total = made.sum(-1, keepdims=True)
    return made, total if column is None else total + jnp.exp(column - top)


def _view(tables: Any, starts: Any, block: int, window: int) -> tuple[Any, Any]:
    """Of tables [(requests,) blocks], those that queries from `starts` on see through a window, and
    the places of their tokens."""
    import jax.numpy as jnp

    pages = tables.shape[-1]
    count = -(-(window - 1) // block) + 1
    if not window or count >= pages:
        return tables, jnp.arange(pages * block, dtype=jnp.int32)
    first = jnp.clip((starts - window + 1) // block, 0, pages - count)
    seen = first[..., None] + jnp.arange(count, dtype=jnp.int32)
    places = seen[..., None] * block + jnp.arange(block, dtype=jnp.int32)
    places = places.reshape(*seen.shape[:-1], count * block)
    return jnp.take_along_axis(tables, seen, -1), places


def _bias(known: Any) -> Any:
    import jax.numpy as jnp

    return jnp.where(known, 0.0, -1e30).astype(jnp.float32)


def _causal(width: int, window: int) -> np.ndarray:
    """Which of the tokens of a step see which: [queries, keys]."""
    seen = np.tril(np.ones((width, width), bool))
    return seen & ~np.tril(seen, -window) if window else seen


def _views(config: Config, tables: Any, make: Callable[[int, Any], Any]) -> list[Any]:
    """Of each layer, make() of its window and of its group's tables, once for those alike."""
    keys = [(config.window(layer), config.place(layer)[0]) for layer in range(config.layers)]
    made = {
        (window, group): make(window, tables[group] if config.groups else tables)
        for window, group in sorted(set(keys))
    }
    return [made[key] for key in keys]


def _logits(weights: Weights, x: Any, config: Config) -> Any:
    import jax.numpy as jnp

    # Not rounded to a narrower type of the weights, in which the largest logits would often tie.
    normed = norm(x, weights["output_norm"], config.epsilon)
    logits = jnp.matmul(normed, weights["head"], preferred_element_type=jnp.float32)
    return _capped(logits, config.logit_cap)


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
    store: Store = _nowhere,
) -> Any:
    """A token of each request: tables int32 [requests, blocks], ids and positions [requests].

    chosen: int32 [requests], the adapter of each, -1 for none; None: the weights have no adapters.
    Returns float32 logits [requests, vocabulary].
    """
    import jax.numpy as jnp

    def view(window: int, tables: Any) -> tuple[Any, Any]:
        seen, places = _view(tables, positions, keys.shape[2], window)
        ends = positions[:, None]
        known = (places if places.ndim > 1 else places[None, :]) < ends
        if window:
            known &= places > ends - window
        return seen, _bias(known)[:, None, None, :]

    views = _views(config, tables, view)

    def attend(pools: Any, layer: int, q: Any, k: Any, v: Any) -> Any:
        (seen, bias), (_, place) = views[layer], config.place(layer)
        rows = q.shape[0]
        shape = rows, -1, config.kv_heads, config.head
        past_k, past_v = (pool[place][seen].reshape(shape).astype(q.dtype) for pool in pools)
        grouped = q.reshape(rows, config.kv_heads, -1, config.head)
        wide = {"preferred_element_type": jnp.float32}
        before = jnp.einsum("bkgd,btkd->bkgt", grouped, past_k, **wide) * config.scale
        own = jnp.einsum("bkgd,bkd->bkg", grouped, k, **wide)[..., None] * config.scale
        before, own = _capped(before, config.score_cap) + bias, _capped(own, config.score_cap)
        scores = jnp.concatenate([before, own], -1)
        shares, total = _exponentials(weights, layer, scores, config, 1)
        shares = shares.astype(v.dtype)
        mixed = jnp.einsum("bkgt,btkd->bkgd", shares[..., :-1], past_v, **wide)
        mixed += shares[..., -1:].astype(jnp.float32) * v[:, :, None, :].astype(jnp.float32)
        return (mixed / total).astype(v.dtype).reshape(rows, -1)

    x = _layers(weights, ids, positions, config, attend, chosen, (keys, values), store)
    return _logits(weights, x, config)


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
    store: Store = _nowhere,
) -> Any:
    """Several tokens of each request, as drafted: ids int32 [requests, tokens] at positions
    starts, starts + 1, ...; the rest as in decode().

    Returns float32 logits [requests, tokens, vocabulary]; keys and values are those of all tokens,
    of the first request first.
    """
    import jax.numpy as jnp

    rows, width = ids.shape
    positions = (starts[:, None] + jnp.arange(width, dtype=jnp.int32)[None, :]).reshape(-1)

    def view(window: int, tables: Any) -> tuple[Any, Any]:
        seen, places = _view(tables, starts, keys.shape[2], window)
        known = (places if places.ndim > 1 else places[None, :]) < starts[:, None]
        known = jnp.broadcast_to(known[:, None, :], (rows, width, known.shape[1]))
        if window:
            oldest = positions.reshape(rows, width, 1) - window
            known &= (places[:, None, :] if places.ndim > 1 else places) > oldest
        causal = jnp.broadcast_to(_causal(width, window)[None], (rows, width, width))
        return seen, _bias(jnp.concatenate([known, causal], 2))

    views = _views(config, tables, view)

    def attend(pools: Any, layer: int, q: Any, k: Any, v: Any) -> Any:
        (seen, bias), (_, place) = views[layer], config.place(layer)
        past, own = ((rows, one, config.kv_heads, config.head) for one in (-1, width))
        all_k, all_v = (
            jnp.concatenate(
                [pool[place][seen].reshape(past).astype(new.dtype), new.reshape(own)], 1
            )
            for pool, new in zip(pools, (k, v), strict=True)
        )
        grouped = q.reshape(rows, width, config.kv_heads, -1, config.head)
        wide = {"preferred_element_type": jnp.float32}
        scores = jnp.einsum("bqkgd,btkd->bkgqt", grouped, all_k, **wide)
        scores = _capped(scores * config.scale, config.score_cap) + bias[:, None, None]
        shares, total = _exponentials(weights, layer, scores, config, 1)
        mixed = jnp.einsum("bkgqt,btkd->bkgqd", shares.astype(v.dtype), all_v, **wide)
        mixed = (mixed / total).astype(v.dtype)
        return mixed.transpose(0, 3, 1, 2, 4).reshape(rows * width, -1)

    every = None if chosen is None else jnp.repeat(chosen, width, total_repeat_length=rows * width)
    flat = ids.reshape(-1)
    x = _layers(weights, flat, positions, config, attend, every, (keys, values), store)
    return _logits(weights, x, config).reshape(rows, width, -1)


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
    store: Store = _nowhere,
    is_scored: bool = False,
) -> Any:
    """A piece of one prompt: ids int32 [tokens] at positions start, start + 1, ...

    chosen: the adapter of the request, int32 [1], as in decode().
    Returns the float32 logits behind token `last` of them, [vocabulary]; is_scored: the logits
    behind each token, [tokens, vocabulary].
    """
    import jax
    import jax.numpy as jnp

    tokens = ids.shape[0]
    positions = start + jnp.arange(tokens, dtype=jnp.int32)

    def view(window: int, table: Any) -> tuple[Any, Any]:
        seen, places = _view(table, start, keys.shape[2], window)
        known = jnp.broadcast_to(places[None, :] < start, (tokens, places.shape[0]))
        if window:
            known &= places[None, :] > positions[:, None] - window
        return seen, _bias(jnp.concatenate([known, _causal(tokens, window)], 1))

    views = _views(config, table, view)

    def attend(pools: Any, layer: int, q: Any, k: Any, v: Any) -> Any:
        (seen, bias), (_, place) = views[layer], config.place(layer)
        shape = -1, config.kv_heads, config.head
        all_k, all_v = (
            jnp.concatenate([pool[place][seen].reshape(shape).astype(new.dtype), new], 0)
            for pool, new in zip(pools, (k, v), strict=True)
        )
        grouped = q.reshape(tokens, config.kv_heads, -1, config.head)
        wide = {"preferred_element_type": jnp.float32}
        scores = jnp.einsum("qkgd,tkd->kgqt", grouped, all_k, **wide)
        scores = _capped(scores * config.scale, config.score_cap) + bias
        shares, total = _exponentials(weights, layer, scores, config, 0)
        mixed = jnp.einsum("kgqt,tkd->kgqd", shares.astype(v.dtype), all_v, **wide)
        return (mixed / total).astype(v.dtype).transpose(2, 0, 1, 3).reshape(tokens, -1)

    every = None if chosen is None else jnp.broadcast_to(chosen, (tokens,))
    x = _layers(weights, ids, positions, config, attend, every, (keys, values), store)
    if is_scored:
        return _logits(weights, x, config)
    row = jax.lax.dynamic_slice(x, (last, 0), (1, x.shape[1]))
    return _logits(weights, row, config)[0]
