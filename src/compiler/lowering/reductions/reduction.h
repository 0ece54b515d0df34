// Reductions along dimensions of a value, on the Vector engine, with the operations that are fused
// in front of them.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// Reduced elements, in float32 or in words, with the initial value, in the type of the result.
[[nodiscard]] isa::Tile with_initial(const TileMath& math, isa::Tile sum, numerics::AluOp op,
                                     double initial, isa::DType out);

// A tile with a partition's elements in so many groups, and how many of its last dimensions make a
// group.
[[nodiscard]] std::pair<isa::Tile, int> in_groups(Emitter& emitter, isa::Tile data,
                                                  std::int64_t groups);

// Of rows of that many columns, one behind the other on a partition, each column reduced, in
// float32.
[[nodiscard]] isa::Tile reduce_columns(Emitter& emitter, numerics::AluOp op, isa::Tile data,
                                       std::int64_t columns);

// How a value is cut into rows of its dimensions `dims`, and the value of one element a row. Of the
// other dimensions the first `row_dims` are rows at the most; those behind are columns.
struct ReducedLayout {
  Layout operand, result;
};
[[nodiscard]] ReducedLayout reduced_layout(Segment& segment, const Group& group,
                                           std::span<const std::int64_t> dims, std::int64_t rank,
                                           std::size_t row_dims);

// The value reduced along `dims`, from `initial` on, as a new node of that type.
[[nodiscard]] NodeId reduce(Segment& segment, NodeId value, std::span<const std::int64_t> dims,
                            numerics::AluOp op, double initial, const graph::Type& type,
                            graph::LocationId location);

}  // namespace trainyard::compiler
