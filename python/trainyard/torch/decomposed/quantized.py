"""Numbers rounded to those of a quantized type, as training that knows of it does: the results, and
which elements were within the type's range, whose gradients pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def _rounded(x: Any, scale: Any, zero: Any, low: int, high: int) -> tuple[Any, Any]:
    wide = x.float() if x.itemsize < 4 else x
    scaled = wide * (1 / scale)
    is_whole = not isinstance(zero, torch.Tensor) or not zero.is_floating_point()
    number = scaled.round() + zero if is_whole else (scaled + zero).round()
    made = (number.clamp(low, high) - zero) * scale
    return made.to(x.dtype), (number >= low) & (number <= high)


def per_tensor(x: Any, scale: float, zero: int, low: int, high: int) -> tuple[Any, Any]:
    return _rounded(x, torch.full((), scale, dtype=torch.float32, device=x.device), zero, low, high)


def per_tensor_of_tensors(
    x: Any, scale: Any, zero: Any, enabled: Any, low: int, high: int
) -> tuple[Any, Any]:
    """One scale and zero point; `enabled`: of one number, whether anything is rounded."""
    made, within = _rounded(x, scale.reshape(()), zero.reshape(()), low, high)
    is_on = enabled.reshape(()) != 0
    return torch.where(is_on, made, x), within | ~is_on


def per_channel(x: Any, scale: Any, zero: Any, axis: int, low: int, high: int) -> tuple[Any, Any]:
    shape = [1] * x.dim()
    shape[axis] = -1
    return _rounded(x, scale.reshape(shape), zero.reshape(shape), low, high)


DECOMPOSED: dict[str, Callable[..., Any]] = {
    "aten.fake_quantize_per_tensor_affine_cachemask.default": per_tensor,
    "aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default": per_tensor_of_tensors,
    "aten.fake_quantize_per_channel_affine_cachemask.default": per_channel,
}


def _shapes(x: Any, *_: Any) -> tuple[Any, Any]:
    return torch.empty_like(x), torch.empty_like(x, dtype=torch.bool)


# What tracing knows of them, for which PyTorch has no functions.
SHAPES = {name.removeprefix("aten.").removesuffix(".default"): _shapes for name in DECOMPOSED}
