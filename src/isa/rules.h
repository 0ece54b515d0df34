// Predicates that several instructions' constraints share.
#pragma once

#include "isa/operand.h"
#include "isa/tile.h"

namespace trainyard::isa::rules {

[[nodiscard]] inline bool same_partitions(const Tile& a, const Tile& b) {
  return a.partitions == b.partitions;
}
[[nodiscard]] inline bool same_elements(const Tile& a, const Tile& b) {
  return a.free_elements() == b.free_elements();
}
[[nodiscard]] inline bool same_shape(const Tile& a, const Tile& b) {
  return same_partitions(a, b) && same_elements(a, b);
}
[[nodiscard]] inline bool both_psum(const Tile& a, const Tile& b) {
  return a.space == Space::psum && b.space == Space::psum;
}
// A constant, or one value for each of `partitions` partitions.
[[nodiscard]] inline bool scalar_or_column(const Scalar& s, int partitions) {
  return !s.is_tile() || (s.tile.on_chip() && s.tile.free_elements() == 1 &&
                          (s.tile.partitions == partitions || s.tile.partitions == 1));
}

}  // namespace trainyard::isa::rules
