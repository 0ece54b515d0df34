// The NeuronCore generations by the names the NKI API uses. What a generation can do is data in the
// machine file (features.h), not a comparison of generations.
#pragma once

#include <cstdint>

namespace trainyard::machine {

// Source: nki.isa.nc_version; gen2 = Trainium1, gen3 = Trainium2, gen4 = Trainium3.
enum class Generation : std::uint8_t { gen2, gen3, gen4 };

// Which operations a core has. Source of each: the machine file.
struct Features {
  bool mx = false;                      // nc_matmul_mx, quantize_mx
  bool double_row = false;              // FP8 matmul with K up to 2 x rows
  bool structured_sparsity = false;     // no public instruction yet
  bool tensor_transpose_exact = false;  // is_transpose moves bits, NaN and infinity included
  bool background_transpose = false;
  bool psum_bf16 = false;                // matmul may write and accumulate bf16
  bool psum_16bit_transpose = false;     // a transpose may write 16-bit results
  bool accumulate_on_any_write = false;  // a matmul may accumulate on what another engine wrote
  bool column_tiling = false;
  bool row_tiling_32 = false;
  bool vector_perf_modes = false;
  bool vector_perf_modes_fp8 = false;
  bool exponential = false;
  bool activate2 = false;
  bool scalar_copy = false;  // Scalar runs tensor_copy, and tensor_scalar with multiply and add
  bool scalar_tensor_ops = false;          // Scalar runs tensor_scalar, tensor_copy natively
  bool activation_number_bias = false;     // bias may be a number, not only a column
  bool vector_extended_operators = false;  // abs_max, abs_min, square, relu
  bool range_select = false;
  bool nonzero_with_count = false;
  bool gpsimd_random = false;  // rng and generator states on GpSimd
  bool indirection = false;    // .indirect() access patterns
  bool rand2 = false;
  bool vector_xorwow = false;  // v4; older cores have an LFSR
  bool gpsimd_dma = false;
  bool core_pairs = false;  // core_barrier and sendrecv between the two cores of a logical core
  bool hardware_dge = false;
  bool dma_priority = false;
  bool dma_gather_transpose = false;  // dma_transpose of gathered rows
  bool dma_read_add_write = false;
  bool float8_e4m3fn = false;
  bool simulator_operators = false;  // fmod and mod, which AWS's simulator has and no silicon
};

}  // namespace trainyard::machine
