"""Annotations of kernel parameters: `tensor[128, 512]`. They document; nothing is checked.

Source: nki.typing, NKI 0.3.
"""

from __future__ import annotations


class tensor:
    """A tensor parameter, with its shape in brackets."""

    def __class_getitem__(cls, shape: object) -> type[tensor]:
        return cls


class mutable_tensor(tensor):
    """A tensor parameter that the kernel writes."""


class scalar:
    """A number parameter."""

    def __class_getitem__(cls, dtype: object) -> type[scalar]:
        return cls
