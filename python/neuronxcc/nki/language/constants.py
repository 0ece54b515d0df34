"""Names that older kernels take from neuronxcc.nki.language.constants."""

from __future__ import annotations

from nki.language import tile_size

from neuronxcc.nki._dtypes import dtype_of


def sizeinbytes(dtype: object) -> int:
    """Bytes of one element of a dtype."""
    return dtype_of(dtype).itemsize


__all__ = ["sizeinbytes", "tile_size"]
