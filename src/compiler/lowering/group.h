// A fused group: elementwise operations computed tile by tile from values in HBM, without their
// intermediate results ever lying there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "compiler/lowering/segment.h"
#include "compiler/lowering/window.h"

namespace trainyard::compiler {

// At most so many elements a partition in one tile.
inline constexpr std::int64_t tile_columns = 1024;

// How the root's value is seen as a matrix: values of the group are views of its shape.
using Adapt = std::function<std::optional<Strided>(const Strided&)>;

class Group {
 public:
  // The operations that `root` is computed from; views, numbers and products end them. A product
  // is a leaf whose tiles are given to `tile`.
  Group(Segment& segment, NodeId root);

  [[nodiscard]] bool has_product() const { return product_.has_value(); }
  [[nodiscard]] NodeId product() const { return *product_; }

  // Sees all values as matrices of `row_dims` dimensions of rows. False, and nothing changed, where
  // one of them cannot be adapted.
  [[nodiscard]] bool adapt(const Adapt& adapt, std::size_t row_dims);

  // The root's elements in a window. `given`: the product's.
  [[nodiscard]] isa::Tile tile(const Window& window, const isa::Tile* given = nullptr);

 private:
  [[nodiscard]] Operand evaluate(NodeId id, const Window& window, const isa::Tile* given);
  void collect(NodeId id);

  Segment& segment_;
  NodeId root_;
  std::optional<NodeId> product_;
  std::vector<NodeId> leaves_;
  std::map<NodeId, Matrix> matrices_;  // of the views
  Loader loader_;
  std::map<NodeId, Operand> done_;  // in this window
};

// Computes a node that is no view into a place in HBM of its shape.
void compute(Segment& segment, NodeId id, const Strided& to);

}  // namespace trainyard::compiler
