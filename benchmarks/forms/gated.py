"""A gated MLP: x [B, T, H], gate and up [H, F], down [F, H] in bfloat16."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

T, H, F = 1024, 2048, 5632


def plain(x: Any, gate: Any, up: Any, down: Any) -> Any:
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def einsum(x: Any, gate: Any, up: Any, down: Any) -> Any:
    h = jnp.einsum("bth,hf->btf", x, gate)
    return jnp.einsum("btf,fh->bth", h * jax.nn.sigmoid(h) * jnp.einsum("bth,hf->btf", x, up), down)


def flat(x: Any, gate: Any, up: Any, down: Any) -> Any:
    """Rows as one dimension, as torch.nn.functional.linear has them."""
    rows = x.reshape(-1, x.shape[-1])
    h = jax.nn.silu(jnp.matmul(rows, gate)) * jnp.matmul(rows, up)
    return jnp.matmul(h, down).reshape(x.shape)


def transposed(x: Any, gate: Any, up: Any, down: Any) -> Any:
    """Products as jnp.dot of turned operands."""
    h = jax.nn.silu(jnp.matmul(gate.T, x.swapaxes(1, 2))) * jnp.matmul(up.T, x.swapaxes(1, 2))
    return jnp.matmul(down.T, h).swapaxes(1, 2)


def mapped(x: Any, gate: Any, up: Any, down: Any) -> Any:
    return jax.vmap(lambda x: plain(x, gate, up, down))(x)


def written_out(x: Any, gate: Any, up: Any, down: Any) -> Any:
    h = (x @ gate).astype(jnp.float32)
    return ((h / (1 + jnp.exp(-h))).astype(x.dtype) * (x @ up)) @ down


CLASS = FormClass(
    name="gated MLP",
    arguments=lambda b: [bf16(b, T, H), bf16(H, F), bf16(H, F), bf16(F, H)],
    operations=lambda b: 6.0 * b * T * H * F,
    forms={
        "plain": plain,
        "einsum": einsum,
        "flat rows": flat,
        "transposed": transposed,
        "vmap": mapped,
        "silu written out": written_out,
    },
    differentiated=4,
    small=lambda: [bf16(2, 8, 32), bf16(32, 48), bf16(32, 48), bf16(48, 32)],
)
