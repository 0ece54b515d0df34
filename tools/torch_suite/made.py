"""What a run of a case gave, which judge.py compares; and what an optimizer was to make of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch


@dataclass(frozen=True)
class Made:
    """Tensors of the host; wholes: see judge.py; right: what these are to be, where that is made of
    the run's own numbers."""

    tensors: list[Any]
    wholes: list[float] = field(default_factory=list)
    right: list[Any] | None = None


def copies(tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    return [x.detach().cpu().clone() for x in tensors]


def changes(before: list[Any], after: list[Any], right: list[Any] | None = None) -> Made:
    wholes = [float(x.abs().max()) if x.numel() else 0.0 for x in before]
    return Made(differences(before, after), wholes, right)


def differences(before: list[Any], after: list[Any]) -> list[torch.Tensor]:
    return [(b.double() - a.double()).float() for a, b in zip(before, after, strict=True)]


def stepped(
    before: list[Any], gradients: list[Any], optimizer: str, rate: float
) -> list[torch.Tensor]:
    """By how much the optimizer's first step is to change parameters, in float64, of the gradients
    that there were: AdamW divides each by its own size, so that of those that are as good as zero
    another run's say nothing."""
    exact = [torch.nn.Parameter(x.double()) for x in before]
    for parameter, gradient in zip(exact, gradients, strict=True):
        parameter.grad = None if gradient is None else gradient.double()
    getattr(torch.optim, optimizer)(exact, lr=rate).step()
    return differences(before, [x.detach() for x in exact])
