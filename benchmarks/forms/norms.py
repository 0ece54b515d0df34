"""Layer and RMS norms of [B, T, H] in bfloat16, computed in float32."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

H, T = 4096, 2048
EPSILON = 1e-5


def mean_rsqrt(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    return (x32 * jax.lax.rsqrt(jnp.mean(x32 * x32, -1, keepdims=True) + EPSILON)).astype(
        x.dtype
    ) * w


def hugging_face(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    variance = jnp.square(x32).mean(axis=-1, keepdims=True)
    return w * (x32 / jnp.sqrt(variance + EPSILON)).astype(x.dtype)


def by_norm(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    mean = jnp.sum(jnp.power(x32, 2), axis=-1, keepdims=True) / x.shape[-1]
    return (x32 * (mean + EPSILON) ** -0.5).astype(x.dtype) * w


def by_product(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    mean = jnp.einsum("...h,...h->...", x32, x32)[..., None] / x.shape[-1]
    return (x32 * jax.lax.rsqrt(mean + EPSILON)).astype(x.dtype) * w


def mapped(x: Any, w: Any) -> Any:
    return jax.vmap(jax.vmap(lambda row: mean_rsqrt(row, w)))(x)


def layer_moments(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    mean = x32.mean(-1, keepdims=True)
    variance = ((x32 - mean) ** 2).mean(-1, keepdims=True)
    return ((x32 - mean) * jax.lax.rsqrt(variance + EPSILON)).astype(x.dtype) * w


def layer_var(x: Any, w: Any) -> Any:
    x32 = x.astype(jnp.float32)
    mean, variance = jnp.mean(x32, -1, keepdims=True), jnp.var(x32, -1, keepdims=True)
    return ((x32 - mean) / jnp.sqrt(variance + EPSILON)).astype(x.dtype) * w


def layer_fast(x: Any, w: Any) -> Any:
    """The variance as the mean of squares less the square of the mean, as flax has it."""
    x32 = x.astype(jnp.float32)
    mean = x32.mean(-1, keepdims=True)
    variance = jnp.maximum(0.0, (x32 * x32).mean(-1, keepdims=True) - mean * mean)
    return ((x32 - mean) * jax.lax.rsqrt(variance + EPSILON)).astype(x.dtype) * w


def layer_standardize(x: Any, w: Any) -> Any:
    return jax.nn.standardize(x.astype(jnp.float32), epsilon=EPSILON).astype(x.dtype) * w


def layer_mapped(x: Any, w: Any) -> Any:
    return jax.vmap(jax.vmap(lambda row: layer_moments(row, w)))(x)


def forms(name: str, all_forms: dict[str, Any]) -> FormClass:
    return FormClass(
        name=name,
        arguments=lambda b: [bf16(b, T, H), bf16(H)],
        operations=lambda b: 0.0,
        forms=all_forms,
        differentiated=2,
        small=lambda: [bf16(2, 8, 64), bf16(64)],
    )


CLASSES = [
    forms(
        "RMS norm",
        {
            "mean, rsqrt": mean_rsqrt,
            "Hugging Face": hugging_face,
            "power": by_norm,
            "einsum": by_product,
            "vmap": mapped,
        },
    ),
    forms(
        "layer norm",
        {
            "moments": layer_moments,
            "var, sqrt": layer_var,
            "mean of squares": layer_fast,
            "standardize": layer_standardize,
            "vmap": layer_mapped,
        },
    ),
]
