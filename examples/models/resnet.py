"""ResNet in plain JAX: the networks of He et al. for ImageNet, and a small one for digits.

Pictures are [batch, height, width, channels]. Nothing here knows of Trainyard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

EPSILON = 1e-5


@dataclass(frozen=True)
class Shape:
    """Blocks and width of each stage; a bottleneck block is four times as wide outside."""

    blocks: tuple[int, ...]
    widths: tuple[int, ...] = (64, 128, 256, 512)
    bottleneck: bool = False
    classes: int = 1000
    channels: int = 3
    stem: int = 7  # its kernel; of 7, with stride 2 and pooling behind it


RESNET18 = Shape((2, 2, 2, 2))
RESNET50 = Shape((3, 4, 6, 3), bottleneck=True)
DIGITS = Shape((1, 1), (16, 32), classes=10, channels=1, stem=3)


def strides(shape: Shape) -> list[tuple[int, ...]]:
    """The stride of each block, by stage."""
    return [
        (1 if stage == 0 else 2,) + (1,) * (count - 1) for stage, count in enumerate(shape.blocks)
    ]


def initial(shape: Shape, seed: int = 0) -> dict:
    """Random weights: kernels by He, scales one, and zero behind each block's last convolution."""
    draw = np.random.default_rng(seed)

    def convolved(side: int, inner: int, outer: int, scale: float = 1.0) -> dict:
        kernel = draw.normal(size=(side, side, inner, outer)) * np.sqrt(2 / (side * side * inner))
        return {
            "kernel": kernel.astype(np.float32),
            "scale": np.full(outer, scale, np.float32),
            "bias": np.zeros(outer, np.float32),
        }

    wide = 4 if shape.bottleneck else 1
    inner = shape.widths[0]
    stages = []
    for width, steps in zip(shape.widths, strides(shape), strict=True):
        blocks = []
        for stride in steps:
            sides = (1, 3, 1) if shape.bottleneck else (3, 3)
            widths = [inner, *[width] * (len(sides) - 1), wide * width]
            block = {
                f"conv{i}": convolved(side, widths[i], widths[i + 1], float(i + 1 < len(sides)))
                for i, side in enumerate(sides)
            }
            if stride > 1 or inner != wide * width:
                block["shortcut"] = convolved(1, inner, wide * width)
            blocks.append(block)
            inner = wide * width
        stages.append(blocks)
    return {
        "stem": convolved(shape.stem, shape.channels, shape.widths[0]),
        "stages": stages,
        "classes": {
            "kernel": (draw.normal(size=(inner, shape.classes)) / np.sqrt(inner)).astype(
                np.float32
            ),
            "bias": np.zeros(shape.classes, np.float32),
        },
    }


def convolution(x, kernel, stride: int):
    """Padded as the paper's: a kernel of n has (n - 1) / 2 zeros on each side."""
    pad = (kernel.shape[0] - 1) // 2
    return jax.lax.conv_general_dilated(
        x,
        kernel.astype(x.dtype),
        (stride, stride),
        [(pad, pad), (pad, pad)],
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )


def folded(weights: dict, statistics: Sequence[tuple] = ()) -> dict:
    """The weights for inference, where batch norms are part of the kernels.

    statistics: mean and variance of each norm, as `scores` collects them; none: 0 and 1.
    """
    left = iter(statistics)

    def fold(one: dict) -> dict:
        mean, variance = next(left, (np.float32(0), np.float32(1)))
        scale = one["scale"] / np.sqrt(variance + EPSILON)
        return {"kernel": one["kernel"] * scale, "bias": one["bias"] - mean * scale}

    return {
        "stem": fold(weights["stem"]),
        "stages": [
            [{name: fold(block[name]) for name in sorted(block)} for block in stage]
            for stage in weights["stages"]
        ],
        "classes": weights["classes"],
    }


def layer(x, weights, stride=1, collected: list | None = None):
    """A convolution and its batch norm: of the batch at hand, or folded into the kernel."""
    made = convolution(x, weights["kernel"], stride)
    if "scale" not in weights:
        return made + weights["bias"].astype(x.dtype)
    real = made.astype(jnp.float32)
    mean = real.mean((0, 1, 2))
    variance = jnp.square(real - mean).mean((0, 1, 2))
    if collected is not None:
        collected.append((mean, variance))
    scale = weights["scale"] * jax.lax.rsqrt(variance + EPSILON)
    return ((real - mean) * scale + weights["bias"]).astype(x.dtype)


def pooled(x):
    """The maximum of windows of three by three, every second of them."""
    return jax.lax.reduce_window(
        x,
        np.array(-np.inf, x.dtype),
        jax.lax.max,
        (1, 3, 3, 1),
        (1, 2, 2, 1),
        ((0, 0), (1, 1), (1, 1), (0, 0)),
    )


def scores(weights: dict, x, shape: Shape, collected: list | None = None):
    """[batch, classes] in float32. Where norms are not folded, `collected` gets the mean and the
    variance of each."""
    big = shape.stem > 3
    x = jax.nn.relu(layer(x, weights["stem"], 2 if big else 1, collected))
    x = pooled(x) if big else x
    for number, (stage, own) in enumerate(zip(weights["stages"], strides(shape), strict=True)):
        for place, (block, stride) in enumerate(zip(stage, own, strict=True)):
            with jax.named_scope(f"block_{number}_{place}"):
                x = residual(x, block, stride, collected)
    x = x.mean((1, 2), dtype=jnp.float32).astype(x.dtype)
    classes = weights["classes"]
    made = jnp.dot(x, classes["kernel"].astype(x.dtype), preferred_element_type=jnp.float32)
    return made + classes["bias"]


def residual(x, block: dict, stride: int, collected: list | None):
    """A block; the stride is that of its first convolution of three by three."""
    count = sum(name.startswith("conv") for name in block)
    strided = count - 2
    inner = x
    for i in range(count):
        inner = layer(inner, block[f"conv{i}"], stride if i == strided else 1, collected)
        inner = jax.nn.relu(inner) if i + 1 < count else inner
    outer = layer(x, block["shortcut"], stride, collected) if "shortcut" in block else x
    return jax.nn.relu(inner + outer)


def loss(weights: dict, x, labels, shape: Shape):
    """The mean cross entropy of a batch."""
    logs = jax.nn.log_softmax(scores(weights, x, shape))
    return -(logs * jax.nn.one_hot(labels, shape.classes)).sum(-1).mean()


def step(weights: dict, moments: dict, x, labels, rate, shape: Shape, momentum: float = 0.9):
    """A step of gradient descent with momentum: new weights and moments, and the loss."""
    value, gradients = jax.value_and_grad(loss)(weights, x, labels, shape)
    moments = jax.tree.map(lambda m, g: momentum * m + g, moments, gradients)
    return jax.tree.map(lambda w, m: w - rate * m, weights, moments), moments, value
