#include "compiler/lowering/loops/written_turns.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/loop_shape.h"
#include "compiler/lowering/loops/turn_states.h"
#include "graph/builder.h"
#include "graph/multiply_adds.h"
#include "graph/reads.h"
#include "graph/residuals.h"
#include "graph/values.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

constexpr std::int64_t written_turns_max = 16;
constexpr std::int64_t written_ops_max = 2048;                    // of all turns
constexpr std::int64_t value_bytes_max = std::int64_t{16} << 20;  // of one value of a turn
constexpr double multiplications_max = 1e9;                       // of a turn, some 10 us

// One loop.
class WrittenTurns {
 public:
  WrittenTurns(Function& function, const Definitions& definitions, const Op& loop,
               std::int64_t turns, std::vector<Op>& out)
      : function_(function),
        definitions_(definitions),
        loop_(loop),
        body_(loop.regions.at(1)),
        shape_(shape_of(loop)),
        turns_(turns),
        write_(function, out, loop.location),
        out_(out) {
    for (const Op& op : body_.ops)
      for (const ValueId value : graph::values_read(op)) ++readers_[value];
  }

  void run() {
    values_ = loop_.operands;
    find_stacks();
    for (turn_ = 0; turn_ < turns_; ++turn_) write_turn();
    for (std::size_t i = 0; i < loop_.results.size(); ++i) leave(i);
  }

 private:
  // A state that turns put rows into, and do not read.
  struct Stack {
    const Op* update = nullptr;
    std::map<std::int64_t, ValueId> rows{};  // by where they begin
    std::int64_t dim = 0;
  };

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }

  void find_stacks() {
    for (std::size_t i = 0; i < body_.arguments.size(); ++i) {
      const ValueId left = body_.ops.back().operands[i], argument = body_.arguments[i];
      const auto found = std::ranges::find_if(body_.ops, [&](const Op& op) {
        return op.kind == OpKind::dynamic_update_slice && op.results[0] == left;
      });
      if (found == body_.ops.end() || found->operands[0] != argument || readers_[argument] != 1 ||
          readers_[left] != 1)
        continue;
      std::optional<std::int64_t> dim;
      const Dims &whole = shape(argument), &part = shape(found->operands[1]);
      for (std::size_t d = 0; d < whole.size(); ++d) {
        if (whole[d] == part[d]) continue;
        dim = dim ? -1 : static_cast<std::int64_t>(d);
      }
      if (dim && *dim >= 0) stacks_[i] = {.update = &*found, .rows = {}, .dim = *dim};
    }
  }

  // --- Numbers ---

  [[nodiscard]] std::optional<std::int64_t> number(ValueId value) const {
    if (const auto found = numbers_.find(value); found != numbers_.end()) return found->second;
    if (type(value).element != ElementType::s32 || !shape(value).empty()) return std::nullopt;
    const Op* const op = definitions_.of(value, OpKind::constant);
    const auto known = op == nullptr ? std::nullopt : one_number(op->literal("value"));
    return known ? std::optional(static_cast<std::int64_t>(*known)) : std::nullopt;
  }
  void note(const Op& op) {
    if (op.results.size() != 1 || !shape(op.results[0]).empty()) return;
    if (op.kind == OpKind::constant && type(op.results[0]).element == ElementType::s32) {
      if (const auto known = one_number(op.literal("value")))
        numbers_[op.results[0]] = static_cast<std::int64_t>(*known);
      return;
    }
    std::vector<std::int64_t> operands;
    for (const ValueId value : op.operands) {
      const auto known = number(value);
      if (!known) return;
      operands.push_back(*known);
    }
    if (const auto made = computed(op, operands)) numbers_[op.results[0]] = *made;
  }
  static std::optional<std::int64_t> computed(const Op& op, const std::vector<std::int64_t>& of) {
    switch (op.kind) {
      case OpKind::add: return of[0] + of[1];
      case OpKind::subtract: return of[0] - of[1];
      case OpKind::reshape:
      case OpKind::convert: return of[0];
      case OpKind::select: return of[0] != 0 ? of[1] : of[2];
      case OpKind::compare:
        if (op.text("comparison_direction") != "LT") return std::nullopt;
        return of[0] < of[1] ? 1 : 0;
      default: return std::nullopt;
    }
  }

  // --- Turns ---

  void write_turn() {
    names_.clear();
    for (std::size_t i = 0; i < body_.arguments.size(); ++i)
      names_[body_.arguments[i]] = values_[i];
    for (const Op& op : body_.ops) {
      if (op.kind == OpKind::return_) break;
      if (!put(op) && !slice(op)) copy(op);
    }
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!stacks_.contains(i)) values_[i] = now(body_.ops.back().operands[i]);
  }

  [[nodiscard]] ValueId now(ValueId value) const {
    const auto found = names_.find(value);
    return found == names_.end() ? value : found->second;
  }
  ValueId anew(ValueId value) { return names_[value] = function_.add_value(Type(type(value))); }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as regions are
  Op copied(const Op& op) {
    Op made{.kind = op.kind, .attributes = op.attributes, .location = op.location};
    for (const ValueId value : op.operands) made.operands.push_back(now(value));
    for (const Region& region : op.regions) {
      Region inner;
      for (const ValueId value : region.arguments) inner.arguments.push_back(anew(value));
      for (const Op& each : region.ops) inner.ops.push_back(copied(each));
      made.regions.push_back(std::move(inner));
    }
    for (const ValueId value : op.results) made.results.push_back(anew(value));
    return made;
  }
  void copy(const Op& op) {
    out_.push_back(copied(op));
    note(out_.back());
  }

  // Where a part begins, if that is known and inside.
  [[nodiscard]] std::optional<Dims> starts(const Op& op, std::size_t first, const Dims& whole,
                                           const Dims& part) const {
    Dims all;
    for (std::size_t d = 0; d < whole.size(); ++d) {
      const auto at = whole[d] == part[d] ? std::optional<std::int64_t>(0)
                                          : number(now(op.operands[first + d]));
      if (!at || *at < 0 || *at + part[d] > whole[d]) return std::nullopt;
      all.push_back(*at);
    }
    return all;
  }

  bool slice(const Op& op) {
    if (op.kind != OpKind::dynamic_slice) return false;
    const Dims part = shape(op.results[0]);
    const auto begin = starts(op, 1, shape(op.operands[0]), part);
    if (!begin) return false;
    Dims end = *begin;
    for (std::size_t d = 0; d < end.size(); ++d) end[d] += part[d];
    write_.at(op.location);
    names_[op.results[0]] =
        write_.emit(OpKind::slice, {now(op.operands[0])}, Type(type(op.results[0])),
                    {{"limit_indices", {end}},
                     {"start_indices", {*begin}},
                     {"strides", {Dims(end.size(), 1)}}});
    return true;
  }

  // Into a stack: joined behind all turns.
  bool put(const Op& op) {
    for (auto& [state, stack] : stacks_) {
      if (stack.update != &op) continue;
      const ValueId row = op.operands[1];
      const auto begin = starts(op, 2, shape(op.operands[0]), shape(row));
      const bool is_new =
          begin &&
          stack.rows.emplace((*begin)[static_cast<std::size_t>(stack.dim)], now(row)).second;
      if (is_new) return true;
      flush(state, stack);
      names_[op.operands[0]] = values_[state];
      out_.push_back(copied(op));
      values_[state] = now(op.results[0]);
      stack.rows.clear();
      return true;
    }
    return false;
  }
  // Writes the rows that wait into the stack.
  void flush(std::size_t state, Stack& stack) {
    for (const auto& [begin, row] : stack.rows) {
      std::vector<ValueId> operands{values_[state], row};
      for (std::int64_t d = 0; d < std::ssize(shape(values_[state])); ++d)
        operands.push_back(
            write_.constant(graph::filled({.element = ElementType::s32, .shape = {}},
                                          d == stack.dim ? static_cast<double>(begin) : 0)));
      values_[state] = write_.emit(OpKind::dynamic_update_slice, std::move(operands),
                                   Type(type(values_[state])));
    }
    stack.rows.clear();
  }

  // --- Results ---

  void leave(std::size_t i) {
    if (const auto stack = stacks_.find(i); stack != stacks_.end()) {
      if (!join(i, stack->second)) flush(i, stack->second);
    }
    out_.push_back({.kind = OpKind::reshape,
                    .operands = {values_[i]},
                    .results = {loop_.results[i]},
                    .location = loop_.location});
  }
  // All rows, where they fill the stack.
  bool join(std::size_t state, const Stack& stack) {
    const auto dim = static_cast<std::size_t>(stack.dim);
    std::int64_t at = 0;
    std::vector<ValueId> parts;
    for (const auto& [begin, row] : stack.rows) {
      if (begin != at) return false;
      at += shape(row)[dim];
      parts.push_back(row);
    }
    const Type whole = type(values_[state]);
    if (at != whole.shape[dim] || parts.empty()) return false;
    values_[state] = parts.size() == 1 ? parts.front()
                                       : write_.emit(OpKind::concatenate, std::move(parts),
                                                     Type(whole), {{"dimension", {stack.dim}}});
    return true;
  }

  Function& function_;
  const Definitions& definitions_;
  const Op& loop_;
  const Region& body_;
  LoopShape shape_;
  std::int64_t turns_, turn_ = 0;
  graph::Builder write_;
  std::vector<Op>& out_;
  std::map<ValueId, int> readers_;
  std::map<std::size_t, Stack> stacks_;  // by state
  std::vector<ValueId> values_;          // of the states, now
  std::map<ValueId, ValueId> names_;     // what a value of the body is in this turn
  std::map<ValueId, std::int64_t> numbers_;
};

class ShortLoops {
 public:
  explicit ShortLoops(Function& function) : function_(function) { run(function.body); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void run(Region& region) {
    for (Op& op : region.ops) {
      if (!graph::is(op.kind, graph::Trait::control)) continue;
      for (Region& inner : op.regions) run(inner);
    }
    const Definitions definitions(function_);
    std::vector<Op> ops;
    bool any = false;
    for (const Op& op : region.ops) {
      const auto turns = op.kind == OpKind::while_ ? known_turns(definitions, op) : std::nullopt;
      if (turns && is_short_loop(function_, op, *turns)) {
        WrittenTurns(function_, definitions, op, *turns, ops).run();
        any = true;
      } else {
        ops.push_back(op);
      }
    }
    if (any) region.ops = std::move(ops);
  }

  Function& function_;
};

}  // namespace

bool is_short_loop(const Function& function, const Op& loop, std::int64_t turns) {
  const Region& body = loop.regions.at(1);
  if (turns < 1 || turns > written_turns_max || turns * std::ssize(body.ops) > written_ops_max)
    return false;
  double multiplications = 0;
  for (const Op& op : body.ops) {
    if (op.kind == OpKind::return_) continue;
    if (graph::has_effect(op) || graph::is(op.kind, graph::Trait::collective) ||
        op.kind == OpKind::custom_call)
      return false;
    for (const ValueId value : op.results) {
      const Type& type = function.type(value);
      if (type.kind != Type::Kind::tensor || !type.is_static()) return false;
      if (op.kind != OpKind::dynamic_update_slice && type.bytes() > value_bytes_max) return false;
    }
    multiplications += graph::multiply_adds(function, op);
  }
  return multiplications > 0 && multiplications <= multiplications_max;
}

void write_short_loops_out(graph::Module& module) {
  for (Function& function : module.functions) ShortLoops{function};
}

}  // namespace trainyard::compiler
