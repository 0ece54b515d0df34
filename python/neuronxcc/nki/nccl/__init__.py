"""Collectives of the first generation, which no public document describes.

Importing this module says what to use instead.
"""

raise ImportError(
    "neuronxcc.nki.nccl is not documented in public, so Trainyard does not know what it means; "
    "collectives in kernels are nki.collectives (NKI 0.3 and later)"
)
