// The order of a row's elements by their ranks: each partition compares some elements with all of
// the row, and counts those before them. Faster than a network of comparisons where rows are few.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

// What it takes of the Vector engine, an estimate; nothing for a row that partitions do not divide.
[[nodiscard]] std::optional<std::int64_t> rank_cycles(std::int64_t rows, std::int64_t columns,
                                                      const machine::Core& core);

// A row of numbers side by side in HBM, ascending and stable, NaN last: [1, columns] of uint32,
// where each element of the sorted row stood. `counting`: 0, 1, 2 ... in float32.
[[nodiscard]] isa::Tile order_by_ranks(Emitter& emitter, const Matrix& row, const Matrix& counting);

}  // namespace trainyard::compiler
