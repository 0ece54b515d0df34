// What one NeuronCore holds between instructions: plain data, copyable by hand, no clock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "state/hbm.h"
#include "state/scratchpad.h"

namespace trainyard::state {

// Sizes of a core's memories; filled from the machine file by whoever builds the core.
struct CoreSizes {
  int partitions = 0;
  std::int64_t sbuf_bytes_per_partition = 0;
  std::int64_t psum_bytes_per_partition = 0;
  int registers_per_engine = 0;
};

struct Core {
  Core(const CoreSizes& sizes, std::shared_ptr<Hbm> stack);

  Scratchpad sbuf;
  Scratchpad psum;
  std::shared_ptr<Hbm> hbm;                            // shared with the other core of the stack
  std::array<std::vector<std::int64_t>, 5> registers;  // by engine; 32-bit values, or int64
  std::vector<float>
      vector_accumulator;  // one fp32 a lane, shared by the Vector engine's reducing instructions
  std::vector<float> scalar_accumulator;  // the Scalar engine's reduction registers
  std::vector<std::array<std::uint32_t, 24>> vector_prng;  // 4 XORWOW states of 6 words a lane
  std::vector<std::array<std::uint32_t, 6>> gpsimd_prng;   // 1 XORWOW state a lane
  // The random bits of stochastic rounding: 1 XORWOW state a lane, by engine. An engine casts in
  // program order, so its rounding does not depend on what the others do.
  std::array<std::vector<std::array<std::uint32_t, 6>>, 5> rounding_prng;
};

}  // namespace trainyard::state
