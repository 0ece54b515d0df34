"""Sums of float32 one number after the other, as machines with a running sum take them: the CPU's
add pairs of pairs, which hides what a sum whose terms cancel is worth in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

RUN = 512  # numbers that are added in sequence; sums of these are added by pairs


def in_sequence(
    x: torch.Tensor,
    dims: Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> torch.Tensor:
    """aten.sum.dim_IntList."""
    if x.dtype != torch.float32 or dtype not in (None, torch.float32):
        return torch.sum(x, dims, keepdim, dtype=dtype)
    gone = sorted(dim % x.dim() for dim in dims or range(x.dim()))
    rest = [dim for dim in range(x.dim()) if dim not in gone]
    shape = [x.shape[dim] for dim in rest]
    rows = x.detach().permute(*rest, *gone).reshape(*shape, -1)
    rows = torch.nn.functional.pad(rows, (0, -rows.shape[-1] % min(RUN, rows.shape[-1] or 1)))
    parts = rows.reshape(*shape, -1, min(RUN, rows.shape[-1] or 1)).numpy()
    made = torch.from_numpy(np.asarray(np.add.accumulate(parts, axis=-1)[..., -1].sum(-1)))
    return made.reshape(
        [1 if d in gone else n for d, n in enumerate(x.shape)] if keepdim else shape
    )


def batch_norm(
    x: torch.Tensor,
    weight: torch.Tensor | None,
    bias: torch.Tensor | None,
    mean: torch.Tensor,
    var: torch.Tensor,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[torch.Tensor, ...]:
    """aten._native_batch_norm_legit_functional.default, whose statistics are such sums."""
    if not training or x.dtype != torch.float32:
        whole = torch.ops.aten._native_batch_norm_legit_functional.default
        return whole(x, weight, bias, mean, var, training, momentum, eps)
    dims = [0, *range(2, x.dim())]
    count = x.numel() // x.shape[1]
    shape = [1, -1, *[1] * (x.dim() - 2)]
    own = in_sequence(x, dims) / count
    away = x - own.reshape(shape)
    spread = in_sequence(away * away, dims) / count
    scale = (spread + eps).rsqrt()
    made = away * scale.reshape(shape)
    made = made if weight is None else made * weight.reshape(shape)
    made = made if bias is None else made + bias.reshape(shape)
    mean = (1 - momentum) * mean + momentum * own
    var = (1 - momentum) * var + momentum * spread * (count / (count - 1))
    return made, own, scale, mean, var


def take_in_sequence(graph: torch.fx.GraphModule) -> None:
    """Makes the graph's sums, and those of its batch norms, such ones."""
    aten = torch.ops.aten
    targets: dict[Any, Any] = {
        aten.sum.dim_IntList: in_sequence,
        aten._native_batch_norm_legit_functional.default: batch_norm,
    }
    for node in graph.graph.nodes:
        node.target = targets.get(node.target, node.target)
    graph.recompile()
