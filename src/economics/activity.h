// What a run did, counted: the only thing energy is computed from, besides time. Filled by summing
// the activity of instructions and the bytes of memories; knows nothing of joules.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "numerics/dtype.h"

namespace trainyard::economics {

struct Activity {
  std::int64_t macs_fp32 = 0;  // multiply-accumulates of the tensor engine by format
  std::int64_t macs_bf16 = 0;  // BF16, FP16, TF32 and FP8 mixed with them
  std::int64_t macs_fp8 = 0;
  std::int64_t macs_mx = 0;
  std::int64_t macs_transpose = 0;  // elements moved through PEs by transposes
  std::int64_t vector_elements = 0;
  std::int64_t scalar_elements = 0;
  std::int64_t gpsimd_elements = 0;
  base::Bytes sbuf, psum, hbm, dma, link, host;  // read plus written
  std::int64_t instructions = 0;

  Activity& operator+=(const Activity& other);
  // Counts multiply-accumulates under the class of `format`: a packed format is MX.
  void add_macs(numerics::DType format, std::int64_t count);
};

}  // namespace trainyard::economics
