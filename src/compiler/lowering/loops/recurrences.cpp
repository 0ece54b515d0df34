#include "compiler/lowering/loops/recurrences.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/loops/turn_batch.h"
#include "compiler/lowering/loops/turn_states.h"
#include "compiler/lowering/loops/written_turns.h"
#include "graph/linear_scan.h"
#include "graph/multiply_adds.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// A state behind a turn: factor * state + summand. Without a factor it does not depend on the state
// before; a factor of one is none either, but `is_sum`.
struct StateForm {
  std::optional<ValueId> factor{}, summand{};  // in all turns
  bool is_sum = false;
  // factor * (state + summand): the sum, which is a recurrence itself.
  std::optional<ValueId> sum_first{};

  [[nodiscard]] bool has_state() const { return factor || is_sum; }
};

// One loop.
class Recurrence {
 public:
  Recurrence(Function& function, const Definitions& outside, const Op& loop, std::int64_t turns,
             std::vector<Op>& out)
      : loop_(loop), body_(loop.regions.at(1)), batch_(function, out, turns) {
    for (const Op& op : body_.ops) {
      for (const ValueId value : op.operands) ++readers_[value];
      multiply_adds_ += graph::multiply_adds(function, op);
    }
    results_ = enter_loop(batch_, outside, loop);
  }

  // The results of the loop, whose operations are written; nothing where a turn needs the turn
  // before in another way.
  std::optional<std::vector<ValueId>> run() {
    while (true) {
      if (!compute()) return std::nullopt;
      if (!resolve()) break;
    }
    std::vector<ValueId> all;
    for (const std::optional<ValueId>& result : results_) {
      if (!result) return std::nullopt;
      all.push_back(*result);
    }
    // Turns that need nothing of each other bound the memory of their products, and a state of
    // which turns read and leave nothing stays on chip.
    if ((batch_.has_products() && !has_recurrence_) || !(batch_.has_slices() || has_stacked_))
      return std::nullopt;
    if (is_made_of_products()) return std::nullopt;
    return all;
  }

 private:
  [[nodiscard]] ValueId argument(std::size_t i) const { return body_.arguments[i]; }
  [[nodiscard]] ValueId handed_on(std::size_t i) const { return body_.ops.back().operands[i]; }
  [[nodiscard]] ValueId initial(std::size_t i) const { return loop_.operands[i]; }

  // All operations that are ready, and those that become so; false where one cannot be computed.
  bool compute() {
    for (std::size_t i = 0; i + 1 < body_.ops.size(); ++i) {
      const Op& op = body_.ops[i];
      if (op.results.size() != 1) return false;
      if (batch_.find(op.results[0]) || !batch_.is_ready(op)) continue;
      if (!batch_.add(op)) return false;
    }
    return true;
  }

  // Finds what another state is; true where there was one.
  bool resolve() {
    bool any = false;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (results_[i]) continue;
      any = stack(i) || add_up(i) || follow(i) || any;
    }
    return any;
  }

  [[nodiscard]] const Op* maker(ValueId value) const {
    const auto found = std::ranges::find_if(body_.ops, [&](const Op& op) {
      return std::ranges::find(op.results, value) != op.results.end();
    });
    return found == body_.ops.end() ? nullptr : &*found;
  }

  // A value that each turn puts into its place.
  bool stack(std::size_t i) {
    const Op* const op = maker(handed_on(i));
    if (op == nullptr || op->kind != OpKind::dynamic_update_slice ||
        op->operands[0] != argument(i) || readers_[argument(i)] != 1 ||
        readers_[handed_on(i)] != 1 || !batch_.find(op->operands[1]))
      return false;
    const auto& part = batch_.type(op->operands[1]).shape;
    const auto place = batch_.place_of(*op, 2, part);
    if (!place || part.empty()) return false;
    const ValueId all = batch_.in_all_turns(op->operands[1]);  // [..., 1, ..., turns]
    // The dimension of one makes way for that of turns.
    std::vector<std::int64_t> order, without;
    for (std::size_t d = 0; d < part.size(); ++d) {
      const std::int64_t from = static_cast<std::int64_t>(d) - (d > place->dim ? 1 : 0);
      order.push_back(d == place->dim ? std::ssize(part) - 1 : from);
      if (d != place->dim) without.push_back(part[d]);
    }
    without.push_back(batch_.turns());
    ValueId stacked = batch_.write().turned(batch_.write().reshape(all, without), order);
    if (place->run.is_backward)
      stacked = batch_.write().emit(
          OpKind::reverse, {stacked}, Type(batch_.type(stacked)),
          {{"dimensions", {std::vector{static_cast<std::int64_t>(place->dim)}}}});
    const Type& whole = batch_.type(argument(i));
    if (batch_.type(stacked).shape != whole.shape) {
      std::vector<ValueId> operands{initial(i), stacked};
      for (std::size_t d = 0; d < whole.shape.size(); ++d)
        operands.push_back(
            batch_.write().number({.element = ElementType::s32},
                                  d == place->dim ? static_cast<double>(place->run.first) : 0));
      stacked = batch_.write().emit(OpKind::dynamic_update_slice, std::move(operands), Type(whole));
    }
    has_stacked_ = true;
    results_[i] = stacked;
    batch_.define(argument(i), {argument(i)});  // nobody else reads it
    batch_.define(handed_on(i), {stacked});
    return true;
  }

  // A sum over all turns, of which no turn sees a part.
  bool add_up(std::size_t i) {
    const Op* const op = maker(handed_on(i));
    if (op == nullptr || op->kind != OpKind::add || readers_[argument(i)] != 1 ||
        readers_[handed_on(i)] != 1 || batch_.type(argument(i)).element != ElementType::f32)
      return false;
    const std::size_t other = op->operands[0] == argument(i) ? 1 : 0;
    if (op->operands[1 - other] != argument(i) || !batch_.find(op->operands[other])) return false;
    const ValueId sum = batch_.write().sum(batch_.in_all_turns(op->operands[other]),
                                           {batch_.type(argument(i)).rank()});
    results_[i] =
        batch_.write().emit(OpKind::add, {initial(i), sum}, Type(batch_.type(argument(i))));
    batch_.define(argument(i), {argument(i)});
    batch_.define(handed_on(i), {*results_[i]});
    return true;
  }

  // A linear recurrence, or what the turn before has made.
  bool follow(std::size_t i) {
    const Type& type = batch_.type(argument(i));
    const std::optional<StateForm> found = linear(handed_on(i), argument(i), type);
    if (!found || type.kind != Type::Kind::tensor) return false;
    if (found->has_state() && type.element != ElementType::f32) return false;
    graph::Builder& write = batch_.write();
    Type all = type;
    all.shape.push_back(batch_.turns());
    const auto filled = [&](double number) { return write.number(all, number); };
    ValueId after = 0;
    if (!found->has_state()) {
      after = found->summand ? *found->summand : filled(0);
    } else if (found->sum_first) {
      // Each turn's sum takes the factor of the turn before.
      const ValueId factors = batch_.before_turns(write.number(type, 1), *found->factor);
      const ValueId sums = scan(factors, *found->summand, initial(i));
      batch_.define(*found->sum_first, {sums, true});
      after = write.emit(OpKind::multiply, {*found->factor, sums}, Type(all));
    } else {
      after = scan(found->factor ? *found->factor : filled(1),
                   found->summand ? *found->summand : filled(0), initial(i));
    }
    results_[i] = batch_.last_of(after);
    batch_.define(handed_on(i), {after, true});
    batch_.define(argument(i), {batch_.before_turns(initial(i), after), true});
    return true;
  }

  // Whether a turn multiplies matrices for a state so large that turning it, for all turns at once,
  // takes longer than the turns (about a nanosecond an element; some microseconds a turn).
  [[nodiscard]] bool is_made_of_products() const {
    constexpr std::int64_t large = 4096;
    constexpr double depth = 64;
    return scanned_ >= large && multiply_adds_ >= depth * static_cast<double>(scanned_);
  }

  ValueId scan(ValueId factors, ValueId summands, ValueId first) {
    has_recurrence_ = true;
    scanned_ = std::max(scanned_, batch_.type(first).elements());
    return batch_.write().emit(OpKind::composite, {factors, summands, first},
                               Type(batch_.type(summands)),
                               {{"name", {std::string(graph::linear_scan_name)}},
                                {"version", {std::int64_t{1}}},
                                {"composite_attributes", {graph::Dictionary{}}}});
  }

  // How a value follows from the state; nothing where it does otherwise.
  std::optional<StateForm> linear(ValueId value, ValueId state, const Type& type) {
    if (value == state) return StateForm{.is_sum = true};
    if (batch_.type(value) != type) return std::nullopt;
    if (batch_.find(value)) return StateForm{.summand = batch_.in_all_turns(value)};
    const Op* const op = maker(value);
    if (op == nullptr || !graph::is_float(type.element)) return std::nullopt;
    if (op->kind == OpKind::add || op->kind == OpKind::subtract) return sum(*op, state, type);
    if (op->kind == OpKind::multiply) {
      for (const std::size_t side : {0U, 1U}) {
        if (!batch_.find(op->operands[side]) || batch_.type(op->operands[side]) != type) continue;
        const ValueId by = batch_.in_all_turns(op->operands[side]);
        // Factors are not multiplied with each other, nor sums with one: what is small or large
        // by itself may vanish or overflow then.
        const ValueId other = op->operands[1 - side];
        if (other == state) return StateForm{.factor = by};
        const Op* const inner = maker(other);
        if (inner == nullptr || inner->kind != OpKind::add) return std::nullopt;
        const auto found = sum(*inner, state, type);
        if (!found || !found->is_sum || !found->summand || found->sum_first) return std::nullopt;
        return StateForm{.factor = by, .summand = found->summand, .sum_first = other};
      }
    }
    if (op->kind == OpKind::select) return chosen(*op, state, type);
    return std::nullopt;
  }
  // One or the other, by what does not depend on the state.
  std::optional<StateForm> chosen(const Op& op, ValueId state, const Type& type) {
    const ValueId which = op.operands[0];
    if (!batch_.find(which) || batch_.type(which).shape != type.shape) return std::nullopt;
    const auto a = linear(op.operands[1], state, type), b = linear(op.operands[2], state, type);
    // Without a factor it would be zero, and infinity times zero is not a number.
    if (!a || !b || !a->has_state() || !b->has_state() || a->sum_first || b->sum_first)
      return std::nullopt;
    graph::Builder& write = batch_.write();
    const ValueId by = batch_.in_all_turns(which);
    Type all = type;
    all.shape.push_back(batch_.turns());
    const auto one_of = [&](std::optional<ValueId> first, double first_number,
                            std::optional<ValueId> second, double second_number) {
      return write.emit(OpKind::select,
                        {by, first ? *first : write.number(all, first_number),
                         second ? *second : write.number(all, second_number)},
                        Type(all));
    };
    StateForm made{.summand = one_of(a->summand, 0, b->summand, 0)};
    made.factor = one_of(a->factor, 1, b->factor, 1);
    return made;
  }
  std::optional<StateForm> sum(const Op& op, ValueId state, const Type& type) {
    const auto a = linear(op.operands[0], state, type), b = linear(op.operands[1], state, type);
    if (!a || !b || (a->has_state() && b->has_state()) || a->sum_first || b->sum_first)
      return std::nullopt;
    if (op.kind == OpKind::subtract && b->has_state()) return std::nullopt;
    StateForm made{.factor = a->has_state() ? a->factor : b->factor,
                   .is_sum = a->is_sum || b->is_sum};
    made.summand = a->summand ? a->summand : b->summand;
    if (b->summand && (a->summand || op.kind == OpKind::subtract)) {
      if (a->summand) {
        made.summand = batch_.write().emit(op.kind, {*a->summand, *b->summand},
                                           Type(batch_.type(*b->summand)));
      } else {
        made.summand =
            batch_.write().emit(OpKind::negate, {*b->summand}, Type(batch_.type(*b->summand)));
      }
    }
    return made;
  }

  const Op& loop_;
  const Region& body_;
  TurnBatch batch_;
  std::map<ValueId, int> readers_;
  std::vector<std::optional<ValueId>> results_;
  bool has_recurrence_ = false, has_stacked_ = false;
  std::int64_t scanned_ = 0;  // elements of the largest state
  double multiply_adds_ = 0;  // of a turn
};

class Loops {
 public:
  explicit Loops(Function& function) : function_(function) {}

  void run(Region& region) {
    if (std::ranges::find(region.ops, OpKind::while_, &Op::kind) != region.ops.end())
      write_out(region);
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) run(inner);
    }
  }

 private:
  void write_out(Region& region) {
    std::map<std::size_t, std::vector<Op>> written;
    std::map<ValueId, ValueId> instead;
    const Definitions definitions(function_);
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      const Op& op = region.ops[i];
      if (op.kind != OpKind::while_) continue;
      std::vector<Op> ops;
      const auto results = without_turns(definitions, op, ops);
      if (!results) continue;
      written.emplace(i, std::move(ops));
      for (std::size_t k = 0; k < results->size(); ++k) instead[op.results[k]] = (*results)[k];
    }
    std::vector<Op> ops;
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      const auto found = written.find(i);
      if (found == written.end()) {
        ops.push_back(std::move(region.ops[i]));
      } else {
        std::ranges::move(found->second, std::back_inserter(ops));
      }
    }
    region.ops = std::move(ops);
    for (Op& op : region.ops) rename(op, instead);
  }

  static void rename(Op& op, const std::map<ValueId, ValueId>& instead) {
    for (ValueId& value : op.operands) {
      // What a loop gives may be what another one gives.
      for (auto found = instead.find(value); found != instead.end(); found = instead.find(value))
        value = found->second;
    }
    for (Region& region : op.regions) {
      for (Op& inner : region.ops) rename(inner, instead);
    }
  }

  std::optional<std::vector<ValueId>> without_turns(const Definitions& definitions, const Op& loop,
                                                    std::vector<Op>& out) {
    const std::optional<std::int64_t> turns = known_turns(definitions, loop);
    // Of short ones with products each turn is written out.
    if (!turns || is_short_loop(function_, loop, *turns)) return std::nullopt;
    const std::int64_t bytes = bytes_of(loop.regions[1]);
    if (*turns < (bytes > large ? turns_of_large_min : turns_min) || bytes > bytes_max / *turns)
      return std::nullopt;
    return Recurrence(function_, definitions, loop, *turns, out).run();
  }

  // What a turn computes and reads of its own.
  [[nodiscard]] std::int64_t bytes_of(const Region& body) const {
    std::int64_t bytes = 0;
    for (const Op& op : body.ops) {
      for (const ValueId value : op.results) {
        const Type& type = function_.type(value);
        if (type.kind != Type::Kind::tensor || !type.is_static() ||
            op.kind == OpKind::dynamic_update_slice)
          continue;
        bytes = std::max(bytes, type.bytes());
      }
    }
    return bytes;
  }

  // Fewer take no longer one by one; of a large state they make short rows.
  static constexpr std::int64_t turns_min = 4, turns_of_large_min = 64;
  static constexpr std::int64_t large = std::int64_t{64} << 10;     // bytes
  static constexpr std::int64_t bytes_max = std::int64_t{1} << 30;  // of a value in all turns
  Function& function_;
};

}  // namespace

void run_recurrences(graph::Module& module) {
  for (Function& function : module.functions) Loops(function).run(function.body);
}

}  // namespace trainyard::compiler
