// What fails in a run of several chips, and when: links, chips, switches, slow and late ranks, bits
// of memory. The words for it are those of fabric/faults.h, and "ecc:RANK@TIME=corrected",
// "ecc:RANK@TIME=uncorrected", "flip:RANK.TENSOR@TIME=BIT" (of the tensor, from 0).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fabric/network.h"
#include "fabric/problem.h"

namespace trainyard::system {

// Error correction meets a flipped bit in the HBM of a rank, or, where `tensor` is named, misses
// it.
struct MemoryFault {
  std::string text = {};
  base::Ticks time = {};
  std::int32_t rank = 0;
  bool corrected = false;
  std::string tensor = {};
  std::int64_t bit = 0;
};

struct Faults {
  std::vector<fabric::Change> changes = {};                     // of the network, by time
  std::vector<std::pair<std::int32_t, base::Ticks>> late = {};  // ranks that start later
  std::vector<MemoryFault> memory = {};

  [[nodiscard]] bool empty() const { return changes.empty() && late.empty() && memory.empty(); }
};

// Throws InputError "fabric.fault" with what is known.
[[nodiscard]] Faults read_faults(const fabric::Network& network,
                                 std::span<const std::string> texts);

}  // namespace trainyard::system
