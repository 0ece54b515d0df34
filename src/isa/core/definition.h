// How one instruction is written down, and the table entry that everything else is derived from:
// validator, text and binary form, hazards, Python signature, reference page, profiler label. A
// Definition that lacks a part does not compile.
#pragma once

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "isa/core/instruction_info.h"

namespace trainyard::isa {

// The logical core that runs a program. What is 0, besides a rank, is not known.
struct LogicalCore {
  std::int32_t rank = 0;
  std::int32_t ranks = 0;  // that run together
  std::int32_t cores = 0;  // of each: the LNC
  std::int32_t ranks_per_chip = 0;
  bool switched = false;  // chips are behind a NeuronSwitch
};

// Where an instruction stands: what a rule may look at besides the record and the machine.
struct Site {
  const Program& program;               // for run-time addresses (Program::dynamics) and tensors
  Engine engine = Engine::any;          // any: the author left it open
  std::optional<LogicalCore> runner{};  // nothing: several may run it
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

// What to do about a broken rule. There is always something: a rule without a fix does not compile.
class Fix {
 public:
  consteval Fix(const char* text) : text_(text) {
    if (text_.empty()) throw "a fix says what to do";
  }
  constexpr operator std::string_view() const { return text_; }

 private:
  std::string_view text_;
};

template <typename Record>
struct Constraint {
  std::string_view label;  // "nc_matmul.c1": the same string in the docs, the error and the test
  std::string_view rule;
  Predicate<Record> holds;
  Fix fix;
  bool unpublished = false;  // the rule asks for a fact that nobody has published
};

// A specialisation for each record says all there is to say of an instruction, as static members:
//   mnemonic, summary, engines, engine, operands, constraints, source;
//   traits: Traits<Record>, what passes, runners and checks need to know;
//   Timing cycles(const Record&, Engine, const machine::Core&), but of a transfer, whose trigger
//     costs what isa/cost/transfer.h says;
//   Activity activity(const Record&);
//   void execute(const Record&, Execution&).
// What is missing does not compile, and what is optional has its place in the traits.
template <typename Record>
struct Definition;

namespace detail {

// A hook on records of one type as a hook on records whose type is forgotten.
template <typename Record, typename Result, typename... Rest>
struct Forgetting {
  template <Result (*hook)(const Record&, Rest...)>
  static Result call(const void* record, Rest... rest) {
    return hook(*static_cast<const Record*>(record), static_cast<Rest>(rest)...);
  }
};
// Told by types: under -fsanitize=undefined g++ 12 compares no function with null at compile time.
template <auto hook>
inline constexpr bool is_none = std::is_same_v<std::integral_constant<decltype(hook), hook>,
                                               std::integral_constant<decltype(hook), nullptr>>;

template <auto hook, typename Record, typename Result, typename... Rest>
constexpr auto forget(Result (*)(const Record&, Rest...)) {
  using Erased = Result (*)(const void*, Rest...);
  if constexpr (is_none<hook>) {
    return Erased{nullptr};
  } else {
    return Erased{&Forgetting<Record, Result, Rest...>::template call<hook>};
  }
}
template <auto hook>
constexpr auto forget() {
  return forget<hook>(hook);
}

template <typename Record, typename Member>
std::int32_t offset_of(const Record& probe, Member Record::*member) {
  return member == nullptr
             ? -1
             : static_cast<std::int32_t>(reinterpret_cast<const char*>(&(probe.*member)) -
                                         reinterpret_cast<const char*>(&probe));
}

template <typename Record, typename T>
OperandInfo operand_of(const Record& probe, const OperandSpec<Record, T>& spec) {
  return {.name = spec.name,
          .doc = spec.doc,
          .default_value = spec.default_value,
          .type = OperandType::of<T>(),
          .access = spec.access,
          .offset = static_cast<std::size_t>(offset_of(probe, spec.member)),
          .own_start_rule = spec.own_start_rule,
          .indirect = spec.indirect,
          .may_be_none = spec.may_be_none,
          .decides = spec.decides,
          .role = spec.role,
          .taken_by_offset = offset_of(probe, spec.taken_by),
          .kind_of_offset = offset_of(probe, spec.kind_of),
          .axes_of_offset = offset_of(probe, spec.axes_of)};
}

// Whether the facts of a Definition fit together.
template <typename Record>
consteval bool is_consistent() {
  using D = Definition<Record>;
  constexpr const Traits<Record>& t = D::traits;
  std::array<int, role_count> uses{};
  std::apply([&](const auto&... spec) { (++uses[static_cast<std::size_t>(spec.role)], ...); },
             D::operands);
  for (std::size_t role = 1; role < uses.size(); ++role) {
    if (uses[role] > 1) throw "two operands have one role";
  }
  const auto has = [&](Role role) { return uses[static_cast<std::size_t>(role)] == 1; };
  if (D::constraints.size() == 0 && t.kind != Kind::control) throw "it states no rules";
  if ((t.flow != Flow::none) && t.kind != Kind::control) throw "only control instructions flow";
  if ((t.flow == Flow::loop_begin) != !is_none<t.loop>) throw "a loop_begin has bounds";
  if ((t.flow == Flow::branch) != !is_none<t.condition>) throw "a branch has a condition";
  if ((t.flow == Flow::loop_end) != has(Role::loop)) throw "a loop_end names its loop";
  if ((t.flow == Flow::branch) != has(Role::target)) throw "a branch names its target";
  if (accumulates(t.hidden) && !has(Role::data)) throw "what it accumulates has no role";
  if (!is_none<t.outgoing> && is_none<t.meeting>) throw "it sends and meets nobody";
  const bool has_rule =
      !t.nameable.label.empty() && !t.nameable.rule.empty() && !t.nameable.fix.empty();
  if (is_none<t.nameable.engines> == has_rule) throw "a rule says which engines authors may name";
  if ((t.kind == Kind::dma) == requires { &D::cycles; }) throw "all but transfers say their cycles";
  return true;
}

// Whether the traits name each hook that the Definition has as a static member of its name: one
// that they leave out would have no effect.
template <typename Record>
consteval bool names_its_hooks() {
  using D = Definition<Record>;
  constexpr const Traits<Record>& t = D::traits;
  return !((requires { D::spread; } && t.spread.is_constant()) ||
           (requires { D::moves_values; } && t.moves_values.is_constant()) ||
           (requires { D::copies; } && is_none<t.copies>) ||
           (requires { D::access; } && is_none<t.access>) ||
           (requires { D::parts; } && is_none<t.parts>) ||
           (requires { D::by_format; } && is_none<t.by_format>) ||
           (requires { D::choose; } && is_none<t.choose>) ||
           (requires { D::passes; } && is_none<t.passes>) ||
           (requires { D::fills; } && is_none<t.fills>) ||
           (requires { D::loop; } && is_none<t.loop>) ||
           (requires { D::condition; } && is_none<t.condition>) ||
           (requires { D::meeting; } && is_none<t.meeting>) ||
           (requires { D::outgoing; } && is_none<t.outgoing>) ||
           (requires { D::mismatch; } && is_none<t.mismatch>));
}

template <typename Record>
inline constexpr auto accesses = std::apply(
    [](const auto&... spec) { return std::array<Access, sizeof...(spec)>{spec.access...}; },
    Definition<Record>::operands);

// The functions of a table entry, whose records have their type forgotten.
template <typename Record>
void set_hooks(InstructionInfo& i) {
  using D = Definition<Record>;
  static constexpr const Traits<Record>& traits = D::traits;
  i.construct = [](void* place) { ::new (place) Record{}; };
  i.holds = [](std::size_t c, const void* record, const machine::Core& core, const Site& site) {
    if constexpr (D::constraints.size() == 0) {
      return true;
    } else {
      return D::constraints[c].holds(*static_cast<const Record*>(record), core, site);
    }
  };
  if constexpr (traits.kind != Kind::dma) i.cycles = forget<&D::cycles>();
  i.activity = forget<&D::activity>();
  i.execute = forget<&D::execute>();
  i.spread = [](const void* record) { return traits.spread(*static_cast<const Record*>(record)); };
  i.moves_values = [](const void* record) {
    return traits.moves_values(*static_cast<const Record*>(record));
  };
  i.access = forget<traits.access>();
  if (i.access == nullptr)
    i.access = [](const void*, std::size_t operand) { return accesses<Record>[operand]; };
  i.choose = forget<traits.choose>();
  if (i.choose == nullptr) i.choose = [](const void*, const machine::Core&) { return D::engine; };
  i.parts = forget<traits.parts>();
  i.by_format = forget<traits.by_format>();
  i.nameable = forget<traits.nameable.engines>();
  i.passes = forget<traits.passes>();
  i.fills = forget<traits.fills>();
  i.copies = forget<traits.copies>();
  i.loop = forget<traits.loop>();
  i.condition = forget<traits.condition>();
  i.meeting = forget<traits.meeting>();
  i.outgoing = forget<traits.outgoing>();
  if constexpr (!is_none<traits.mismatch>) {
    i.mismatch = [](const void* record, const void* other) {
      return traits.mismatch(*static_cast<const Record*>(record),
                             *static_cast<const Record*>(other));
    };
  }
}

}  // namespace detail

// Derives the table entry from a Definition. Instantiated once for each instruction, in a
// translation unit of its own.
template <typename Record>
const InstructionInfo& make_info() {
  using D = Definition<Record>;
  static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) <= record_bytes_max);
  static_assert(detail::is_consistent<Record>());
  static_assert(detail::names_its_hooks<Record>());
  static constexpr const Traits<Record>& traits = D::traits;

  static const std::vector<OperandInfo> operands = [] {
    std::vector<OperandInfo> list;
    const Record probe{};
    std::apply([&](const auto&... spec) { (list.push_back(detail::operand_of(probe, spec)), ...); },
               D::operands);
    return list;
  }();
  static const std::vector<std::uint8_t> tiled = [] {
    std::vector<std::uint8_t> list;
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k].is_tiled()) list.push_back(static_cast<std::uint8_t>(k));
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
    i.kind = traits.kind;
    i.interface = traits.interface;
    i.engine_parameter = traits.engine_parameter;
    i.earlier = traits.earlier;
    i.flow = traits.flow;
    i.hidden = traits.hidden;
    i.any_partitions = traits.any_partitions;
    i.reads_first = traits.reads_first;
    i.looks_up_addresses = traits.looks_up_addresses;
    i.transfer = traits.transfer;
    i.adds_at_destination = traits.adds_at_destination;
    i.engines = D::engines;
    i.engine = D::engine;
    i.operands = operands;
    i.tiled = tiled;
    i.constraints = constraints;
    i.naming = {traits.nameable.label, traits.nameable.rule, traits.nameable.fix};
    i.source = D::source;
    i.record_bytes = sizeof(Record);
    i.by_role.fill(-1);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k].role != Role::none)
        i.by_role[static_cast<std::size_t>(operands[k].role)] = static_cast<std::int8_t>(k);
    }
    detail::set_hooks<Record>(i);
    return i;
  }();
  return info;
}

}  // namespace trainyard::isa
