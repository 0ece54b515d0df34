// Rows in groups, set apart in blocks of one group each, as operations of a tensor program: which
// group a block belongs to, which row lies where. The groups' sizes are known when the program
// runs.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/builder.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct RowBlocks {
  graph::ValueId sizes = 0;          // of the groups, s32
  std::int64_t count = 0, rows = 0;  // of blocks, and of each
  graph::ValueId group = 0;          // of each block, s32 [count]
  graph::ValueId row = 0;            // of each place in the blocks, s32 [count * rows]

  // Of each group, in float32: where its rows end, and what it leaves of its last block; of all
  // groups, how many rows they have.
  graph::ValueId end = 0, left = 0, total = 0;
  // Of each group, in float32: how far before its place a row has its number.
  graph::ValueId before = 0;
  // Whether a row of its group lies in each place, [count, rows].
  graph::ValueId is_filled = 0;

  // The type of rows that are set apart: block by block.
  [[nodiscard]] graph::Type shaped(graph::Type type) const {
    type.shape[0] = rows;
    type.shape.insert(type.shape.begin(), count);
    return type;
  }
};

// Where rows of those numbers lie (f32 [n], whole and below that of rows), s32, and whether each
// belongs to a group.
struct RowPlaces {
  graph::ValueId place = 0, is_inside = 0;
};
[[nodiscard]] RowPlaces row_places(graph::Builder& write, const RowBlocks& blocks,
                                   graph::ValueId rows);

// Rows in groups, set apart for sums over each of them: one block for each group, in their order,
// and behind those as many as any sizes may need of longer groups.
struct GroupBlocks {
  std::int64_t groups = 0, more = 0, rows = 0;  // of blocks, and of each
  graph::ValueId more_group = 0;                // of each one behind, s32 [more]; unused ones: 0
  graph::ValueId row = 0;        // of each place in the blocks, s32 [(groups + more) * rows]
  graph::ValueId place = 0;      // the same of rows that lie in RowBlocks
  graph::ValueId is_filled = 0;  // whether a row of its group lies there, [groups + more, rows]
};
// Of blocks of so many rows the ones behind.
[[nodiscard]] inline std::int64_t blocks_behind(std::int64_t rows, std::int64_t block) {
  return rows / block;
}
[[nodiscard]] GroupBlocks group_blocks(graph::Builder& write, const RowBlocks& blocks,
                                       std::int64_t rows, std::int64_t block);

// There are as many blocks as any sizes need. Those that are left over belong to group 0, and their
// rows are any, as are those of a block beyond the last one of its group.
[[nodiscard]] RowBlocks row_blocks(graph::Function& function, std::vector<graph::Op>& ops,
                                   graph::ValueId sizes, std::int64_t rows,
                                   graph::LocationId location, const machine::Core& core);

}  // namespace trainyard::compiler
