"""Python's operators on tiles, as methods of their class.

They are operations, which make tiles and so need the class: _elementwise says what they compute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

Method = Callable[[Any, Any], Any]


class Arithmetic(Protocol):
    """What operators compute."""

    @staticmethod
    def binary(op: Any, x: Any, y: Any, dtype: Any = None) -> Any:
        """x op y."""

    @staticmethod
    def divide(x: Any, y: Any) -> Any:
        """x / y."""

    @staticmethod
    def copy(x: Any, dtype: Any) -> Any:
        """The elements of x in another dtype."""

    @staticmethod
    def in_place(op: Any, x: Any, y: Any) -> Any:
        """`x op= y`."""


_arithmetic: list[type[Arithmetic]] = []


def compute_by(arithmetic: type[Arithmetic]) -> None:
    """Says, once, what operators compute."""
    _arithmetic[:] = [arithmetic]


def arithmetic() -> type[Arithmetic]:
    """What was said."""
    return _arithmetic[0]


def operator(op: Any) -> Method:
    """The method of x op y."""
    return lambda self, other: arithmetic().binary(op, self, other)


def operators(op: Any) -> tuple[Method, Method, Method]:
    """The methods of x op y, of y op x and of `x op= y`."""
    return (
        operator(op),
        lambda self, other: arithmetic().binary(op, other, self),
        lambda self, other: arithmetic().in_place(op, self, other),
    )
