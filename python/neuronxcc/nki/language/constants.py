"""Names that older kernels take from neuronxcc.nki.language.constants."""

from nki.language.constants import sizeinbytes, tile_size

__all__ = ["sizeinbytes", "tile_size"]
