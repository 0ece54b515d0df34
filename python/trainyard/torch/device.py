"""The device `neuron`, registered with PyTorch, and its module `torch.neuron`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _device
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from trainyard import jax_runs
from trainyard.torch import (
    accelerator,
    autocast,
    backward_errors,
    eager,
    grouped_shapes,
    loading,
    modules,
    profiling,
    recurrent,
    scopes,
    seeds,
)
from trainyard.torch.buffers import capacity, memory
from trainyard.torch.decomposed import histograms, orthogonal, quantized
from trainyard.torch.events import Event
from trainyard.torch.queue import queue
from trainyard.torch.tensor import DEVICE, NeuronTensor

_libraries: list[torch.library.Library] = []


@dataclass(frozen=True)
class Properties:
    """name: the machine; total_memory: bytes of HBM."""

    name: str
    total_memory: int


class Module:
    """`torch.neuron`."""

    Event = Event

    @staticmethod
    def device_count() -> int:
        return 1

    @staticmethod
    def is_available() -> bool:
        return True

    @staticmethod
    def is_initialized() -> bool:
        return True

    @staticmethod
    def current_device() -> int:
        return 0

    @staticmethod
    def set_device(device: Any) -> None:
        index = device if isinstance(device, int) else torch.device(device).index or 0
        if index != 0:
            raise RuntimeError(f"there is one device, neuron:0, not neuron:{index}")

    class device:
        """`with torch.neuron.device(0)`: there is one."""

        def __init__(self, device: Any) -> None:
            Module.set_device(device)

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: Any) -> None:
            pass

    @staticmethod
    def get_device_name(device: Any = None) -> str:
        return os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")

    @staticmethod
    def get_device_properties(device: Any = None) -> Properties:
        """Raises RuntimeError for another device than neuron:0."""
        Module.set_device(0 if device is None else device)
        return Properties(Module.get_device_name(), capacity())

    @staticmethod
    def synchronize(device: Any = None) -> None:
        """Computes what waits."""
        queue.flush()

    @staticmethod
    def manual_seed(seed: int) -> None:
        queue.flush()  # what waits draws from the seed before
        seeds.manual_seed(seed)

    @staticmethod
    def manual_seed_all(seed: int) -> None:
        Module.manual_seed(seed)

    @staticmethod
    def initial_seed() -> int:
        return seeds.initial_seed()

    @staticmethod
    def get_rng_state(device: Any = None) -> torch.Tensor:
        queue.flush()
        return seeds.get_state()

    @staticmethod
    def set_rng_state(state: torch.Tensor, device: Any = None) -> None:
        queue.flush()
        seeds.set_state(state)

    @staticmethod
    def _is_in_bad_fork() -> bool:
        return False

    @staticmethod
    def memory_allocated(device: Any = None) -> int:
        """Bytes of HBM that tensors take; those that wait take none yet."""
        return memory.allocated

    @staticmethod
    def max_memory_allocated(device: Any = None) -> int:
        return memory.peak

    @staticmethod
    def reset_peak_memory_stats(device: Any = None) -> None:
        memory.peak = memory.allocated

    @staticmethod
    def mem_get_info(device: Any = None) -> tuple[int, int]:
        """Free bytes, and all."""
        return capacity() - memory.allocated, capacity()

    @staticmethod
    def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
        """What holds the device's memory."""
        lines = [
            f"neuron:0: {memory.allocated:,} of {capacity():,} bytes in use, "
            f"{memory.peak:,} at most"
        ]
        for name, count, size in memory.holders():
            lines.append(f"{size:>16,}  {count:>6} x {name}")
        return "\n".join(lines)

    @staticmethod
    def empty_cache() -> None:
        """Nothing is kept."""

    @staticmethod
    def is_bf16_supported(*_: Any) -> bool:
        return True

    @staticmethod
    def get_amp_supported_dtype() -> list[torch.dtype]:
        return [torch.bfloat16, torch.float16]


def _with_numbers(data: Any) -> Any:
    """Lists of tensors of the device, which PyTorch takes for sequences, as lists of numbers."""
    if isinstance(data, NeuronTensor):
        return data.tolist()
    if isinstance(data, (list, tuple)) and any(
        isinstance(each, (list, tuple, NeuronTensor)) for each in data
    ):
        return [_with_numbers(each) for each in data]
    return data


def _made_on_host(make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """torch.tensor(..., device="neuron") ends in an assertion of PyTorch 2.13: from the host."""

    @functools.wraps(make)
    def wrapped(*args: Any, device: Any = None, **kwargs: Any) -> torch.Tensor:
        if args and isinstance(args[0], (list, tuple)):
            args = (_with_numbers(args[0]), *args[1:])
        chosen = device if device is not None else _device.CURRENT_DEVICE
        wanted = torch.device(chosen) if chosen is not None else None
        if wanted is None or wanted.type != DEVICE:
            return make(*args, **kwargs) if device is None else make(*args, device=device, **kwargs)
        grad = kwargs.pop("requires_grad", False)
        made = make(*args, device="cpu", **kwargs).to(wanted)
        return made.requires_grad_() if grad else made

    return wrapped


_NAMED = ("_to_copy", "copy_", "empty.memory_format", "empty_strided")


def _entered(name: str) -> Callable[..., Any]:
    packet, _, overload = name.partition(".")
    found = getattr(getattr(torch.ops.aten, packet), overload or "default")
    return lambda *args, **kwargs: eager.enter(found, args, kwargs)


def _unpinned(tensor: torch.Tensor, device: Any = None) -> torch.Tensor:
    """Tensor.pin_memory: all memory of the host is copied the same way."""
    return tensor


def register() -> None:
    """Makes the device known to PyTorch, once."""
    if _libraries:
        return
    _setup_privateuseone_for_python_backend(
        DEVICE, backend_module=Module, device_guard=backward_errors.Guard()
    )
    kernels = torch.library.Library("_", "IMPL")
    kernels.fallback(
        lambda overload, *args, **kwargs: eager.enter(overload, args, kwargs), "PrivateUse1"
    )
    # A mode of PyTorch (FakeTensorMode), and what makes tensors of lists, ask for these by name.
    named = torch.library.Library("aten", "IMPL")
    for name in _NAMED:
        named.impl(name, _entered(name), "PrivateUse1")
    recurrent.register(named)
    _libraries.extend((kernels, named, *autocast.register()))
    shapes = torch.library.Library("aten", "IMPL", "Meta")
    for name, function in (histograms.SHAPES | orthogonal.SHAPES | quantized.SHAPES).items():
        shapes.impl(name, function)
    _libraries.append(shapes)
    torch.set_autocast_dtype(DEVICE, torch.bfloat16)
    backward_errors.register()
    grouped_shapes.register()
    loading.register()
    modules.register()
    profiling.register(queue.flush)
    accelerator.register(Module)
    if jax_runs.active():  # trainyard time and its like
        scopes.follow()
    torch.Tensor.pin_memory = _unpinned
    # Encoders in eval mode would call fused operators, and make nested tensors of padding masks.
    torch.backends.mha.set_fastpath_enabled(False)
    # Knows the functions themselves, which `with torch.device()` looks for, from now on.
    _device._device_constructors()
    torch.tensor = _made_on_host(torch.tensor)
    torch.as_tensor = _made_on_host(torch.as_tensor)
