// What a sorting network of an operation takes on the GpSimd cores, an estimate: what a sort costs
// that no other engine does, and what those that do are compared with.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct SortRounds {
  std::int64_t rounds = 0;   // half of log2(n) (log2(n) + 1)
  std::int64_t pairs = 0;    // of a round: half of the elements
  std::int64_t of_pair = 0;  // instructions: two comparisons, by places if equal, and moves

  [[nodiscard]] std::int64_t instructions() const { return rounds * of_pair; }
  [[nodiscard]] std::int64_t elements() const { return rounds * of_pair * pairs; }
};

// `type`: of what is sorted.
[[nodiscard]] SortRounds sort_rounds(const graph::Op& op, const graph::Type& type);

// Elements through the lanes of GpSimd, by so many instructions.
[[nodiscard]] base::Ticks gpsimd_time(std::int64_t elements, std::int64_t instructions,
                                      const machine::Core& core);

}  // namespace trainyard::compiler
