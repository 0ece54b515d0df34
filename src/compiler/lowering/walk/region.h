// A region that computes scalars from scalars, applied to every element of tensors.
#pragma once

#include <span>
#include <vector>

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

class ElementRegion {
 public:
  ElementRegion(Lowerer& lowerer, const graph::Region& region)
      : lowerer_(lowerer), region_(region) {}

  // True where every operation has a row in elementwise.cpp, or is a constant.
  [[nodiscard]] bool lowers() const;
  // One node a result, not computed yet; all of one shape. `arguments`: stored or numbers.
  [[nodiscard]] std::vector<NodeId> apply(std::span<const NodeId> arguments,
                                          std::span<const std::int64_t> shape) const;

 private:
  [[nodiscard]] graph::Type wide(graph::ValueId value, std::span<const std::int64_t> shape) const;

  Lowerer& lowerer_;
  const graph::Region& region_;
};

}  // namespace trainyard::compiler
