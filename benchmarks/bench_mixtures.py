"""Routed mixtures of experts as plain JAX, in BF16 on one core of trn3, by time alone: the share of
their bound, the products of chosen experts at the array's full rate or the bytes of those that are
read through DMA."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from measure import MACHINE
from trainyard import model

PEAK, DMA = 128 * 128 * 2 * 2.4e9, 614.4e9  # FLOP/s of the array in BF16; bytes/s
# Hidden and inner size, experts, experts of a token.
MIXTRAL, QWEN = (4096, 14336, 8, 2), (2048, 768, 128, 8)


def router(x: Any, weights: Any, k: int) -> tuple[Any, Any]:
    import jax
    import jax.numpy as jnp

    likely = jax.nn.softmax((x @ weights).astype(jnp.float32))
    top, chosen = jax.lax.top_k(likely, k)
    return top / top.sum(-1, keepdims=True), chosen


def prefill(x: Any, weights: Any, gate: Any, up: Any, down: Any, k: int) -> Any:
    """Rows sorted by expert, and ragged products."""
    import jax
    import jax.numpy as jnp

    share, chosen = router(x, weights, k)
    order = jnp.argsort(chosen.reshape(-1))
    sizes = jnp.bincount(chosen.reshape(-1), length=weights.shape[1])
    rows = x[order // k]
    inner = jax.nn.silu(jax.lax.ragged_dot(rows, gate, sizes))
    made = jax.lax.ragged_dot(inner * jax.lax.ragged_dot(rows, up, sizes), down, sizes)
    made = made * share.reshape(-1)[order][:, None].astype(x.dtype)
    return jnp.zeros_like(x).at[order // k].add(made)


def decode(x: Any, weights: Any, gate: Any, up: Any, down: Any, k: int) -> Any:
    """The matrices of each token's experts."""
    import jax
    import jax.numpy as jnp

    share, chosen = router(x, weights, k)
    inner = jax.nn.silu(jnp.einsum("th,tkhi->tki", x, gate[chosen]))
    inner = inner * jnp.einsum("th,tkhi->tki", x, up[chosen])
    made = jnp.einsum("tki,tkih->tkh", inner, down[chosen])
    return (made * share[..., None].astype(x.dtype)).sum(1)


def bench(name: str, form: Any, tokens: int, shape: tuple[int, ...]) -> dict[str, object]:
    import jax

    hidden, inner, experts, k = shape

    def zeros(*sizes: int) -> Any:
        return jax.ShapeDtypeStruct(sizes, np.dtype(ml_dtypes.bfloat16))

    arguments = [
        zeros(tokens, hidden),
        zeros(hidden, experts),
        zeros(experts, hidden, inner),
        zeros(experts, hidden, inner),
        zeros(experts, inner, hidden),
    ]
    made = model.compile(lambda *given: form(*given, k), *arguments, machine=MACHINE)
    products = 3.0 * hidden * inner  # of one row
    read = 2 * products * min(experts, tokens * k) / DMA
    bound = max(2 * products * tokens * k / PEAK, read)
    name = f"compiled code, share of its bound: {form.__name__} of {tokens} tokens, {name}"
    return {"name": name, "value": bound / made.time().seconds, "unit": ""}


def rows() -> list[dict[str, object]]:
    mixtral, qwen = "experts as of Mixtral 8x7B", "experts as of Qwen3 30B A3B"
    return [
        bench(mixtral, decode, 1, MIXTRAL),
        bench(mixtral, decode, 4, MIXTRAL),
        bench(qwen, decode, 1, QWEN),
        bench(qwen, decode, 16, QWEN),
        bench(mixtral, prefill, 512, MIXTRAL),
        bench(qwen, prefill, 512, QWEN),
        bench(qwen, prefill, 4096, QWEN),
    ]
