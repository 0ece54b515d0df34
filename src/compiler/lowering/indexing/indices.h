// What gather and scatter make of their indices: where each window begins, as one number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

enum class Outside : std::uint8_t {
  moved,    // an index beyond the last window becomes the last one, one below 0 becomes 0
  dropped,  // the offset of such a window is -1
};

// For each index the offset of its window in a dense table, in units of `unit` elements: s32, in
// the indices' shape without vector_dim.
struct Offsets {
  NodeId node = 0;
  std::int64_t unit = 1;
};
// `sizes`: of a window along each table dimension. Nothing where the indices are no 32-bit words or
// the table is too large to count.
[[nodiscard]] std::optional<Offsets> offsets_of(Lowerer& lowerer, const Indexing& how,
                                                graph::ValueId indices, const graph::Type& table,
                                                const std::vector<std::int64_t>& sizes,
                                                Outside outside, graph::LocationId location);

}  // namespace trainyard::compiler
