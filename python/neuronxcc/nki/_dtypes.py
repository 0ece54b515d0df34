"""Dtypes of first-generation kernels: the names of nki, equal to what NumPy calls the same."""

from __future__ import annotations

import numpy as np
from nki import _dtypes


class DType(str):
    """The name of a dtype; equal to NumPy's type, dtype and name of that name."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str.__eq__(self, other)
        try:
            return str.__eq__(self, _dtypes.name_of(other))
        except TypeError:
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return _dtypes.numpy_dtype(str(self)).itemsize


def dtype_of(value: object) -> DType:
    """Any spelling of a dtype as a DType. Raises TypeError with the list of names."""
    return value if isinstance(value, DType) else DType(_dtypes.name_of(value))


_ORDER = (
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "float8_e5m2",
    "float8_e4m3",
    "float8_e4m3fn",
    "float16",
    "bfloat16",
    "tfloat32",
    "float32",
)


def promoted(x: DType, y: DType) -> DType:
    """The dtype of a result of x and y: the wider one, floats above integers.

    Two different 16-bit floats give float32, as neither holds the other.
    """
    if {x, y} == {"float16", "bfloat16"}:
        return DType("float32")
    return x if _ORDER.index(x) >= _ORDER.index(y) else y


def with_number(x: DType, number: object) -> DType:
    """The dtype of a result of a tile of x and a Python number."""
    fraction = isinstance(number, (float, np.floating))
    return DType("float32") if fraction and _ORDER.index(x) < _ORDER.index("float8_e5m2") else x
