// Products of matrices on the tensor engine, with the operations that are fused behind them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Puts the dimensions that are summed over, whose order is free, in the order in which they lie in
// memory: neighbours there are brought together. The larger operand decides.
void sort_depth(Product& product);

// The same product with its sides exchanged, and where each dimension of its value has gone.
[[nodiscard]] std::pair<Node, std::vector<std::int64_t>> exchanged_product(const Node& node);

// The product as it is computed: with its sides exchanged where its columns go to partitions.
[[nodiscard]] Node product_as_computed(Segment& segment, NodeId id);
// The layout that the group's product gives its root.
[[nodiscard]] Layout product_layout(Segment& segment, const Group& group);
// Whether two cores compute a product, half of it each, with its result in HBM.
[[nodiscard]] bool is_divided(Segment& segment, NodeId product);
// Computes the group's root, tile by tile of its product, into a sink of that layout.
void compute_product(Segment& segment, Group& group, Sink& sink);

// Computes the group's root from the product's sums in a window and puts it into the sink.
void put_sums(Segment& segment, Group& group, Sink& sink, const isa::Tile& sums,
              const Window& window);

// A product whose rows are computed band after band, each with all its columns.
class RowsOfProduct {
 public:
  // Nothing where the product is computed in another order: its right operand is too wide or too
  // deep to stay on chip, or its batches lie side by side.
  [[nodiscard]] static std::unique_ptr<RowsOfProduct> of(Segment& segment, NodeId product);
  virtual ~RowsOfProduct() = default;

  // What its operands take of a partition.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
  // Calls take(window, sums) for the parts of rows [row, row + rows), their sums in PSUM.
  using Take = std::function<void(const Window& window, const isa::Tile& sums)>;
  virtual void band(std::int64_t row, std::int64_t rows, const Take& take) = 0;
};

}  // namespace trainyard::compiler
