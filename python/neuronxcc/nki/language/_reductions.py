"""Reductions of first-generation nki.language along free dimensions. Source: NKI 0.1."""

from __future__ import annotations

import math
from typing import Any

import nki.language as nl

from neuronxcc.nki import _elementwise, _names
from neuronxcc.nki._operands import result_dtype
from neuronxcc.nki._tensor import Tensor
from neuronxcc.nki.isa import tensor_reduce


def _reduction(name: str, operator: Any, meaning: str) -> Any:
    def function(
        x: Tensor,
        axis: Any,
        *,
        dtype: Any = None,
        mask: Any = None,
        keepdims: bool = False,
        **_: Any,
    ) -> Tensor:
        return tensor_reduce(operator, x, axis, mask=mask, dtype=dtype, keepdims=keepdims)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning} along free dimensions; the result has at least two dimensions."
    return function


sum = _reduction("sum", nl.add, "The sum")
max = _reduction("max", nl.maximum, "The largest element")
min = _reduction("min", nl.minimum, "The smallest element")
prod = _reduction("prod", nl.multiply, "The product")
all = _reduction("all", nl.logical_and, "Whether no element is 0")
_names.register(sum, "add")
_names.register(max, "maximum")
_names.register(min, "minimum")


def mean(
    x: Tensor, axis: Any, *, dtype: Any = None, mask: Any = None, keepdims: bool = False, **_: Any
) -> Tensor:
    """The arithmetic mean along free dimensions."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    total = tensor_reduce(nl.add, x, axis, mask=mask, dtype="float32", keepdims=keepdims)
    count = math.prod(x.shape[a] for a in axes)
    return _elementwise.binary(nl.multiply, total, 1.0 / count, result_dtype(dtype, x.dtype))
