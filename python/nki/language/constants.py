"""Names that older kernels take from nki.language.constants."""

from __future__ import annotations

from nki import _dtypes
from nki.language._tile_size import tile_size


def sizeinbytes(dtype: object) -> int:
    """Bytes of one element of a dtype."""
    return _dtypes.numpy_dtype(_dtypes.name_of(dtype)).itemsize


__all__ = ["sizeinbytes", "tile_size"]
