"""The attention block of a layer as plain JAX functions, with gradients."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

from trainyard.planner.blocks import ROWS, Attention


def product(x: Any, weights: Any) -> Any:
    """x @ weights, in the format of the weights."""
    import jax.numpy as jnp

    return jnp.matmul(x.astype(weights.dtype), weights, preferred_element_type=x.dtype)


def _rotated(x: Any, cosines: Any, sines: Any) -> Any:
    """x: [rows, heads, width]; halves of a head turn together."""
    import jax
    import jax.numpy as jnp

    with jax.named_scope("rotation"):
        a, b = jnp.split(x, 2, -1)
        c, s = cosines[:, None], sines[:, None]
        return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


def attend(block: Attention, q: Any, k: Any, v: Any) -> Any:
    """q: [rows, keys, queries, head], k and v: [past + rows, keys, width]. By blocks of queries.

    The sums of exponents divide the results, not the shares; only keys of the block itself, or at
    the ends of a window, are masked. Gradients compute the scores again.
    """
    import jax

    function = jax.custom_vjp(lambda *all: _attended(block, block.step, *all)[0])
    function.defvjp(partial(_kept, block), partial(_attention_gradients, block))
    with jax.named_scope("scores"):
        q = q * q.shape[-1] ** -0.5
    return function(q, k, v)


def _kept(block: Attention, q: Any, k: Any, v: Any) -> tuple[Any, tuple[Any, ...]]:
    result, logs = _attended(block, ROWS, q, k, v)
    return result, (q, k, v, result, logs)


def _attended(block: Attention, step: int, q: Any, k: Any, v: Any) -> tuple[Any, list[Any]]:
    """The results, and the logarithms of the sums of exponents, by blocks of queries."""
    import jax
    import jax.numpy as jnp

    results, logs = [], []
    for first, last in _blocks(block, step):
        spans = _spans(block, first, last)
        scores = [_scores(q[first:last], k, *span) for span in spans]
        with jax.named_scope("softmax"):
            highest = [jnp.max(one, -1, keepdims=True) for one in scores]
            most = jnp.maximum(*highest) if len(highest) > 1 else highest[0]
            shares = [jnp.exp(one - most) for one in scores]
            sums = sum(jnp.sum(one, -1, keepdims=True) for one in shares)
            logs.append(most + jnp.log(sums) if block.backward else None)
            shares = [one.astype(v.dtype) for one in shares]
        with jax.named_scope("weighted values"):
            how = {"preferred_element_type": jnp.float32}
            pairs = zip(shares, spans, strict=True)
            mixed = sum(
                jnp.einsum("kgts,skd->tkgd", one, v[a:b], **how) for one, (a, b, _) in pairs
            )
            results.append((mixed / jnp.transpose(sums, (2, 0, 1, 3))).astype(v.dtype))
    return _joined(results), logs


def _attention_gradients(block: Attention, kept: tuple[Any, ...], given: Any) -> tuple[Any, ...]:
    """Of queries, keys and values: by pairs of a block of queries and one of keys."""
    import jax
    import jax.numpy as jnp

    q, k, v, result, logs = kept
    how = {"preferred_element_type": jnp.float32}
    of_queries: list[Any] = []
    of_keys: dict[int, Any] = {}
    of_values: dict[int, Any] = {}
    for (first, last), log in zip(_blocks(block, ROWS), logs, strict=True):
        behind, queries, mine = given[first:last], q[first:last], None
        with jax.named_scope("softmax"):
            moved = (behind * result[first:last]).astype(jnp.float32)
            moved = jnp.transpose(jnp.sum(moved, -1, keepdims=True), (1, 2, 0, 3))
        for begin, end, mask in _cells(block, first, last):
            with jax.named_scope("softmax"):
                shares = jnp.exp(_scores(queries, k, begin, end, mask) - log)
            with jax.named_scope("weighted values"):
                change = jnp.einsum("tkgd,skd->kgts", behind, v[begin:end], **how)
                value = jnp.einsum("kgts,tkgd->skd", shares.astype(v.dtype), behind, **how)
            with jax.named_scope("softmax"):
                change = (shares * (change - moved)).astype(v.dtype)
            with jax.named_scope("scores"):
                query = jnp.einsum("kgts,skd->tkgd", change, k[begin:end], **how)
                key = jnp.einsum("kgts,tkgd->skd", change, queries, **how)
                mine = query if mine is None else mine + query
                of_keys[begin] = of_keys[begin] + key if begin in of_keys else key
            with jax.named_scope("weighted values"):
                of_values[begin] = of_values[begin] + value if begin in of_values else value
        of_queries.append(mine)
    before = min(of_keys)  # what no query sees stays as it is
    parts = (of_queries, *([of[at] for at in sorted(of)] for of in (of_keys, of_values)))
    q_, k_, v_ = (_joined(part).astype(v.dtype) for part in parts)
    if before:
        k_, v_ = (jnp.pad(one, ((before, 0), (0, 0), (0, 0))) for one in (k_, v_))
    return q_, k_, v_


def _joined(parts: list[Any]) -> Any:
    import jax.numpy as jnp

    return jnp.concatenate(parts) if len(parts) > 1 else parts[0]


def _scores(queries: Any, k: Any, begin: int, end: int, mask: Any) -> Any:
    """float32 [keys, queries, rows, end - begin]."""
    import jax
    import jax.numpy as jnp

    with jax.named_scope("scores"):
        how = {"preferred_element_type": jnp.float32}
        scores = jnp.einsum("tkgd,skd->kgts", queries, k[begin:end], **how)
    with jax.named_scope("mask"):
        return scores if mask is None else jnp.where(mask, scores, -1e30)


def _blocks(block: Attention, step: int) -> list[tuple[int, int]]:
    return [(at, min(at + step, block.rows)) for at in range(0, block.rows, step)]


# Keys from the first to the last one, and which of them each row sees; None: all.
Span: TypeAlias = tuple[int, int, Any]


def _spans(block: Attention, first: int, last: int) -> list[Span]:
    """The keys that rows see."""
    if not block.causal:
        return [(0, block.past + block.rows, None)]
    start, end = block.past + first, block.past + last
    if block.window:
        begin = max(0, (start - block.window + 1) // 128 * 128)
        return [(begin, end, _mask(block, first, last, begin, end))]
    itself = (start, end, _mask(block, first, last, start, end))
    return [(0, start, None), itself] if start else [itself]


def _cells(block: Attention, first: int, last: int) -> list[Span]:
    """Likewise, by blocks of keys that are the same for all rows."""
    whole = block.past + block.rows
    lines = [0, *range(block.past % ROWS or ROWS, whole, ROWS), whole]
    cells = [(a, b, _mask(block, first, last, a, b)) for a, b in pairwise(lines)]
    return [
        (a, b, None if mask is None or mask.all() else mask)
        for a, b, mask in cells
        if mask is None or mask.any()
    ]


def _mask(block: Attention, first: int, last: int, begin: int, end: int) -> Any:
    """[rows, keys]: which keys each row sees."""
    import numpy as np

    if not block.causal:
        return None
    at = np.arange(block.past + first, block.past + last)[:, None]
    seen = np.arange(begin, end)[None]
    return (seen <= at) & (at - seen < (block.window or block.past + block.rows + 1))


def attention(block: Attention, weights: dict[str, Any], x: Any, *rest: Any) -> Any:
    """x: [rows, hidden]; rest: cosines, sines [rows, head / 2], then keys and values before."""
    import jax
    import jax.numpy as jnp

    rows, keys = block.rows, block.keys
    with jax.named_scope("projections"):
        both = product(x, weights["qkv"]).reshape(rows, -1, block.head)
        q, k, v = jnp.split(both, [block.queries * keys, (block.queries + 1) * keys], 1)
    angles, before = rest[: 2 * block.rotary], rest[2 * block.rotary :]
    if block.rotary:
        q, k = _rotated(q, *angles), _rotated(k, *angles)
    if before:
        k, v = (jnp.concatenate(both) for both in zip(before, (k, v), strict=True))
    mixed = attend(block, q.reshape(rows, keys, -1, block.head), k, v)
    with jax.named_scope("projections"):
        return product(mixed.reshape(rows, -1), weights["out"])


def latent_attention(block: Attention, weights: dict[str, Any], x: Any, *rest: Any) -> Any:
    """Likewise; the vectors that keys and values are made from come before, if any."""
    import jax
    import jax.numpy as jnp

    of, rows, heads = block.latent, block.rows, block.keys
    assert of is not None
    with jax.named_scope("projections"):
        from_x = product(x, weights["q_down"]) if of.q_rank else x
        q = product(from_x, weights["q"]).reshape(rows, heads, -1)
        small = product(x, weights["kv_down"])
    angles, before = rest[:2], rest[2:]
    turned = _rotated(q[..., of.nope :], *angles)
    q = jnp.concatenate([q[..., : of.nope], turned], -1)
    one = _rotated(small[:, None, of.rank :], *angles)
    small = jnp.concatenate([small[:, : of.rank], one[:, 0]], -1)
    if before:
        small = jnp.concatenate([before[0], small])
    with jax.named_scope("projections"):
        both = product(small[:, : of.rank], weights["kv"]).reshape(-1, heads, of.nope + of.values)
        turning = jnp.broadcast_to(small[:, None, of.rank :], (*both.shape[:2], of.rope))
        k = jnp.concatenate([both[..., : of.nope], turning], -1)
    mixed = attend(block, q[:, :, None], k, both[..., of.nope :])
    with jax.named_scope("projections"):
        return product(mixed.reshape(rows, -1), weights["out"])


def attention_program(block: Attention, narrow: Any) -> tuple[Any, Any, Any]:
    import jax.numpy as jnp

    wide, rows, hidden = jnp.bfloat16, block.rows, block.hidden
    given = [((rows, hidden), wide)]
    if (of := block.latent) is not None:
        heads = block.keys
        weights = {
            "q": ((of.q_rank or hidden, heads * (of.nope + of.rope)), narrow),
            "kv_down": ((hidden, of.rank + of.rope), narrow),
            "kv": ((of.rank, heads * (of.nope + of.values)), narrow),
            "out": ((heads * of.values, hidden), narrow),
        }
        if of.q_rank:
            weights["q_down"] = ((hidden, of.q_rank), narrow)
        given += [((rows, of.rope // 2), wide)] * 2
        if block.past:
            given.append(((block.past, of.rank + of.rope), wide))
        return partial(latent_attention, block), weights, given
    wide_q, wide_k = block.head * block.queries * block.keys, block.head * block.keys
    weights = {
        "qkv": ((hidden, wide_q + 2 * wide_k), narrow),
        "out": ((wide_q, hidden), narrow),
    }
    if block.rotary:
        given += [((rows, block.head // 2), wide)] * 2
    if block.past:
        given += [((block.past, block.keys, block.head), wide)] * 2
    return partial(attention, block), weights, given
