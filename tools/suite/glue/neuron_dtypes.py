"""The dtypes of AWS's package of this name, as far as public suites use them: casts and sizes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from nki import _dtypes
from trainyard import _core

_numerics = _core.numerics

bfloat16 = np.dtype(ml_dtypes.bfloat16)
float8_e4m3 = np.dtype(ml_dtypes.float8_e4m3)
float8_e4m3fn = np.dtype(ml_dtypes.float8_e4m3fn)
float8_e5m2 = np.dtype(ml_dtypes.float8_e5m2)
float8_e8m0fnu = np.dtype(ml_dtypes.float8_e8m0fnu)
float8_e5m2_x4 = _dtypes.numpy_dtype("float8_e5m2_x4")
float8_e4m3fn_x4 = _dtypes.numpy_dtype("float8_e4m3fn_x4")
float4_e2m1fn_x4 = _dtypes.numpy_dtype("float4_e2m1fn_x4")

_ELEMENTS = {
    "float8_e5m2_x4": float8_e5m2,
    "float8_e4m3fn_x4": float8_e4m3fn,
    "float4_e2m1fn_x4": np.dtype(ml_dtypes.float4_e2m1fn),
}
_NIBBLES = "float4_e2m1fn_x4"
_SMALL = ("bfloat16", "float8_e4m3", "float8_e4m3fn", "float8_e5m2")
_ALIASES = {"float8e4": "float8_e4m3", "float8e5": "float8_e5m2"}


def _resolve(dtype: object) -> np.dtype:
    if isinstance(dtype, str):
        dtype = _ALIASES.get(dtype, dtype)
        if dtype in _ELEMENTS:
            return _dtypes.numpy_dtype(dtype)
    return np.dtype(dtype)


def finfo(dtype: object) -> ml_dtypes.finfo:
    """The limits of a floating-point dtype."""
    return ml_dtypes.finfo(_resolve(dtype))


def sizeinbytes(dtype: object) -> int:
    """Bytes of one element."""
    return _resolve(dtype).itemsize


def is_float_type(dtype: object) -> bool:
    """Whether a dtype holds floating-point numbers, packed ones included."""
    resolved = _resolve(dtype)
    name = str(resolved)
    return resolved.kind == "f" or name.startswith(("bfloat", "float"))


def static_cast(array: Any, dtype: object) -> Any:
    """An array or number in another dtype; packed ones hold four elements of the last axis."""
    target = _resolve(dtype)
    if hasattr(array, "in_pieces") and str(target) not in _ELEMENTS:  # drawn as it is cast
        return array.in_pieces(static_cast, target)
    array = np.asarray(array)
    source_name, target_name = str(array.dtype), str(target)
    if source_name == target_name:
        return array
    if source_name in _ELEMENTS:
        return _unpacked(array).astype(target)
    if target_name in _ELEMENTS:
        return _packed(array, target)
    return _saturated(array, target)


def _saturated(array: np.ndarray, target: np.dtype) -> np.ndarray:
    if str(array.dtype) in _SMALL and target == np.float32:
        return _to_float(str(array.dtype), array).reshape(array.shape)[()]
    if array.dtype == np.float32 and str(target) in _SMALL:
        return _from_float(str(target), array).view(target).reshape(array.shape)[()]
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype(target)[()]


def _unpacked(array: np.ndarray) -> np.ndarray:
    name = str(array.dtype)
    codes = _numerics.unpack(name, _bytes_of(array)) if name == _NIBBLES else array
    values = _to_float(str(_ELEMENTS[name]), codes)
    return values.reshape(*array.shape[:-1], array.shape[-1] * 4)


def _packed(array: np.ndarray, target: np.dtype) -> np.ndarray:
    name = str(target)
    element = _ELEMENTS[name]
    limit = float(ml_dtypes.finfo(element).max)
    codes = _from_float(str(element), np.clip(np.asarray(array, np.float32), -limit, limit))
    if name != _NIBBLES:
        return codes.reshape(array.shape).view(target)
    words = _numerics.pack(name, codes).view(target)
    return words.reshape(*array.shape[:-1], array.shape[-1] // 4)


def _bytes_of(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _to_float(name: str, array: np.ndarray) -> np.ndarray:
    """Stored elements as float32, in a row; exact, and much quicker than NumPy's astype."""
    return _numerics.to_float(name, _bytes_of(array))


def _from_float(name: str, array: np.ndarray) -> np.ndarray:
    """float32 values as stored elements, in a row of bytes: the same bits as astype's."""
    return _numerics.from_float(name, np.ascontiguousarray(array).reshape(-1))
