"""Annotations, the same as in nki.typing."""

from nki.typing import mutable_tensor, scalar, tensor

__all__ = ["mutable_tensor", "scalar", "tensor"]
