// A region that computes scalars from scalars, applied to every element of tiles.
#pragma once

#include <cstdint>
#include <span>

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

class TileRegion {
 public:
  TileRegion(Lowerer& lowerer, const graph::Region& region) : lowerer_(lowerer), region_(region) {}

  // True where every operation has a row in elementwise.cpp, or is a constant, and nothing but
  // constants is read from around the region.
  [[nodiscard]] bool lowers() const;
  // The first result. `arguments`: [partitions, elements] each, of the dtypes that hold their
  // types.
  [[nodiscard]] isa::Tile apply(std::span<const isa::Tile> arguments) const;
  // How many operations there are, constants apart.
  [[nodiscard]] std::int64_t operations() const;

 private:
  // The constant outside of the region that makes the value, or null.
  [[nodiscard]] const graph::Op* constant_around(graph::ValueId value) const;

  Lowerer& lowerer_;
  const graph::Region& region_;
};

}  // namespace trainyard::compiler
