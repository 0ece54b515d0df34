// The kinds of things an instruction's record can hold besides tiles, and the words that describe
// an operand in a Definition. Everything here is trivially copyable, so that records can be stored
// and compared as plain bytes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "isa/core/tile.h"

namespace trainyard::isa {

// The five sequencers of a core, and `any` for an instruction whose engine the author left open.
enum class Engine : std::uint8_t { tensor, vector, scalar, gpsimd, sync, any };
inline constexpr int engine_count = 5;
[[nodiscard]] std::string_view name(Engine engine);

// A set of engines, for instructions that more than one engine can run.
struct EngineSet {
  std::uint8_t bits = 0;
  constexpr EngineSet() = default;
  template <typename... Engines>
  constexpr explicit EngineSet(Engines... engines)
      : bits(static_cast<std::uint8_t>((0u | ... | (1u << static_cast<unsigned>(engines))))) {}
  [[nodiscard]] constexpr bool contains(Engine e) const {
    return ((bits >> static_cast<unsigned>(e)) & 1u) != 0;
  }
};

// A number given in the program, or a [P, 1] tile that holds one number per partition.
struct Scalar {
  // Stands for None where None is not the same as a number: no float32 has this value.
  static constexpr double absent = std::numeric_limits<double>::max();

  double constant = 0;  // exact for every float32 and every 32-bit integer
  Tile tile{};          // in use when tile.space != none
  [[nodiscard]] bool is_tile() const { return static_cast<bool>(tile); }
  [[nodiscard]] bool is_absent() const { return !is_tile() && constant == absent; }
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// A sequencer register: 32 bits, 64 per engine. `none` where an optional register is absent.
struct Register {
  std::uint8_t index = 0xFF;
  [[nodiscard]] explicit operator bool() const { return index != 0xFF; }
  friend bool operator==(const Register&, const Register&) = default;
};

// A 32-bit integer given in the program or held by a register.
struct RegisterOrInt {
  std::int64_t constant = 0;
  Register reg{};
  friend bool operator==(const RegisterOrInt&, const RegisterOrInt&) = default;
};

// A small list of integers with a fixed capacity.
template <typename T, std::size_t capacity>
struct List {
  std::array<T, capacity> items{};
  std::uint32_t count = 0;
  [[nodiscard]] std::span<const T> span() const { return {items.data(), count}; }
  void push_back(const T& item) { items.at(count++) = item; }
  friend bool operator==(const List&, const List&) = default;
};

// An index pattern [[step, count], ...], slowest first, as iota and affine_select take it.
using Pattern = List<Dim, 4>;
// A tuple that is empty or has two integers, as tile_position and tile_size are.
using IntPair = List<std::int32_t, 2>;
using IntList = List<std::int32_t, 32>;
using FloatList = List<double, 16>;
using TileList = List<Tile, 16>;
// The ranks of a group, in its order: as many as a mesh has devices at most (nec.h).
using RankList = List<std::int32_t, 128>;

enum class ReduceCmd : std::uint8_t { idle, reset, reduce, reset_reduce, load_reduce };
enum class DgeMode : std::uint8_t { unknown, swdge, hwdge, none };
enum class OobMode : std::uint8_t { error, skip };
enum class MatmulPerfMode : std::uint8_t { none, double_row };
enum class Accumulate : std::uint8_t {
  overwrite,
  add,
  automatic
};  // automatic: first write overwrites, later add
enum class LoopKind : std::uint8_t { counted, while_nonzero };
enum class DmaPath : std::uint8_t { dma, gpsimd_dma };  // nki.isa.dma_engine: who moves a sendrecv
[[nodiscard]] std::string_view name(ReduceCmd cmd);
[[nodiscard]] std::string_view name(DgeMode mode);
[[nodiscard]] std::string_view name(OobMode mode);
[[nodiscard]] std::string_view name(MatmulPerfMode mode);
[[nodiscard]] std::string_view name(Accumulate accumulate);
[[nodiscard]] std::string_view name(LoopKind kind);
[[nodiscard]] std::string_view name(DmaPath path);

// How an instruction touches a tile operand.
enum class Access : std::uint8_t {
  none = 0,
  read = 1,
  write = 2,
  update = 3,      // reads the old content, then writes all of it
  write_some = 6,  // may leave elements of the old content as they are
  fence = 8,       // touches nothing; earlier accesses come before, later ones behind
  read_some = 17,  // may not read all of it: what its data says
};
[[nodiscard]] constexpr bool reads(Access a) { return (static_cast<unsigned>(a) & 1u) != 0; }
[[nodiscard]] constexpr bool writes(Access a) { return (static_cast<unsigned>(a) & 2u) != 0; }
// Accesses of the same bytes keep their order with this one.
[[nodiscard]] constexpr bool orders(Access a) { return writes(a) || a == Access::fence; }
[[nodiscard]] constexpr bool covers(Access a) {
  return writes(a) && (static_cast<unsigned>(a) & 4u) == 0;
}

// State of an engine that outlives an instruction and is no tile. Instructions that touch the same
// keep their order.
enum class HiddenState : std::uint8_t {
  none = 0,
  vector_accumulator = 1,
  scalar_accumulator = 2,
  vector_random = 4,
  gpsimd_random = 8,
  peer = 16,  // the other core of the grid
};
[[nodiscard]] constexpr HiddenState operator|(HiddenState a, HiddenState b) {
  return static_cast<HiddenState>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
[[nodiscard]] constexpr bool overlap(HiddenState a, HiddenState b) {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

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
};

// Stands for None where an integer has no other value that does.
inline constexpr std::int32_t no_integer = std::numeric_limits<std::int32_t>::min();

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
