// What passes, runners and checks know of an instruction without knowing which one it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/units.h"
#include "isa/core/operand.h"
#include "machine/fwd.h"

namespace trainyard::isa {

struct Execution;  // isa/semantics/execution.h

inline constexpr std::size_t parts_max = 8;

// Cycles of the engine's own clock. `occupancy`: until the engine can start its next independent
// instruction. `latency`: from start until the last write is committed. Both include fixed costs;
// occupancy <= latency is usual.
struct Timing {
  base::Cycles occupancy;
  base::Cycles latency;
};

// A rectangle of processing elements. No rows: the whole array.
struct ArrayTile {
  std::int64_t rows = 0, columns = 0, start_row = 0, start_column = 0;
};

// How an instruction of the tensor engine uses the array: `count` times, the stationary operand is
// loaded and the moving one streamed through. cycles() follows from it (cost::matmul).
struct Passes {
  std::int64_t count = 0;
  base::Cycles load;  // of each pass; may run behind the move before it
  base::Cycles move;
  base::Cycles overhead;    // between this move and the next, above the columns moved
  bool transposes = false;  // moves bits, which may happen beside another pass
  ArrayTile part{};         // what it uses of the array; disjoint parts work side by side
  std::int64_t loaded = 0;  // columns of the array that what is stationary fills
  std::int64_t moved = 0;   // columns of the result, one after the other
};

// What an instruction does, counted; the machine file says what that costs in energy. Bytes follow
// from the operands.
struct Activity {
  numerics::DType mac_format = numerics::DType::float32;  // the format the multipliers run in
  std::int64_t macs = 0;      // multiply-accumulates in the tensor engine
  std::int64_t elements = 0;  // elements through an elementwise pipeline
};

enum class Kind : std::uint8_t { compute, dma, control };

// Where authors find it.
enum class Interface : std::uint8_t {
  isa,           // a function of nki.isa that follows from the Definition
  registers,     // nki.isa and nki.language have functions of their own for it
  collectives,   // nki.collectives
  experimental,  // trainyard.experimental: hardware has it, AWS's API does not
  compiler,      // nowhere: compilers put it in
};
// The `engine` parameter of its Python function.
enum class EngineParameter : std::uint8_t {
  where_several,  // where several engines run it; its default leaves the choice open
  preset,         // its default is Definition::engine
  absent,
};

// An argument that earlier releases of NKI took otherwise: a parameter of the Python function, and
// the call of python/nki/_earlier.py that gives what they made of it.
struct Earlier {
  std::string_view parameter{}, call{};
};

// What a control instruction does to the way through the program; core/control_flow.h follows it.
enum class Flow : std::uint8_t {
  none,
  loop_begin,
  loop_end,  // its operand of Role::loop names its loop_begin
  branch,    // its operand of Role::target names where it goes
  drain,     // its engine goes on when what it ran before is committed
};

// The bounds of a hardware loop, as its loop_begin holds them.
struct LoopBounds {
  LoopKind kind = LoopKind::counted;
  Register counter{};
  RegisterOrInt start{}, stop{};
  std::int32_t step = 1;
};
// A branch is taken when `left op right` is not 0.
struct Condition {
  RegisterOrInt left{};
  numerics::AluOp op = numerics::AluOp::equal;
  RegisterOrInt right{};
};

// What a DMA instruction asks of the DMA engines besides moving elements in their order.
enum class TransferKind : std::uint8_t {
  copy,
  transpose,
  compute,  // several sources, or read-modify-write
};

// Which elements of what an instruction writes depend on which of what it reads: so far values that
// nothing determined spread (checkers/unwritten.h).
enum class Spread : std::uint8_t {
  lanes,     // an element on the same one of a tile of the same shape, else a row on its row
  rows,      // all of a partition on all of the same partition
  onward,    // element i on the elements up to i of its row
  groups,    // an element on the neighbours that are reduced to it
  columns,   // element i on element i of every partition
  products,  // row m on column m of what is stationary, column n on column n of what moves
  whole,     // everything on everything
  moves,     // on the bytes that get there: seen by running the instruction on other values
};

// How an instruction meets its counterpart on other cores.
enum class Encounter : std::uint8_t {
  none,
  barrier,     // its engine goes on when all cores of the grid are there
  exchange,    // a transfer that starts when all cores of the grid are there and ends when all of
               // them have moved
  collective,  // the same between the ranks of a group
};
// What a collective moves between its ranks.
enum class CollectiveKind : std::uint8_t { reduce, gather, scatter, all_to_all, permute };
struct Meeting {
  Encounter encounter = Encounter::none;
  std::int32_t channel = 0;  // cores meet in their program's order on each channel
  // Of a collective:
  CollectiveKind kind = CollectiveKind::reduce;
  RankGroups groups{};
  RankGroups pairs{};         // of a permute: source and target; none: each rank and the next one
  base::Bytes bytes{};        // the larger of what a rank gives and what it gets
  std::int32_t channels = 1;  // that move at once, this one among them
  bool follows = false;       // a further tensor of the collective before it
  // Who it is between: the cores at the ends of an exchange, or, of a collective, what
  // meeting_of() finds for a rank: its group, in its order, and the ends of edges of its own; -1:
  // none.
  std::span<const std::int32_t> ranks{};
  std::int32_t sends_to = -1, receives_from = -1;
};
// The two ends of a transfer that brings element k of one tile to element k of the other, cast
// where their dtypes differ, and does nothing else.
struct Copied {
  Tile dst{}, src{};
};

// The engines that an author may name, where those are not all that run it; and the rule that says
// so, which only what an author writes can break.
template <typename Record>
struct Nameable {
  std::string_view label{}, rule{};
  EngineSet (*engines)(const Record&) = nullptr;
  std::string_view fix{};
};

// A fact that is the same for all records of an instruction, or follows from each.
template <typename Record, typename T>
class Given {
 public:
  constexpr Given(T constant) : constant_(constant) {}
  template <typename F>
  requires std::is_invocable_r_v<T, F, const Record&>
  constexpr Given(F function) : follows_record_(true), function_(function) {}
  [[nodiscard]] constexpr T operator()(const Record& record) const {
    return follows_record_ ? function_(record) : constant_;
  }
  [[nodiscard]] constexpr bool is_constant() const { return !follows_record_; }

 private:
  T constant_{};
  bool follows_record_ = false;
  T (*function_)(const Record&) = nullptr;
};

// What a Definition says besides its operands, rules, cycles, activity and meaning. Everything is
// optional and has one name; a misspelt one does not compile.
template <typename Record>
struct Traits {
  Kind kind = Kind::compute;
  Interface interface = Interface::isa;
  EngineParameter engine_parameter = EngineParameter::where_several;
  Earlier earlier{};
  Flow flow = Flow::none;
  HiddenState hidden = HiddenState::none;  // touched besides the operands
  Given<Record, Spread> spread = Spread::lanes;
  // Chooses or moves values and computes none: a NaN in its result was one before, or is none (bits
  // that go by under a float's name).
  Given<Record, bool> moves_values = false;
  // Does the same on any partitions: its inputs lie on the same ones, its result on any.
  bool any_partitions = false;
  bool reads_first = false;         // all of a source, before it writes any of it
  bool looks_up_addresses = false;  // on Vector it takes at least a lookup where one is dynamic
  TransferKind transfer = TransferKind::copy;
  bool adds_at_destination = false;  // a transfer: the memory adds, the DMA engine does not read
  Copied (*copies)(const Record&) = nullptr;

  // How this record touches operand k, where that depends on the record.
  Access (*access)(const Record&, std::size_t k) = nullptr;
  // The pieces of tile operand k that are really touched, where that is not the whole tile; 0: all.
  int (*parts)(const Record&, std::size_t k, std::span<Tile, parts_max>) = nullptr;
  // Whether what it does depends on the formats of its tiles, not only on their values.
  bool (*by_format)(const Record&, const machine::Core&) = nullptr;
  // The engine when the author leaves it open, where it depends on the record.
  Engine (*choose)(const Record&, const machine::Core&) = nullptr;
  Nameable<Record> nameable{};
  // On the tensor engine. What each pass loads is the operand of Role::stationary, which may stay
  // for the next instruction, or else the first one read.
  Passes (*passes)(const Record&, const machine::Core&) = nullptr;
  // The number that fills all of the tile it writes; nothing where there is no such number.
  std::optional<double> (*fills)(const Record&) = nullptr;
  LoopBounds (*loop)(const Record&) = nullptr;      // of a loop_begin
  Condition (*condition)(const Record&) = nullptr;  // of a branch
  // How it meets other cores, what it sends, and what does not fit between two of the records that
  // meet, or nothing: of a collective, or of an exchange between one and that of its sender.
  Meeting (*meeting)(const Record&) = nullptr;
  std::vector<std::byte> (*outgoing)(const Record&, Execution&) = nullptr;
  std::string (*mismatch)(const Record&, const Record&) = nullptr;
};

}  // namespace trainyard::isa
