"""Tensors of the host that programs take: a copy in HBM is kept until the tensor changes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch

from trainyard.torch import buffers
from trainyard.torch.buffers import Buffer

_Mark = tuple[Any, ...]


def _mark(tensor: torch.Tensor) -> _Mark:
    """Changes when the tensor does: by its version counter, and, as writes through `.data` or NumPy
    do not count there, by sums over its bits."""
    version = -1 if tensor.is_inference() else tensor._version
    flat = tensor.detach()
    if not flat.is_contiguous():
        flat = flat.contiguous()
    content = flat.reshape(-1).view(torch.uint8)
    whole = content[: content.numel() // 8 * 8]
    if whole.storage_offset() % 8:
        whole = whole.clone()
    words = whole.view(torch.int64)
    rest = bytes(content[whole.numel() :].tolist())
    sums = (int(words.sum()), int(words[::3].sum()), int(words[::7].sum())) if words.numel() else ()
    return (version, tensor.data_ptr(), tuple(tensor.shape), sums, rest)


class HostTensors:
    """The copies in HBM of tensors of the host, by tensor."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[weakref.ref[torch.Tensor], _Mark, Buffer]] = {}

    def buffer(self, tensor: torch.Tensor) -> Buffer:
        """The tensor's copy: made now where there is none, or where the tensor has changed."""
        mark = _mark(tensor)
        kept = self._kept.get(id(tensor))
        if kept is not None and kept[0]() is tensor and kept[1] == mark:
            return kept[2]
        made = buffers.from_host(tensor)
        self._keep(tensor, mark, made)
        return made

    def _keep(self, tensor: torch.Tensor, mark: _Mark, made: Buffer) -> None:
        self._kept[id(tensor)] = (weakref.ref(tensor, self._forget(id(tensor))), mark, made)

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
