#include "compiler/lowering/loops/written_turns.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/loop_shape.h"
#include "compiler/lowering/loops/turn_copies.h"
#include "compiler/lowering/loops/turn_states.h"
#include "graph/multiply_adds.h"
#include "graph/residuals.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr std::int64_t written_turns_max = 16;
constexpr std::int64_t written_ops_max = 2048;                    // of all turns
constexpr std::int64_t value_bytes_max = std::int64_t{16} << 20;  // of one value of a turn
constexpr double multiplications_max = 1e9;                       // of a turn, some 10 us

// What a turn takes at once, of a loop that stays.
constexpr std::int64_t joined_turns_max = 8;
constexpr std::int64_t joined_ops_max = 1024;
constexpr double joined_multiplications_max = 2e10;
// Turns without products that stack more values spend their time on that, joined or not.
constexpr std::int64_t stacks_max = 4;
constexpr std::int64_t turns_without_products_min = 8;

// Whether turns hold nothing but operations on values of moderate size, without effect.
bool is_small(const Function& function, const Region& body) {
  return std::ranges::all_of(body.ops, [&](const Op& op) {
    if (op.kind == OpKind::return_) return true;
    if (graph::has_effect(op) || graph::is(op.kind, graph::Trait::collective) ||
        op.kind == OpKind::custom_call)
      return false;
    return std::ranges::all_of(op.results, [&](ValueId value) {
      const Type& type = function.type(value);
      if (type.kind != Type::Kind::tensor || !type.is_static()) return false;
      return op.kind == OpKind::dynamic_update_slice || type.bytes() <= value_bytes_max;
    });
  });
}

double multiplications_of(const Function& function, const Region& body) {
  double all = 0;
  for (const Op& op : body.ops) all += graph::multiply_adds(function, op);
  return all;
}

// Loops of a function whose turns are written out, as `rewrite` says: the operations that stand for
// a loop, nothing where it stays.
template <typename F>
class SmallLoops {
 public:
  SmallLoops(Function& function, const F& rewrite) : function_(function), rewrite_(rewrite) {
    run(function.body);
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void run(Region& region) {
    for (Op& op : region.ops) {
      if (!graph::is(op.kind, graph::Trait::control)) continue;
      for (Region& inner : op.regions) run(inner);
    }
    if (std::ranges::find(region.ops, OpKind::while_, &Op::kind) == region.ops.end()) return;
    const Definitions definitions(function_);
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      const auto turns = op.kind == OpKind::while_ ? known_turns(definitions, op) : std::nullopt;
      if (!turns || !rewrite_(function_, definitions, op, *turns, ops)) ops.push_back(op);
    }
    region.ops = std::move(ops);
  }

  Function& function_;
  const F& rewrite_;
};

// The counted states of a loop, of which it is known what they are at the begin.
std::map<std::size_t, TurnCopies::Counter> counters_of(const Definitions& definitions,
                                                       const Op& loop) {
  std::map<std::size_t, TurnCopies::Counter> found;
  const LoopShape shape = shape_of(loop);
  for (std::size_t i = 0; i < shape.states.size(); ++i) {
    if (!shape.states[i].step) continue;
    const auto first = whole_number(definitions, loop.operands[i]),
               step = counted(definitions, *shape.states[i].step);
    if (first && step) found[i] = {loop.operands[i], *first, *first, *step};
  }
  return found;
}

bool write_out(Function& function, const Definitions& definitions, const Op& loop,
               std::int64_t turns, std::vector<Op>& out) {
  if (!is_short_loop(function, loop, turns)) return false;
  TurnCopies copies(function, definitions, loop, out, loop.operands,
                    counters_of(definitions, loop));
  copies.write(turns);
  const std::vector<ValueId> left = copies.leave();
  for (std::size_t i = 0; i < left.size(); ++i)
    out.push_back({.kind = OpKind::reshape,
                   .operands = {left[i]},
                   .results = {loop.results[i]},
                   .location = loop.location});
  return true;
}

// How many turns one takes: the most that divide them all, if these are not few; the first ones are
// written out before the loop otherwise.
std::int64_t joined_turns(const Function& function, const Op& loop, std::int64_t turns) {
  const Region& body = loop.regions.at(1);
  const bool is_plain = std::ranges::none_of(body.ops, [](const Op& op) {
    return graph::is(op.kind, graph::Trait::control) && op.kind != OpKind::return_;
  });
  const double multiplications = multiplications_of(function, body);
  const auto stacks = std::ranges::count(body.ops, OpKind::dynamic_update_slice, &Op::kind);
  if (!is_plain || !is_small(function, body)) return 1;
  if (multiplications == 0 && (stacks > stacks_max || turns < turns_without_products_min)) return 1;
  std::int64_t most =
      std::min({joined_turns_max, turns / 2, joined_ops_max / std::ssize(body.ops)});
  most = static_cast<std::int64_t>(
      std::min(static_cast<double>(most), joined_multiplications_max / multiplications));
  for (std::int64_t several = most; several > most / 2 && several > 1; --several)
    if (turns % several == 0) return several;
  return std::max<std::int64_t>(most, 1);
}

bool join(Function& function, const Definitions& definitions, Op& loop, std::int64_t turns,
          std::vector<Op>& out) {
  const std::int64_t several = joined_turns(function, loop, turns);
  if (several < 2) return false;
  auto counters = counters_of(definitions, loop);
  Op joined = loop;
  if (turns % several != 0) {
    TurnCopies first(function, definitions, loop, out, loop.operands, counters);
    first.write(turns % several);
    joined.operands = first.leave();
  }
  for (auto& [state, counter] : counters) {
    const std::int64_t begin = counter.least + turns % several * counter.step;
    const std::int64_t end = counter.least + (turns - several) * counter.step;
    counter = {loop.regions[1].arguments[state], std::min(begin, end), std::max(begin, end),
               counter.step};
  }
  std::vector<Op>& ops = joined.regions[1].ops;
  ops.clear();
  TurnCopies copies(function, definitions, loop, ops, loop.regions[1].arguments,
                    std::move(counters));
  copies.write(several);
  ops.push_back({.kind = OpKind::return_,
                 .operands = copies.leave(),
                 .location = loop.regions[1].ops.back().location});
  out.push_back(std::move(joined));
  return true;
}

}  // namespace

bool is_short_loop(const Function& function, const Op& loop, std::int64_t turns) {
  const Region& body = loop.regions.at(1);
  if (turns < 1 || turns > written_turns_max || turns * std::ssize(body.ops) > written_ops_max ||
      !is_small(function, body))
    return false;
  const double multiplications = multiplications_of(function, body);
  return multiplications > 0 && multiplications <= multiplications_max;
}

void write_short_loops_out(graph::Module& module) {
  for (Function& function : module.functions) SmallLoops(function, write_out);
}

void join_turns(graph::Module& module) {
  for (Function& function : module.functions) SmallLoops(function, join);
}

}  // namespace trainyard::compiler
