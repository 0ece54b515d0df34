"""Two experts of eight: x [B, T, H], router [H, E], gate and up [E, H, F], down [E, F, H]."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

T, H, F, E, TOP = 1024, 1024, 2048, 8, 2


def routed(x: Any, router: Any) -> tuple[Any, Any]:
    scores = jax.nn.softmax((x @ router).astype(jnp.float32), -1)
    weights, chosen = jax.lax.top_k(scores, TOP)
    return weights / weights.sum(-1, keepdims=True), chosen


def mlp(x: Any, gate: Any, up: Any, down: Any) -> Any:
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def all_experts(x: Any, router: Any, gate: Any, up: Any, down: Any) -> Any:
    """Every expert computes every token, weighted by one-hot choices."""
    weights, chosen = routed(x, router)
    share = (jax.nn.one_hot(chosen, gate.shape[0]) * weights[..., None]).sum(-2).astype(x.dtype)
    h = jax.nn.silu(jnp.einsum("bth,ehf->betf", x, gate)) * jnp.einsum("bth,ehf->betf", x, up)
    return jnp.einsum("betf,efh,bte->bth", h, down, share)


def loop(x: Any, router: Any, gate: Any, up: Any, down: Any) -> Any:
    """A loop over the experts, as Hugging Face's modules have it, every token in each."""
    weights, chosen = routed(x, router)
    out = jnp.zeros_like(x)
    for e in range(gate.shape[0]):
        share = jnp.where(chosen == e, weights, 0.0).sum(-1, keepdims=True).astype(x.dtype)
        out = out + mlp(x, gate[e], up[e], down[e]) * share
    return out


def sorted_ragged(x: Any, router: Any, gate: Any, up: Any, down: Any) -> Any:
    """Tokens sorted by expert, products in groups (ragged_dot)."""
    weights, chosen = routed(x, router)
    rows = x.reshape(-1, x.shape[-1])
    order = jnp.argsort(chosen.reshape(-1))
    token = order // TOP
    sizes = jnp.bincount(chosen.reshape(-1), length=gate.shape[0]).astype(jnp.int32)
    some = rows[token]
    h = jax.nn.silu(jax.lax.ragged_dot(some, gate, sizes)) * jax.lax.ragged_dot(some, up, sizes)
    out = jax.lax.ragged_dot(h, down, sizes) * weights.reshape(-1)[order][:, None].astype(x.dtype)
    return jnp.zeros_like(rows).at[token].add(out).reshape(x.shape)


def capacity(x: Any, router: Any, gate: Any, up: Any, down: Any) -> Any:
    """Dispatch and combine tensors of a capacity that no expert exceeds here (GShard)."""
    weights, chosen = routed(x, router)
    rows, experts = x.reshape(-1, x.shape[-1]), gate.shape[0]
    flat = chosen.reshape(-1)
    places = jnp.cumsum(jax.nn.one_hot(flat, experts, dtype=jnp.int32), 0) - 1
    place = jnp.take_along_axis(places, flat[:, None], 1)[:, 0]
    room = rows.shape[0] * TOP // experts * 2
    kept = (place < room)[:, None, None]
    mask = jax.nn.one_hot(flat, experts)[:, :, None] * jax.nn.one_hot(place, room)[:, None] * kept
    mask = mask.reshape(rows.shape[0], TOP, experts, room)
    dispatch = mask.sum(1).astype(x.dtype)
    combine = (mask * weights.reshape(-1, TOP)[..., None, None]).sum(1).astype(x.dtype)
    inside = jnp.einsum("nec,nh->ech", dispatch, rows)
    out = jax.vmap(mlp)(inside, gate, up, down)
    return jnp.einsum("nec,ech->nh", combine, out).reshape(x.shape)


CLASS = FormClass(
    name="experts",
    arguments=lambda b: [
        bf16(b, T, H),
        bf16(H, E),
        bf16(E, H, F),
        bf16(E, H, F),
        bf16(E, F, H),
    ],
    operations=lambda b: 6.0 * b * T * TOP * H * F,
    forms={
        "all experts": all_experts,
        "loop": loop,
        "sort, ragged_dot": sorted_ragged,
        "capacity": capacity,
    },
    differentiated=5,
)
