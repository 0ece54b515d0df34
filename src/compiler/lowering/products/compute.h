// Values that lie nowhere yet, computed: the group of operations that each of them ends, tile by
// tile.
#pragma once

#include <span>

#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Computes a node that is no view, and tells where it lies: in a place of its choosing, or in a
// given one in HBM of its shape.
[[nodiscard]] Strided compute(Segment& segment, NodeId id);
void compute(Segment& segment, NodeId id, const Strided& to);
// Computes nodes of one shape in one pass; each is a view from then on.
void compute_together(Segment& segment, std::span<const NodeId> ids);

// The first two of these, for a segment.
inline constexpr Computing computing{.somewhere = compute, .into = compute};

}  // namespace trainyard::compiler
