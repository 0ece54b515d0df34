"""Tensors in the simulated HBM: how they get there and back, and how much they take.

A buffer never changes: what PyTorch changes in place is another buffer afterwards, so that a
result of one program is an argument of the next without a copy.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard import _core, jax_runs
from trainyard.graph import dtype_of
from trainyard.torch.writer import narrow_bound, stored_element, stored_shape


@dataclass(eq=False, slots=True)
class Kind:
    """What buffers of one type and shape share. `element`: how StableHLO calls what is stored,
    "i32" of an int64 whose numbers are at most `bound`; `bytes`: that each takes; `count`: how many
    there are in HBM."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    element: str
    bound: int | None
    bytes: int
    count: int = 0


class Memory:
    """How much HBM the buffers of this process take, and what holds it."""

    def __init__(self) -> None:
        self.allocated = 0
        self.peak = 0
        self._kinds: dict[tuple[Any, ...], Kind] = {}

    def kind(
        self, shape: tuple[int, ...], dtype: torch.dtype, element: str, bound: int | None
    ) -> Kind:
        """The one of buffers like this."""
        key = (shape, dtype, element, bound)
        found = self._kinds.get(key)
        if found is None:
            size = math.prod(stored_shape(shape, dtype)) * dtype_of(element).itemsize
            found = self._kinds[key] = Kind(*key, size)
        return found

    def add(self, kinds: Sequence[Kind]) -> None:
        """Counts one more buffer of each kind. Raises OutOfMemoryError."""
        total = self.allocated + sum([kind.bytes for kind in kinds])
        if total > (limit := capacity()):
            raise torch.OutOfMemoryError(self._shortage(kinds, limit))
        self.allocated = total
        if total > self.peak:
            self.peak = total
        for kind in kinds:
            kind.count += 1

    def remove(self, kinds: Sequence[Kind]) -> None:
        """Of buffers that were counted and are not made."""
        for kind in kinds:
            self.allocated -= kind.bytes
            kind.count -= 1

    def holders(self) -> list[tuple[str, int, int]]:
        """Type and shape, how many buffers, bytes of all; the most bytes first."""
        rows: dict[str, tuple[str, int, int]] = {}
        for kind in self._kinds.values():
            if kind.count:
                name = f"{str(kind.dtype).removeprefix('torch.')}{list(kind.shape)}"
                _, count, size = rows.get(name, (name, 0, 0))
                rows[name] = name, count + kind.count, size + kind.count * kind.bytes
        return sorted(rows.values(), key=lambda row: -row[2])

    def _shortage(self, kinds: Sequence[Kind], limit: int) -> str:
        """Of the first one of these that does not fit."""
        used = self.allocated
        for kind in kinds:
            if used + kind.bytes > limit:
                break
            used += kind.bytes
        asked = used - self.allocated
        others = f"  held: {asked:,} bytes by other results of the same program"
        lines = [
            f"torch.memory: a tensor {kind.dtype}{list(kind.shape)} of {kind.bytes:,} bytes does "
            f"not fit in the device's HBM: {used:,} of {limit:,} bytes are in use",
            *(
                f"  held: {total:,} bytes by {count} x {name}"
                for name, count, total in self.holders()[:8]
            ),
            *([others] if asked else []),
            "  fix: free tensors (del, torch.no_grad()), use smaller batches or a narrower type",
        ]
        return "\n".join(lines)


memory = Memory()


class Buffer:
    """A tensor of the simulator, `core`, of a kind that is counted."""

    __slots__ = ("core", "kind")

    def __init__(self, core: Any, kind: Kind) -> None:
        self.core = core
        self.kind = kind

    def __del__(self, counted_by: Memory = memory) -> None:  # also when the module is gone
        kind = self.kind
        counted_by.allocated -= kind.bytes
        kind.count -= 1

    @property
    def shape(self) -> tuple[int, ...]:
        return self.kind.shape

    @property
    def dtype(self) -> torch.dtype:
        return self.kind.dtype

    @property
    def element(self) -> str:
        return self.kind.element

    @property
    def bound(self) -> int | None:
        return self.kind.bound


def of_cores(cores: Sequence[Any], kinds: Sequence[Kind]) -> list[Buffer]:
    """Buffers of tensors of the simulator."""
    memory.add(kinds)
    return list(map(Buffer, cores, kinds))


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
    element = stored_element(tensor.dtype, bound)
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
    shape = stored_shape(content.shape, content.dtype)
    core = _core.model_input(content.element, list(shape), content.bytes)
    kind = memory.kind(content.shape, content.dtype, content.element, content.bound)
    return of_cores([core], [kind])[0]


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
    return of_cores(
        [zero_core(shape, dtype, element)], [memory.kind(tuple(shape), dtype, element, bound)]
    )[0]


def zero_core(shape: Sequence[int], dtype: torch.dtype, element: str) -> Any:
    """The tensor of the simulator of these."""
    stored = stored_shape(shape, dtype)
    size = math.prod(stored) * dtype_of(element).itemsize
    return _core.model_input(element, list(stored), bytes(size))


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
