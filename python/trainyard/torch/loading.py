"""torch.load with the device as map_location: PyTorch would move storages, of which the device has
none. Read on the host, then moved as tensors.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch.errors import TorchError

DEVICE = "neuron"


def register() -> None:
    """Makes torch.load know the device."""
    torch.load = _on_device(torch.load)
    torch.serialization.register_package(5, lambda storage: None, _refuse)


def _refuse(storage: Any, location: str) -> Any:
    if not location.startswith(DEVICE):
        return None
    raise TorchError(
        "torch.load",
        "map_location is the device itself, or all of its values are",
        "torch.load",
        f"a storage for {location}",
        f'torch.load(file, map_location="{DEVICE}"), or load on the host and move it',
    )


def _is_device(where: Any) -> bool:
    if isinstance(where, dict):
        return bool(where) and all(_is_device(each) for each in where.values())
    return isinstance(where, (str, torch.device)) and torch.device(where).type == DEVICE


def _on_device(load: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(load)
    def wrapped(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not _is_device(map_location):
            return load(f, map_location, *args, **kwargs)
        return _moved(load(f, "cpu", *args, **kwargs), {})

    return wrapped


def _moved(x: Any, made: dict[int, Any]) -> Any:
    """The same with its tensors on the device; what is there twice stays one."""
    if id(x) in made:
        return made[id(x)]
    result = x
    if isinstance(x, torch.nn.Parameter):
        result = torch.nn.Parameter(x.detach().to(DEVICE), x.requires_grad)
    elif isinstance(x, torch.Tensor):
        result = x.detach().to(DEVICE).requires_grad_(x.requires_grad)
    elif isinstance(x, torch.nn.Module):
        result = x.to(DEVICE)
    elif isinstance(x, dict):
        for key, value in x.items():
            x[key] = _moved(value, made)
    elif isinstance(x, list):
        x[:] = [_moved(each, made) for each in x]
    elif isinstance(x, tuple):
        parts = [_moved(each, made) for each in x]
        result = type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)
    made[id(x)] = result
    return result
