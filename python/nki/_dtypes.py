"""The dtypes of NKI as NumPy sees them, and back. A dtype of NKI is its name, a string."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from trainyard import _core

try:  # registers bfloat16, float8_* and the rest with NumPy
    import ml_dtypes
except ImportError:  # pragma: no cover - ml_dtypes is a dependency of the package
    ml_dtypes = None

try:  # packed MX words, under their names
    np.dtype("float8_e4m3fn_x4")
except TypeError:
    _core.add_packed_dtypes()

NAMES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "bfloat16",
    "tfloat32",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e8m0fnu",
    "float8_e5m2_x4",
    "float8_e4m3fn_x4",
    "float4_e2m1fn_x4",
)

_KNOWN = frozenset(NAMES)

# A format NumPy has no dtype for is held in another of the same width.
_STORAGE = {"tfloat32": "float32"}


def name_of(dtype: object) -> str:
    """The NKI name of a dtype given as a name, a NumPy dtype or type, or a torch dtype.

    Raises TypeError, with the list of names, for anything else.
    """
    if isinstance(dtype, str) and dtype in _KNOWN:
        return dtype
    if isinstance(dtype, str) and dtype == "bool_":
        return "bool"
    text = str(dtype)
    if text.startswith("torch."):
        text = text.removeprefix("torch.")
    if text in _KNOWN:
        return text
    try:
        name = np.dtype(cast(Any, dtype)).name
    except TypeError:
        name = ""
    if name in _KNOWN:
        return name
    raise TypeError(f"{dtype!r} is not a dtype of NKI; use one of {', '.join(NAMES)}")


def numpy_dtype(name: str) -> np.dtype:
    """The NumPy dtype that holds NKI dtype `name`."""
    return np.dtype(_STORAGE.get(name, name))
