"""A depthwise causal convolution of four taps, as Mamba has it: x [B, T, C], taps [4, C]."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

T, C, TAPS = 2048, 4096, 4


def grouped(x: Any, w: Any) -> Any:
    return jax.lax.conv_general_dilated(
        x,
        w[:, None],
        (1,),
        [(w.shape[0] - 1, 0)],
        dimension_numbers=("NWC", "WIO", "NWC"),
        feature_group_count=x.shape[-1],
    )


def channels_first(x: Any, w: Any) -> Any:
    y = jax.lax.conv_general_dilated(
        x.swapaxes(1, 2),
        w.T[:, None],
        (1,),
        [(w.shape[0] - 1, 0)],
        dimension_numbers=("NCW", "OIW", "NCW"),
        feature_group_count=x.shape[-1],
    )
    return y.swapaxes(1, 2)


def shifted(x: Any, w: Any) -> Any:
    padded = jnp.pad(x, ((0, 0), (w.shape[0] - 1, 0), (0, 0)))
    return sum(padded[:, i : i + x.shape[1]] * w[i] for i in range(w.shape[0]))


def stacked(x: Any, w: Any) -> Any:
    padded = jnp.pad(x, ((0, 0), (w.shape[0] - 1, 0), (0, 0)))
    taps = jnp.stack([padded[:, i : i + x.shape[1]] for i in range(w.shape[0])], axis=2)
    return jnp.einsum("btkc,kc->btc", taps, w)


def mapped(x: Any, w: Any) -> Any:
    return jax.vmap(lambda one: shifted(one[None], w)[0])(x)


CLASS = FormClass(
    name="causal convolution",
    arguments=lambda b: [bf16(b, T, C), bf16(TAPS, C)],
    operations=lambda b: 0.0,
    forms={
        "grouped": grouped,
        "channels first": channels_first,
        "shifted": shifted,
        "stacked": stacked,
        "vmap": mapped,
    },
    differentiated=2,
    small=lambda: [bf16(2, 12, 8), bf16(4, 8)],
)
