"""Products with the matrices of a layer, in plain JAX, and what may belong to one: a bias, scales
of narrow weights, adapters, a sum over devices.

A layer's weights are named "blk.LAYER.NAME".
"""

from __future__ import annotations

from typing import Any

import numpy as np

Weights = dict[str, Any]
COLUMNS = ("attn_q", "attn_k", "attn_v", "ffn_gate", "ffn_up")  # matrices that give heads or units
ROWS = ("attn_output", "ffn_down")  # matrices that take them
OWNERS = "lora_owners"  # of weights: the adapter of each column of the low-rank matrices
FP8_MAX = 240.0  # of float8_e4m3


def named(weights: Weights, layer: int, name: str) -> Any:
    """A weight of a layer."""
    return weights[f"blk.{layer}.{name}"]


def found(weights: Weights, layer: int, name: str) -> Any:
    """A weight that not every family has, or None."""
    return weights.get(f"blk.{layer}.{name}")


def owned(weights: Weights, chosen: Any, dtype: Any) -> Any:
    """1 where a column of the adapters' products is of a token's adapter: [tokens, columns]."""
    return (weights[OWNERS][None, :] == chosen[:, None]).astype(dtype)


def product(weights: Weights, layer: int, owned: Any, name: str, x: Any, axis: str = "") -> Any:
    """x times a matrix of a layer, and what the adapter of each token adds to it. axis: of devices
    that have some columns of x each where that is what the matrix takes (ROWS).

    The low-rank matrices of all adapters lie side by side: one product computes those of every
    adapter, of which each token keeps its own. Tokens of any adapters share a step.
    """
    import jax

    matrix, axis = named(weights, layer, name), axis if name in ROWS else ""
    scale, bias = (found(weights, layer, f"{name}_{what}") for what in ("scale", "bias"))
    if scale is None:
        whole = x @ matrix
    else:
        narrow, own = rounded(x, axis)
        whole = wide_product(narrow, matrix) * own * scale
    whole = jax.lax.psum(whole, axis) if axis else whole
    whole = whole.astype(x.dtype) if bias is None else whole.astype(x.dtype) + bias
    down = weights.get(f"blk.{layer}.{name}.lora_a")
    if owned is None or down is None:
        return whole
    return whole + ((x @ down) * owned) @ named(weights, layer, f"{name}.lora_b")


def rounded(x: Any, axis: str = "") -> tuple[Any, Any]:
    """(x [rows, columns] in FP8, the float32 scale of each row [rows, 1]), by which the row's
    largest number is FP8's. axis: of devices that have other columns of the same rows."""
    import jax
    import jax.numpy as jnp

    top = jnp.abs(x).max(-1, keepdims=True).astype(jnp.float32)
    top = jax.lax.pmax(top, axis) if axis else top
    scale = jnp.where(top > 0, top / FP8_MAX, 1)
    return (x / scale.astype(x.dtype)).astype(jnp.float8_e4m3), scale


def wide_product(x: Any, matrix: Any) -> Any:
    """In float32."""
    import jax
    import jax.numpy as jnp

    inner = ((x.ndim - 1,), (0,)), ((), ())
    return jax.lax.dot_general(x, matrix, inner, preferred_element_type=jnp.float32)


def in_fp8(weights: Weights) -> Weights:
    """The same with float8_e4m3 matrices of layers, [(experts,) rows, columns], and the float32
    scale of each column, by which its largest weight is FP8's. Products round what they multiply
    with, too, each row by a scale of its own, as vLLM's dynamic FP8 does."""
    import ml_dtypes

    made = dict(weights)
    for name, value in weights.items():
        if name.rpartition(".")[2] not in (*COLUMNS, *ROWS):
            continue
        wide = np.asarray(value, np.float32)
        scale = np.abs(wide).max(-2, keepdims=True) / FP8_MAX
        scale = np.where(scale > 0, scale, 1).astype(np.float32)
        made[name] = (wide / scale).astype(ml_dtypes.float8_e4m3)
        made[f"{name}_scale"] = scale.squeeze(-2)
    return made
