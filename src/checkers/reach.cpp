#include "checkers/reach.h"

#include <algorithm>

#include "isa/core/run_time_index.h"
#include "isa/semantics/dma.h"

namespace trainyard::checkers {

using isa::DynamicAddress;
using isa::Tile;

namespace {

Tile rows_of(const Tile& tile, std::int64_t first, std::int64_t count) {
  Tile some = tile;
  some.partition_start = static_cast<std::uint16_t>(tile.partition_start + first);
  some.partitions = static_cast<std::uint16_t>(count);
  return some;
}

// The elements [begin, begin + count) of each row of an index tile, whose last dimension they are.
Tile columns_of(const Tile& tile, std::int64_t begin, std::int64_t count) {
  Tile some = tile;
  if (tile.rank == 0) return some;
  isa::Dim& last = some.dims[tile.rank - 1u];
  some.offset += begin * last.step * tile.element_bytes();
  last.count = static_cast<std::int32_t>(count);
  return some;
}

void for_each_picked(const Tile& tile, const DynamicAddress& how, isa::Execution& execution,
                     const std::function<void(const Part&)>& f) {
  const std::int64_t elements = tile.free_elements(), group = how.stride;
  const std::int64_t end = isa::index_end(tile, execution.program);
  for (std::int64_t first = 0; first < tile.partitions; first += group) {
    Part part{rows_of(tile, first, std::min(group, tile.partitions - first)),
              static_cast<int>(first)};
    part.tile.rank = 0;
    part.tile.dynamic = 0;
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::int64_t at = isa::picked_place(how, execution, static_cast<int>(first), i);
      if (at < 0 || at >= end) continue;
      part.element = i;
      part.tile.offset = tile.offset + at * tile.element_bytes();
      f(part);
    }
  }
}

}  // namespace

void for_each_part(const Tile& tile, isa::Execution& execution,
                   const std::function<void(const Part&)>& f) {
  if (tile.dynamic == 0) return f({tile});
  const DynamicAddress& how = execution.program.dynamics[tile.dynamic - 1];
  if (how.kind == DynamicAddress::Kind::indirect) return for_each_picked(tile, how, execution, f);
  if (tile.on_chip()) return;  // its offset was out of bounds, and is skipped
  isa::dma::for_each_row(tile, execution, [&](const Tile& row) { f({row}); });
}

std::optional<Tile> picked_from(const Tile& tile, const isa::Program& program) {
  const DynamicAddress& how = program.dynamics[tile.dynamic - 1];
  if (how.kind != DynamicAddress::Kind::indirect) return std::nullopt;
  Tile all = tile;
  all.dynamic = 0;
  all.rank = 1;
  all.dims[0] = {.step = 1, .count = static_cast<std::int32_t>(isa::index_end(tile, program))};
  return all;
}

bool copies_onto_itself(const isa::InstructionInfo& info, const void* record) {
  if (info.copies == nullptr) return false;
  const isa::Copied copied = info.copies(record);
  return copied.dst == copied.src;
}

void for_each_index_entry(const Tile& tile, const isa::Program& program,
                          const std::function<void(const Tile&)>& f) {
  const DynamicAddress& how = program.dynamics[tile.dynamic - 1];
  const Tile& index = how.index;
  // Entry i of a list stands in row i mod `group` of its rows, column i div `group`.
  std::int64_t entries = 1, group = index.partitions;
  if (how.kind == DynamicAddress::Kind::indirect) {
    entries = tile.free_elements();
    group = how.stride;
  } else if (how.kind == DynamicAddress::Kind::vector_offset) {
    entries = tile.rank == 0 ? 1 : tile.dims[0].count;
  }
  const std::int64_t whole = entries / group, rest = entries % group;
  if (whole > 0) f(columns_of(index, 0, whole));
  if (rest == 0) return;
  const Tile column = columns_of(index, whole, 1);
  for (std::int64_t first = 0; first < index.partitions; first += group)
    f(rows_of(column, first, std::min(rest, index.partitions - first)));
}

}  // namespace trainyard::checkers
