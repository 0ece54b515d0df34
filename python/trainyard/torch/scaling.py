"""What torch.amp.GradScaler asks of the device: gradients without the scale, and the next scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch


def unscale(gradients: Sequence[Any], found: Any, inverse: Any) -> None:
    """Divides the gradients by the scale; `found` becomes 1 where one is infinite or NaN."""
    for each in gradients:
        bad = (~each.isfinite()).any().to(found.dtype)
        found.copy_(torch.maximum(found, bad.reshape(found.shape)))
        each.mul_(inverse.to(each.dtype))


def update(
    scale: Any, tracker: Any, found: Any, growth: float, backoff: float, interval: int
) -> Any:
    """Smaller after a step that was left out, larger after `interval` others; no larger than
    float32 has."""
    was_left_out = found != 0
    steps = torch.where(was_left_out, 0, tracker + 1)
    grows = steps == interval
    larger = scale * growth
    grown = torch.where(grows & larger.isfinite(), larger, scale)
    scale.copy_(torch.where(was_left_out, scale * backoff, grown))
    tracker.copy_(torch.where(grows, 0, steps).to(tracker.dtype))
    return scale
