"""`x[mask] = rows` in a graph of Dynamo's. PyTorch's gradient of it has as many rows as the mask
marks, which no graph of static shapes has; a choice between x and the rows has x's shape, and so
has its gradient.
"""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch import fx


def choose(module: fx.GraphModule) -> None:
    """Replaces writes of tensors at one mask, which begins at the first dimension."""
    changed = False
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target is operator.setitem and _is_of_rows(node):
            node.target = _write
            changed = True
    if changed:
        module.recompile()


def _is_of_rows(node: fx.Node) -> bool:
    tensors = [_tensor(each) for each in node.args]
    if not all(isinstance(each, torch.Tensor) for each in tensors):
        return False
    x, mask, rows = tensors
    sizes = (*x.shape, *mask.shape, *rows.shape)
    if mask.dtype != torch.bool or not all(isinstance(each, int) for each in sizes):
        return False
    return x.shape[: mask.dim()] == mask.shape and rows.dim() <= x.dim() - mask.dim() + 1


def _tensor(argument: Any) -> Any:
    return argument.meta.get("example_value") if isinstance(argument, fx.Node) else None


def _write(x: torch.Tensor, mask: torch.Tensor, rows: torch.Tensor) -> None:
    """rows: [count of the mask or 1, *rest], or what is broadcast to the rest: x's dimensions
    behind the mask's."""
    rest = x.dim() - mask.dim()
    wide = mask.reshape(*mask.shape, *[1] * rest)
    rows = rows.to(x.dtype)
    if rows.dim() <= rest or rows.shape[0] == 1:
        rows = rows.reshape(rows.shape[-rest:] if rest else ())
        x.copy_(torch.where(wide, rows, x))
        return
    count = rows.shape[0]
    words = f"shape mismatch: {count} rows are written where a mask marks another number"
    torch._assert_async(mask.sum() == count, words)
    x.copy_(x.masked_scatter(wide.expand(x.shape), rows.expand(count, *x.shape[mask.dim() :])))
