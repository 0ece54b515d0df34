// How fast the engines' data paths stream, by operand size and place, and the extra costs of single
// instructions.
#pragma once

#include "base/units.h"
#include "machine/quantity.h"

namespace trainyard::machine {

// Elements per lane and cycle of an instruction that reads one tensor (tensor_copy, tensor_scalar).
// "Narrow" is a float of at most 16 bits on both sides (FP8 only where
// features.vector_perf_modes_fp8).
struct StreamRates {
  Rate narrow_sbuf;          // SBUF to SBUF, innermost dimension contiguous (the 4x mode)
  Rate narrow_sbuf_strided;  // SBUF to SBUF, not contiguous
  Rate narrow_psum;          // contiguous, one side in PSUM
  Rate wide_sbuf;            // any operand of 32 bits or integer, SBUF to SBUF
  Rate wide_psum;            // any operand of 32 bits or integer, one side in PSUM
};

// The same for an instruction that reads two tensors (tensor_tensor).
struct PairRates {
  Rate narrow_sbuf;  // both in SBUF, all operands 16 bit
  Rate narrow_psum;  // one in PSUM
  Rate wide_sbuf;    // both in SBUF
  Rate wide_psum;    // one in PSUM
};

struct VectorRates {
  StreamRates copy;
  PairRates pair;
  Rate other;                 // an instruction without a rule of its own
  Rate reduce_narrow;         // tensor_reduce of bf16 with add or maximum
  Rate reduce;                // tensor_reduce otherwise
  base::Cycles reduce_extra;  // tensor_scalar_reduce: reading the accumulator out
  Rate scan;                  // tensor_tensor_scan
  Rate scalar_tensor_tensor;
  Rate scalar_tensor_tensor_narrow;
  Rate scalar_tensor_tensor_psum;  // one tensor in PSUM
  Rate memset_narrow_zero;
  Rate memset;
  Rate copy_predicated_sbuf;  // data and predicate both in SBUF
  Rate copy_predicated_mixed;
  Rate reciprocal;
  Rate exponential;
  Rate quantize_mx;  // per input element
  Rate rand2;
  Rate bn_stats;
  Rate bn_aggr;
  Rate max8;  // max8, find_index8, match_replace8
  Rate transpose;
  Rate shuffle;
  base::Cycles scalar_operand;   // added to the occupancy for a [P, 1] operand (tensor_scalar)
  base::Cycles dynamic_address;  // least occupancy of a copy whose address is in a register
  std::int64_t stride_limit_bytes = 0;  // a larger innermost stride halves the rate
};

struct ScalarRates {
  StreamRates copy;
  Rate activation;
  base::Cycles activation_extra;  // added to the occupancy of an activation over a copy
  base::Cycles read_accumulator;  // ActReadAccumulator
  base::Ticks table_load;         // ACT_TABLE_LOAD: a function outside the loaded set
};

struct GpsimdRates {
  Rate stream;  // iota, affine_select and the like
  Rate partition_reduce;
  Rate nonzero;
  Rate topk_input;  // per element of the group
  Rate gather;
  base::Cycles gather_group;  // nc_n_gather: per group of gather_group_elements
  std::int64_t gather_group_elements = 0;
  std::int64_t local_gather_base = 0;
  std::int64_t local_gather_unroll = 0;
  std::int64_t processors = 0;
  base::Bytes local_memory;  // data RAM of one processor
  std::int64_t simd_bits = 0;
};

}  // namespace trainyard::machine
