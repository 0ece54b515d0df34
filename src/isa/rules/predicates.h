// Predicates that several instructions' constraints share. An absent tile breaks none of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "isa/core/program.h"
#include "machine/core.h"
#include "numerics/alu.h"
#include "numerics/operators.h"

namespace trainyard::isa::rules {

using numerics::AluOp;

// --- Places and shapes ---

template <typename... Tiles>
[[nodiscard]] bool on_chip(const Tiles&... tiles) {
  return ((!tiles || tiles.on_chip()) && ...);
}
template <typename... Tiles>
[[nodiscard]] bool in_sbuf(const Tiles&... tiles) {
  return ((!tiles || tiles.space == Space::sbuf) && ...);
}
[[nodiscard]] inline bool same_partitions(const Tile& a, const Tile& b) {
  return !a || !b || a.partitions == b.partitions;
}
[[nodiscard]] inline bool same_elements(const Tile& a, const Tile& b) {
  return a.free_elements() == b.free_elements();
}
// As many partitions and as many elements in each; the ranks may differ.
[[nodiscard]] inline bool same_shape(const Tile& a, const Tile& b) {
  return same_partitions(a, b) && same_elements(a, b);
}
[[nodiscard]] inline bool both_psum(const Tile& a, const Tile& b) {
  return a.space == Space::psum && b.space == Space::psum;
}
// An on-chip [partitions, 1] tile.
[[nodiscard]] inline bool column(const Tile& tile, int partitions) {
  return !tile || (tile.on_chip() && tile.free_elements() == 1 && tile.partitions == partitions);
}
// A constant, or one value for each of `partitions` partitions.
[[nodiscard]] inline bool scalar_or_column(const Scalar& s, int partitions) {
  return column(s.tile, partitions);
}

[[nodiscard]] inline bool is_register(Register r, const machine::Core& core) {
  return r.index < core.registers;
}
[[nodiscard]] inline bool is_register_or_int(const RegisterOrInt& r, const machine::Core& core) {
  return r.reg ? is_register(r.reg, core)
               : r.constant == static_cast<std::int32_t>(r.constant) ||
                     r.constant == static_cast<std::uint32_t>(r.constant);
}

// At most so many free dimensions; those that can be walked as one count once.
[[nodiscard]] inline bool dimensions_at_most(const Tile& tile, int free) {
  return tile.rank <= free || simplified(tile).rank <= free;
}

// --- Run-time addresses ---

// How the tile's address is computed, or nothing when it is fixed.
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

// --- Formats ---

[[nodiscard]] inline bool dtype_in(const Tile& tile, std::initializer_list<DType> dtypes) {
  return !tile || std::find(dtypes.begin(), dtypes.end(), tile.dtype) != dtypes.end();
}
// Formats that the engines widen to fp32 and narrow from it: all but packed and 64-bit ones.
template <typename... Tiles>
[[nodiscard]] bool computable(const Tiles&... tiles) {
  return ((!tiles || (!numerics::is_packed(tiles.dtype) && tiles.dtype != DType::int64 &&
                      tiles.dtype != DType::uint64)) &&
          ...);
}
template <typename... Tiles>
[[nodiscard]] bool integers(const Tiles&... tiles) {
  return ((!tiles || numerics::is_integer(tiles.dtype)) && ...);
}
template <typename... Tiles>
[[nodiscard]] bool floats(const Tiles&... tiles) {
  return ((!tiles || numerics::is_float(tiles.dtype)) && ...);
}
template <typename... Tiles>
[[nodiscard]] bool float32(const Tiles&... tiles) {
  return ((!tiles || tiles.dtype == DType::float32) && ...);
}
template <typename... Tiles>
[[nodiscard]] bool words(const Tiles&... tiles) {  // native 32-bit integers
  return (dtype_in(tiles, {DType::int32, DType::uint32}) && ...);
}

// --- Operators. Source: nki.api.shared "Supported Math Operators", NKI 0.6 ---

// fmod and mod, which only AWS's simulator computes (NKI 0.4.0 known issues).
[[nodiscard]] inline bool in_simulation_only(AluOp op) {
  return op == AluOp::fmod || op == AluOp::mod;
}
[[nodiscard]] inline bool exists(AluOp op, const machine::Core& core) {
  return !in_simulation_only(op) || core.features.simulator_operators;
}
// Operators with two operands that some engine has. divide is a name of the language without an
// instruction behind it (NKI 0.4.0 known issues).
[[nodiscard]] inline bool binary(AluOp op) {
  return !numerics::is_unary(op) && op != AluOp::divide && op != AluOp::average;
}
[[nodiscard]] inline bool arithmetic(AluOp op) {
  return !numerics::is_bitwise(op) && op != AluOp::bypass && (binary(op) || numerics::is_unary(op));
}
// gen4 additions to Vector's operators (release notes of NKI 0.4.0).
[[nodiscard]] inline bool needs_extended_operators(AluOp op) {
  return op == AluOp::abs_max || op == AluOp::abs_min || op == AluOp::square || op == AluOp::relu;
}
// True for what Vector computes; power and rsqrt are GpSimd's.
[[nodiscard]] inline bool on_vector(AluOp op, const machine::Core& core) {
  return op != AluOp::power && op != AluOp::rsqrt && exists(op, core) &&
         (!needs_extended_operators(op) || core.features.vector_extended_operators);
}
[[nodiscard]] inline bool bitwise_reduction(AluOp op) {
  return op == AluOp::bitwise_and || op == AluOp::bitwise_or || op == AluOp::bitwise_xor;
}
// Operators that reduce along the free dimensions.
[[nodiscard]] inline bool arithmetic_reduction(AluOp op) {
  return numerics::is_float_reduction(op) && op != AluOp::abs_max && op != AluOp::abs_min &&
         op != AluOp::average;
}
// A one-operand operator has None or 0 in the place of its second operand.
[[nodiscard]] inline bool operand_fits(AluOp op, const Scalar& operand) {
  return !numerics::is_unary(op) ||
         (!operand.is_tile() && (operand.constant == 0 || operand.is_absent()));
}

// Whether the constant of a bitwise operator has a bit pattern: a whole number of 32 bits, signed
// or not. Tiles are asked for their dtype.
[[nodiscard]] inline bool has_bits(AluOp op, const Scalar& operand) {
  if (!numerics::is_bitwise(op) || numerics::is_unary(op) || operand.is_tile()) return true;
  return operand.constant >= -0x1p31 && operand.constant < 0x1p32 &&
         operand.constant == std::floor(operand.constant);
}

[[nodiscard]] inline bool one_of(ReduceCmd cmd, std::initializer_list<ReduceCmd> allowed) {
  return std::find(allowed.begin(), allowed.end(), cmd) != allowed.end();
}
[[nodiscard]] inline bool one_of(AluOp op, std::initializer_list<AluOp> allowed) {
  return std::find(allowed.begin(), allowed.end(), op) != allowed.end();
}

}  // namespace trainyard::isa::rules
