"""Annotations of kernel parameters and tiles, and scalar(). Source: neuronxcc.nki.typing."""

from __future__ import annotations

from typing import Any

from nki import _peek
from nki import typing as _typing
from nki.typing import mutable_tensor, tensor


class scalar(_typing.scalar):
    """A number parameter; called with a tile of one element, the number that it holds.

    `range(scalar(tile))` and `while scalar(flag)` loop by what a tile holds at run time. Loops are
    unrolled here, so the number is that of this run's arguments. Raises InputError
    "neuronxcc.scalar" for a tile of several elements, and those of trainyard.peek.
    """

    def __new__(cls, value: Any) -> Any:
        if not hasattr(value, "_access"):
            return value
        if value.size != 1:
            from nki import _context

            _context.refuse(
                "neuronxcc.scalar",
                "scalar() takes a tile of one element",
                f"a tile of shape {value.shape}",
                "index the element first, tile[0, 0]",
            )
        return _peek.values(value).reshape(()).item()


__all__ = ["mutable_tensor", "scalar", "tensor"]
