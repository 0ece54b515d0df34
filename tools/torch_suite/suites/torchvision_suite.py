"""The classifiers of torchvision, of random weights and ten classes, on small pictures; those of
fewest parameters first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torchvision


def case_of(name: str) -> Callable[[], Any]:
    def make() -> tuple[torch.nn.Module, dict[str, Any]]:
        size = 96 if name == "inception_v3" else 64
        given = {"weights": None, "num_classes": 10}
        if name.startswith("vit"):
            given["image_size"] = size = 56 if name.endswith("14") else 64
        if name in ("googlenet", "inception_v3"):
            given |= {"aux_logits": False, "init_weights": False}
        if name == "maxvit_t":  # whose function fixes windows that a small picture has no room for
            return maxvit(size), {"x": torch.randn(2, 3, size, size)}
        model = torchvision.models.get_model(name, **given)
        return model, {"x": torch.randn(2, 3, size, size)}

    return make


def maxvit(size: int) -> torch.nn.Module:
    return torchvision.models.MaxVit(
        input_size=(size, size),
        stem_channels=64,
        partition_size=2,
        block_channels=[64, 128, 256, 512],
        block_layers=[2, 2, 5, 2],
        head_dim=32,
        stochastic_depth_prob=0.2,
        num_classes=10,
    )


def count_parameters(name: str) -> int:
    """Of the published weights."""
    return torchvision.models.get_model_weights(name).DEFAULT.meta["num_params"]


NAMES = sorted(torchvision.models.list_models(module=torchvision.models), key=count_parameters)
cases = {name: case_of(name) for name in NAMES}
