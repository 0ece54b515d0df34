"""The dtypes of AWS's package of this name, as far as public suites use them: casts and sizes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from nki import _dtypes

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
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype(target)[()]


def _unpacked(array: np.ndarray) -> np.ndarray:
    name = str(array.dtype)
    if name != _NIBBLES:
        return np.ascontiguousarray(array).view(np.uint8).view(_ELEMENTS[name]).astype(np.float32)
    words = np.ascontiguousarray(array).view(np.uint16)
    nibbles = np.stack([(words >> shift) & 15 for shift in (0, 4, 8, 12)], axis=-1)
    values = nibbles.astype(np.uint8).view(_ELEMENTS[name]).astype(np.float32)
    return values.reshape(*array.shape[:-1], array.shape[-1] * 4)


def _packed(array: np.ndarray, target: np.dtype) -> np.ndarray:
    name = str(target)
    element = _ELEMENTS[name]
    limit = float(ml_dtypes.finfo(element).max)
    small = np.clip(np.asarray(array, np.float32), -limit, limit).astype(element)
    codes = np.ascontiguousarray(small).view(np.uint8)
    if name != _NIBBLES:
        return codes.view(target)
    quads = (codes & 15).astype(np.uint16).reshape(*codes.shape[:-1], codes.shape[-1] // 4, 4)
    return np.bitwise_or.reduce(quads << np.array([0, 4, 8, 12], np.uint16), axis=-1).view(target)
