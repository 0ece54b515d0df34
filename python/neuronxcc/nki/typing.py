"""Annotations of kernel parameters and tiles; nothing is checked. Source: neuronxcc.nki.typing."""

from nki.typing import mutable_tensor, scalar, tensor

__all__ = ["mutable_tensor", "scalar", "tensor"]
