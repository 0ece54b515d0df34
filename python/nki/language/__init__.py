"""Tensors, dtypes, operators and loops of the kernel language.

Source of names and parameters: nki.language, NKI 0.6.
"""

from nki.language._grid import *  # noqa: F403
from nki.language._memory import (
    ds,
    empty_like,
    full,
    load,
    load_transpose2d,
    ndarray,
    ones,
    shared_constant,
    shared_identity_matrix,
    store,
    zeros,
    zeros_like,
)
from nki.language._operators import *  # noqa: F403
from nki.language._types import *  # noqa: F403
from nki.language._types import _TileSize
