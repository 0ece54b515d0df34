"""Tensors of the host that programs take: a copy in HBM is kept until the tensor changes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch import buffers
from trainyard.torch.buffers import Buffer


class HostTensors:
    """The copies in HBM of tensors of the host, by tensor."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[weakref.ref[torch.Tensor], Buffer]] = {}

    def buffer(self, tensor: torch.Tensor) -> Buffer:
        """The tensor's copy: made now where there is none, or where the tensor has changed. All
        bytes are compared, as writes through `.data` or NumPy count in no version."""
        content = buffers.content_of(tensor)
        kept = self._kept.get(id(tensor))
        if kept is not None and kept[0]() is tensor and buffers.is_copy(kept[1], content):
            return kept[1]
        made = buffers.of_content(content)
        self.keep(tensor, made)
        return made

    def keep(self, tensor: torch.Tensor, buffer: Buffer) -> None:
        """The tensor has just been given what this buffer holds."""
        kept = self._kept.get(id(tensor))
        is_known = kept is not None and kept[0]() is tensor
        reference = kept[0] if is_known else weakref.ref(tensor, self._forget(id(tensor)))
        self._kept[id(tensor)] = (reference, buffer)

    def _forget(self, key: int) -> Callable[[Any], None]:
        kept = self._kept

        def forget(reference: Any) -> None:
            if key in kept and kept[key][0] is reference:
                del kept[key]

        return forget

    def clear(self) -> None:
        """Frees all copies."""
        self._kept.clear()


host_tensors = HostTensors()
