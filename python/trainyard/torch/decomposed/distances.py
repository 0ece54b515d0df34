"""Distances between rows, losses of margins, products of three, and their gradients."""

from __future__ import annotations

import math
from typing import Any

import torch


def cdist(a: Any, b: Any, p: float, mode: int | None = None) -> Any:
    return torch.linalg.vector_norm(a.unsqueeze(-2) - b.unsqueeze(-3), p, -1)


def _norm_gradient(gradient: Any, away: Any, distance: Any, p: float) -> Any:
    """How the p-norm of the last dimension changes with what it is of; 0 where that is 0."""
    if p == 0:
        return torch.zeros_like(away)
    if p == 1:
        return gradient * away.sign()
    zero = distance == 0
    if p == math.inf:
        return torch.where(away.abs() == distance, gradient * away.sign(), 0)
    safe = torch.where(zero, 1, distance)
    if p == 2:
        return torch.where(zero, 0, gradient * away / safe)
    power = away.abs().pow(p - 1) * away.sign() / safe.pow(p - 1)
    return torch.where(zero | (away == 0), 0, gradient * power)


def cdist_backward(gradient: Any, a: Any, b: Any, p: float, distance: Any) -> Any:
    away = a.unsqueeze(-2) - b.unsqueeze(-3)
    made = _norm_gradient(gradient.unsqueeze(-1), away, distance.unsqueeze(-1), p)
    return made.sum(-2).sum_to_size(a.shape)


def _pairs(x: Any) -> tuple[Any, Any]:
    i, j = torch.triu_indices(x.shape[0], x.shape[0], 1, device=x.device)
    return i, j


def pdist(x: Any, p: float = 2) -> Any:
    i, j = _pairs(x)
    return torch.linalg.vector_norm(x[i] - x[j], p, -1)


def pdist_backward(gradient: Any, x: Any, p: float, distance: Any) -> Any:
    i, j = _pairs(x)
    made = _norm_gradient(gradient.unsqueeze(-1), x[i] - x[j], distance.unsqueeze(-1), p)
    return torch.zeros_like(x).index_add(0, i, made).index_add(0, j, -made)


def addbmm(x: Any, a: Any, b: Any, *, beta: float = 1, alpha: float = 1) -> Any:
    """One product: the batch is summed over with the rest."""
    wide = a.transpose(0, 1).reshape(a.shape[1], -1)
    return torch.addmm(x, wide, b.reshape(-1, b.shape[2]), beta=beta, alpha=alpha)


def trilinear(
    a: Any,
    b: Any,
    c: Any,
    new_a: list[int],
    new_b: list[int],
    new_c: list[int],
    dims: list[int],
    unroll: int = 1,
) -> Any:
    """The sum over dims of three factors, which get new dimensions first."""
    kind = a.dtype
    factors = []
    for x, places in ((a, new_a), (b, new_b), (c, new_c)):
        for place in sorted(places):
            x = x.unsqueeze(place)
        narrow = x.is_floating_point() and x.itemsize < 4
        factors.append(x.float() if narrow else x)
    made = factors[0] * factors[1] * factors[2]
    return (made.sum(dims) if dims else made).to(kind)


def _shared(gradient: Any, count: int, rows: int, reduction: int) -> Any:
    """The gradient of each row's loss."""
    if reduction == 0:
        return gradient.reshape(-1, 1)
    return gradient / rows if reduction == 1 else gradient


def multi_margin_loss_backward(
    gradient: Any,
    x: Any,
    target: Any,
    p: float,
    margin: float,
    weight: Any = None,
    reduction: int = 1,
) -> Any:
    rows = x.reshape(-1, x.shape[-1]) if x.dim() else x.reshape(1, 1)
    column = target.reshape(-1, 1)
    away = margin - rows.gather(1, column) + rows
    slope = (away > 0).to(x.dtype) if p == 1 else 2 * away.clamp(min=0)
    if weight is not None:
        slope = slope * weight[column]
    others = torch.arange(rows.shape[1], device=x.device) != column
    slope = torch.where(others, slope / rows.shape[1], 0)
    slope = torch.where(others, slope, -slope.sum(1, keepdim=True))
    made = slope * _shared(gradient, rows.shape[1], rows.shape[0], reduction)
    return made.reshape(x.shape)


def multilabel_margin_loss_backward(
    gradient: Any, x: Any, target: Any, reduction: int, is_target: Any
) -> Any:
    rows = x.reshape(-1, x.shape[-1]) if x.dim() else x.reshape(1, 1)
    labels = target.reshape(rows.shape)
    marked = is_target.reshape(rows.shape) != 0
    valid = (labels >= 0).to(torch.int64).cumprod(1) != 0  # up to the first that is negative
    chosen = labels.clamp(min=0)
    away = 1 - rows.gather(1, chosen).unsqueeze(2) + rows.unsqueeze(1)
    hit = (away > 0) & valid.unsqueeze(2) & ~marked.unsqueeze(1)
    slope = hit.to(x.dtype) / rows.shape[1]
    made = slope.sum(1).scatter_add(1, chosen, torch.where(valid, -slope.sum(2), 0))
    return (made * _shared(gradient, rows.shape[1], rows.shape[0], reduction)).reshape(x.shape)


DECOMPOSED = {
    "aten._cdist_forward.default": cdist,
    "aten._cdist_backward.default": cdist_backward,
    "aten._pdist_forward.default": pdist,
    "aten._pdist_backward.default": pdist_backward,
    "aten.addbmm.default": addbmm,
    "aten._trilinear.default": trilinear,
    "aten.multi_margin_loss_backward.default": multi_margin_loss_backward,
    "aten.multilabel_margin_loss_backward.default": multilabel_margin_loss_backward,
}
