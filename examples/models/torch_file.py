"""Reads the tensors of a PyTorch state file (the format before version 1.6) without PyTorch.

A pickle can run any code. This reader knows the four names that a state of float and integer
tensors is made of, and refuses every other one.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_STORAGES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}


class _Storage(NamedTuple):
    key: str
    elements: int
    dtype: np.dtype


class _Tensor(NamedTuple):
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]


def _rebuild(storage: _Storage, offset: int, shape, steps, *_rest: Any) -> _Tensor:
    return _Tensor(storage, offset, tuple(shape), tuple(steps))


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        known = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): _rebuild,
        }
        if (module, name) not in known:
            raise ValueError(f"a state of tensors does not name {module}.{name}")
        return known[module, name]

    def persistent_load(self, pid: Any) -> _Storage:
        kind, dtype, key, _place, elements, _view = pid
        if kind != "storage" or not isinstance(dtype, np.dtype):
            raise ValueError(f"{kind!r} is no storage of numbers")
        return _Storage(str(key), int(elements), dtype)


def _content(file: BinaryIO, storage: _Storage) -> np.ndarray:
    elements = int.from_bytes(file.read(8), "little")
    if elements != storage.elements:
        raise ValueError(f"storage {storage.key} has {elements} elements for {storage.elements}")
    data = file.read(elements * storage.dtype.itemsize)
    if len(data) != elements * storage.dtype.itemsize:
        raise ValueError(f"the file ends in storage {storage.key}")
    return np.frombuffer(data, storage.dtype)


def _array(tensor: _Tensor, content: np.ndarray) -> np.ndarray:
    """The elements at their steps, copied; steps beyond the storage are refused."""
    if len(tensor.shape) != len(tensor.steps) or min((*tensor.shape, *tensor.steps, 0)) < 0:
        raise ValueError("a tensor has a step for each dimension, none below 0")
    last = tensor.offset + sum(
        (n - 1) * step for n, step in zip(tensor.shape, tensor.steps, strict=True)
    )
    if 0 not in tensor.shape and not 0 <= tensor.offset <= last < len(content):
        raise ValueError("a tensor lies in its storage")
    steps = [step * content.itemsize for step in tensor.steps]
    view = np.lib.stride_tricks.as_strided(content[tensor.offset :], tensor.shape, steps)
    return np.ascontiguousarray(view)


def read(path: str | Path) -> dict[str, np.ndarray]:
    """The tensors by name. Raises ValueError for anything but a state of tensors."""
    with Path(path).open("rb") as file:
        try:
            parts = [_Reader(file).load() for _ in range(5)]
        except (pickle.UnpicklingError, EOFError, TypeError, KeyError, IndexError) as error:
            raise ValueError(f"{path} is no state file of PyTorch: {error}") from error
        magic, protocol, _system, tensors, keys = parts
        if (magic, protocol) != (_MAGIC, _PROTOCOL) or not isinstance(tensors, dict):
            raise ValueError(f"{path} is no state file of PyTorch before 1.6")
        storages = {tensor.storage.key: tensor.storage for tensor in tensors.values()}
        if sorted(keys) != sorted(storages):
            raise ValueError(f"{path} does not hold the storages of its tensors")
        contents = {key: _content(file, storages[key]) for key in keys}
    return {name: _array(tensor, contents[tensor.storage.key]) for name, tensor in tensors.items()}
