"""A layer of the shape of Llama 3 8B as plain JAX, in BF16 on one core of trn3: the share of the
array's peak that the model's arithmetic reaches in simulated time (MFU; half of causal attention
counts)."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from measure import MACHINE
from trainyard import model

TOKENS, HIDDEN, HEADS, KEY_HEADS, INNER, DEPTH = 2048, 4096, 32, 8, 14336, 128
PEAK = 128 * 128 * 2 * 2.4e9  # FLOP/s of the array in BF16


def norm(x: Any, weight: Any) -> Any:
    import jax
    import jax.numpy as jnp

    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.square(wide).mean(-1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype) * weight


def rotated(x: Any, cosine: Any, sine: Any) -> Any:
    import jax.numpy as jnp

    low, high = jnp.split(x.astype(jnp.float32), 2, -1)
    cosine, sine = cosine[:, None], sine[:, None]
    both = [low * cosine - high * sine, high * cosine + low * sine]
    return jnp.concatenate(both, -1).astype(x.dtype)


def layer(x: Any, weights: dict[str, Any], cosine: Any, sine: Any) -> Any:
    import jax
    import jax.numpy as jnp

    y = norm(x, weights["attention_norm"])
    q = rotated((y @ weights["q"]).reshape(-1, HEADS, DEPTH), cosine, sine)
    k = rotated((y @ weights["k"]).reshape(-1, KEY_HEADS, DEPTH), cosine, sine)
    v = (y @ weights["v"]).reshape(-1, KEY_HEADS, DEPTH)
    q = q.reshape(-1, KEY_HEADS, HEADS // KEY_HEADS, DEPTH)
    scores = jnp.einsum("qgrd,kgd->grqk", q, k, preferred_element_type=jnp.float32)
    causal = jnp.tril(jnp.ones((len(x), len(x)), bool))
    scores = jnp.where(causal, scores * DEPTH**-0.5, -jnp.inf)
    heads = jnp.einsum("grqk,kgd->qgrd", jax.nn.softmax(scores).astype(x.dtype), v)
    x = x + heads.reshape(len(x), -1) @ weights["out"]
    y = norm(x, weights["mlp_norm"])
    return x + (jax.nn.silu(y @ weights["gate"]) * (y @ weights["up"])) @ weights["down"]


def step(g: Any, x: Any, weights: dict[str, Any], cosine: Any, sine: Any) -> Any:
    import jax

    return jax.vjp(lambda x, weights: layer(x, weights, cosine, sine), x, weights)[1](g)


def mfu(function: Any, flops: float, *arguments: Any) -> float:
    made = model.compile(function, *arguments, machine=MACHINE)
    return flops / (made.run(*arguments, timed=True, values=False).seconds * PEAK)


def rows() -> list[dict[str, object]]:
    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, ml_dtypes.bfloat16)

    of_keys = KEY_HEADS * DEPTH
    weights = {
        "attention_norm": zeros(HIDDEN),
        "q": zeros(HIDDEN, HEADS * DEPTH),
        "k": zeros(HIDDEN, of_keys),
        "v": zeros(HIDDEN, of_keys),
        "out": zeros(HEADS * DEPTH, HIDDEN),
        "mlp_norm": zeros(HIDDEN),
        "gate": zeros(HIDDEN, INNER),
        "up": zeros(HIDDEN, INNER),
        "down": zeros(INNER, HIDDEN),
    }
    angles = np.zeros((TOKENS, DEPTH // 2), np.float32)
    x = zeros(TOKENS, HIDDEN)
    products = sum(each.size for each in weights.values() if each.ndim > 1)
    flops = 2.0 * TOKENS * products + 2.0 * HEADS * DEPTH * TOKENS**2
    name = f"MFU of a layer as of Llama 3 8B, {TOKENS} tokens"
    forward = mfu(layer, flops, x, weights, angles, angles)
    both = mfu(step, 3 * flops, x, x, weights, angles, angles)
    return [
        {"name": f"{name}: forward", "value": forward, "unit": ""},
        {"name": f"{name}: forward and backward", "value": both, "unit": ""},
    ]
