"""Tensors in the simulated HBM: how they get there and back, and how much they take.

A buffer never changes: what PyTorch changes in place is another buffer afterwards, so that a
result of one program is an argument of the next without a copy.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard import _core, jax_runs
from trainyard.graph import dtype_of
from trainyard.torch.writer import element_of, narrow_bound


class Memory:
    """How much HBM the buffers of this process take, and what holds it."""

    def __init__(self) -> None:
        self.allocated = 0
        self.peak = 0
        # How many buffers there are of a type and shape, and their bytes.
        self._held: dict[tuple[torch.dtype, tuple[int, ...]], list[int]] = {}

    def add(self, buffer: Buffer) -> None:
        size = buffer.core.bytes
        total = self.allocated + size
        if total > (limit := capacity()):
            raise torch.OutOfMemoryError(self._shortage(buffer, size, limit))
        buffer.bytes = size
        self.allocated = total
        self.peak = max(self.peak, total)
        held = self._held.setdefault((buffer.dtype, buffer.shape), [0, 0])
        held[0] += 1
        held[1] += size

    def remove(self, buffer: Buffer) -> None:
        self.allocated -= buffer.bytes
        kind = (buffer.dtype, buffer.shape)
        held = self._held[kind]
        held[0] -= 1
        held[1] -= buffer.bytes
        if not held[0]:
            del self._held[kind]

    def holders(self) -> list[tuple[str, int, int]]:
        """Type and shape, how many buffers, bytes of all; the most bytes first."""
        rows = [
            (f"{str(dtype).removeprefix('torch.')}{list(shape)}", count, size)
            for (dtype, shape), (count, size) in self._held.items()
        ]
        return sorted(rows, key=lambda row: -row[2])

    def _shortage(self, buffer: Buffer, size: int, limit: int) -> str:
        lines = [
            f"torch.memory: a tensor {buffer.dtype}{list(buffer.shape)} of {size:,} bytes does not "
            f"fit in the device's HBM: {self.allocated:,} of {limit:,} bytes are in use",
            *(
                f"  held: {total:,} bytes by {count} x {name}"
                for name, count, total in self.holders()[:8]
            ),
            "  fix: free tensors (del, torch.no_grad()), use smaller batches or a narrower type",
        ]
        return "\n".join(lines)


memory = Memory()


@dataclass(eq=False, slots=True)
class Buffer:
    """`element`: how StableHLO calls what is stored, "i32" of an int64 whose numbers are at most
    `bound`; `core`: the tensor of the simulator; `bytes`: that it takes, once it is counted."""

    core: Any
    shape: tuple[int, ...]
    dtype: torch.dtype
    element: str
    bound: int | None = None
    bytes: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        memory.add(self)

    def __del__(self, counted_by: Memory = memory) -> None:  # also when the module is gone
        if self.bytes is not None:
            counted_by.remove(self)


@cache
def _capacity(name: str) -> int:
    figures = {one["key"]: one["value"] for one in _core.load_machine(name).provenance()}
    gibibytes = float(figures["hbm.stack_size"]) / float(figures["hbm.cores_per_stack"])
    return int(gibibytes * 2**30)


def capacity() -> int:
    """Bytes of the device's HBM: a core's share of its stack."""
    return _capacity(os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3"))


@dataclass(frozen=True)
class Content:
    """A tensor of the host as HBM holds it: see Buffer."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    element: str
    bound: int | None
    bytes: np.ndarray


def content_of(tensor: torch.Tensor) -> Content:
    """What a copy of the tensor holds; of most tensors its own memory, not a copy."""
    tensor = tensor.detach().resolve_conj().resolve_neg().contiguous()
    bound = None
    if tensor.dtype == torch.int64:
        numbers = tensor.numpy()
        bound = narrow_bound(numbers)
        raw = (numbers.astype(np.int32) if bound is not None else numbers).reshape(-1)
        content = raw.view(np.uint8)
    else:
        content = tensor.reshape(-1).view(torch.uint8).numpy()
    element = element_of(tensor.dtype, bound)
    return Content(tuple(tensor.shape), tensor.dtype, element, bound, content)


def is_copy(buffer: Buffer, content: Content) -> bool:
    """Whether the buffer holds just this."""
    return (
        (buffer.shape, buffer.dtype, buffer.element, buffer.bound)
        == (content.shape, content.dtype, content.element, content.bound)
    ) and buffer.core.holds(content.bytes)


def of_content(content: Content) -> Buffer:
    """A copy in HBM."""
    _count("copies_in", content.bytes.nbytes)
    core = _core.model_input(content.element, list(content.shape), content.bytes)
    return Buffer(core, content.shape, content.dtype, content.element, content.bound)


def from_host(tensor: torch.Tensor) -> Buffer:
    """A copy in HBM of a tensor of the host."""
    return of_content(content_of(tensor))


def to_host(buffer: Buffer) -> torch.Tensor:
    """A copy on the host."""
    raw = bytearray(buffer.core.content())
    _count("copies_out", len(raw))
    if not raw:
        return torch.empty(buffer.shape, dtype=buffer.dtype)
    if buffer.dtype == torch.int64 and buffer.element == "i32":
        flat = torch.from_numpy(np.frombuffer(raw, np.int32).astype(np.int64))
    else:
        flat = torch.frombuffer(raw, dtype=buffer.dtype)
    return flat.reshape(buffer.shape)


def with_strides(made: torch.Tensor, meta: torch.Tensor) -> torch.Tensor:
    """The host's tensor with the strides of `meta`; elements that lie at one place are equal."""
    if made.stride() == meta.stride() or made.numel() < 2:
        return made
    pairs = zip(meta.shape, meta.stride(), strict=True)
    shape = [1 if step == 0 else extent for extent, step in pairs]
    once = made[tuple(slice(0, extent) for extent in shape)]
    return (
        torch.empty_strided(shape, meta.stride(), dtype=made.dtype).copy_(once).expand(meta.shape)
    )


def zeros(shape: Sequence[int], dtype: torch.dtype, element: str, bound: int | None) -> Buffer:
    """Zeros, as a run without values gives."""
    size = math.prod(shape) * dtype_of(element).itemsize
    return Buffer(
        _core.model_input(element, list(shape), bytes(size)), tuple(shape), dtype, element, bound
    )


@dataclass
class Copies:
    """How many copies there were over PCIe, and of how many bytes."""

    count: int = 0
    bytes: int = 0


totals = {"copies_in": Copies(), "copies_out": Copies()}


def _count(way: str, size: int) -> None:
    totals[way].count += 1
    totals[way].bytes += size
    if runs := jax_runs.active():
        runs.copied(way, size)
