"""torch.hash_tensor: the exclusive or of the elements as 64 bits, real numbers those of float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

_FIELD = 1 << 52  # the last place of float64's exponent


def _normal(bits: Any) -> Any:
    """Bits of float64 of those of a number of float32 that is above zero and not subnormal."""
    return (bits.to(torch.int64) << 29) + torch.where(
        bits < 0x7F800000, 896 * _FIELD, 1792 * _FIELD
    )


def _bits(x: Any) -> Any:
    if not x.is_floating_point():
        return x.to(torch.int64)
    if x.dtype == torch.float64:
        return x.view(torch.int64)
    signed = x.float().view(torch.int32)
    size = signed & 0x7FFFFFFF
    whole = (
        _normal(size.to(torch.float32).view(torch.int32)) - 149 * _FIELD
    )  # of a subnormal: times 2^-149
    small = torch.where(size == 0, 0, whole)
    made = torch.where(size < 0x800000, small, _normal(size))
    return torch.where(signed < 0, made + torch.iinfo(torch.int64).min, made)


def hash_tensor(x: Any, dim: Sequence[int] = (), *, keepdim: bool = False, mode: int = 0) -> Any:
    if mode != 0:
        raise ValueError(f"hash_tensor: mode is 0, not {mode}")
    dims = [each % max(x.dim(), 1) for each in dim] or list(range(x.dim()))
    kept = [i for i in range(x.dim()) if i not in dims]
    count = math.prod([x.shape[i] for i in dims if x.dim()])
    bits = _bits(x).permute(kept + dims if x.dim() else [])
    bits = bits.reshape([*(x.shape[i] for i in kept), count])
    while bits.shape[-1] > 1:
        half = bits.shape[-1] // 2
        folded = bits[..., :half] ^ bits[..., half : 2 * half]
        bits = torch.cat([folded, bits[..., 2 * half :]], -1)
    made = bits.squeeze(-1) if bits.shape[-1] else bits.new_zeros(bits.shape[:-1])
    shape = [1 if i in dims else extent for i, extent in enumerate(x.shape)]
    made = made.reshape(shape) if keepdim else made
    return made.view(torch.uint64)


DECOMPOSED: dict[str, Callable[..., Any]] = {"aten.hash_tensor.default": hash_tensor}
