// Rows that lie in several partitions each: in how many they may, and sums across them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/rows/row_plan.h"

namespace trainyard::compiler {

// As many partitions as whole rows take.
[[nodiscard]] inline std::int64_t rows_of_band(const RowPlan& plan, const machine::Core& core) {
  return core.sbuf.partitions / plan.shares * plan.shares;
}

// Numbers of partitions that a row of the space may lie in; more than one.
[[nodiscard]] std::vector<std::int64_t> ways_to_share(const RowSpace& space,
                                                      const machine::Core& core);

// The array adds what the partitions of a row have, for each of them.
class ShareSums {
 public:
  explicit ShareSums(Emitter& emitter) : emitter_(emitter) {}

  // Forgets matrices that another core has.
  void begin() { ones_.clear(); }
  // Of float32 numbers [rows, 1] the sums over each `shares` partitions, in PSUM.
  [[nodiscard]] isa::Tile sum(const isa::Tile& numbers, std::int64_t shares);

 private:
  // 1 where two partitions are of one row.
  [[nodiscard]] isa::Tile ones(std::int64_t shares);

  Emitter& emitter_;
  std::map<std::int64_t, isa::Tile> ones_;
};

}  // namespace trainyard::compiler
