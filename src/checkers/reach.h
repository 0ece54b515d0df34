// What a tile with a run-time address touches when its instruction runs, as tiles without one.
#pragma once

#include <functional>
#include <optional>

#include "isa/semantics/execution.h"

namespace trainyard::checkers {

// A part of a tile: its rows (partitions) and elements begin at these of the tile.
struct Part {
  isa::Tile tile{};
  int row = 0;
  std::int64_t element = 0;
};

// Calls f(part) for the rows of HBM that an index list names, or for the elements that an
// .indirect() view picks, in the order in which they are moved; for a tile without a run-time
// address once. What is out of bounds is left out: the instruction skips it or stops there.
void for_each_part(const isa::Tile& tile, isa::Execution& execution,
                   const std::function<void(const Part&)>& f);

// All that an .indirect() view picks from, as a tile without a run-time address; nothing for other
// tiles.
[[nodiscard]] std::optional<isa::Tile> picked_from(const isa::Tile& tile,
                                                   const isa::Program& program);

// Kernels copy a tensor onto itself to make what follows wait. What it holds, or not, stays so.
[[nodiscard]] bool copies_onto_itself(const isa::InstructionInfo& info, const void* record);

// Calls f(entries) for the entries of its index tile that a tile with a run-time address uses.
void for_each_index_entry(const isa::Tile& tile, const isa::Program& program,
                          const std::function<void(const isa::Tile&)>& f);

}  // namespace trainyard::checkers
