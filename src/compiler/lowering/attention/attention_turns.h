// The order in which the gradient of attention takes what shares a set of keys: in parts of the
// queries that find room on chip, and of each part, for as many keys as PSUM sums, band by band.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/attention/attention_bands.h"

namespace trainyard::compiler {

// One band and some of the keys.
struct AttentionTurn {
  std::size_t band = 0;
  KeyRange keys{};
  // Of the part: the first and the last that add to the gradients of these keys.
  bool is_first = false, is_last = false;
  bool ends_band = false;  // no other turn has its queries,
  bool ends_keys = false;  // or these keys
  isa::Tile weights{}, change{}, turned{};
};

// `bands`: of all queries with the same keys. `part`: how many of them are on chip at a time.
// `chunk`: keys of a turn.
[[nodiscard]] std::vector<AttentionTurn> attention_turns(std::span<const AttentionBand> bands,
                                                         std::size_t part, std::int64_t keys,
                                                         std::int64_t chunk);

// How many bands stay on chip while all keys pass: all, whole batches, or some; 0 where there is no
// room.
[[nodiscard]] std::int64_t bands_of_part(const AttentionShape& shape, std::int64_t operand_bytes,
                                         const machine::Core& core);

}  // namespace trainyard::compiler
