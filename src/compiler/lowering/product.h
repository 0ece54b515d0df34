// Products of matrices on the tensor engine, with the operations that are fused behind them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/lowering/group.h"
#include "compiler/lowering/segment.h"

namespace trainyard::compiler {

// True for formats whose products the tensor engine of that core sums in float32.
[[nodiscard]] bool multiplies(isa::DType left, isa::DType right, const machine::Core& core);

// The same product with its sides exchanged, and where each dimension of its value has gone.
[[nodiscard]] std::pair<Node, std::vector<std::int64_t>> exchanged_product(const Node& node);

// The layout that the group's product gives its root.
[[nodiscard]] Layout product_layout(Segment& segment, const Group& group);
// Whether two cores compute the group's product, half of it each, with its result in HBM.
[[nodiscard]] bool is_divided(Segment& segment, const Group& group);
// Computes the group's root, tile by tile of its product, into a sink of that layout.
void compute_product(Segment& segment, Group& group, Sink& sink);

// Computes the group's root from the product's sums in a window and puts it into the sink.
void put_sums(Segment& segment, Group& group, Sink& sink, const isa::Tile& sums,
              const Window& window);

}  // namespace trainyard::compiler
