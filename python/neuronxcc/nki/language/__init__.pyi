# Written by tools/stubs.py; do not edit.
"""Tensors, operators and loops of first-generation kernels: neuronxcc.nki.language, NKI 0.1."""

from typing import Any

from neuronxcc.nki._dtypes import DType as _DType
from neuronxcc.nki._dtypes import dtype_of as _dtype_of
from neuronxcc.nki._index import arange as arange
from neuronxcc.nki._index import mgrid as mgrid
from neuronxcc.nki._tensor import Tensor
from neuronxcc.nki.language import _functions as _functions
from neuronxcc.nki.language import constants as constants
from neuronxcc.nki.language._functions import broadcast_to as broadcast_to
from neuronxcc.nki.language._functions import divide as divide
from neuronxcc.nki.language._functions import dropout as dropout
from neuronxcc.nki.language._functions import expand_dims as expand_dims
from neuronxcc.nki.language._functions import gather_flattened as gather_flattened
from neuronxcc.nki.language._functions import invert as invert
from neuronxcc.nki.language._functions import logical_not as logical_not
from neuronxcc.nki.language._functions import matmul as matmul
from neuronxcc.nki.language._functions import mod as mod
from neuronxcc.nki.language._functions import negative as negative
from neuronxcc.nki.language._functions import rand as rand
from neuronxcc.nki.language._functions import random_seed as random_seed
from neuronxcc.nki.language._functions import reciprocal as reciprocal
from neuronxcc.nki.language._functions import static_cast as static_cast
from neuronxcc.nki.language._functions import transpose as transpose
from neuronxcc.nki.language._functions import where as where
from neuronxcc.nki.language._grid import affine_range as affine_range
from neuronxcc.nki.language._grid import device_print as device_print
from neuronxcc.nki.language._grid import loop_reduce as loop_reduce
from neuronxcc.nki.language._grid import nc as nc
from neuronxcc.nki.language._grid import num_programs as num_programs
from neuronxcc.nki.language._grid import program_id as program_id
from neuronxcc.nki.language._grid import program_ndim as program_ndim
from neuronxcc.nki.language._grid import sequential_range as sequential_range
from neuronxcc.nki.language._grid import spmd_dim as spmd_dim
from neuronxcc.nki.language._grid import static_range as static_range
from neuronxcc.nki.language._memory import atomic_rmw as atomic_rmw
from neuronxcc.nki.language._memory import copy as copy
from neuronxcc.nki.language._memory import empty_like as empty_like
from neuronxcc.nki.language._memory import full as full
from neuronxcc.nki.language._memory import full_like as full_like
from neuronxcc.nki.language._memory import load as load
from neuronxcc.nki.language._memory import load_transpose2d as load_transpose2d
from neuronxcc.nki.language._memory import ndarray as ndarray
from neuronxcc.nki.language._memory import ones as ones
from neuronxcc.nki.language._memory import par_dim as par_dim
from neuronxcc.nki.language._memory import shared_constant as shared_constant
from neuronxcc.nki.language._memory import shared_identity_matrix as shared_identity_matrix
from neuronxcc.nki.language._memory import store as store
from neuronxcc.nki.language._memory import zeros as zeros
from neuronxcc.nki.language._memory import zeros_like as zeros_like
from neuronxcc.nki.language._reductions import all as all
from neuronxcc.nki.language._reductions import max as max
from neuronxcc.nki.language._reductions import mean as mean
from neuronxcc.nki.language._reductions import min as min
from neuronxcc.nki.language._reductions import prod as prod
from neuronxcc.nki.language._reductions import sum as sum
from nki.language import ds as ds
from nki.language import is_hbm as is_hbm
from nki.language import is_on_chip as is_on_chip
from nki.language import is_psum as is_psum
from nki.language import is_sbuf as is_sbuf
from nki.language import private_hbm as private_hbm
from nki.language import psum as psum
from nki.language import sbuf as sbuf
from nki.language import shared_hbm as hbm
from nki.language import shared_hbm as shared_hbm
from nki.language import tile_size as tile_size

int8: _DType
int16: _DType
int32: _DType
uint8: _DType
uint16: _DType
uint32: _DType
float16: _DType
float32: _DType
bfloat16: _DType
tfloat32: _DType
float8_e4m3: _DType
float8_e4m3fn: _DType
float8_e5m2: _DType
bool_: _DType

def finfo(dtype: object) -> Any: ...

class fp32:
    min: float
    max: float

def abs(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Magnitude, element by element, as a new tile."""

def add(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x + y, element by element, as a new tile."""

def arctan(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Arc tangent for |x| <= pi/2, element by element, as a new tile."""

def bitwise_and(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x & y on integer bits, element by element, as a new tile."""

def bitwise_or(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x | y on integer bits, element by element, as a new tile."""

def bitwise_xor(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x ^ y on integer bits, element by element, as a new tile."""

def ceil(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """The smallest integer that is not below x, as a new tile."""

def cos(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """Cosine of any x, as the sine of pi/2 - |x brought into [-pi, pi]|."""

def equal(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x == y, else 0, element by element, as a new tile."""

def erf(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Error function, element by element, as a new tile."""

def erf_dx(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Derivative of the error function, element by element, as a new tile."""

def exp(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """e to the x, element by element, as a new tile."""

def floor(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """The largest integer that is not above x, as a new tile."""

def gelu(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x times the normal distribution function, element by element, as a new tile."""

def gelu_apprx_sigmoid(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """gelu by its sigmoid approximation, element by element, as a new tile."""

def gelu_apprx_tanh(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """gelu by its tanh approximation, element by element, as a new tile."""

def gelu_dx(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Derivative of gelu, element by element, as a new tile."""

def greater(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x > y, else 0, element by element, as a new tile."""

def greater_equal(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x >= y, else 0, element by element, as a new tile."""

def left_shift(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x << y on integer bits, element by element, as a new tile."""

def less(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x < y, else 0, element by element, as a new tile."""

def less_equal(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x <= y, else 0, element by element, as a new tile."""

def log(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Natural logarithm for x in [2^-64, 2^64], element by element, as a new tile."""

def logical_and(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x and y for 0/1 data, element by element, as a new tile."""

def logical_or(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x or y for 0/1 data, element by element, as a new tile."""

def logical_xor(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x exclusive-or y for 0/1 data, element by element, as a new tile."""

def maximum(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """The larger of x and y, element by element, as a new tile."""

def minimum(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """The smaller of x and y, element by element, as a new tile."""

def mish(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x tanh(softplus(x)), element by element, as a new tile."""

def multiply(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x * y, element by element, as a new tile."""

def not_equal(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 where x != y, else 0, element by element, as a new tile."""

def power(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x to the power of y, on GpSimd; a number is first written into a tile (SBUF only)."""

def relu(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """max(x, 0), element by element, as a new tile."""

def right_shift(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x >> y on integer bits, zeros shifted in, element by element, as a new tile."""

def rms_norm(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """x times w over the root of (sum of squares along axis / n + epsilon), as a new tile.

    w has the shape of x. compute_dtype: the dtype between the two multiplications, float32 unless
    given."""

def rsqrt(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 / square root on GpSimd, as a new tile; x is in SBUF. Before NKI 0.5 on Scalar."""

def sigmoid(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """1 / (1 + e to the -x), element by element, as a new tile."""

def sign(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """-1, 0 or 1, element by element, as a new tile."""

def silu(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x sigmoid(x), element by element, as a new tile."""

def silu_dx(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Derivative of silu, element by element, as a new tile."""

def sin(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """Sine of any x: brought into [-pi, pi], the range of the Scalar engine's table, first."""

def softmax(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """exp(x) over its sum along the last free dimensions, the maximum subtracted first."""

def softplus(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """log(1 + e to the x), element by element, as a new tile."""

def sqrt(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Square root, element by element, as a new tile."""

def square(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x squared, element by element, as a new tile."""

def subtract(x: Any, y: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """x - y, element by element, as a new tile."""

def tan(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """Tangent of any x, as sine times the reciprocal of cosine."""

def tanh(x: Any, *, dtype: Any = None, mask: Any = None, **_: Any) -> Tensor:
    """Hyperbolic tangent, element by element, as a new tile."""

def trunc(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """x without its fraction, as a new tile."""

def var(*args: Any, mask: Any = None, dtype: Any = None, **kwargs: Any) -> Tensor:
    """The population variance along the last free dimensions, which stay with size 1.

    By bn_stats on pieces and bn_aggr, in float32."""

__all__ = [
    "abs",
    "add",
    "affine_range",
    "all",
    "arange",
    "arctan",
    "atomic_rmw",
    "bfloat16",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bool_",
    "broadcast_to",
    "ceil",
    "constants",
    "copy",
    "cos",
    "device_print",
    "divide",
    "dropout",
    "ds",
    "empty_like",
    "equal",
    "erf",
    "erf_dx",
    "exp",
    "expand_dims",
    "finfo",
    "float16",
    "float32",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2",
    "floor",
    "fp32",
    "full",
    "full_like",
    "gather_flattened",
    "gelu",
    "gelu_apprx_sigmoid",
    "gelu_apprx_tanh",
    "gelu_dx",
    "greater",
    "greater_equal",
    "hbm",
    "int16",
    "int32",
    "int8",
    "invert",
    "is_hbm",
    "is_on_chip",
    "is_psum",
    "is_sbuf",
    "left_shift",
    "less",
    "less_equal",
    "load",
    "load_transpose2d",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "loop_reduce",
    "matmul",
    "max",
    "maximum",
    "mean",
    "mgrid",
    "min",
    "minimum",
    "mish",
    "mod",
    "multiply",
    "nc",
    "ndarray",
    "negative",
    "not_equal",
    "num_programs",
    "ones",
    "par_dim",
    "power",
    "private_hbm",
    "prod",
    "program_id",
    "program_ndim",
    "psum",
    "rand",
    "random_seed",
    "reciprocal",
    "relu",
    "right_shift",
    "rms_norm",
    "rsqrt",
    "sbuf",
    "sequential_range",
    "shared_constant",
    "shared_hbm",
    "shared_identity_matrix",
    "sigmoid",
    "sign",
    "silu",
    "silu_dx",
    "sin",
    "softmax",
    "softplus",
    "spmd_dim",
    "sqrt",
    "square",
    "static_cast",
    "static_range",
    "store",
    "subtract",
    "sum",
    "tan",
    "tanh",
    "tfloat32",
    "tile_size",
    "transpose",
    "trunc",
    "uint16",
    "uint32",
    "uint8",
    "var",
    "where",
    "zeros",
    "zeros_like",
]
