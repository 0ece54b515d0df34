"""What the `op` arguments of first-generation kernels may be beside nki's own operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from nki import _context
from nki.language import _operators

_NUMPY = {
    "max": "maximum",
    "min": "minimum",
    "amax": "maximum",
    "amin": "minimum",
    "sum": "add",
    "prod": "multiply",
    "copy": "copy",
    "true_divide": "divide",
    "bitwise_not": "invert",
}
_NAMES: dict[Any, str] = {}


def register(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Makes a function stand for an operator in the `op` arguments of nki.isa."""
    _context.vocabulary.add_operator(function, name)
    _NAMES[function] = name
    return function


def name_of(op: Any) -> str:
    """The name of an operator given as a function of nki, neuronxcc or NumPy."""
    return _NAMES.get(op) or getattr(op, "__name__", str(op))


for _name, _function in _operators.OPERATORS.items():
    _NAMES[_function] = _name
    if isinstance(getattr(np, _name, None), np.ufunc):
        _NAMES[getattr(np, _name)] = _name
for _own, _name in _NUMPY.items():
    _op = getattr(np, _own)
    if not (isinstance(_op, np.ufunc) and _op in _NAMES):
        register(_op, _name)
