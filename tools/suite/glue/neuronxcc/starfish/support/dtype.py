"""Casts, the same as in neuron_dtypes."""

from neuron_dtypes import static_cast

__all__ = ["static_cast"]
