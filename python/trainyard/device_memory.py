"""The memory of simulated devices, which the programs of this process share: what one leaves there
the next one finds without a copy.

    from trainyard import device_memory, model

    cache = device_memory.put(np.zeros((128, 16, 64), np.float32))
    step = model.compile(jax.jit(append, donate_argnums=0), cache, row, 0)
    cache = step.run(cache, row, 0, on_device=True).results      # in place: no copy
    np.asarray(cache)                                            # to the host
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.graph import bytes_of, element_of
from trainyard.simulated_devices import devices_of


class DeviceArray:
    """An array that programs of trainyard.model take and, with `on_device`, give. It lies in the
    memory of the device that runs them; `np.asarray` reads it.

    shape: of ints. dtype: NumPy's. A program may take its memory for a result (JAX's
    donate_argnums); the array is gone then, and reading it raises InputError "model.donated".
    """

    __slots__ = ("core", "devices", "dtype", "shape")

    def __init__(self, core: Any, shape: Sequence[int], dtype: np.dtype, devices: Any) -> None:
        """core: of the simulator; devices: in whose memory it lies."""
        self.core, self.devices = core, devices
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)

    @property
    def ndim(self) -> int:
        """How many dimensions there are."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """In HBM."""
        return int(self.core.bytes)

    @property
    def address(self) -> int | None:
        """Of its first byte in the device's HBM; None until a program has taken it."""
        return self.core.address

    @property
    def is_gone(self) -> bool:
        """Whether a program was given its memory."""
        return bool(self.core.is_gone)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an array of a device is copied to the host")
        array = np.frombuffer(self.core.content(), self.dtype).reshape(self.shape)
        return array if dtype is None else array.astype(dtype)

    def __repr__(self) -> str:
        kind = f"{self.dtype.name}{list(self.shape)}"
        return f"DeviceArray({kind}{', gone' if self.is_gone else ''})"

    def read_pages(self, pages: Sequence[int], axis: int = 0) -> np.ndarray:
        """Some indices of a dimension, in this order. Raises InputError "model.pages" for one that
        is not there."""
        content = self.core.read_pages(self.devices, axis, list(pages))
        return np.frombuffer(content, self.dtype).reshape(self._paged(len(pages), axis))

    def write_pages(self, pages: Sequence[int], values: np.ndarray, axis: int = 0) -> None:
        """Changes them in place. values: the shape that read_pages() would give."""
        array = np.asarray(values, self.dtype)
        wanted = self._paged(len(pages), axis)
        if array.shape != wanted:
            raise _core.InputError(
                f"model.pages: {len(pages)} pages of {self!r} are {list(wanted)}, not "
                f"{list(array.shape)}\n  fix: pass what read_pages() gives"
            )
        self.core.write_pages(self.devices, axis, list(pages), bytes_of(array))

    def _paged(self, count: int, axis: int) -> tuple[int, ...]:
        return (*self.shape[:axis], count, *self.shape[axis + 1 :])


def put(value: Any, machine: str | Any = "trn3") -> DeviceArray:
    """An array for programs of a machine: it moves into its memory with the first one that takes
    it. Raises InputError "model.input" for elements that no program has."""
    array = np.asarray(value)
    core = _core.model_input(element_of(array.dtype), list(array.shape), bytes_of(array))
    return DeviceArray(core, array.shape, array.dtype, devices_of(machine))


def put_all(values: Mapping[str, Any], machine: str | Any = "trn3") -> dict[str, DeviceArray]:
    """put() of each, by name."""
    return {name: put(value, machine) for name, value in values.items()}


def zeros(shape: Sequence[int], dtype: Any, machine: str | Any = "trn3") -> DeviceArray:
    """put() of zeros, of which the host has no copy."""
    kind = np.dtype(dtype)
    core = _core.model_zeros(element_of(kind), list(shape))
    return DeviceArray(core, shape, kind, devices_of(machine))
