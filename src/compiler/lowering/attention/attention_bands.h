// Attention cut into bands of queries: which keys each of them looks at, and which core computes
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/lowering/attention/attention_pattern.h"
#include "isa/core/tile.h"

namespace trainyard::compiler {

struct KeyRange {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// Rows of the queries that lie on the partitions at a time, and the keys that they look at.
struct AttentionBand {
  std::int64_t batch = 0, row = 0, rows = 0;
  KeyRange keys{};
  KeyRange kept{};  // of these, the ones that no row masks
  isa::Tile queries{}, limit{}, scores{}, maxima{}, weights{}, most{}, sum{}, turned{}, result{};
  int maxima_count = 0;
};

// Of all batches, in order, `partitions` queries each.
[[nodiscard]] std::vector<AttentionBand> attention_bands(const AttentionShape& shape,
                                                         std::int64_t partitions);

// As many bands from the scores to the result as there is room for; 0 where there is none.
[[nodiscard]] std::int64_t bands_behind(const AttentionShape& shape, std::int64_t operand_bytes,
                                        std::int64_t value_bytes, const machine::Core& core);

// What one of two cores computes: whole batches, or, of an odd one out, bands with as much to do.
[[nodiscard]] std::vector<AttentionBand> half_of_bands(std::span<const AttentionBand> all,
                                                       int half);

}  // namespace trainyard::compiler
