# Written by tools/stubs.py; do not edit.
"""Instructions of the machine, one function each. Made from the instruction schema.

Source of names and parameters: nki.isa, NKI 0.7."""

from typing import Any

from nki import _context as _context
from nki import _enums as _enums
from nki import _instructions as _instructions
from nki import _isa as _isa
from nki import _target as _target
from nki._enums import dge_mode as dge_mode
from nki._enums import dma_engine as dma_engine
from nki._enums import engine as engine
from nki._enums import gpsimd_engine as gpsimd_engine
from nki._enums import matmul_perf_mode as matmul_perf_mode
from nki._enums import nc_version as nc_version
from nki._enums import oob_mode as oob_mode
from nki._enums import reduce_cmd as reduce_cmd
from nki._enums import scalar_engine as scalar_engine
from nki._enums import tensor_engine as tensor_engine
from nki._enums import unknown_engine as unknown_engine
from nki._enums import vector_engine as vector_engine
from nki._hints import missing as _missing
from nki._registers import VirtualRegister as VirtualRegister
from nki._registers import register_alloc as register_alloc
from nki._registers import register_load as register_load
from nki._registers import register_move as register_move
from nki._registers import register_store as register_store
from nki._scalars import NkiScalar as NkiScalar
from nki._scalars import scalar_load as scalar_load
from nki._scalars import scalar_store as scalar_store
from nki.language import NkiTensor
from nki.language._operators import OPERATORS as OPERATORS
from trainyard._core import InputError as NkiValidationError

NkiInstruction = _instructions.NkiInstruction

def get_nc_version() -> nc_version: ...
def get_nc_sub_version() -> int: ...
def activate2(
    dst: NkiTensor,
    op: Any,
    data: NkiTensor,
    imm0: NkiTensor | float,
    imm1: NkiTensor | float,
    op0: Any,
    op1: Any,
    relu_param: NkiTensor | float = 0.0,
    reverse0: Any = False,
    reverse1: Any = False,
    reduce_op: Any = None,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: Any = ...,
    engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = op((data op0 imm0) op1 imm1), in fp32, with an optional reduction along each row.

    :param dst: SBUF or PSUM tile, [P, F]
    :param op: activation function
    :param data: SBUF or PSUM tile, [P, F]
    :param imm0: number or [P, 1] tile
    :param imm1: number or [P, 1] tile
    :param op0: multiply, add, subtract or bypass
    :param op1: add, subtract or bypass
    :param relu_param: number or [P, 1] tile: the slope of prelu
    :param reverse0: imm0 op0 data
    :param reverse1: imm1 op1 (result of op0)
    :param reduce_op: add, maximum, minimum, abs_max or abs_min; None for no reduction
    :param reduce_res: [P, 1] tile that receives the reduction registers
    :param reduce_cmd: what happens to the reduction registers
    :param engine: one of scalar; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - activate2.c1: the machine has activate2
    - activate2.c2: dst and data are on chip
    - activate2.c3: dst and data have the same number of partitions and elements per partition
    - activate2.c4: imm0, imm1 and relu_param are numbers or [P, 1] on-chip tiles
    - activate2.c5: imm0 and imm1 have the same dtype when both are tiles
    - activate2.c6: (op0, op1) is (multiply, add), (multiply, subtract), (multiply, bypass), (add, bypass), (subtract, bypass) or (bypass, bypass)
    - activate2.c7: reverse0 comes with an op0, and reverse1 with an op1
    - activate2.c8: the reduction is add, maximum, minimum, abs_max or abs_min
    - activate2.c9: reduce_res is a [P, 1] on-chip tile
    - activate2.c10: reduce_cmd is idle, reset, reduce or reset_reduce
    - activate2.c11: a reduce_cmd other than idle comes with a reduce_op
    - activate2.c12: all tiles have dtypes that engines compute on

    Source: nki.isa.activate2, NKI 0.6"""

def activation(
    dst: NkiTensor,
    op: Any,
    data: NkiTensor,
    bias: NkiTensor | float | None = None,
    scale: NkiTensor | float = 1.0,
    reduce_op: Any = None,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: Any = ...,
    engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = op(data * scale + bias), in fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param op: activation function
    :param data: SBUF or PSUM tile, [P, F]
    :param bias: number or [P, 1] tile added after scaling
    :param scale: number or [P, 1] fp32 tile multiplied first
    :param reduce_op: add, or None for no reduction
    :param reduce_res: [P, 1] tile that receives the reduction registers
    :param reduce_cmd: what happens to the reduction registers
    :param engine: one of scalar; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - activation.c1: dst and data are on chip
    - activation.c2: dst and data have the same number of partitions and elements per partition
    - activation.c3: scale and bias are numbers or [P, 1] on-chip tiles
    - activation.c4: the reduction is add
    - activation.c5: reduce_res is a [P, 1] on-chip tile
    - activation.c6: reduce_cmd is idle, reset, reduce or reset_reduce
    - activation.c7: a reduce_cmd that reduces comes with a reduce_op
    - activation.c8: a scale tile is float32, and a bias tile is not tfloat32
    - activation.c9: on gen2, bias is a [P, 1] tile and reciprocal takes none
    - activation.c10: all tiles have dtypes that engines compute on
    - activation.c11: op is not prelu: the slope that activation gives it is not published

    Source: nki.isa.activation, NKI 0.6"""

def activation_reduce(
    dst: NkiTensor,
    op: Any,
    data: NkiTensor,
    reduce_op: Any,
    reduce_res: NkiTensor,
    bias: NkiTensor | float | None = None,
    scale: NkiTensor | float = 1.0,
    name: str | None = None,
) -> NkiInstruction:
    """dst = op(data * scale + bias), in fp32; reduce_res = the sum of dst along each row.

    :param dst: SBUF or PSUM tile, [P, F]
    :param op: activation function
    :param data: SBUF or PSUM tile, [P, F]
    :param reduce_op: add
    :param reduce_res: [P, 1] tile that receives the sums; None leaves them in the reduction registers
    :param bias: number or [P, 1] tile added after scaling
    :param scale: number or [P, 1] fp32 tile multiplied first
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - activation_reduce.c1: dst and data are on chip
    - activation_reduce.c2: dst and data have the same number of partitions and elements per partition
    - activation_reduce.c3: scale and bias are numbers or [P, 1] on-chip tiles
    - activation_reduce.c4: the reduction is add
    - activation_reduce.c5: reduce_res is a [P, 1] on-chip tile
    - activation_reduce.c6: a scale tile is float32, and a bias tile is not tfloat32
    - activation_reduce.c7: on gen2, bias is a [P, 1] tile and reciprocal takes none
    - activation_reduce.c8: all tiles have dtypes that engines compute on
    - activation_reduce.c9: op is not prelu: the slope that activation_reduce gives it is not published

    Source: nki.isa.activation_reduce, NKI 0.6"""

def affine_select(
    dst: NkiTensor,
    pattern: Any,
    channel_multiplier: Any,
    on_true_tile: NkiTensor,
    on_false_value: Any,
    cmp_op: Any = ...,
    offset: Any = 0,
    name: str | None = None,
) -> NkiInstruction:
    """dst[p, i] = on_true_tile where (offset + p * channel_multiplier + pattern[i]) cmp_op 0, else on_false_value.

    :param dst: SBUF tile, [P, F]
    :param pattern: up to four [step, count], slowest first
    :param channel_multiplier: times the partition index
    :param on_true_tile: SBUF tile, [P, F]
    :param on_false_value: float32 number
    :param cmp_op: comparison with 0
    :param offset: added to every value: an integer or a register
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - affine_select.c1: dst and on_true_tile are in SBUF
    - affine_select.c2: dst and on_true_tile have the same number of partitions and elements per partition
    - affine_select.c3: the pattern has as many elements as a partition of dst
    - affine_select.c4: cmp_op is a comparison
    - affine_select.c5: dst and on_true_tile have dtypes that engines compute on
    - affine_select.c6: offset is a 32-bit integer or a register of the sequencer

    Source: nki.isa.affine_select, NKI 0.6"""

def bn_aggr(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """dst = (mean, variance) of all the elements behind (count, mean, variance * count) triples.

    :param dst: SBUF or PSUM tile, [P, 2]
    :param data: SBUF or PSUM tile, [P, 3 k]: results of bn_stats
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - bn_aggr.c1: dst and data are on chip
    - bn_aggr.c2: dst has as many partitions as data, and 2 elements in each
    - bn_aggr.c3: the number of elements per partition of data is a multiple of 3
    - bn_aggr.c4: dst and data have dtypes that engines compute on

    Source: nki.isa.bn_aggr, NKI 0.6; order of the sums: assumed"""

def bn_stats(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """dst = (count, mean, variance * count) of the even elements of each row, then of the odd ones, in fp32.

    :param dst: SBUF or PSUM tile, [P, 6]
    :param data: SBUF or PSUM tile, [P, F], F at most 512
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - bn_stats.c1: dst and data are on chip
    - bn_stats.c2: dst has as many partitions as data, and 6 elements in each
    - bn_stats.c3: data has at most nl.tile_size.bn_stats_fmax elements per partition
    - bn_stats.c4: dst and data have dtypes that engines compute on

    Source: nki.isa.bn_stats, NKI 0.6; order of the sums and statistics of no elements: assumed"""

def core_barrier(
    data: NkiTensor, cores: Any, engine: Any = ..., name: str | None = None
) -> NkiInstruction:
    """the engine goes on when the cores are all there; accesses of data keep their order with it.

    :param data: what the cores share: a region of shared HBM; an SBUF tile stands for the core's own
    :param cores: (0, 1); (0,) for a kernel that runs on one core
    :param engine: one of tensor, vector, scalar, gpsimd, sync; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - core_barrier.c1: a barrier between cores needs NeuronCore-v3
    - core_barrier.c2: data is in shared HBM, or in SBUF
    - core_barrier.c3: cores is (0, 1), or (0,) alone

    Source: nki.isa.core_barrier, NKI 0.6; SBUF data and (0,) as public kernels use them"""

def dma_compute(
    dst: NkiTensor,
    srcs: Any,
    reduce_op: Any,
    scales: Any = None,
    unique_indices: Any = True,
    oob_mode: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = srcs[0] + srcs[1] + ..., in fp32, cast to dst's dtype.

    :param dst: HBM or SBUF region
    :param srcs: up to 16 HBM or SBUF regions with as many elements
    :param reduce_op: add
    :param scales: 1.0 for each source, or None
    :param unique_indices: no row is scattered to twice
    :param oob_mode: what an out-of-bounds row index does
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - dma_compute.c1: dst and srcs are in HBM or SBUF
    - dma_compute.c2: there are 1 to 16 sources
    - dma_compute.c3: dst and srcs have the same number of elements
    - dma_compute.c4: packed MX dtypes are not computed with
    - dma_compute.c5: reduce_op is add
    - dma_compute.c6: scales is None, or 1.0 for each source
    - dma_compute.c7: with vector_offset there are exactly 2 sources
    - dma_compute.c8: with vector_offset one source is dst itself and the other is scattered from SBUF or gathered from HBM
    - dma_compute.c9: with vector_offset unique_indices is True
    - dma_compute.c10: addresses are known when compiled, apart from vector_offset
    - dma_compute.c11: vector_offset holds one uint32 or int32 for each row of the pattern
    - dma_compute.c12: oob_mode.skip belongs to vector_offset

    Source: nki.isa.dma_compute, NKI 0.6; oob_mode: release notes 0.4.0"""

def dma_copy(
    dst: NkiTensor,
    src: NkiTensor,
    priority: Any = None,
    oob_mode: Any = ...,
    dge_mode: Any = ...,
    engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = src between HBM and SBUF, cast through fp32 when the dtypes differ.

    :param dst: HBM or SBUF region
    :param src: HBM or SBUF region with as many elements
    :param priority: 0 (highest) to 3, gen4 only
    :param oob_mode: what an out-of-bounds run-time index does
    :param dge_mode: who generates the descriptors
    :param engine: one of tensor, vector, scalar, gpsimd, sync; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - dma_copy.c1: dst and src are in HBM or SBUF
    - dma_copy.c2: dst and src have the same number of elements
    - dma_copy.c3: packed MX dtypes are not cast
    - dma_copy.c4: hardware descriptor generation does not cast
    - dma_copy.c5: hardware descriptor generation needs NeuronCore-v3
    - dma_copy.c6: only software descriptor generation gathers or scatters rows
    - dma_copy.c7: descriptors made before the run (dge_mode.none) have no run-time address
    - dma_copy.c8: vector_offset holds one uint32 or int32 for each row of the pattern
    - dma_copy.c9: priority needs NeuronCore-v4
    - dma_copy.c10: priority is 0, 1, 2 or 3
    - dma_copy.c11: Sync or Scalar issue hardware-generated descriptors, GpSimd software ones
    - dma_copy.engine: engine is sync or scalar, and given only with dge_mode.hwdge

    Source: nki.isa.dma_copy, NKI 0.6; DMA engines: NKI DMA overview"""

def dma_transpose(
    dst: NkiTensor,
    src: NkiTensor,
    axes: Any = None,
    priority: Any = None,
    dge_mode: Any = ...,
    oob_mode: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = src with its first and last dimension swapped: axes (1, 0), (2, 1, 0), (3, 1, 2, 0).

    :param dst: SBUF or HBM region with the shape of the transposed source
    :param src: HBM or SBUF region of 2, 3 or 4 dimensions
    :param axes: dimension i of dst is dimension axes[i] of src
    :param priority: 0 (highest) to 3, gen4 only
    :param dge_mode: who generates the descriptors
    :param oob_mode: what an out-of-bounds run-time index does
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - dma_transpose.c1: dst is in SBUF or HBM, and its rows are not scattered
    - dma_transpose.c2: src is in HBM or SBUF
    - dma_transpose.c3: dst has src's dtype
    - dma_transpose.c4: src has 2, 3 or 4 dimensions and axes is (1, 0), (2, 1, 0) or (3, 1, 2, 0)
    - dma_transpose.c5: dst has exactly the shape of the transposed source
    - dma_transpose.c6: elements have 2 or 4 bytes
    - dma_transpose.c7: dge_mode is unknown, none or hwdge, with a run-time offset unknown, swdge or hwdge, and unknown or swdge when rows are gathered
    - dma_transpose.c8: hardware descriptor generation needs NeuronCore-v3
    - dma_transpose.c9: with hwdge src has 16 rows, or in 3 or 4 dimensions 1, 2, 4 or 8
    - dma_transpose.c10: with hwdge the rows times the second-last dimension of a 3- or 4-dimensional src are a multiple of 16
    - dma_transpose.c11: with hwdge or gathered rows the last dimension of src is at most 128
    - dma_transpose.c12: with hwdge or gathered rows elements have 2 bytes
    - dma_transpose.c13: the DMA engines gather and transpose in one (gen3 and later)
    - dma_transpose.c14: gathered rows are a multiple of 16
    - dma_transpose.c15: one of the middle dimensions of a gathered 4-dimensional src is 1
    - dma_transpose.c16: the index tile has 16 to 128 partitions, a multiple of 16; 128 when it has several columns
    - dma_transpose.c17: the index tile has an entry for every row
    - dma_transpose.c18: the index tile is uint32
    - dma_transpose.c19: oob_mode.skip belongs to a src with a run-time address
    - dma_transpose.c20: priority needs NeuronCore-v4
    - dma_transpose.c21: priority is 0, 1, 2 or 3
    - dma_transpose.c22: Sync or Scalar issue hardware-generated descriptors, GpSimd software ones

    Source: nki.isa.dma_transpose, NKI 0.6; DGE reference; Trainium2 architecture guide, DMA transpose"""

def dropout(
    dst: NkiTensor, data: NkiTensor, prob: NkiTensor | float, name: str | None = None
) -> NkiInstruction:
    """dst = data, each element replaced by 0 with probability prob; survivors are not scaled.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data: SBUF or PSUM tile, [P, F]
    :param prob: number or [P, 1] tile: the probability of a zero
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - dropout.c1: dst and data are on chip
    - dropout.c2: dst and data have the same number of partitions and elements per partition
    - dropout.c3: dst has the dtype of data
    - dropout.c4: prob is a number or a [P, 1] on-chip tile
    - dropout.c5: a prob tile is float32 for integer data, and a float otherwise
    - dropout.c6: dst and data have dtypes that engines compute on
    - dropout.c7: a number as prob is a probability, 0 to 1

    Source: nki.isa.dropout, NKI 0.6; an element is dropped when its random word is below prob * 2^32: assumed"""

def exponential(
    dst: NkiTensor,
    src: NkiTensor,
    max_value: NkiTensor | float = 0.0,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: Any = ...,
    reduce_init: NkiTensor | float = 0.0,
    name: str | None = None,
) -> NkiInstruction:
    """dst = exp(src - max_value), in fp32; reduce_res = the running sum along each row.

    :param dst: SBUF or PSUM tile, [P, F]
    :param src: SBUF or PSUM tile, [P, F]
    :param max_value: number or [P, 1] fp32 tile
    :param reduce_res: [P, 1] tile that receives the accumulators
    :param reduce_cmd: what the accumulators start from
    :param reduce_init: number or [P, 1] fp32 tile for load_reduce
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - exponential.c1: the machine has exponential
    - exponential.c2: dst and src are on chip
    - exponential.c3: dst and src have the same number of partitions and elements per partition
    - exponential.c4: dst is float8_e4m3, float8_e5m2, float16, bfloat16, float32, tfloat32, int8, int16, int32, uint8 or uint16
    - exponential.c5: src is float8_e4m3, float8_e5m2, float16, bfloat16, float32 or an integer of up to 32 bits
    - exponential.c6: max_value and reduce_init are numbers or [P, 1] float32 tiles
    - exponential.c7: reduce_res is a [P, 1] on-chip tile of a float dtype
    - exponential.c8: reduce_cmd is idle, reset_reduce, reduce or load_reduce
    - exponential.c9: reduce_init is 0.0 unless reduce_cmd is load_reduce
    - exponential.c10: reduce_res comes with a reduce_cmd that reduces
    - exponential.c11: dst and src have at most 4 dimensions, the partitions included

    Source: nki.isa.exponential, NKI 0.6"""

def iota(
    dst: NkiTensor,
    pattern: Any,
    offset: Any = 0,
    channel_multiplier: Any = 0,
    name: str | None = None,
) -> NkiInstruction:
    """dst[p, i] = offset + p * channel_multiplier + pattern[i], in int32, then cast.

    :param dst: SBUF tile, [P, F]
    :param pattern: up to four [step, count], slowest first
    :param offset: added to every value: an integer or a register
    :param channel_multiplier: times the partition index
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - iota.c1: dst is in SBUF
    - iota.c2: the pattern has as many elements as a partition of dst
    - iota.c3: dst has a dtype that engines compute on
    - iota.c4: offset is a 32-bit integer or a register of the sequencer

    Source: nki.isa.iota, NKI 0.6"""

def local_gather(
    dst: NkiTensor,
    src_buffer: NkiTensor,
    index: NkiTensor,
    num_elem_per_idx: Any = 1,
    num_valid_indices: Any = None,
    name: str | None = None,
) -> NkiInstruction:
    """dst[p] = the num_elem_per_idx elements of src_buffer[p] at each index of p's group of 16 partitions, whose lists are read partition first.

    :param dst: SBUF tile of src_buffer's dtype
    :param src_buffer: SBUF tile, [P, ...]
    :param index: uint16 SBUF tile, [P, k]: element offsets
    :param num_elem_per_idx: neighbouring elements at each index: 1, 2, 4, 8, 16 or 32
    :param num_valid_indices: indices of each group that count
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - local_gather.c1: dst, src_buffer and index are in SBUF
    - local_gather.c2: dst, src_buffer and index have the same number of partitions, a multiple of 16
    - local_gather.c3: index is uint16
    - local_gather.c4: dst has the dtype of src_buffer
    - local_gather.c5: num_elem_per_idx is 1, 2, 4, 8, 16 or 32
    - local_gather.c6: a group gathers by 1 to 4096 indices, and has them: num_valid_indices counts some of them
    - local_gather.c7: dst has num_valid_indices * num_elem_per_idx elements per partition

    Source: nki.isa.local_gather, NKI 0.6, and its NumPy test"""

def max8(dst: NkiTensor, src: NkiTensor, name: str | None = None) -> NkiInstruction:
    """dst = the 8 largest values of each row of src, descending, compared in fp32.

    :param dst: SBUF or PSUM tile, [P, 8]
    :param src: SBUF or PSUM tile, 8 to 16384 elements per partition
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - max8.c1: dst and src are on chip
    - max8.c2: dst has as many partitions as src, and 8 elements in each
    - max8.c3: src has 8 to 16384 elements per partition
    - max8.c4: dst and src have dtypes that engines compute on
    - max8.c5: src has at most 3 dimensions and dst 2, the partitions included

    Source: nki.isa.max8, NKI 0.6; NaN: assumed"""

def memset(
    dst: NkiTensor, value: Any, engine: Any = ..., name: str | None = None
) -> NkiInstruction:
    """dst = value.

    :param dst: SBUF or PSUM tile
    :param value: number
    :param engine: one of vector, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - memset.c1: dst is on chip, in elements of 1, 2 or 4 bytes
    - memset.c2: an integer dst takes an integer that its dtype holds
    - memset.c3: a dst of a packed MX dtype takes only 0

    Source: nki.isa.memset, NKI 0.6; strict types: release notes 0.3.0"""

def nc_find_index8(
    dst: NkiTensor, data: NkiTensor, vals: NkiTensor, name: str | None = None
) -> NkiInstruction:
    """dst[j] = the index of the first vals[j] in each row of data, all ones where there is none; equal values take successive occurrences.

    :param dst: uint16 or uint32 tile, [P, 8]
    :param data: SBUF or PSUM tile, 8 to 16384 elements per partition
    :param vals: SBUF or PSUM tile, [P, 8]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_find_index8.c1: dst, data and vals are on chip
    - nc_find_index8.c2: dst and vals have as many partitions as data, and 8 elements in each
    - nc_find_index8.c3: data has 8 to 16384 elements per partition
    - nc_find_index8.c4: dst is uint16 or uint32
    - nc_find_index8.c5: data and vals have dtypes that engines compute on
    - nc_find_index8.c6: data and vals have at most 3 dimensions and dst 2, the partitions included

    Source: nki.isa.nc_find_index8, NKI 0.6; absent values and duplicates: release notes 0.6.0"""

def nc_match_replace8(
    dst: NkiTensor,
    data: NkiTensor,
    vals: NkiTensor,
    imm: Any,
    dst_idx: NkiTensor | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """dst = data with one occurrence of each of the 8 vals replaced by imm; dst_idx = where they were, equal values from the last slot down.

    :param dst: SBUF or PSUM tile as large as data
    :param data: SBUF or PSUM tile, 8 to 16384 elements per partition
    :param vals: SBUF or PSUM tile, [P, 8]
    :param imm: the number that replaces matches
    :param dst_idx: uint16 or uint32 tile, [P, 8]; all ones where a value was not found
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_match_replace8.c1: all tiles are on chip
    - nc_match_replace8.c2: dst and data have the same number of partitions and elements per partition
    - nc_match_replace8.c3: vals and dst_idx have as many partitions as data, and 8 elements in each
    - nc_match_replace8.c4: data has 8 to 16384 elements per partition
    - nc_match_replace8.c5: dst_idx is uint16 or uint32
    - nc_match_replace8.c6: dst, data and vals have dtypes that engines compute on

    Source: nki.isa.nc_match_replace8, NKI 0.6; an unmatched slot of dst_idx: assumed like nc_find_index8"""

def nc_matmul(
    dst: NkiTensor,
    stationary: NkiTensor,
    moving: NkiTensor,
    is_stationary_onezero: Any = False,
    is_moving_onezero: Any = False,
    is_transpose: Any = False,
    accumulate: Any = None,
    tile_position: Any = ...,
    tile_size: Any = ...,
    perf_mode: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst (+)= transpose(stationary) x moving, in fp32.

    :param dst: PSUM tile, [M, N]
    :param stationary: SBUF tile, [K, M]; [K, 2, M] in double-row mode
    :param moving: SBUF tile, [K, N]; [K, 2, N] in double-row mode
    :param is_stationary_onezero: stationary holds only 0 and 1; doubles the speed of fp32
    :param is_moving_onezero: moving holds only 0 and 1; doubles the speed of fp32
    :param is_transpose: moving is an identity: move stationary's bits (gen3 and later)
    :param accumulate: True adds to dst, False overwrites it, None adds where an earlier instruction of the program has written
    :param tile_position: (row, column) at which the used part of the array starts
    :param tile_size: (rows, columns) of the used part of the array
    :param perf_mode: double_row: two FP8 rows a partition
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_matmul.c1: stationary and moving are in SBUF
    - nc_matmul.c2: dst is in PSUM
    - nc_matmul.c3: stationary and moving are float8_e4m3, float8_e4m3fn, float8_e5m2, bfloat16, float16, tfloat32 or float32
    - nc_matmul.c4: float8_e4m3fn operands need NeuronCore-v4
    - nc_matmul.c5: float32 and tfloat32 meet only float32 and tfloat32
    - nc_matmul.c6: float8_e4m3 and float8_e4m3fn do not meet in one matmul
    - nc_matmul.c7: stationary and moving have the same number of partitions (K)
    - nc_matmul.c8: K is at most the rows of the array, or of tile_size
    - nc_matmul.c9: stationary has at most as many columns as the array, or as tile_size
    - nc_matmul.c10: dst has one partition for each column of stationary
    - nc_matmul.c11: dst has one element in each partition for each column of moving
    - nc_matmul.c12: moving has at most as many columns as one matmul may write: 512 on gen2 and gen3, 4096 float32 or 8192 bfloat16 on gen4
    - nc_matmul.c13: dst is float32, or on gen4 bfloat16
    - nc_matmul.c14: the dst of a transpose has stationary's dtype, or float32; uint16 also holds FP8
    - nc_matmul.c15: a transpose of FP8 writes 16-bit cells: an FP8 dst has a step of 2
    - nc_matmul.c16: a transpose overwrites: accumulate is not True
    - nc_matmul.c17: on gen2 and gen3 dst lies within one PSUM bank
    - nc_matmul.c18: double-row mode needs NeuronCore-v3
    - nc_matmul.c19: in double-row mode stationary and moving are FP8
    - nc_matmul.c20: in double-row mode the first free dimension of both operands is 2
    - nc_matmul.c21: double-row mode is not combined with column tiling
    - nc_matmul.c22: double-row mode is not combined with transpose mode
    - nc_matmul.c23: tile_position and tile_size are given both or not at all
    - nc_matmul.c24: the rows of tile_size are 32 (gen3 and later), 64 or 128
    - nc_matmul.c25: the columns of tile_size are 32 (gen3 and later), 64 or 128
    - nc_matmul.c26: the start row is a multiple of tile_size's rows, inside the array
    - nc_matmul.c27: the start column is a multiple of tile_size's columns, inside the array
    - nc_matmul.c28: an .indirect() operand, dst included, is a 16-bit float or FP8
    - nc_matmul.c29: the moving operand of a transpose is no .indirect() view
    - nc_matmul.c30: .indirect() views use the array from row 0 and column 0
    - nc_matmul.c31: the index of an .indirect() dst starts on the same partition as stationary

    Source: nki.isa.nc_matmul, NKI 0.6; Trainium2 architecture guide: double FP8, transpose"""

def nc_matmul_mx(
    dst: NkiTensor,
    stationary: NkiTensor,
    moving: NkiTensor,
    stationary_scale: NkiTensor,
    moving_scale: NkiTensor,
    tile_position: Any = None,
    tile_size: Any = None,
    accumulate: Any = None,
    name: str | None = None,
) -> NkiInstruction:
    """dst (+)= transpose(stationary x scale) x (moving x scale); K is 4 x partitions.

    :param dst: PSUM tile of float32 or bfloat16, [M, N]
    :param stationary: SBUF tile of a packed FP8 or FP4 dtype, [P, M]
    :param moving: SBUF tile of a packed FP8 or FP4 dtype, [P, N]
    :param stationary_scale: SBUF tile of float8_e8m0fnu or uint8, laid out as quantize_mx does
    :param moving_scale: as stationary_scale, for moving
    :param tile_position: (row, 0): where the used rows of the array start
    :param tile_size: (rows, 128) of the used part of the array
    :param accumulate: True adds to dst, False overwrites it, None adds where an earlier instruction of the program has written
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_matmul_mx.c1: the core has the MX formats (gen4)
    - nc_matmul_mx.c2: the operands and their scales are in SBUF
    - nc_matmul_mx.c3: dst is in PSUM
    - nc_matmul_mx.c4: stationary and moving are float8_e4m3fn_x4, float8_e5m2_x4 or float4_e2m1fn_x4
    - nc_matmul_mx.c5: the scales are float8_e8m0fnu or uint8
    - nc_matmul_mx.c6: dst is float32 or bfloat16
    - nc_matmul_mx.c7: stationary and moving have the same number of partitions
    - nc_matmul_mx.c8: the partitions are a multiple of 32, at most 128 or the rows of tile_size
    - nc_matmul_mx.c9: the free size of stationary is even and at most 128
    - nc_matmul_mx.c10: dst has one partition for each column of stationary
    - nc_matmul_mx.c11: dst has one element in each partition for each column of moving
    - nc_matmul_mx.c12: moving has at most 4096 columns for a float32 dst, 8192 for bfloat16
    - nc_matmul_mx.c13: a scale tile has its operand's free size and holds its blocks: P/8 partitions up to 32, else 4 in every quadrant
    - nc_matmul_mx.c14: a scale tile starts 0, 4, 8 or 12 partitions into its operand's quadrant
    - nc_matmul_mx.c15: tile_position and tile_size are given both or not at all
    - nc_matmul_mx.c16: tile_size is (32, 128), (64, 128) or (128, 128): only rows are tiled
    - nc_matmul_mx.c17: tile_position is (row, 0) with row a multiple of tile_size's rows, inside the array
    - nc_matmul_mx.c18: an operand and its scale are both .indirect() with the same index, or neither is
    - nc_matmul_mx.c19: .indirect() views use the array from row 0
    - nc_matmul_mx.c20: the index of an .indirect() dst starts on the same partition as stationary

    Source: nki.isa.nc_matmul_mx, NKI 0.6; Trainium3 architecture guide, quad MXFP8/MXFP4"""

def nc_n_gather(
    dst: NkiTensor, data: NkiTensor, indices: NkiTensor, name: str | None = None
) -> NkiInstruction:
    """dst[p, i] = data[p] flattened, at indices[p, i].

    :param dst: SBUF tile of data's dtype, as large as indices
    :param data: SBUF tile, [P, ...]
    :param indices: uint32 SBUF tile, [P, ...]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_n_gather.c1: dst, data and indices are in SBUF
    - nc_n_gather.c2: dst, data and indices have the same number of partitions
    - nc_n_gather.c3: dst has as many elements per partition as indices
    - nc_n_gather.c4: indices is uint32
    - nc_n_gather.c5: dst has the dtype of data

    Source: nki.isa.nc_n_gather, NKI 0.6"""

def nc_stream_shuffle(
    dst: NkiTensor, src: NkiTensor, shuffle_mask: Any, name: str | None = None
) -> NkiInstruction:
    """dst row i of each 32-partition quadrant = src row shuffle_mask[i] of the same quadrant.

    :param dst: SBUF or PSUM tile
    :param src: SBUF or PSUM tile of dst's dtype and row size
    :param shuffle_mask: 32 row numbers; 255 leaves the row unmodified
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_stream_shuffle.c1: dst and src are on chip
    - nc_stream_shuffle.c2: dst and src have the same dtype
    - nc_stream_shuffle.c3: dst and src have the same number of elements per partition
    - nc_stream_shuffle.c4: shuffle_mask has one entry for each partition of a quadrant
    - nc_stream_shuffle.c5: each entry of shuffle_mask that dst uses is 255 or the number of a row of src
    - nc_stream_shuffle.c6: dst and src start at partition 0 when the taller one has more than 64 partitions, at 0 or 64 for 33 to 64, at the start of a quadrant for up to 32

    Source: nki.isa.nc_stream_shuffle, NKI 0.6"""

def nc_transpose(
    dst: NkiTensor, data: NkiTensor, engine: Any = ..., name: str | None = None
) -> NkiInstruction:
    """dst[f, p] = data[p, f]; the free dimensions count as one.

    :param dst: [F, P] tile: PSUM on the Tensor engine, SBUF or PSUM on Vector
    :param data: [P, F] tile: SBUF on the Tensor engine, SBUF or PSUM on Vector
    :param engine: one of tensor, vector; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nc_transpose.c1: dst and data are on chip
    - nc_transpose.c2: dst has data's dtype
    - nc_transpose.c3: dst has a partition for each free element of data
    - nc_transpose.c4: dst has a free element for each partition of data
    - nc_transpose.c5: on the Tensor engine data is in SBUF, dst in PSUM, both at most 128x128
    - nc_transpose.c6: on the Vector engine data is at most 32x32
    - nc_transpose.c7: data is at most 32x32, or at most 128x128 and goes from SBUF to PSUM
    - nc_transpose.c8: a Tensor engine transpose of 8-bit data writes 16-bit cells: dst has a step of 2

    Source: nki.isa.nc_transpose, NKI 0.6; Trainium2 architecture guide, built-in transpose"""

def nonzero_with_count(
    dst: NkiTensor,
    src: NkiTensor,
    index_offset: Any = 0,
    padding_val: Any = -1,
    name: str | None = None,
) -> NkiInstruction:
    """dst = the positions of the nonzero elements plus index_offset, then padding_val, last the count; in partitions 0, 16, ... only.

    :param dst: int32 SBUF tile, [P, T + 1]
    :param src: float32 or int32 SBUF tile, [P, T]
    :param index_offset: added to every position
    :param padding_val: fills the unused places
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - nonzero_with_count.c1: the machine has nonzero_with_count
    - nonzero_with_count.c2: dst and src are in SBUF
    - nonzero_with_count.c3: src is float32 or int32, dst is int32
    - nonzero_with_count.c4: dst has as many partitions as src, and one element more in each

    Source: nki.isa.nonzero_with_count, NKI 0.6"""

def quantize_mx(
    dst: NkiTensor, src: NkiTensor, dst_scale: NkiTensor, name: str | None = None
) -> NkiInstruction:
    """dst = src / scale as MXFP8; one power-of-two scale for 8 partitions x 4 elements.

    :param dst: SBUF tile of a packed FP8 dtype, [P, F/4]
    :param src: SBUF tile of bfloat16 or float16, [P, F]
    :param dst_scale: SBUF tile of float8_e8m0fnu or uint8: [P/8, F/4], or spread over the quadrants of [P, F/4]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - quantize_mx.c1: the core has the MX formats (gen4)
    - quantize_mx.c2: src, dst and dst_scale are in SBUF
    - quantize_mx.c3: src is bfloat16 or float16
    - quantize_mx.c4: dst is float8_e4m3fn_x4 or float8_e5m2_x4
    - quantize_mx.c5: dst_scale is float8_e8m0fnu or uint8
    - quantize_mx.c6: the partitions of src are a multiple of 32, at most 128
    - quantize_mx.c7: the free elements of src are a multiple of 4
    - quantize_mx.c8: dst has src's partitions and a quarter of its free elements
    - quantize_mx.c9: dst_scale has a quarter of src's free elements, and its partitions hold src's blocks: P/8 up to 32 partitions, else 4 in every quadrant
    - quantize_mx.c10: dst_scale starts 0, 4, 8 or 12 partitions into src's first quadrant

    Source: nki.isa.quantize_mx, NKI 0.6; MX deep dive"""

def rand2(
    dst: NkiTensor, min: NkiTensor | float, max: NkiTensor | float, name: str | None = None
) -> NkiInstruction:
    """dst = fp32 numbers distributed uniformly over [min, max], then cast.

    :param dst: SBUF or PSUM tile
    :param min: number or [P, 1] fp32 tile
    :param max: number or [P, 1] fp32 tile
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - rand2.c1: the machine has rand2
    - rand2.c2: dst is on chip
    - rand2.c3: dst is float8_e4m3, float8_e5m2, float16, bfloat16, float32, tfloat32 or an integer of up to 32 bits
    - rand2.c4: min and max are numbers or [P, 1] float32 tiles
    - rand2.c5: min is less than max

    Source: nki.isa.rand2, NKI 0.6; mapping to floats: numerics/prng.h"""

def rand_get_state(dst: NkiTensor, engine: Any = ..., name: str | None = None) -> NkiInstruction:
    """stores the random generator of each lane: 24 words on Vector, 6 on GpSimd.

    :param dst: uint32 tile, [lanes, 24 or 6]
    :param engine: one of vector, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - rand_get_state.c1: dst is on chip
    - rand_get_state.c2: dst is uint32
    - rand_get_state.c3: dst has 24 words per lane on Vector, 6 on GpSimd
    - rand_get_state.c4: GpSimd has generator states from gen3 on, Vector from gen4 on

    Source: nki.isa.rand_get_state, NKI 0.6; word order: numerics/prng.h"""

def rand_set_state(
    src_seeds: NkiTensor, engine: Any = ..., name: str | None = None
) -> NkiInstruction:
    """loads the random generator of each lane: 24 words on Vector, 6 on GpSimd.

    :param src_seeds: uint32 SBUF tile, [lanes, 24 or 6]
    :param engine: one of vector, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - rand_set_state.c1: src_seeds is in SBUF
    - rand_set_state.c2: src_seeds is uint32
    - rand_set_state.c3: src_seeds has 24 words per lane on Vector, 6 on GpSimd
    - rand_set_state.c4: GpSimd has generator states from gen3 on, Vector from gen4 on

    Source: nki.isa.rand_set_state, NKI 0.6; word order: numerics/prng.h"""

def range_select(
    dst: NkiTensor,
    on_true_tile: NkiTensor,
    comp_op0: Any,
    comp_op1: Any,
    bound0: NkiTensor,
    bound1: NkiTensor,
    reduce_cmd: Any = ...,
    reduce_res: NkiTensor | None = None,
    reduce_op: Any = ...,
    range_start: Any = 0,
    on_false_value: Any = -3.4028234663852886e38,
    name: str | None = None,
) -> NkiInstruction:
    """dst[p, i] = on_true_tile where (range_start + i) passes both bounds, else the lowest float32; reduce_res = the running maximum along each row.

    :param dst: SBUF or PSUM tile, [P, F]; below 32 bits the value of masked elements becomes -inf
    :param on_true_tile: SBUF or PSUM tile of a float dtype
    :param comp_op0: comparison of the position with bound0
    :param comp_op1: comparison of the position with bound1
    :param bound0: [P, 1] fp32 tile
    :param bound1: [P, 1] fp32 tile
    :param reduce_cmd: what the accumulators start from
    :param reduce_res: [P, 1] tile that receives the accumulators
    :param reduce_op: maximum
    :param range_start: the position of the first element
    :param on_false_value: the lowest float32
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - range_select.c1: the machine has range_select
    - range_select.c2: all tiles are on chip
    - range_select.c3: dst and on_true_tile have the same number of partitions and elements per partition
    - range_select.c4: bound0 and bound1 are [P, 1] float32 tiles
    - range_select.c5: on_true_tile has a float dtype
    - range_select.c6: comp_op0 and comp_op1 are equal, less, less_equal, greater or greater_equal
    - range_select.c7: the reduction is maximum
    - range_select.c8: on_false_value is the lowest float32, -3.4028235e+38
    - range_select.c9: reduce_res is a [P, 1] on-chip tile
    - range_select.c10: reduce_cmd is not load_reduce
    - range_select.c11: reduce_res comes with a reduce_cmd other than idle
    - range_select.c12: positions stay below 2^24, where float32 still counts by one
    - range_select.c13: dst and reduce_res have dtypes that engines compute on

    Source: nki.isa.range_select, NKI 0.6"""

def reciprocal(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """dst = 1 / data, in fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data: SBUF or PSUM tile, [P, F]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - reciprocal.c1: dst and data are on chip
    - reciprocal.c2: dst and data have the same number of partitions and elements per partition
    - reciprocal.c3: dst and data have dtypes that engines compute on

    Source: nki.isa.reciprocal, NKI 0.6"""

def rng(dst: NkiTensor, engine: Any = ..., name: str | None = None) -> NkiInstruction:
    """dst = 32 random bits per element, the lowest ones of them in narrower integers.

    :param dst: SBUF or PSUM tile of an integer dtype
    :param engine: one of vector, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - rng.c1: dst is on chip
    - rng.c2: dst is an integer of 8, 16 or 32 bits
    - rng.c3: GpSimd has random numbers from gen3 on

    Source: nki.isa.rng, NKI 0.6; generators: numerics/prng.h"""

def scalar_tensor_tensor(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Any,
    operand0: NkiTensor | float,
    op1: Any,
    operand1: NkiTensor,
    reverse0: Any = False,
    reverse1: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst = (data op0 operand0) op1 operand1, operand0 broadcast, operand1 a tile, in fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data: SBUF or PSUM tile, [P, F]
    :param op0: first operator
    :param operand0: number or [P, 1] tile
    :param op1: second operator
    :param operand1: SBUF or PSUM tile, [P, F]
    :param reverse0: operand0 op0 data
    :param reverse1: operand1 op1 (result of op0)
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - scalar_tensor_tensor.c1: dst, data and operand1 are on chip
    - scalar_tensor_tensor.c2: dst, data and operand1 have the same number of partitions and elements per partition
    - scalar_tensor_tensor.c3: operand0 is a number or a [P, 1] on-chip tile
    - scalar_tensor_tensor.c4: data and operand1 are not both in PSUM
    - scalar_tensor_tensor.c5: op0 and op1 are arithmetic operators that Vector has
    - scalar_tensor_tensor.c6: the operand of a one-operand operator is None or 0
    - scalar_tensor_tensor.c7: all tiles have dtypes that engines compute on

    Source: nki.isa.scalar_tensor_tensor, NKI 0.6"""

def select_reduce(
    dst: NkiTensor,
    predicate: NkiTensor,
    on_true: NkiTensor,
    on_false: NkiTensor | float,
    reduce_res: NkiTensor | None = None,
    reduce_cmd: Any = ...,
    reduce_op: Any = ...,
    reverse_pred: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst = on_true where predicate is not 0 (is 0 when reversed), else on_false; reduce_res = the running maximum along each row.

    :param dst: SBUF or PSUM tile, [P, F]
    :param predicate: int8, uint8, int16 or uint16 tile, [P, F]
    :param on_true: SBUF or PSUM tile, [P, F]
    :param on_false: number or [P, 1] tile
    :param reduce_res: [P, 1] tile that receives the accumulators
    :param reduce_cmd: what the accumulators start from
    :param reduce_op: maximum
    :param reverse_pred: on_true where predicate is 0
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - select_reduce.c1: dst, predicate and on_true are on chip
    - select_reduce.c2: dst, predicate and on_true have the same number of partitions and elements per partition
    - select_reduce.c3: on_false is a number or a [P, 1] on-chip tile
    - select_reduce.c4: predicate is int8, uint8, int16 or uint16
    - select_reduce.c5: on_true is not tfloat32, int32 or uint32
    - select_reduce.c6: on_true and predicate are not both in PSUM
    - select_reduce.c7: reduce_res is a [P, 1] on-chip tile of a float dtype
    - select_reduce.c8: the reduction is maximum
    - select_reduce.c9: reduce_cmd is idle, reset_reduce or reduce
    - select_reduce.c10: reduce_res comes with a reduce_cmd that reduces
    - select_reduce.c11: dst, on_true and on_false have dtypes that engines compute on

    Source: nki.isa.select_reduce, NKI 0.6"""

def sendrecv(
    src: NkiTensor,
    dst: NkiTensor,
    send_to_rank: Any,
    recv_from_rank: Any,
    pipe_id: Any,
    dma_engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """sends src to the dst of core send_to_rank, and fills dst with the src of core recv_from_rank.

    :param src: SBUF tile that is sent
    :param dst: SBUF tile of the same shape and dtype, for what comes in
    :param send_to_rank: core that receives src: 0 or 1
    :param recv_from_rank: core whose src comes: 0 or 1
    :param pipe_id: exchanges of one pipe meet in order; pipes do not wait for each other
    :param dma_engine: the core's DMA engines, or GpSimd's own
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - sendrecv.c1: an exchange between cores needs NeuronCore-v3
    - sendrecv.c2: src and dst are in SBUF
    - sendrecv.c3: src and dst have the same dtype
    - sendrecv.c4: src and dst have as many partitions, and as many elements in each of them
    - sendrecv.c5: send_to_rank and recv_from_rank are 0 or 1
    - sendrecv.c6: pipe_id is not negative
    - sendrecv.c7: GpSimd's own DMA needs NeuronCore-v3
    - sendrecv.c8: GpSimd's own DMA moves at most 256 elements a partition: 1024, 512 or 256 bytes of 32-, 16- or 8-bit types

    Source: nki.isa.sendrecv, NKI 0.6"""

def sequence_bounds(
    dst: NkiTensor, segment_ids: NkiTensor, name: str | None = None
) -> NkiInstruction:
    """dst[0, 0] = start and dst[0, 1] = end (exclusive) of the run of equal ids around each position; (n, -1) where the id is 0.

    :param dst: float32 or int32 SBUF tile, [1, 2, n]
    :param segment_ids: float32 or int32 SBUF tile, [1, n]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - sequence_bounds.c1: dst and segment_ids are in SBUF
    - sequence_bounds.c2: dst and segment_ids have one partition
    - sequence_bounds.c3: dst has two elements for each of segment_ids
    - sequence_bounds.c4: dst and segment_ids are float32 or int32

    Source: nki.isa.sequence_bounds, NKI 0.6, and its NumPy test"""

def set_rng_seed(src_seeds: NkiTensor, name: str | None = None) -> NkiInstruction:
    """seeds the random generators of all Vector lanes with one 32-bit value.

    :param src_seeds: SBUF or PSUM tile of 32 bits, [1, 1]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - set_rng_seed.c1: src_seeds is a [1, 1] on-chip tile
    - set_rng_seed.c2: src_seeds has 32 bits

    Source: nki.isa.set_rng_seed, NKI 0.6; expansion: numerics/prng.h"""

def tensor_copy(
    dst: NkiTensor, src: NkiTensor, engine: Any = ..., name: str | None = None
) -> NkiInstruction:
    """dst = src, bit for bit when the dtypes agree, else cast through fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param src: SBUF or PSUM tile with as many partitions and elements as dst
    :param engine: one of vector, scalar, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_copy.c1: dst and src are on chip
    - tensor_copy.c2: dst and src have the same number of partitions
    - tensor_copy.c3: dst and src have the same number of elements per partition
    - tensor_copy.c4: packed MX dtypes are copied, not cast
    - tensor_copy.c5: the Scalar engine of gen2 has no tensor_copy
    - tensor_copy.c6: GpSimd does not gather or scatter in tensor_copy

    Source: nki.isa.tensor_copy, NKI 0.6"""

def tensor_copy_predicated(
    dst: NkiTensor,
    src: NkiTensor | float,
    predicate: NkiTensor,
    reverse_pred: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst = src where predicate is not 0 (is 0 when reversed), else unchanged.

    :param dst: SBUF or PSUM tile, [P, F]
    :param src: number, or tile of dst's dtype and size
    :param predicate: uint8, uint16 or uint32 tile as large as dst
    :param reverse_pred: copy where predicate is 0
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_copy_predicated.c1: dst, src and predicate are on chip
    - tensor_copy_predicated.c2: dst, src and predicate have the same number of partitions and elements per partition
    - tensor_copy_predicated.c3: predicate is uint8, uint16 or uint32
    - tensor_copy_predicated.c4: src and dst have the same dtype
    - tensor_copy_predicated.c5: src and predicate are not both in PSUM
    - tensor_copy_predicated.c6: a number goes into a dst that is not packed

    Source: nki.isa.tensor_copy_predicated, NKI 0.6"""

def tensor_partition_reduce(
    dst: NkiTensor, op: Any, data: NkiTensor, name: str | None = None
) -> NkiInstruction:
    """dst = data reduced by op across its partitions, in fp32 or on bit patterns.

    :param dst: SBUF tile, [1, F]
    :param op: add, average, maximum, bitwise_or or bitwise_and
    :param data: SBUF tile, [P, F]
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_partition_reduce.c1: dst and data are in SBUF
    - tensor_partition_reduce.c2: dst has one partition
    - tensor_partition_reduce.c3: dst has as many elements per partition as data
    - tensor_partition_reduce.c4: op is add, average, maximum, bitwise_or or bitwise_and
    - tensor_partition_reduce.c5: a bitwise operator has integer dst and data
    - tensor_partition_reduce.c6: dst and data have dtypes that engines compute on

    Source: nki.isa.tensor_partition_reduce, NKI 0.6; order of the partitions: assumed"""

def tensor_reduce(
    dst: NkiTensor,
    op: Any,
    data: NkiTensor,
    axis: Any,
    negate: Any = False,
    keepdims: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst = data reduced by op along its last free dimensions, in fp32 or on bit patterns.

    :param dst: SBUF or PSUM tile, [P, rest]
    :param op: reduction operator
    :param data: SBUF or PSUM tile, [P, ...]
    :param axis: the dimensions to reduce: the last ones of data
    :param negate: multiply the result by -1
    :param keepdims: dst keeps the reduced dimensions, of size 1
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_reduce.c1: dst and data are on chip
    - tensor_reduce.c2: axis names the last dimensions of data, without the partitions
    - tensor_reduce.c3: dst has as many partitions as data
    - tensor_reduce.c4: dst has one element per partition for each reduced group
    - tensor_reduce.c5: op is add, subtract, multiply, maximum, minimum, or a logical or bitwise and, or, xor
    - tensor_reduce.c6: a bitwise operator has integer dst and data
    - tensor_reduce.c7: only arithmetic results are negated
    - tensor_reduce.c8: dst and data have dtypes that engines compute on

    Source: nki.isa.tensor_reduce, NKI 0.6"""

def tensor_scalar(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Any,
    operand0: NkiTensor | float,
    reverse0: Any = False,
    op1: Any = None,
    operand1: NkiTensor | float | None = None,
    reverse1: Any = False,
    engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = (data op0 operand0) op1 operand1, in fp32 or on bit patterns.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data: SBUF or PSUM tile, [P, F]
    :param op0: first operator
    :param operand0: number or [P, 1] tile; None or 0 for a one-operand operator
    :param reverse0: operand0 op0 data
    :param op1: second operator, of the same class
    :param operand1: number or [P, 1] tile
    :param reverse1: operand1 op1 (result of op0)
    :param engine: one of vector, scalar, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_scalar.c1: dst and data are on chip
    - tensor_scalar.c2: dst and data have the same number of partitions and elements per partition
    - tensor_scalar.c3: operand0 and operand1 are numbers or [P, 1] on-chip tiles
    - tensor_scalar.c4: op0 and op1 are both bitwise or both arithmetic
    - tensor_scalar.c5: bitwise operators have integer dst, data and operands
    - tensor_scalar.c6: the [P, 1] operands of arithmetic operators are float32
    - tensor_scalar.c7: the operand of a one-operand operator is None or 0
    - tensor_scalar.c8: op1 and operand1 are given together
    - tensor_scalar.c9: op0 and op1 are operators that tensor_scalar has
    - tensor_scalar.c10: abs_max, abs_min, square and relu are gen4's, in the place of op0
    - tensor_scalar.c11: bitwise operators run on Vector
    - tensor_scalar.c12: rsqrt runs on GpSimd, and nothing without rsqrt does
    - tensor_scalar.c13: the Scalar engine of gen3 has multiply then add, multiply, and add; that of gen2 nothing
    - tensor_scalar.c14: dst and data have dtypes that engines compute on
    - tensor_scalar.c15: arithmetic on 32-bit integers takes no .indirect() view
    - tensor_scalar.c16: the constants of bitwise operators are integers of 32 bits

    Source: nki.isa.tensor_scalar, NKI 0.6"""

def tensor_scalar_cumulative(
    dst: NkiTensor,
    src: NkiTensor,
    op0: Any,
    op1: Any,
    imm0: NkiTensor | float,
    imm1: NkiTensor | float | None = None,
    reduce_cmd: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """acc = (src op0 imm0) op1 acc along each row, dst = every step, in fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param src: SBUF or PSUM tile, [P, F]
    :param op0: arithmetic operator
    :param op1: add, subtract, multiply, maximum or minimum
    :param imm0: number or [P, 1] fp32 tile
    :param imm1: number or [P, 1] fp32 tile for load_reduce
    :param reduce_cmd: what the accumulators start from
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_scalar_cumulative.c1: dst and src are on chip
    - tensor_scalar_cumulative.c2: dst and src have the same number of partitions and elements per partition
    - tensor_scalar_cumulative.c3: dst and src are bfloat16, float16, float32, FP8, or integers of 8 or 16 bits
    - tensor_scalar_cumulative.c4: imm0 and imm1 are numbers or [P, 1] float32 tiles
    - tensor_scalar_cumulative.c5: op0 is an arithmetic operator that Vector has
    - tensor_scalar_cumulative.c6: op1 is add, subtract, multiply, maximum or minimum
    - tensor_scalar_cumulative.c7: reduce_cmd is reset_reduce, reduce or load_reduce
    - tensor_scalar_cumulative.c8: load_reduce comes with imm1

    Source: nki.isa.tensor_scalar_cumulative, NKI 0.6"""

def tensor_scalar_reduce(
    dst: NkiTensor,
    data: NkiTensor,
    op0: Any,
    operand0: NkiTensor | float,
    reduce_op: Any,
    reduce_res: NkiTensor | None = None,
    reverse0: Any = False,
    reduce_cmd: Any = ...,
    reduce_init: NkiTensor | float | None = None,
    reduce_res_negate: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst = data op0 operand0; reduce_res = reduce_op along each row of the result, in fp32.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data: SBUF or PSUM tile, [P, F]
    :param op0: arithmetic operator
    :param operand0: number or [P, 1] fp32 tile; None or 0 for a one-operand operator
    :param reduce_op: add, multiply, maximum or minimum
    :param reduce_res: [P, 1] tile that receives the accumulators
    :param reverse0: not supported by the hardware yet
    :param reduce_cmd: what the accumulators start from
    :param reduce_init: number or [P, 1] fp32 tile for load_reduce
    :param reduce_res_negate: write the negated accumulators
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_scalar_reduce.c1: dst and data are on chip
    - tensor_scalar_reduce.c2: dst and data have the same number of partitions and elements per partition
    - tensor_scalar_reduce.c3: operand0 and reduce_init are numbers or [P, 1] float32 tiles
    - tensor_scalar_reduce.c4: op0 is an arithmetic operator that Vector has
    - tensor_scalar_reduce.c5: the operand of a one-operand operator is None or 0
    - tensor_scalar_reduce.c6: the reduction is add, multiply, maximum or minimum
    - tensor_scalar_reduce.c7: reduce_res is a [P, 1] on-chip tile
    - tensor_scalar_reduce.c8: reverse0 is not supported yet
    - tensor_scalar_reduce.c9: reduce_cmd is reset_reduce, reduce or load_reduce
    - tensor_scalar_reduce.c10: reduce_init is given with load_reduce, and only then
    - tensor_scalar_reduce.c11: dst, data and reduce_res have dtypes that engines compute on

    Source: nki.isa.tensor_scalar_reduce, NKI 0.6"""

def tensor_tensor(
    dst: NkiTensor,
    data1: NkiTensor,
    data2: NkiTensor,
    op: Any,
    engine: Any = ...,
    name: str | None = None,
) -> NkiInstruction:
    """dst = data1 op data2, in fp32, on bit patterns, or (GpSimd, all 32-bit integers) exactly.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data1: SBUF or PSUM tile, [P, F]
    :param data2: SBUF or PSUM tile, [P, F]
    :param op: two-operand operator
    :param engine: one of vector, gpsimd; unknown leaves it open
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_tensor.c1: dst, data1 and data2 are on chip
    - tensor_tensor.c2: dst, data1 and data2 have the same number of partitions and elements per partition
    - tensor_tensor.c3: data1 and data2 are not both in PSUM
    - tensor_tensor.c4: a bitwise operator has integer operands
    - tensor_tensor.c5: op is a two-operand operator that the machine has
    - tensor_tensor.c6: power runs on GpSimd, bitwise operators, abs_max and abs_min on Vector
    - tensor_tensor.c7: dst, data1 and data2 have dtypes that engines compute on

    Source: nki.isa.tensor_tensor, NKI 0.6"""

def tensor_tensor_scan(
    dst: NkiTensor,
    data0: NkiTensor,
    data1: NkiTensor,
    initial: NkiTensor | float,
    op0: Any,
    op1: Any,
    reverse0: Any = False,
    reverse1: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """dst[i] = (data0[i] op0 dst[i-1]) op1 data1[i] along each row, in fp32; dst[-1] = initial.

    :param dst: SBUF or PSUM tile, [P, F]
    :param data0: SBUF or PSUM tile, [P, F]
    :param data1: SBUF or PSUM tile, [P, F]
    :param initial: number or [P, 1] tile: the state before i = 0
    :param op0: two-operand arithmetic operator
    :param op1: two-operand arithmetic operator
    :param reverse0: dst[i-1] op0 data0[i]
    :param reverse1: data1[i] op1 (result of op0)
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - tensor_tensor_scan.c1: dst, data0 and data1 are on chip
    - tensor_tensor_scan.c2: dst, data0 and data1 have the same number of partitions and elements per partition
    - tensor_tensor_scan.c3: initial is a number or a [P, 1] on-chip tile
    - tensor_tensor_scan.c4: data0 and data1 are not both in PSUM
    - tensor_tensor_scan.c5: op0 and op1 are two-operand arithmetic operators of Vector
    - tensor_tensor_scan.c6: all tiles have dtypes that engines compute on

    Source: nki.isa.tensor_tensor_scan, NKI 0.6"""

def topk(
    val_dst: NkiTensor,
    idx_dst: NkiTensor,
    src: NkiTensor,
    n: Any,
    sorted: Any = False,
    name: str | None = None,
) -> NkiInstruction:
    """val_dst = the K largest of the first n elements of each 16-partition group, ascending; idx_dst = where they stand; element e, and result e, is in row e mod 16, column e div 16.

    :param val_dst: bfloat16 SBUF tile, [P, K], of which columns from ceil(K / 16) on keep their content
    :param idx_dst: uint32 SBUF tile, [P, K], written as val_dst is
    :param src: bfloat16 SBUF tile, [P, at least n / 16]
    :param n: elements of each group: 8 to 65535
    :param sorted: ask for an order; results are ascending anyway
    :param name: a name for the scheduling functions

    Rules (a broken one raises InputError with its label):
    - topk.c1: val_dst, idx_dst and src are in SBUF
    - topk.c2: val_dst and src are bfloat16, idx_dst is uint32
    - topk.c3: all tiles have the same number of partitions, a multiple of 16
    - topk.c4: val_dst and idx_dst have the same number of elements per partition
    - topk.c5: 8 <= n < 65536
    - topk.c6: 1 <= K < 32768 and K <= n
    - topk.c7: src has at least n / 16 elements per partition

    Source: nki.isa.topk, NKI 0.7 (0.6: ascending); the order that `sorted` asks for is not published; equal values keep the lower index: assumed"""

__all__ = [
    "NkiInstruction",
    "NkiScalar",
    "NkiValidationError",
    "VirtualRegister",
    "activate2",
    "activation",
    "activation_reduce",
    "affine_select",
    "bn_aggr",
    "bn_stats",
    "core_barrier",
    "dge_mode",
    "dma_compute",
    "dma_copy",
    "dma_engine",
    "dma_transpose",
    "dropout",
    "engine",
    "exponential",
    "get_nc_sub_version",
    "get_nc_version",
    "gpsimd_engine",
    "iota",
    "local_gather",
    "matmul_perf_mode",
    "max8",
    "memset",
    "nc_find_index8",
    "nc_match_replace8",
    "nc_matmul",
    "nc_matmul_mx",
    "nc_n_gather",
    "nc_stream_shuffle",
    "nc_transpose",
    "nc_version",
    "nonzero_with_count",
    "oob_mode",
    "quantize_mx",
    "rand2",
    "rand_get_state",
    "rand_set_state",
    "range_select",
    "reciprocal",
    "reduce_cmd",
    "register_alloc",
    "register_load",
    "register_move",
    "register_store",
    "rng",
    "scalar_engine",
    "scalar_load",
    "scalar_store",
    "scalar_tensor_tensor",
    "select_reduce",
    "sendrecv",
    "sequence_bounds",
    "set_rng_seed",
    "tensor_copy",
    "tensor_copy_predicated",
    "tensor_engine",
    "tensor_partition_reduce",
    "tensor_reduce",
    "tensor_scalar",
    "tensor_scalar_cumulative",
    "tensor_scalar_reduce",
    "tensor_tensor",
    "tensor_tensor_scan",
    "topk",
    "unknown_engine",
    "vector_engine",
]
