// The words that describe an operand in a Definition: its name and place, how it is touched, and
// its role, by which passes, runners and checks know it.
#pragma once

#include <string_view>

#include "isa/core/operand.h"

namespace trainyard::isa {

// What an operand is to its instruction, for all who must not know it by its name.
enum class Role : std::uint8_t {
  none,
  stationary,        // what a pass of the tensor engine loads into the array
  moving,            // what is streamed through it
  stationary_scale,  // block scales of either
  moving_scale,
  sum,    // what the operand of type Accumulate says whether to add to
  data,   // the tile whose rows are worked on, each in its own lane
  scale,  // a function is of data * scale + bias
  bias,
  reduction_result,  // receives the accumulators of the lanes
  priority,          // of a transfer
  loop,              // the index of the loop_begin that a loop_end closes
  target,            // the index of the instruction that a branch goes to
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(Role::target) + 1;

// One operand as a Definition lists it. `default_value` is the Python default in source form; empty
// = required.
template <typename Record, typename T>
struct OperandSpec {
  std::string_view name;
  T Record::*member;
  Access access;  // none for operands that are not tiles
  std::string_view doc;
  std::string_view default_value;
  bool own_start_rule = false;  // tile.partition_start does not hold; the instruction has a rule
  bool indirect = false;        // may be an .indirect() view (NKI 0.5, gen4)
  bool may_be_none = false;     // None stands for the record's default, though it must be given
  bool decides = false;         // its values are positions: which elements of others are touched
  Role role = Role::none;
  numerics::AluOp Record::*taken_by = nullptr;  // the operator that takes it as an operand
  Tile Record::*kind_of = nullptr;  // authors write an integer where this tile holds integers
  Tile Record::*axes_of = nullptr;  // authors may count this tile's dimensions from the end
};

// Marks a tile that may start at partitions which other tiles may not, such as an MX scale tile.
template <typename Spec>
constexpr Spec with_own_start_rule(Spec spec) {
  spec.own_start_rule = true;
  return spec;
}
// Marks a tile that may be an .indirect() view. Source: nki.isa "Tensor indirection" sections.
template <typename Spec>
constexpr Spec indirectable(Spec spec) {
  spec.indirect = true;
  return spec;
}
// Marks a tile whose values say which elements of other tiles are touched.
template <typename Spec>
constexpr Spec deciding(Spec spec) {
  spec.decides = true;
  return spec;
}
// Marks an operand that the author has to give, if only as None.
template <typename Spec>
constexpr Spec or_none(Spec spec) {
  spec.may_be_none = true;
  return spec;
}

// Says what an operand is to its instruction.
template <typename Spec>
constexpr Spec as(Role role, Spec spec) {
  spec.role = role;
  return spec;
}
// Says which operator takes an operand.
template <typename Record, typename Spec>
constexpr Spec taken_by(numerics::AluOp Record::*op, Spec spec) {
  spec.taken_by = op;
  return spec;
}
// Marks a number that is to be an integer where `tile` has an integer dtype.
template <typename Record, typename Spec>
constexpr Spec of_kind(Tile Record::*tile, Spec spec) {
  spec.kind_of = tile;
  return spec;
}

// Marks a list of dimensions of `tile`, which the record holds counted from 0 and ascending.
template <typename Record, typename Spec>
constexpr Spec axes_of(Tile Record::*tile, Spec spec) {
  spec.axes_of = tile;
  return spec;
}

template <typename Record, typename T>
constexpr auto reads(std::string_view name, T Record::*member, std::string_view doc,
                     std::string_view default_value = {}) {
  return OperandSpec<Record, T>{name, member, Access::read, doc, default_value};
}
template <typename Record>
constexpr auto writes(std::string_view name, Tile Record::*member, std::string_view doc,
                      std::string_view default_value = {}) {
  return OperandSpec<Record, Tile>{name, member, Access::write, doc, default_value};
}
// A register that the instruction sets.
template <typename Record>
constexpr auto sets(std::string_view name, Register Record::*member, std::string_view doc) {
  return OperandSpec<Record, Register>{name, member, Access::write, doc, {}};
}
template <typename Record>
constexpr auto updates(std::string_view name, Tile Record::*member, std::string_view doc,
                       std::string_view default_value = {}) {
  return OperandSpec<Record, Tile>{name, member, Access::update, doc, default_value};
}
template <typename Record>
constexpr auto writes_some(std::string_view name, Tile Record::*member, std::string_view doc) {
  return OperandSpec<Record, Tile>{name, member, Access::write_some, doc, {}};
}
template <typename Record>
constexpr auto reads_some(std::string_view name, Tile Record::*member, std::string_view doc) {
  return OperandSpec<Record, Tile>{name, member, Access::read_some, doc, {}};
}
template <typename Record>
constexpr auto fences(std::string_view name, Tile Record::*member, std::string_view doc) {
  return OperandSpec<Record, Tile>{name, member, Access::fence, doc, {}};
}
template <typename Record, typename T>
constexpr auto immediate(std::string_view name, T Record::*member, std::string_view doc,
                         std::string_view default_value = {}) {
  return OperandSpec<Record, T>{name, member, Access::none, doc, default_value};
}

}  // namespace trainyard::isa
