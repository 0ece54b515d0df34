// How one instruction is written down, and the table entry that everything else is derived from:
// validator, text and binary form, hazards, Python signature, reference page, profiler label. A
// Definition that lacks a part does not compile.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/units.h"
#include "isa/core/operand.h"
#include "machine/fwd.h"
#include "numerics/operators.h"

namespace trainyard::isa {

struct Execution;  // isa/semantics/execution.h
struct Program;    // isa/core/program.h

// Where the fact is published, and how sure it is.
enum class Fidelity : std::uint8_t { published, derived, estimated, assumed };
struct Source {
  std::string_view text;
  Fidelity fidelity = Fidelity::published;
};

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
  bool transposes = false;  // moves bits, which may happen beside another pass
  ArrayTile part{};         // what it uses of the array; disjoint parts work side by side
};

// What an instruction does, counted; the machine file says what that costs in energy. Bytes follow
// from the operands.
struct Activity {
  numerics::DType mac_format = numerics::DType::float32;  // the format the multipliers run in
  std::int64_t macs = 0;      // multiply-accumulates in the tensor engine
  std::int64_t elements = 0;  // elements through an elementwise pipeline
};

enum class Kind : std::uint8_t { compute, dma, control };

// Which elements of what an instruction writes depend on which of what it reads: so far values that
// nothing determined spread (engines/checkers/unwritten.h).
enum class Spread : std::uint8_t {
  lanes,     // an element on the same one of a tile of the same shape, else a row on its row
  rows,      // all of a partition on all of the same partition
  onward,    // element i on the elements up to i of its row
  groups,    // an element on the neighbours that are reduced to it
  columns,   // element i on element i of every partition
  products,  // of a matmul: row m on column m of "stationary...", column n on that of "moving..."
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
  std::span<const std::int32_t> ranks{};  // in the order of the group; part of the record
  base::Bytes bytes{};                    // the larger of what a rank gives and what it gets
  std::int32_t channels = 1;              // that move at once, this one among them
  bool follows = false;                   // a further tensor of the collective before it
};

// Where an instruction stands: what a rule may look at besides the record and the machine.
struct Site {
  const Program& program;       // for run-time addresses (Program::dynamics) and tensors
  Engine engine = Engine::any;  // any: the author left it open
};

// What must hold: a function of (record, core), or of (record, core, site) for the few rules that
// need the site.
template <typename Record>
class Predicate {
 public:
  template <typename F>
  consteval Predicate(F f) {
    if constexpr (std::is_invocable_v<F, const Record&, const machine::Core&>) {
      plain_ = f;
    } else {
      sited_ = f;
    }
  }
  bool operator()(const Record& record, const machine::Core& core, const Site& site) const {
    return plain_ != nullptr ? plain_(record, core) : sited_(record, core, site);
  }

 private:
  bool (*plain_)(const Record&, const machine::Core&) = nullptr;
  bool (*sited_)(const Record&, const machine::Core&, const Site&) = nullptr;
};

template <typename Record>
struct Constraint {
  std::string_view label;  // "nc_matmul.c1": the same string in the docs, the error and the test
  std::string_view rule;
  Predicate<Record> holds;
  std::string_view fix = {};
  bool unpublished = false;  // the rule asks for a fact that nobody has published
};

// What is common to every Definition; a Definition<Record> derives from it and hides what differs.
// A Definition may also have:
//   static Access access(const Record&, std::size_t operand): how this record touches a tile
//   operand, where that depends on the record;
//   static int parts(const Record&, std::size_t operand, std::span<Tile, parts_max>): the pieces
//   of a tile operand that are really touched, where that is not the whole tile; 0 = all of it;
//   static bool by_format(const Record&, const machine::Core&): what it does depends on the formats
//   that its tiles are stored in, not only on their values;
//   static Engine choose(const Record&, const machine::Core&): the engine when the author leaves
//   it open and it depends on the record;
//   static Spread spread(const Record&): in place of the constant, where it depends on the record;
//   static Passes passes(const Record&, const machine::Core&): on the tensor engine, where the
//   operand called "stationary" (else the first one read) is what each pass loads;
//   static Meeting meeting(const Record&): how it meets other cores; with it, where it moves data,
//   static std::vector<std::byte> outgoing(const Record&, Execution&): what it sends, and for a
//   collective static std::string mismatch(const Record&, const Record&): what does not fit between
//   two of the records that meet, or nothing.
struct DefinitionDefaults {
  static constexpr Kind kind = Kind::compute;
  static constexpr HiddenState hidden = HiddenState::none;
  static constexpr Spread spread = Spread::lanes;
};

template <typename Record>
struct Definition;

// The run-time view of one operand: type and place in the record.
enum class OperandType : std::uint8_t {
  tile,
  scalar,
  boolean,
  int32,
  int64,
  float64,
  alu_op,
  activation_function,
  reduce_cmd,
  dge_mode,
  oob_mode,
  matmul_perf_mode,
  accumulate,
  engine,
  register_,
  register_or_int,
  pattern,
  int_list,
  int_pair,
  float_list,
  tile_list,
  loop_kind,
  dma_path,
  rank_list,
};

struct OperandInfo {
  std::string_view name;
  std::string_view doc;
  std::string_view default_value;
  OperandType type = OperandType::tile;
  Access access = Access::none;
  std::size_t offset = 0;  // bytes from the start of the record
  bool own_start_rule = false, indirect = false, may_be_none = false;  // see OperandSpec
  bool decides = false;

  template <typename T>
  [[nodiscard]] const T& in(const void* record) const {
    return *reinterpret_cast<const T*>(static_cast<const char*>(record) + offset);
  }
  template <typename T>
  [[nodiscard]] T& in(void* record) const {
    return *reinterpret_cast<T*>(static_cast<char*>(record) + offset);
  }
};

struct ConstraintInfo {
  std::string_view label, rule, fix;
  bool unpublished = false;
};

inline constexpr std::size_t parts_max = 8;

// Everything about one instruction that does not depend on its record's C++ type.
struct InstructionInfo {
  std::string_view mnemonic, summary;
  Kind kind = Kind::compute;
  HiddenState hidden = HiddenState::none;  // touched besides the operands
  EngineSet engines;                       // the engines that can run it
  Engine engine = Engine::any;             // the one it runs on when the author does not say
  std::span<const OperandInfo> operands;
  std::span<const ConstraintInfo> constraints;
  Source source;
  std::size_t record_bytes = 0;

  void (*construct)(void*) = nullptr;  // default-constructs a record
  bool (*holds)(std::size_t constraint, const void* record, const machine::Core&,
                const Site&) = nullptr;
  Timing (*cycles)(const void* record, Engine, const machine::Core&) = nullptr;
  // Null for instructions that do not use the array of the tensor engine.
  Passes (*passes)(const void* record, const machine::Core&) = nullptr;
  Activity (*activity)(const void* record) = nullptr;
  void (*execute)(const void* record, Execution&) = nullptr;
  // How the record touches one operand (a matmul reads its dst only when it accumulates).
  Access (*access)(const void* record, std::size_t operand) = nullptr;
  Spread (*spread)(const void* record) = nullptr;
  // Whether it means something else on the same values in other formats.
  bool (*by_format)(const void* record, const machine::Core&) = nullptr;
  // The pieces of a tile operand that are really touched; 0 = the whole tile. Null: always that.
  int (*parts)(const void* record, std::size_t operand, std::span<Tile, parts_max> out) = nullptr;
  // Null for instructions that never meet another core.
  Meeting (*meeting)(const void* record) = nullptr;
  std::vector<std::byte> (*outgoing)(const void* record, Execution&) = nullptr;
  std::string (*mismatch)(const void* record, const void* other) = nullptr;
  [[nodiscard]] Encounter encounter(const void* record) const {
    return meeting == nullptr ? Encounter::none : meeting(record).encounter;
  }
  // The engine the record runs on when the author does not say; any = every one of `engines`.
  Engine (*choose)(const void* record, const machine::Core&) = nullptr;
};

template <typename T>
consteval OperandType operand_type() {
  if constexpr (std::is_same_v<T, Tile>) return OperandType::tile;
  if constexpr (std::is_same_v<T, Scalar>) return OperandType::scalar;
  if constexpr (std::is_same_v<T, bool>) return OperandType::boolean;
  if constexpr (std::is_same_v<T, std::int32_t>) return OperandType::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return OperandType::int64;
  if constexpr (std::is_same_v<T, double>) return OperandType::float64;
  if constexpr (std::is_same_v<T, numerics::AluOp>) return OperandType::alu_op;
  if constexpr (std::is_same_v<T, numerics::ActivationFunction>)
    return OperandType::activation_function;
  if constexpr (std::is_same_v<T, ReduceCmd>) return OperandType::reduce_cmd;
  if constexpr (std::is_same_v<T, DgeMode>) return OperandType::dge_mode;
  if constexpr (std::is_same_v<T, OobMode>) return OperandType::oob_mode;
  if constexpr (std::is_same_v<T, MatmulPerfMode>) return OperandType::matmul_perf_mode;
  if constexpr (std::is_same_v<T, Accumulate>) return OperandType::accumulate;
  if constexpr (std::is_same_v<T, Engine>) return OperandType::engine;
  if constexpr (std::is_same_v<T, Register>) return OperandType::register_;
  if constexpr (std::is_same_v<T, RegisterOrInt>) return OperandType::register_or_int;
  if constexpr (std::is_same_v<T, Pattern>) return OperandType::pattern;
  if constexpr (std::is_same_v<T, IntList>) return OperandType::int_list;
  if constexpr (std::is_same_v<T, IntPair>) return OperandType::int_pair;
  if constexpr (std::is_same_v<T, FloatList>) return OperandType::float_list;
  if constexpr (std::is_same_v<T, TileList>) return OperandType::tile_list;
  if constexpr (std::is_same_v<T, LoopKind>) return OperandType::loop_kind;
  if constexpr (std::is_same_v<T, DmaPath>) return OperandType::dma_path;
  if constexpr (std::is_same_v<T, RankList>) return OperandType::rank_list;
  throw "an operand has a type that operand_type() does not list";
}

inline constexpr std::size_t record_bytes_max = 1280;

// Derives the table entry from a Definition. Instantiated once for each instruction, in a
// translation unit of its own.
template <typename Record>
const InstructionInfo& make_info() {
  using D = Definition<Record>;
  static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) <= record_bytes_max);
  static_assert(D::constraints.size() > 0 || D::kind == Kind::control,
                "an instruction states its rules");

  static const std::vector<OperandInfo> operands = [] {
    std::vector<OperandInfo> list;
    const Record probe{};
    std::apply(
        [&](const auto&... spec) {
          (list.push_back(
               {spec.name, spec.doc, spec.default_value,
                operand_type<std::remove_cvref_t<decltype(probe.*spec.member)>>(), spec.access,
                static_cast<std::size_t>(reinterpret_cast<const char*>(&(probe.*spec.member)) -
                                         reinterpret_cast<const char*>(&probe)),
                spec.own_start_rule, spec.indirect, spec.may_be_none, spec.decides}),
           ...);
        },
        D::operands);
    return list;
  }();
  static const std::vector<ConstraintInfo> constraints = [] {
    std::vector<ConstraintInfo> list;
    for (const Constraint<Record>& c : D::constraints)
      list.push_back({c.label, c.rule, c.fix, c.unpublished});
    return list;
  }();
  static const InstructionInfo info = [] {
    InstructionInfo i;
    i.mnemonic = D::mnemonic;
    i.summary = D::summary;
    i.kind = D::kind;
    i.hidden = D::hidden;
    i.engines = D::engines;
    i.engine = D::engine;
    i.operands = operands;
    i.constraints = constraints;
    i.source = D::source;
    i.record_bytes = sizeof(Record);
    i.construct = [](void* place) { ::new (place) Record{}; };
    i.holds = [](std::size_t c, const void* record, const machine::Core& core, const Site& site) {
      if constexpr (D::constraints.size() == 0) {
        return true;
      } else {
        return D::constraints[c].holds(*static_cast<const Record*>(record), core, site);
      }
    };
    i.cycles = [](const void* record, Engine engine, const machine::Core& core) {
      return D::cycles(*static_cast<const Record*>(record), engine, core);
    };
    if constexpr (requires(const Record& r, const machine::Core& c) { D::passes(r, c); }) {
      i.passes = [](const void* record, const machine::Core& core) {
        return D::passes(*static_cast<const Record*>(record), core);
      };
    }
    if constexpr (requires(const Record& r) { D::meeting(r); }) {
      i.meeting = [](const void* record) {
        return D::meeting(*static_cast<const Record*>(record));
      };
    }
    if constexpr (requires(const Record& r, Execution& e) { D::outgoing(r, e); }) {
      i.outgoing = [](const void* record, Execution& execution) {
        return D::outgoing(*static_cast<const Record*>(record), execution);
      };
    }
    if constexpr (requires(const Record& r) { D::mismatch(r, r); }) {
      i.mismatch = [](const void* record, const void* other) {
        return D::mismatch(*static_cast<const Record*>(record), *static_cast<const Record*>(other));
      };
    }
    i.activity = [](const void* record) {
      return D::activity(*static_cast<const Record*>(record));
    };
    i.execute = [](const void* record, Execution& execution) {
      D::execute(*static_cast<const Record*>(record), execution);
    };
    i.access = [](const void* record, std::size_t operand) {
      if constexpr (requires(const Record& r) { D::access(r, operand); }) {
        return D::access(*static_cast<const Record*>(record), operand);
      } else {
        return operands[operand].access;
      }
    };
    i.spread = [](const void* record) {
      if constexpr (requires(const Record& r) { D::spread(r); }) {
        return D::spread(*static_cast<const Record*>(record));
      } else {
        return D::spread;
      }
    };
    i.by_format = [](const void* record, const machine::Core& core) {
      if constexpr (requires(const Record& r) { D::by_format(r, core); }) {
        return D::by_format(*static_cast<const Record*>(record), core);
      } else {
        return false;
      }
    };
    if constexpr (requires(const Record& r, std::span<Tile, parts_max> out) {
                    D::parts(r, std::size_t{}, out);
                  }) {
      i.parts = [](const void* record, std::size_t operand, std::span<Tile, parts_max> out) {
        return D::parts(*static_cast<const Record*>(record), operand, out);
      };
    }
    i.choose = [](const void* record, const machine::Core& core) {
      if constexpr (requires(const Record& r) { D::choose(r, core); }) {
        return D::choose(*static_cast<const Record*>(record), core);
      } else {
        return D::engine;
      }
    };
    return i;
  }();
  return info;
}

}  // namespace trainyard::isa
