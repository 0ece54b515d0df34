"""Blocks of a layer as plain JAX functions, from their records (src/planner/blocks.h): forward, or
forward with gradients (jax.vjp). Nothing here is written for the machine, and no shape is decided
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

FORMATS = {"bf16": "bfloat16", "fp8": "float8_e4m3"}
SCOPES = (
    "projections",
    "rotation",
    "scores",
    "mask",
    "softmax",
    "weighted values",
    "products",
    "gate",
    "router",
    "dispatch",
    "combine",
    "norm",
    "residual",
)

# Shapes of arguments: (sizes, dtype), or a dictionary of them.
Shapes: TypeAlias = Any
Weights: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Block:
    """The record of a block, one core's share; matrices: (name, depth, width)."""

    kind: str
    rows: int
    hidden: int
    matrices: tuple[tuple[str, int, int], ...] = ()
    format: str = "bf16"
    backward: bool = False
    # Attention. Rows of one sequence, behind `past` others; or, with a context, `together` rows
    # are the last ones of a sequence, and see so many keys of its cache.
    heads: int = 0
    keys: int = 0
    head: int = 0
    past: int = 0
    window: int = 0
    context: int = 0
    together: int = 1
    cache: str = "bf16"
    rotary: bool = True
    rank: int = 0  # of latent attention
    nope: int = 0
    rope: int = 0
    values: int = 0
    # Experts of a layer, for a token, of the core, and rows of each.
    experts: int = 0
    chosen: int = 0
    local: int = 0
    capacity: int = 0
    every: bool = False
    # Norms.
    centred: bool = False

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Block:
        """From a trainyard.layers document."""
        matrices = tuple(tuple(one) for one in record["matrices"])
        return cls(**{**record, "matrices": matrices})


def program(block: Block) -> tuple[Callable[..., Any], list[Shapes]]:
    """The block's function, and the shapes and types of its arguments.

    Weights first, then the rows; with gradients, those of the results come last, and the results
    are gradients of weights and rows.
    """
    import jax.numpy as jnp

    wide, narrow = jnp.bfloat16, getattr(jnp, FORMATS[block.format])
    function, behind = KINDS[block.kind]
    weights: dict[str, Shapes] = {
        name: ((depth, width), narrow) for name, depth, width in block.matrices
    }
    if block.kind == "experts":
        each = {name: ((block.local, *sizes), narrow) for name, (sizes, _) in weights.items()}
        weights = each | {"router": (weights["router"][0], wide)}
    if block.kind == "norm":
        weights = {name: ((block.hidden,), wide) for name in ("gain", "shift")[: 1 + block.centred]}
    rows = ((block.rows, block.hidden), wide)
    given = [rows, *behind(block)]
    if not block.backward:
        return partial(function, block), [weights, *given]
    results = [rows] * (2 if block.kind == "norm" else 1)
    whole = partial(gradients, partial(function, block), len(results))
    return whole, [weights, *given, *results]


def filled(shapes: Shapes, make: Callable[..., Any]) -> Any:
    """make(sizes, dtype) for each."""
    if isinstance(shapes, dict):
        return {name: filled(one, make) for name, one in shapes.items()}
    if isinstance(shapes, list):
        return [filled(one, make) for one in shapes]
    return make(*shapes)


def gradients(function: Callable[..., Any], results: int, weights: Any, *given: Any) -> Any:
    """Those of the weights and of the first argument: forward, then backward.

    given: the function's arguments, then the gradients of its results.
    """
    import jax

    x, *constant = given[:-results]
    behind = given[-results:]
    pull = jax.vjp(lambda weights, x: function(weights, x, *constant), weights, x)[1]
    return pull(behind if results > 1 else behind[0])


def product(x: Any, weights: Any) -> Any:
    """x @ weights, in the format of the weights."""
    import jax.numpy as jnp

    return jnp.matmul(x.astype(weights.dtype), weights, preferred_element_type=x.dtype)


def _behind_attention(block: Block) -> list[Shapes]:
    """Cosines and sines of the rows, and what their keys and values are behind."""
    import jax.numpy as jnp

    wide, narrow = jnp.bfloat16, getattr(jnp, FORMATS[block.cache])
    turned = block.rope if block.rank else block.head * block.rotary
    given: list[Shapes] = [((block.rows, turned // 2), wide)] * 2 if turned else []
    keys, context, sequences = block.keys, block.context, block.rows // block.together
    if block.rank:
        width = block.rank + block.rope
        if context:  # keys are columns
            given.append(((sequences, width, context), narrow))
        elif block.past:
            given.append(((block.past, width), wide))
    elif context:
        given.append(((sequences, keys, block.head, context), narrow))
        given.append(((sequences, keys, context, block.head), narrow))
    elif block.past:
        given += [((block.past, keys, block.head), wide)] * 2
    return given


def attention(block: Block, weights: Weights, x: Any, *rest: Any) -> Any:
    """x: [rows, hidden]. Projections, rotation, attention, the output projection.

    A step returns the keys and values of its rows, too.
    """
    import jax
    import jax.numpy as jnp

    if block.rank:
        return latent_attention(block, weights, x, *rest)
    rows, keys = block.rows, block.keys
    with jax.named_scope("projections"):
        both = product(x, weights["qkv"]).reshape(rows, -1, block.head)
        q, k, v = jnp.split(both, [block.heads, block.heads + keys], 1)
    angles, before = rest[: 2 * block.rotary], rest[2 * block.rotary :]
    if block.rotary:
        q, k = _rotated(q, *angles), _rotated(k, *angles)
    new = (k, v) if block.context else ()
    if block.past:
        k, v = (jnp.concatenate(both) for both in zip(before, (k, v), strict=True))
    elif block.context:
        k, v = before
    mixed = attend(block, q.reshape(rows, keys, -1, block.head), k, v)
    with jax.named_scope("projections"):
        result = product(mixed.reshape(rows, -1), weights["out"])
    return (result, *new) if new else result


def latent_attention(block: Block, weights: Weights, x: Any, *rest: Any) -> Any:
    """Likewise; what lies before are the vectors that keys and values are made from.

    A step multiplies its queries and results instead of the vectors, of which there are more.
    """
    import jax
    import jax.numpy as jnp

    rows, heads, rank = block.rows, block.heads, block.rank
    with jax.named_scope("projections"):
        from_x = product(x, weights["q_down"]) if "q_down" in weights else x
        q = product(from_x, weights["q"]).reshape(rows, heads, -1)
        small = product(x, weights["kv_down"])
    angles, before = rest[:2], rest[2:]
    turned = _rotated(q[..., block.nope :], *angles)
    one = _rotated(small[:, None, rank:], *angles)
    small = jnp.concatenate([small[:, :rank], one[:, 0]], -1)
    if block.context:
        up = weights["kv"].reshape(rank, heads, -1)
        with jax.named_scope("projections"):
            q = jnp.einsum(
                "thn,rhn->thr",
                q[..., : block.nope].astype(up.dtype),
                up[..., : block.nope],
                preferred_element_type=x.dtype,
            )
        q = jnp.concatenate([q, turned], -1)
        (kept,) = before
        mixed = attend(
            block, q[:, None], kept[:, None], jnp.swapaxes(kept[:, :rank], 1, 2)[:, None]
        )[:, 0]
        with jax.named_scope("projections"):
            mixed = jnp.einsum(
                "thr,rhv->thv",
                mixed.astype(up.dtype),
                up[..., block.nope :],
                preferred_element_type=x.dtype,
            )
            return product(mixed.reshape(rows, -1), weights["out"]), small
    q = jnp.concatenate([q[..., : block.nope], turned], -1)
    if before:
        small = jnp.concatenate([before[0], small])
    with jax.named_scope("projections"):
        both = product(small[:, :rank], weights["kv"])
        both = both.reshape(-1, heads, block.nope + block.values)
        turning = jnp.broadcast_to(small[:, None, rank:], (*both.shape[:2], block.rope))
        k = jnp.concatenate([both[..., : block.nope], turning], -1)
    mixed = attend(block, q[:, :, None], k, both[..., block.nope :])
    with jax.named_scope("projections"):
        return product(mixed.reshape(rows, -1), weights["out"])


def attend(block: Block, q: Any, k: Any, v: Any) -> Any:
    """q: [rows, keys, queries, head]; k and v: [past + rows, keys, width], or in a cache
    [sequences, keys, head, context] and [sequences, keys, context, width]."""
    import jax
    import jax.numpy as jnp

    scores_of, values_of = "tkgd,skd->kgts", "kgts,skd->tkgd"
    if block.context:
        scores_of, values_of = "bjkgd,bkds->bjkgs", "bjkgs,bksd->bjkgd"
        q = q.reshape(-1, block.together, *q.shape[1:])
    how, wide = {"preferred_element_type": jnp.float32}, q.dtype
    width = block.nope + block.rope if block.rank else block.head
    with jax.named_scope("scores"):
        scores = jnp.einsum(scores_of, q * width**-0.5, k.astype(wide), **how)
    if not block.context:
        with jax.named_scope("mask"):
            scores = jnp.where(_mask(block), scores, -1e30)
    with jax.named_scope("softmax"):
        shares = jax.nn.softmax(scores, -1).astype(wide)
    with jax.named_scope("weighted values"):
        mixed = jnp.einsum(values_of, shares, v.astype(wide), **how).astype(wide)
        return mixed.reshape(-1, *mixed.shape[-3:])


def _mask(block: Block) -> Any:
    """[rows, past + rows]: which keys each row sees."""
    import jax.numpy as jnp

    at = jnp.arange(block.past, block.past + block.rows)[:, None]
    seen = jnp.arange(block.past + block.rows)[None]
    before = seen <= at
    return before & (at - seen < block.window) if block.window else before


def _rotated(x: Any, cosines: Any, sines: Any) -> Any:
    """x: [rows, heads, width]; halves of a head turn together."""
    import jax
    import jax.numpy as jnp

    with jax.named_scope("rotation"):
        a, b = jnp.split(x, 2, -1)
        c, s = cosines[:, None], sines[:, None]
        return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


def feed_forward(_: Block, weights: Weights, x: Any) -> Any:
    """x: [rows, hidden]."""
    return _inner(weights, x, product)


def _inner(weights: Weights, x: Any, multiply: Callable[[Any, Any], Any]) -> Any:
    """SwiGLU where there is a gate, else gelu."""
    import jax

    with jax.named_scope("products"):
        up = multiply(x, weights["up"])
        gate = multiply(x, weights["gate"]) if "gate" in weights else None
    with jax.named_scope("gate"):
        inner = jax.nn.gelu(up) if gate is None else jax.nn.silu(gate) * up
    with jax.named_scope("products"):
        return multiply(inner, weights["down"])


def residual_norm(_: Block, weights: Weights, x: Any, sums: Any) -> tuple[Any, Any]:
    """x and sums: [rows, hidden]. Their sum, and its RMSNorm or, with a shift, LayerNorm."""
    import jax
    import jax.numpy as jnp

    with jax.named_scope("residual"):
        x = x + sums
    with jax.named_scope("norm"):
        wide = x.astype(jnp.float32)
        if "shift" in weights:
            wide = wide - jnp.mean(wide, -1, keepdims=True)
        scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
        scaled = (wide * scale).astype(x.dtype) * weights["gain"]
        return x, scaled + weights["shift"] if "shift" in weights else scaled


def route(block: Block, weights: Any, x: Any) -> tuple[Any, Any]:
    """The chosen experts of each row: [rows, experts] one-hot and summed, and with their weights.

    The largest scores one after the other: of few chosen ones, that is shorter than a sort.
    """
    import jax
    import jax.numpy as jnp

    with jax.named_scope("router"):
        left = jnp.matmul(x, weights, preferred_element_type=jnp.float32)
        scores = jnp.exp(left - jnp.max(left, -1, keepdims=True))
        chosen = jnp.zeros_like(left)
        for _ in range(block.chosen):
            best = (left == jnp.max(left, -1, keepdims=True)).astype(jnp.float32)
            chosen = chosen + best
            left = left - best * 1e30
        shares = scores * chosen
        return chosen, shares / jnp.sum(shares, -1, keepdims=True)


def _expert_products(weights: Weights, x: Any, wide: Any) -> Any:
    """x: [experts, rows, hidden]; wide: the type of the results."""
    import jax.numpy as jnp

    def each(a: Any, b: Any) -> Any:
        return jnp.einsum("etn,enm->etm", a.astype(b.dtype), b, preferred_element_type=wide)

    return _inner(weights, x, each)


def experts(block: Block, weights: Weights, x: Any) -> Any:
    """x: [rows, hidden]. What the core's experts add to each row."""
    import jax
    import jax.numpy as jnp

    rows, hidden, local = block.rows, block.hidden, block.local
    chosen, shares = route(block, weights["router"], x)
    chosen, shares = chosen[:, :local], shares[:, :local]
    if block.every:
        narrow = x.astype(weights["up"].dtype)  # once, not for each expert
        results = _expert_products(
            weights, jnp.broadcast_to(narrow, (local, rows, hidden)), x.dtype
        )
        total = None
        for one in range(local):
            with jax.named_scope("combine"):
                added = results[one] * shares[:, one, None].astype(x.dtype)
                total = added if total is None else total + added
        return total
    places = local * block.capacity
    with jax.named_scope("dispatch"):
        order = _before(chosen)
        first = jnp.arange(local, dtype=jnp.float32) * block.capacity
        stays = (chosen > 0) & (order < block.capacity)
        place = jnp.where(stays, order + first, places).astype(jnp.int32)
        # One more than the row, so that nothing is left where no token goes.
        row = jnp.broadcast_to(jnp.arange(1, rows + 1, dtype=jnp.int32)[:, None], (rows, local))
        found = jnp.zeros(places + 1, jnp.int32).at[place].set(row)[:places]
        rows_of_places = jnp.maximum(found - 1, 0)
        expert = jnp.arange(places, dtype=jnp.int32) // block.capacity
        shares_of_places = shares.reshape(-1)[rows_of_places * local + expert]
        weights_of_places = jnp.where(found > 0, shares_of_places, 0)
        taken = x[rows_of_places].reshape(local, block.capacity, hidden)
    results = _expert_products(weights, taken, x.dtype).reshape(places, hidden)
    with jax.named_scope("combine"):
        results = results * weights_of_places[:, None].astype(x.dtype)
        return jnp.zeros_like(x).at[rows_of_places].add(results)


def _before(chosen: Any) -> Any:
    """chosen: [rows, experts] of 0 and 1. How many rows before chose the expert."""
    import jax.numpy as jnp

    return jnp.cumsum(chosen, 0) - chosen


def _none(_: Block) -> list[Shapes]:
    return []


def _sums(block: Block) -> list[Shapes]:
    import jax.numpy as jnp

    return [((block.rows, block.hidden), jnp.bfloat16)]


# The function of a kind of block, and the shapes of its arguments behind weights and rows.
KINDS: dict[str, tuple[Callable[..., Any], Callable[[Block], list[Shapes]]]] = {
    "attention": (attention, _behind_attention),
    "feed_forward": (feed_forward, _none),
    "experts": (experts, _none),
    "norm": (residual_norm, _sums),
}
