"""Modules that move to the device keep their parameters: tied ones stay one, and an optimizer that
was made before has them still, as on other devices. PyTorch makes new parameters where the type of
the tensor changes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.tensor import NeuronTensor

Place = tuple[dict[str, Any], str]


def register() -> None:
    """Before the first module moves."""
    torch.nn.Module._apply = _keeping(torch.nn.Module._apply)
    torch.nn.Parameter.data = property(torch.Tensor.data.__get__, _set_data)


def _set_data(parameter: Any, value: torch.Tensor) -> None:
    """`parameter.data = value`, which takes the parameter of the host to the value's device."""
    if not isinstance(value, NeuronTensor):
        torch.Tensor.data.__set__(parameter, value)
        return
    made = torch.nn.Parameter(value.detach(), parameter.requires_grad)
    torch.utils.swap_tensors(parameter, made)


def _places(module: torch.nn.Module) -> dict[int, tuple[Any, list[Place]]]:
    """Each parameter and where it stands, once for each module that has it."""
    found: dict[int, tuple[Any, list[Place]]] = {}
    for each in module.modules():
        for name, parameter in each._parameters.items():
            if parameter is not None:
                _, places = found.setdefault(id(parameter), (parameter, []))
                places.append((each._parameters, name))
    return found


def _keeping(apply: Callable[..., Any]) -> Callable[..., Any]:
    is_within = False

    @functools.wraps(apply)
    def wrapped(self: torch.nn.Module, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        nonlocal is_within
        if is_within:  # of a child
            return apply(self, fn, *args, **kwargs)
        before = _places(self)
        is_within = True
        try:
            return apply(self, fn, *args, **kwargs)
        finally:
            is_within = False
            for old, places in before.values():
                _keep(old, places)

    return wrapped


def _keep(old: Any, places: list[Place]) -> None:
    holder, name = places[0]
    made = holder[name]
    if made is old or isinstance(made, NeuronTensor) == isinstance(old, NeuronTensor):
        return
    try:
        torch.utils.swap_tensors(old, made)
        made = old
    except RuntimeError:  # something else refers to it: only ties are kept
        pass
    for holder, name in places:
        holder[name] = made
