"""The part of PyTorch/XLA by which harnesses reach their device: here the host's memory."""

from torch_xla.core.xla_model import xla_device as device

__all__ = ["device"]
