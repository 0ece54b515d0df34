// The kinds of things an instruction's record can hold besides tiles. Everything here is trivially
// copyable, so that records can be stored and compared as plain bytes. A new enumeration or struct
// is one record beside it and one name in operand_types.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

#include "isa/core/tile.h"
#include "machine/engine.h"
#include "numerics/operators.h"

namespace trainyard::isa {

using Engine = machine::EngineKind;
using machine::engine_count;
using machine::name;
template <>
struct EnumRecord<Engine> {
  static constexpr std::string_view word = "engine";
  static constexpr int count = engine_count + 1;
};

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
  [[nodiscard]] constexpr int size() const { return std::popcount(bits); }
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
template <>
struct StructRecord<Scalar> {
  static constexpr std::string_view word = "number or [P, 1] tile";
  static constexpr auto fields =
      std::tuple{Field{"constant", &Scalar::constant}, Field{"tile", &Scalar::tile}};
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
template <>
struct StructRecord<RegisterOrInt> {
  static constexpr std::string_view word = "int or register";
  static constexpr auto fields =
      std::tuple{Field{"constant", &RegisterOrInt::constant}, Field{"reg", &RegisterOrInt::reg}};
};

// Stands for None where an integer has no other value that does.
inline constexpr std::int32_t no_integer = std::numeric_limits<std::int32_t>::min();

// A small list of integers with a fixed capacity.
template <typename T, std::size_t capacity>
struct List {
  std::array<T, capacity> items{};
  std::uint32_t count = 0;
  [[nodiscard]] std::span<const T> span() const { return {items.data(), count}; }
  [[nodiscard]] std::span<T> span() { return {items.data(), count}; }
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
// Groups of ranks, or pairs of them, by a number in the program's table (Program::groups). 0: none.
struct RankGroups {
  std::uint32_t id = 0;
  friend bool operator==(const RankGroups&, const RankGroups&) = default;
};

enum class ReduceCmd : std::uint8_t { idle, reset, reduce, reset_reduce, load_reduce };
template <>
struct EnumRecord<ReduceCmd> {
  static constexpr std::string_view word = "reduce_cmd";
  static constexpr std::array<std::string_view, 5> names{"idle", "reset", "reduce", "reset_reduce",
                                                         "load_reduce"};
};
enum class DgeMode : std::uint8_t { unknown, swdge, hwdge, none };
template <>
struct EnumRecord<DgeMode> {
  static constexpr std::string_view word = "dge_mode";
  static constexpr std::array<std::string_view, 4> names{"unknown", "swdge", "hwdge", "none"};
};
enum class OobMode : std::uint8_t { error, skip };
template <>
struct EnumRecord<OobMode> {
  static constexpr std::string_view word = "oob_mode";
  static constexpr std::array<std::string_view, 2> names{"error", "skip"};
};
enum class MatmulPerfMode : std::uint8_t { none, double_row };
template <>
struct EnumRecord<MatmulPerfMode> {
  static constexpr std::string_view word = "matmul_perf_mode";
  static constexpr std::array<std::string_view, 2> names{"none", "double_row"};
};
enum class Accumulate : std::uint8_t {
  overwrite,
  add,
  automatic  // the first write overwrites, later ones add
};
template <>
struct EnumRecord<Accumulate> {
  static constexpr std::string_view word = "bool or None";
  static constexpr std::array<std::string_view, 3> names{"overwrite", "add", "automatic"};
};
enum class LoopKind : std::uint8_t { counted, while_nonzero };
template <>
struct EnumRecord<LoopKind> {
  static constexpr std::string_view word = "loop_kind";
  static constexpr std::array<std::string_view, 2> names{"counted", "while_nonzero"};
};
enum class DmaPath : std::uint8_t { dma, gpsimd_dma };  // who moves a sendrecv
template <>
struct EnumRecord<DmaPath> {
  static constexpr std::string_view word = "dma_engine";
  static constexpr std::array<std::string_view, 2> names{"dma", "gpsimd_dma"};
};

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
[[nodiscard]] constexpr bool accumulates(HiddenState state) {
  return overlap(state, HiddenState::vector_accumulator | HiddenState::scalar_accumulator);
}

}  // namespace trainyard::isa
