"""Operands in one type and shape, as PyTorch's operators want them."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch

from trainyard.torch.writer import Value, Writer

Operand = Value | int | float | bool


@cache
def _result_type(kinds: tuple[Any, ...]) -> torch.dtype:
    parts = [
        kind(1) if isinstance(kind, type) else torch.empty((1,) * kind[1], dtype=kind[0])
        for kind in kinds
    ]
    return torch.result_type(*parts)


def result_type(*operands: Operand) -> torch.dtype:
    """What PyTorch computes operands of these types in."""
    kinds = [(x.dtype, int(x.rank > 0)) if isinstance(x, Value) else type(x) for x in operands]
    kinds = kinds if len(kinds) > 1 else kinds * 2
    result = _result_type(tuple(kinds[:2]))
    for kind in kinds[2:]:
        result = torch.promote_types(result, _result_type((kind, kind)))
    return result


def as_type(w: Writer, x: Operand, shape: Any, dtype: torch.dtype) -> Value:
    """An operand in this shape and type."""
    if isinstance(x, Value):
        return w.expand(w.cast(x, dtype), shape)
    return w.constant(x, shape, dtype)


def both(w: Writer, shape: Any, a: Operand, b: Operand, dtype: torch.dtype) -> tuple[Value, Value]:
    """Two operands in one shape and type."""
    return as_type(w, a, shape, dtype), as_type(w, b, shape, dtype)


def shape_of(*operands: Operand) -> tuple[int, ...]:
    """What the operands broadcast to."""
    return tuple(torch.broadcast_shapes(*[x.shape for x in operands if isinstance(x, Value)]))
