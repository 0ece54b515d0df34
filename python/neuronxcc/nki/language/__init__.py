"""Tensors, operators and loops of first-generation kernels: neuronxcc.nki.language, NKI 0.1."""

import nki.language as _nl
import numpy as _np
from nki.language import (
    is_hbm,
    is_on_chip,
    is_psum,
    is_sbuf,
    private_hbm,
    psum,
    sbuf,
    shared_hbm,
    tile_size,
)
from nki.language import shared_hbm as hbm  # what a kernel returns may be in either

from neuronxcc.nki._dtypes import DType as _DType
from neuronxcc.nki._dtypes import dtype_of as _dtype_of
from neuronxcc.nki._index import arange, mgrid
from neuronxcc.nki.language import _functions, constants
from neuronxcc.nki.language._functions import (
    broadcast_to,
    divide,
    dropout,
    expand_dims,
    gather_flattened,
    invert,
    logical_not,
    matmul,
    mod,
    negative,
    rand,
    random_seed,
    reciprocal,
    static_cast,
    transpose,
    where,
)
from neuronxcc.nki.language._grid import (
    affine_range,
    device_print,
    loop_reduce,
    nc,
    num_programs,
    program_id,
    program_ndim,
    sequential_range,
    spmd_dim,
    static_range,
)
from neuronxcc.nki.language._memory import (
    atomic_rmw,
    copy,
    empty_like,
    full,
    full_like,
    load,
    load_transpose2d,
    ndarray,
    ones,
    par_dim,
    shared_constant,
    shared_identity_matrix,
    store,
    zeros,
    zeros_like,
)
from neuronxcc.nki.language._reductions import all, max, mean, min, prod, sum

ds = _nl.ds


def finfo(dtype: object) -> object:
    """The limits of a floating-point dtype, as numpy.finfo has them."""
    import ml_dtypes

    return ml_dtypes.finfo(str(_dtype_of(dtype)))


class fp32:
    """The limits of float32."""

    min = float(_np.finfo(_np.float32).min)
    max = float(_np.finfo(_np.float32).max)


globals().update(
    {
        name: getattr(_functions, name)
        for names in (_functions.BINARY, _functions.ACTIVATIONS, _functions.COMPOSED)
        for name in names
    }
)
_DTYPES = [
    "int8",
    "int16",
    "int32",
    "uint8",
    "uint16",
    "uint32",
    "float16",
    "float32",
    "bfloat16",
    "tfloat32",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2",
]
globals().update({name: _DType(name) for name in _DTYPES})
bool_ = _DType("bool")

__all__ = [
    "all",
    "arange",
    "atomic_rmw",
    "affine_range",
    "bool_",
    "broadcast_to",
    "constants",
    "copy",
    "device_print",
    "divide",
    "dropout",
    "ds",
    "empty_like",
    "expand_dims",
    "finfo",
    "fp32",
    "full",
    "full_like",
    "gather_flattened",
    "hbm",
    "invert",
    "is_hbm",
    "is_on_chip",
    "is_psum",
    "is_sbuf",
    "load",
    "load_transpose2d",
    "logical_not",
    "loop_reduce",
    "matmul",
    "max",
    "mean",
    "mgrid",
    "min",
    "mod",
    "nc",
    "ndarray",
    "negative",
    "num_programs",
    "ones",
    "par_dim",
    "private_hbm",
    "prod",
    "program_id",
    "program_ndim",
    "psum",
    "rand",
    "random_seed",
    "reciprocal",
    "sbuf",
    "sequential_range",
    "shared_constant",
    "shared_hbm",
    "shared_identity_matrix",
    "spmd_dim",
    "static_cast",
    "static_range",
    "store",
    "sum",
    "tile_size",
    "transpose",
    "where",
    "zeros",
    "zeros_like",
    *_DTYPES,
    *_functions.BINARY,
    *_functions.ACTIVATIONS,
    *_functions.COMPOSED,
]
