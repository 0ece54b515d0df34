"""An LSTM over [T, B, H] in bfloat16, with states of zeros, as public libraries write it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

T, B, H = 128, 64, 1024


def cell(gates: Any, c: Any) -> Any:
    i, f, g, o = jnp.split(gates, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def zeros(x: Any, u: Any) -> Any:
    state = jnp.zeros((x.shape[1], u.shape[0]), x.dtype)
    return state, state


def scanned(x: Any, w: Any, u: Any, b: Any) -> Any:
    def turn(state: Any, row: Any) -> Any:
        h, c = cell(row @ w + state[0] @ u + b, state[1])
        return (h, c), h

    return jax.lax.scan(turn, zeros(x, u), x)[1]


def hoisted(x: Any, w: Any, u: Any, b: Any) -> Any:
    """The input's product before the loop."""

    def turn(state: Any, gates: Any) -> Any:
        h, c = cell(gates + state[0] @ u, state[1])
        return (h, c), h

    return jax.lax.scan(turn, zeros(x, u), x @ w + b)[1]


def four_products(x: Any, w: Any, u: Any, b: Any) -> Any:
    """A product for each gate, as flax has them."""
    ws, us, bs = (jnp.split(each, 4, -1) for each in (w, u, b))

    def turn(state: Any, row: Any) -> Any:
        gates = [
            row @ ws_ + (state[0] @ us_ + bs_) for ws_, us_, bs_ in zip(ws, us, bs, strict=True)
        ]
        h, c = cell(jnp.concatenate(gates, -1), state[1])
        return (h, c), h

    return jax.lax.scan(turn, zeros(x, u), x)[1]


def joined(x: Any, w: Any, u: Any, b: Any) -> Any:
    """One product with input and state side by side, as haiku has it."""
    both = jnp.concatenate([w, u])

    def turn(state: Any, row: Any) -> Any:
        h, c = cell(jnp.concatenate([row, state[0]], -1) @ both + b, state[1])
        return (h, c), h

    return jax.lax.scan(turn, zeros(x, u), x)[1]


def looped(x: Any, w: Any, u: Any, b: Any) -> Any:
    def turn(t: Any, state: Any) -> Any:
        h, c, out = state
        h, c = cell(x[t] @ w + h @ u + b, c)
        return h, c, out.at[t].set(h)

    out = jnp.zeros((*x.shape[:2], u.shape[0]), x.dtype)
    return jax.lax.fori_loop(0, x.shape[0], turn, (*zeros(x, u), out))[2]


CLASS = FormClass(
    name="LSTM",
    arguments=lambda b: [bf16(T, b * B, H), bf16(H, 4 * H), bf16(H, 4 * H), bf16(4 * H)],
    operations=lambda b: 2.0 * b * B * T * 2 * H * 4 * H,
    forms={
        "scan": scanned,
        "input first": hoisted,
        "a product a gate": four_products,
        "side by side": joined,
        "fori_loop": looped,
    },
    small=lambda: [bf16(4, 3, 8), bf16(8, 32), bf16(8, 32), bf16(32)],
)
