"""Tensors, dtypes, operators and loops of the kernel language.

Source of names and parameters: nki.language, NKI 0.7.
"""

import builtins

from nki._hints import missing as _missing
from nki.language import _tensor
from nki.language._elementwise import ceil, cos, floor, sin, tan, trunc, where
from nki.language._grid import *  # noqa: F403
from nki.language._layout import (
    broadcast_to,
    cast,
    expand_dims,
    gather_flattened,
    load_transpose2d,
    matmul,
    transpose,
)
from nki.language._memory import (
    ds,
    full,
    load,
    ndarray,
    ones,
    shared_constant,
    shared_identity_matrix,
    store,
    zeros,
    zeros_like,
)
from nki.language._objects import NKIObject
from nki.language._operators import *  # noqa: F403
from nki.language._random import dropout, rand, random_seed
from nki.language._reductions import all, max, mean, min, prod, rms_norm, softmax, sum, var
from nki.language._tensor import NkiTensor
from nki.language._tile_size import _TileSize, tile_size
from nki.language._tiles import *  # noqa: F403
from nki.language._types import *  # noqa: F403
from nki.language._types import bool_ as bool

range = builtins.range
__getattr__ = _missing("nki.language", lambda: globals())
