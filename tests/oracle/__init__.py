"""What programs mean, in NumPy: one function an instruction, written from its reference.

An oracle for tests: it shares nothing with the code under test. `run` interprets a whole program,
read from its text form; the functions of the families judge single instructions. Arrays are
[P, ...]; every row is a partition. Arithmetic is float32 with one rounding a step, as the engines
compute; results are cast by `cast`. Activation functions are float64 functions rounded once, which
agree with any good implementation in all but one of millions of cases, and then within 1 ulp.
Source: nki.isa, NKI 0.6, and its release notes; choices of ours are rows of DEVIATIONS.md.
"""

from oracle.core import DTYPES
from oracle.elementwise import (
    memset,
    reciprocal,
    scalar_tensor_tensor,
    tensor_copy,
    tensor_copy_predicated,
    tensor_scalar,
    tensor_tensor,
)
from oracle.functions import (
    FUNCTIONS,
    SMOOTH,
    activate2,
    activation,
    exponential,
)
from oracle.interpreter import MEANING, Interpreter, run
from oracle.randoms import dropout, rand2, rng
from oracle.reductions import (
    bn_aggr,
    bn_stats,
    tensor_partition_reduce,
    tensor_reduce,
    tensor_scalar_cumulative,
    tensor_scalar_reduce,
    tensor_tensor_scan,
)
from oracle.searches import (
    local_gather,
    max8,
    nc_find_index8,
    nc_match_replace8,
    nc_n_gather,
    nonzero_with_count,
    sequence_bounds,
    topk,
)
from oracle.selects import (
    affine_select,
    iota,
    nc_stream_shuffle,
    range_select,
    select_reduce,
)
from oracle.values import (
    BITS,
    FLOATS,
    IDENTITY,
    INTEGERS,
    LOWEST,
    OPERATORS,
    cast,
    reduced,
    wide,
)
