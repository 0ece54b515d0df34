// Predicates that several instructions' constraints share.
#pragma once

#include "isa/program.h"
#include "isa/tile.h"
#include "machine/core.h"

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

[[nodiscard]] inline bool is_register(Register r, const machine::Core& core) {
  return r.index < core.registers;
}
[[nodiscard]] inline bool is_register_or_int(const RegisterOrInt& r, const machine::Core& core) {
  return r.reg ? is_register(r.reg, core)
               : r.constant == static_cast<std::int32_t>(r.constant) ||
                     r.constant == static_cast<std::uint32_t>(r.constant);
}

// Run-time addresses: how the tile's is computed, or nothing when it is fixed.
[[nodiscard]] inline const DynamicAddress* dynamic(const Tile& tile, const Site& site) {
  return tile.dynamic == 0 ? nullptr : &site.program.dynamics[tile.dynamic - 1];
}
[[nodiscard]] inline bool has_kind(const Tile& tile, DynamicAddress::Kind kind, const Site& site) {
  const DynamicAddress* how = dynamic(tile, site);
  return how != nullptr && how->kind == kind;
}
[[nodiscard]] inline bool indirect(const Tile& tile, const Site& site) {
  return has_kind(tile, DynamicAddress::Kind::indirect, site);
}
[[nodiscard]] inline bool gathers_rows(const Tile& tile, const Site& site) {
  return has_kind(tile, DynamicAddress::Kind::vector_offset, site);
}
// Where the tile starts in its memory: tiles are relative to their tensor until compiled.
[[nodiscard]] inline int first_partition(const Tile& tile, const Site& site) {
  const Program& program = site.program;
  return tile.partition_start +
         (program.compiled ? 0 : program.tensors[tile.tensor].partition_start);
}

}  // namespace trainyard::isa::rules
