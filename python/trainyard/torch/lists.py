"""Operators of lists of tensors: `_foreach_add_`, and the steps of optimizers with fused=True."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch

_A = torch.ops.aten


def _each_of_lists(name: str) -> Callable[..., Any]:
    """An operator of lists (`_foreach_add`) as that of their elements, one by one."""
    single = name.removeprefix("_foreach_")
    packet = getattr(torch.ops.aten, {"norm": "linalg_vector_norm"}.get(single, single))

    def decomposed(first: Any, *rest: Any, **named: Any) -> list[Any]:
        count = len(first if isinstance(first, (list, tuple)) else rest[0])
        if single in ("addcmul", "addcdiv") and len(rest) > 2:
            rest, named = rest[:2], {"value": rest[2]}

        def part(value: Any, i: int) -> Any:
            return value[i] if isinstance(value, (list, tuple)) and len(value) == count else value

        return [
            packet(
                *[part(each, i) for each in (first, *rest)],
                **{key: part(value, i) for key, value in named.items()},
            )
            for i in range(count)
        ]

    return decomposed


@cache
def decompositions() -> dict[Any, Callable[..., Any]]:
    """Of the operators of lists that write nothing."""
    found = {}
    for name in dir(torch.ops.aten):
        single = name.removeprefix("_foreach_")
        if single == name or name.endswith("_"):
            continue
        if single != "norm" and not hasattr(torch.ops.aten, single):
            continue
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads():
            each = getattr(packet, overload)
            if not each._schema.is_mutable:
                found[each] = _each_of_lists(name)
    return found


def compute(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A `_foreach_` operator; of one that writes, its first list gets the results."""
    if not overload._schema.is_mutable:
        return decompositions()[overload](*args, **kwargs)
    name = overload._schema.name.removeprefix("aten::").removesuffix("_")
    plain = getattr(getattr(_A, name), overload._overloadname)
    for target, made in zip(args[0], decompositions()[plain](*args, **kwargs), strict=True):
        target.copy_(made)
    return None


def _adam(decoupled: bool) -> Callable[..., None]:
    """Adam's step, or AdamW's, whose decay is no part of the gradient."""

    def step(
        parameters: Sequence[Any],
        gradients: Sequence[Any],
        averages: Sequence[Any],
        squares: Sequence[Any],
        largest: Sequence[Any],
        steps: Sequence[Any],
        *,
        lr: Any,
        beta1: float,
        beta2: float,
        weight_decay: float,
        eps: float,
        amsgrad: bool,
        maximize: bool,
        grad_scale: Any = None,
        found_inf: Any = None,
    ) -> None:
        for i, parameter in enumerate(parameters):
            gradient = gradients[i] if grad_scale is None else gradients[i] / grad_scale
            gradient = -gradient if maximize else gradient
            before = parameter
            if decoupled:
                parameter = parameter * (1 - lr * weight_decay)
            elif weight_decay:
                gradient = gradient + parameter * weight_decay
            average = averages[i] + (gradient - averages[i]) * (1 - beta1)
            square = squares[i] * beta2 + gradient * gradient * (1 - beta2)
            top = torch.maximum(largest[i], square) if amsgrad else square
            root = (top / (1 - torch.pow(beta2, steps[i]))).sqrt() + eps
            change = average / root / (1 - torch.pow(beta1, steps[i])) * lr
            made = [(before, parameter - change), (averages[i], average), (squares[i], square)]
            made += [(largest[i], top)] if amsgrad else []
            for target, value in made:
                kept = value if found_inf is None else torch.where(found_inf > 0, target, value)
                target.copy_(kept)

    return step


def _momentum_sgd(
    parameters: Sequence[Any],
    gradients: Sequence[Any],
    momenta: Sequence[Any],
    *,
    weight_decay: float,
    momentum: float,
    lr: Any,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Any = None,
    found_inf: Any = None,
) -> None:
    for i, parameter in enumerate(parameters):
        gradient = gradients[i] if grad_scale is None else gradients[i] / grad_scale
        gradient = -gradient if maximize else gradient
        gradient = gradient + parameter * weight_decay if weight_decay else gradient
        made = []
        if momentum:
            old = momenta[i]
            moved = gradient if is_first_step else old * momentum + gradient * (1 - dampening)
            made.append((old, moved))
            gradient = gradient + moved * momentum if nesterov else moved
        made.append((parameter, parameter - gradient * lr))
        for target, value in made:
            target.copy_(value if found_inf is None else torch.where(found_inf > 0, target, value))


OPTIMIZERS = {
    _A._fused_adam_.default: _adam(False),
    _A._fused_adam_.tensor_lr: _adam(False),
    _A._fused_adamw_.default: _adam(True),
    _A._fused_adamw_.tensor_lr: _adam(True),
    _A._fused_sgd_.default: _momentum_sgd,
    _A._fused_sgd_.tensor_lr: _momentum_sgd,
}
