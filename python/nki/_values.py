"""Arrays of NumPy and torch as kernel inputs, and kernel outputs back as the same."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import numpy as np

from nki import _dtypes
from nki._context import module_is_imported


def is_array(value: object) -> bool:
    """Whether a kernel argument is tensor data."""
    return isinstance(value, np.ndarray) or _is_torch(value) or _is_jax(value)


def _is_torch(value: object) -> bool:
    if not module_is_imported("torch"):
        return False
    torch: Any = sys.modules["torch"]

    return isinstance(value, torch.Tensor)


def _is_jax(value: object) -> bool:
    if not module_is_imported("jax"):
        return False
    import jax

    return isinstance(value, jax.Array)


def described(value: Any) -> str:
    """A value in one line, for messages: of an array what it is, not what it holds."""
    if is_array(value):
        return f"an array of shape {tuple(value.shape)} and dtype {value.dtype}"
    return textwrap.shorten(repr(value), 80)


def to_numpy(value: Any) -> np.ndarray:
    """The argument as a C-contiguous array of at least one dimension, in native byte order."""
    if _is_torch(value):
        value = value.detach().cpu().contiguous()
        name = str(value.dtype).removeprefix("torch.")
        if name == "bfloat16" or name.startswith("float8"):
            torch: Any = sys.modules["torch"]

            words = torch.int16 if value.element_size() == 2 else torch.uint8
            return value.view(words).numpy().view(np.dtype(name))
        return np.atleast_1d(value.numpy())
    array = np.atleast_1d(np.ascontiguousarray(value))
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def dtype_name(array: np.ndarray) -> str:
    """The NKI dtype of an array."""
    if array.dtype == np.float64:
        raise TypeError("the machine has no float64; convert the array to float32")
    return _dtypes.name_of(array.dtype)


def packed(array: np.ndarray, dtype: str) -> np.ndarray:
    """An array of uint32 or uint16 words as a packed MX dtype such as float8_e4m3fn_x4."""
    return np.ascontiguousarray(array).view(_dtypes.numpy_dtype(_dtypes.name_of(dtype)))


def empty(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Room for an output."""
    return np.zeros(shape, _dtypes.numpy_dtype(dtype))


def read(session: Any, instance: Any, tensor: Any) -> np.ndarray:
    """What a tensor of a finished run holds."""
    array = empty(tensor.shape, tensor.dtype)
    session.read(instance, tensor, as_bytes(array))
    return array


def like(array: np.ndarray, example: object) -> Any:
    """The output as the kind of object the inputs were."""
    if _is_torch(example):
        torch: Any = sys.modules["torch"]

        name = array.dtype.name
        if hasattr(torch, name) and (name == "bfloat16" or name.startswith("float8")):
            words = np.int16 if array.itemsize == 2 else np.uint8
            return torch.from_numpy(array.view(words)).view(getattr(torch, name))
        return torch.from_numpy(array)
    if _is_jax(example):
        import jax

        return jax.numpy.asarray(array)
    return array


def update(given: Any, content: np.ndarray) -> None:
    """Writes what a kernel left in an input back to the caller's array.

    Raises ValueError when the array is read-only. JAX arrays never change.
    """
    if _is_torch(given):
        given.copy_(like(content, given).reshape(given.shape))
    elif isinstance(given, np.ndarray):
        if not given.flags.writeable:
            raise ValueError("the kernel writes an input whose array is read-only; pass a copy")
        given[...] = content.reshape(given.shape)


def as_bytes(array: np.ndarray) -> np.ndarray:
    """The array's memory as a flat uint8 array (ml_dtypes arrays export no buffer themselves)."""
    return array.reshape(-1).view(np.uint8)
