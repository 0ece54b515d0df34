"""`torch.accelerator`, PyTorch's names for whichever device there is: what asks a library of the
device in C++, which there is not, asks `torch.neuron` where this device is the accelerator.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch
import torch.accelerator

DEVICE = "neuron"


def memory_stats(module: Any) -> OrderedDict[str, int]:
    """Bytes in use, now and at most, by PyTorch's names."""
    now, peak = module.memory_allocated(), module.max_memory_allocated()
    kinds = ("allocated_bytes", "reserved_bytes", "active_bytes")
    made = {f"{kind}.all.{name}": n for kind in kinds for name, n in _two(now, peak)}
    return OrderedDict(sorted(made.items()))


def _two(now: int, peak: int) -> list[tuple[str, int]]:
    return [("current", now), ("peak", peak)]


def register(module: Any) -> None:
    """`module`: torch.neuron."""
    functions: dict[str, Callable[[], Any]] = {
        "synchronize": module.synchronize,
        "empty_cache": module.empty_cache,
        "memory_allocated": module.memory_allocated,
        "memory_reserved": module.memory_allocated,
        "max_memory_allocated": module.max_memory_allocated,
        "max_memory_reserved": module.max_memory_allocated,
        "reset_peak_memory_stats": module.reset_peak_memory_stats,
        "reset_accumulated_memory_stats": lambda: None,  # no sums are kept
        "get_memory_info": module.mem_get_info,
        "memory_stats": lambda: memory_stats(module),
    }
    for name, function in functions.items():
        for place in (torch.accelerator, torch.accelerator.memory):
            if hasattr(place, name):
                setattr(place, name, _chosen(getattr(place, name), function, module))


def _chosen(plain: Callable[..., Any], ours: Callable[[], Any], module: Any) -> Callable[..., Any]:
    """`ours` where the accelerator is this device."""

    @functools.wraps(plain)
    def wrapped(*device: Any) -> Any:
        current = torch.accelerator.current_accelerator()
        if current is None or current.type != DEVICE:
            return plain(*device)
        if device and device[0] is not None:
            module.set_device(device[0])  # refuses others than the one
        return ours()

    return wrapped
