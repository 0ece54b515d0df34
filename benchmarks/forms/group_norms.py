"""Group norms of a diffusion UNet's images, [B, C, H, W] and [B, H, W, C] in bfloat16."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .form import FormClass, bf16

CHANNELS, SIZE, GROUPS = 320, 64, 32
EPSILON = 1e-5


def by_channel(numbers: Any) -> Any:
    return numbers[None, :, None, None]


def group_rows(x: Any, w: Any, b: Any) -> Any:
    """A group as one row, as papers write it."""
    n, c, height, width = x.shape
    rows = x.astype(jnp.float32).reshape(n, GROUPS, c // GROUPS * height * width)
    mean = rows.mean(-1, keepdims=True)
    variance = ((rows - mean) ** 2).mean(-1, keepdims=True)
    y = ((rows - mean) * jax.lax.rsqrt(variance + EPSILON)).reshape(x.shape)
    return (y * by_channel(w).astype(y.dtype) + by_channel(b).astype(y.dtype)).astype(x.dtype)


def torch(x: Any, w: Any, b: Any) -> Any:
    """var_mean over two dimensions, as PyTorch's decomposition has it."""
    n, c, height, width = x.shape
    rows = x.astype(jnp.float32).reshape(n, GROUPS, c // GROUPS, height * width)
    mean = rows.mean((2, 3), keepdims=True)
    variance = rows.var((2, 3), keepdims=True)
    y = ((rows - mean) * jax.lax.rsqrt(variance + EPSILON)).reshape(x.shape)
    return (y * by_channel(w).astype(y.dtype) + by_channel(b).astype(y.dtype)).astype(x.dtype)


def mapped(x: Any, w: Any, b: Any) -> Any:
    """Written for one group of one image."""

    def one(group: Any, w: Any, b: Any) -> Any:
        centred = group - group.mean()
        y = centred * jax.lax.rsqrt(jnp.square(centred).mean() + EPSILON)
        return y * w[:, None, None] + b[:, None, None]

    n, c, height, width = x.shape
    split = x.astype(jnp.float32).reshape(n, GROUPS, c // GROUPS, height, width)
    weights = (each.astype(jnp.float32).reshape(GROUPS, -1) for each in (w, b))
    y = jax.vmap(jax.vmap(one), in_axes=(0, None, None))(split, *weights)
    return y.reshape(x.shape).astype(x.dtype)


def flax(x: Any, w: Any, b: Any) -> Any:
    """Channels last, the variance as the mean of squares less the square of the mean."""
    n, height, width, c = x.shape
    x32 = x.astype(jnp.float32)
    groups = x32.reshape(n, height, width, GROUPS, c // GROUPS)
    mean, squares = groups.mean((1, 2, 4)), (groups * groups).mean((1, 2, 4))
    variance = jnp.maximum(0.0, squares - mean * mean)
    mean, variance = (
        jnp.repeat(each, c // GROUPS, axis=-1)[:, None, None, :] for each in (mean, variance)
    )
    return ((x32 - mean) * (jax.lax.rsqrt(variance + EPSILON) * w) + b).astype(x.dtype)


def keras(x: Any, w: Any, b: Any) -> Any:
    """Channels last, moments of the dimensions apart."""
    n, height, width, c = x.shape
    groups = x.astype(jnp.float32).reshape(n, height, width, GROUPS, c // GROUPS)
    mean = groups.mean((1, 2, 4), keepdims=True)
    variance = jnp.square(groups - mean).mean((1, 2, 4), keepdims=True)
    scale = jax.lax.rsqrt(variance + EPSILON) * w.reshape(GROUPS, -1)
    y = (groups - mean) * scale + b.reshape(GROUPS, -1)
    return y.reshape(x.shape).astype(x.dtype)


def norms(name: str, image: tuple[int, ...], small: tuple[int, ...], forms: dict) -> FormClass:
    channels = image[0] if name.endswith("first") else image[-1]
    few = small[0] if name.endswith("first") else small[-1]
    return FormClass(
        name=name,
        arguments=lambda batch: [bf16(batch, *image), bf16(channels), bf16(channels)],
        operations=lambda batch: 0.0,
        forms=forms,
        differentiated=3,
        small=lambda: [bf16(2, *small), bf16(few), bf16(few)],
    )


CLASSES = [
    norms(
        "group norm, channels first",
        (CHANNELS, SIZE, SIZE),
        (64, 8, 6),
        {"rows": group_rows, "torch": torch, "vmap": mapped},
    ),
    norms(
        "group norm, channels last",
        (SIZE, SIZE, CHANNELS),
        (8, 6, 64),
        {"flax": flax, "keras": keras},
    ),
]
