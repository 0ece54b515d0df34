#include "compiler/lowering/loops/rolled_loops.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/loop_shape.h"
#include "compiler/lowering/loops/repeated_ops.h"
#include "compiler/lowering/loops/turn_states.h"
#include "graph/builder.h"
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
using Source = Copies::Source;

// What copies share is computed in each turn: so many elements are soon there.
constexpr std::int64_t shared_elements_max = 65'536;

// A number of a turn: scale * turn + offset.
struct Line {
  std::int64_t scale = 0, offset = 0;
};

// Rows of a stack [turns, copies, ...], one for each copy of each turn.
struct Rows {
  ValueId stack = 0;  // an argument of the body, or a value of outside
  std::int64_t first = 0;
  bool is_backward = false;
};

// One way to see copies in the body of a loop.
class Rolling {
 public:
  Rolling(Function& function, const Definitions& definitions, const Op& loop, std::int64_t turns,
          const Copies& copies)
      : function_(function),
        definitions_(definitions),
        loop_(loop),
        body_(loop.regions.at(1)),
        shape_(shape_of(loop)),
        copies_(copies),
        turns_(turns),
        count_(static_cast<std::int64_t>(copies.count())),
        before_(function, ops_before_, loop.location),
        write_(function, ops_, loop.location) {
    for (const Op& op : body_.ops) {
      for (const ValueId value : op.results) makers_[value] = &op;
      for (const ValueId value : op.operands) ++readers_[value];
    }
  }

  // What stands for the loop; nothing where its body does something else besides.
  std::optional<std::vector<Op>> run() {
    count_turns();
    if (!copy()) return std::nullopt;
    for (std::size_t i = 0; i < body_.arguments.size(); ++i)
      if (!hand_on(i)) return std::nullopt;
    return finish();
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }
  [[nodiscard]] const Op* maker(ValueId value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::optional<std::size_t> argument(ValueId value) const {
    const auto found = std::ranges::find(body_.arguments, value);
    if (found == body_.arguments.end()) return std::nullopt;
    return static_cast<std::size_t>(found - body_.arguments.begin());
  }
  [[nodiscard]] ValueId left(std::size_t state) const { return body_.ops.back().operands[state]; }
  [[nodiscard]] std::size_t counter() const { return shape_.bound->state; }
  // Whether every turn finds the same.
  [[nodiscard]] bool is_outside(ValueId value) const {
    const auto state = argument(value);
    return state ? shape_.states[*state].is_same : maker(value) == nullptr;
  }

  // --- Rows ---

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the expression
  [[nodiscard]] std::optional<Line> line(ValueId value) const {
    if (value == body_.arguments[counter()]) {
      const auto first = definitions_.number(loop_.operands[counter()]);
      const auto step = definitions_.number(shape_.states[counter()].step->by);
      if (!first || step != 1.0 || shape_.states[counter()].step->is_taken_away)
        return std::nullopt;
      return Line{1, static_cast<std::int64_t>(*first)};
    }
    if (type(value).element != ElementType::s32) return std::nullopt;
    if (const auto number = definitions_.number(value))
      return Line{0, static_cast<std::int64_t>(*number)};
    const Op* const op = maker(value);
    if (op == nullptr || (op->kind != OpKind::add && op->kind != OpKind::subtract))
      return std::nullopt;
    const auto a = line(op->operands[0]), b = line(op->operands[1]);
    if (!a || !b) return std::nullopt;
    const std::int64_t sign = op->kind == OpKind::add ? 1 : -1;
    return Line{a->scale + sign * b->scale, a->offset + sign * b->offset};
  }

  // The part [1, copies, ...] of a stack that a turn takes or puts.
  [[nodiscard]] std::optional<Rows> rows_of(ValueId stack, const Dims& part, ValueId index) const {
    const Dims& whole = shape(stack);
    const auto at = line(index);
    if (!at || part.size() < 2 || part[0] != 1 || part[1] != count_ ||
        whole.size() != part.size() || !std::equal(part.begin() + 1, part.end(), whole.begin() + 1))
      return std::nullopt;
    const std::int64_t last = at->offset + at->scale * (turns_ - 1);
    if ((at->scale != 1 && at->scale != -1) || std::min(at->offset, last) < 0 ||
        std::max(at->offset, last) >= whole[0])
      return std::nullopt;
    const bool is_backward = at->scale < 0;
    return Rows{stack, at->offset * count_ + (is_backward ? count_ - 1 : 0), is_backward};
  }
  // Where the row of a turn lies in all rows.
  ValueId place(const Rows& rows) {
    const ValueId count = body_.arguments[counter()];
    if (!rows.is_backward && rows.first == 0) return count;
    const ValueId first = whole_number(write_, rows.first);
    return write_.emit(rows.is_backward ? OpKind::subtract : OpKind::add, {first, count},
                       Type(count_type));
  }
  std::vector<ValueId> places(const Rows& rows, std::size_t rank) {
    std::vector<ValueId> all{place(rows)};
    while (all.size() < rank) all.push_back(whole_number(write_, 0));
    return all;
  }
  [[nodiscard]] static Dims joined(const Dims& stack) {
    Dims all(stack.begin() + 1, stack.end());
    all[0] *= stack[0];
    return all;
  }
  // The stack as its rows, in the loop.
  ValueId rows_in_loop(ValueId stack) {
    const auto [found, is_new] = stacks_.try_emplace(stack, 0);
    if (!is_new) return found->second;
    const auto state = argument(stack);
    const ValueId all =
        before_.reshape(state ? loop_.operands[*state] : stack, joined(shape(stack)));
    found->second = function_.add_value(Type(type(all)));
    hand_on(all, found->second, found->second);
    return found->second;
  }

  // A slice that begins one row later in each copy, of what the turn takes of a stack.
  [[nodiscard]] std::optional<Rows> rows_read(std::size_t index) const {
    const auto source = copies_.source_of(index, 0);
    if (!source || source->kind != Source::Kind::fixed) return std::nullopt;
    const Op* part = maker(source->first);
    if (part != nullptr && part->kind == OpKind::reshape) part = maker(part->operands[0]);
    if (part == nullptr || part->kind != OpKind::dynamic_slice || !is_outside(part->operands[0]))
      return std::nullopt;
    const Dims sizes = shape(part->results[0]);
    const auto rows = rows_of(part->operands[0], sizes, part->operands[1]);
    if (!rows || shape(source->first) != Dims(sizes.begin() + 1, sizes.end())) return std::nullopt;
    for (std::int64_t copy = 0; copy < count_; ++copy) {
      const Op& slice = copies_.op(static_cast<std::size_t>(copy), index);
      const auto starts = slice.integers("start_indices"), ends = slice.integers("limit_indices");
      const std::int64_t wanted = rows->is_backward ? count_ - 1 - copy : copy;
      if (starts[0] != wanted || ends[0] != wanted + 1 || slice.integers("strides")[0] != 1)
        return std::nullopt;
      for (std::size_t dim = 1; dim < starts.size(); ++dim)
        if (starts[dim] != 0 || ends[dim] != sizes[dim + 1]) return std::nullopt;
    }
    return rows;
  }

  // --- The copy that is left ---

  bool copy() {
    for (std::size_t i = 0; i < copies_.period(); ++i) {
      const Op& op = copies_.op(0, i);
      const bool is_moving =
          op.kind == OpKind::slice && op.attributes != copies_.op(1, i).attributes;
      if (is_moving) {
        const auto rows = rows_read(i);
        if (!rows) return false;
        const ValueId all = rows_in_loop(rows->stack);
        const Dims sizes = shape(op.results[0]);
        std::vector<ValueId> operands = places(*rows, sizes.size());
        operands.insert(operands.begin(), all);
        ops_.push_back({.kind = OpKind::dynamic_slice,
                        .operands = std::move(operands),
                        .results = op.results,
                        .attributes = {{"slice_sizes", {sizes}}},
                        .location = op.location});
        continue;
      }
      for (std::size_t k = 0; k < op.operands.size(); ++k)
        if (!can_read(*copies_.source_of(i, k))) return false;
      ops_.push_back(op);
    }
    return true;
  }

  // Whether the copy finds there what all copies did.
  bool can_read(const Source& source) {
    switch (source.kind) {
      case Source::Kind::own: return true;
      case Source::Kind::fixed: return can_share(source.first);
      case Source::Kind::last: break;
    }
    const auto state = argument(source.first);
    return state &&
           left(*state) == copies_.op(copies_.count() - 1, source.op).results[source.result];
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as what they share
  bool can_share(ValueId value) {
    if (is_outside(value) || shared_.contains(value)) return true;
    const Op* const op = maker(value);
    if (op == nullptr || copies_.makes(value) || op->results.size() != 1 || !op->regions.empty() ||
        !type(value).is_static() || type(value).elements() > shared_elements_max)
      return false;
    for (const ValueId operand : op->operands)
      if (!can_share(operand)) return false;
    shared_.insert(value);
    return true;
  }

  // --- States ---

  void hand_on(ValueId initial, ValueId argument, ValueId next) {
    initial_.push_back(initial);
    arguments_.push_back(argument);
    next_.push_back(next);
  }

  void count_turns() {
    const ValueId count = body_.arguments[counter()];
    const ValueId first = whole_number(before_, 0), step = whole_number(write_, 1);
    hand_on(first, count, write_.emit(OpKind::add, {count, step}, Type(count_type)));
  }

  bool hand_on(std::size_t state) {
    const ValueId argument = body_.arguments[state], initial = loop_.operands[state];
    results_.emplace_back();
    if (state == counter()) return true;
    if (shape_.states[state].is_same) {
      results_.back() = arguments_.size();
      hand_on(initial, argument, argument);
      return true;
    }
    const ValueId last = left(state);
    for (std::size_t i = 0; i < copies_.period(); ++i) {
      const auto& results = copies_.op(copies_.count() - 1, i).results;
      const auto found = std::ranges::find(results, last);
      if (found == results.end()) continue;
      results_.back() = arguments_.size();
      hand_on(initial, argument,
              copies_.op(0, i).results[static_cast<std::size_t>(found - results.begin())]);
      return true;
    }
    return put_rows(state);
  }

  // What all copies put into a part of a stack.
  bool put_rows(std::size_t state) {
    const Op* const update = maker(left(state));
    const ValueId stack = body_.arguments[state];
    if (update == nullptr || update->kind != OpKind::dynamic_update_slice ||
        update->operands[0] != stack || readers_[stack] != 1)
      return false;
    const auto rows = rows_of(stack, shape(update->operands[1]), update->operands[2]);
    const auto row = rows ? row_put(update->operands[1], rows->is_backward) : std::nullopt;
    if (!row || !can_read(*row)) return false;
    const Dims all = joined(shape(stack));
    Dims one = all;
    one[0] = 1;
    const ValueId value =
        row->kind == Source::Kind::own ? copies_.op(0, row->op).results[row->result] : row->first;
    const ValueId inside = function_.add_value({.element = type(stack).element, .shape = all});
    std::vector<ValueId> operands = places(*rows, all.size());
    operands.insert(operands.begin(), {inside, write_.reshape(value, one)});
    const ValueId next =
        write_.emit(OpKind::dynamic_update_slice, std::move(operands), Type(type(inside)));
    results_.back() = arguments_.size();
    hand_on(before_.reshape(loop_.operands[state], all), inside, next);
    return true;
  }

  // What each copy has in the part [1, copies, ...] that they put together.
  [[nodiscard]] std::optional<Source> row_put(ValueId part, bool is_backward) const {
    const Op* const joined = maker(unshaped(part));
    if (joined == nullptr || joined->kind != OpKind::concatenate ||
        joined->integer("dimension") != 0 || std::ssize(joined->operands) != count_ ||
        shape(joined->results[0]) != Dims(shape(part).begin() + 1, shape(part).end()))
      return std::nullopt;
    std::vector<ValueId> values;
    for (const ValueId row : joined->operands) {
      if (shape(row)[0] != 1) return std::nullopt;
      values.push_back(unshaped(row));
    }
    if (is_backward) std::ranges::reverse(values);
    return copies_.source_of(values);
  }
  // Before it got dimensions of one element.
  [[nodiscard]] ValueId unshaped(ValueId value) const {
    const Op* const op = maker(value);
    if (op == nullptr || copies_.makes(value)) return value;
    const bool is_shape = op->kind == OpKind::reshape ||
                          (op->kind == OpKind::broadcast_in_dim &&
                           type(op->operands[0]).elements() == type(value).elements() &&
                           std::ranges::is_sorted(op->integers("broadcast_dimensions")));
    return is_shape ? op->operands[0] : value;
  }

  // --- The new loop ---

  [[nodiscard]] Region condition() {
    Region region;
    for (const ValueId value : arguments_)
      region.arguments.push_back(function_.add_value(Type(type(value))));
    graph::Builder write(function_, region.ops, loop_.location);
    const ValueId bound = whole_number(write, turns_ * count_);
    const ValueId goes_on = write.emit(
        OpKind::compare, {region.arguments[0], bound}, {.element = ElementType::pred, .shape = {}},
        {{"comparison_direction", {std::string("LT")}}, {"compare_type", {std::string("SIGNED")}}});
    region.ops.push_back({.kind = OpKind::return_, .operands = {goes_on}});
    return region;
  }

  std::vector<Op> finish() {
    Region body{.arguments = arguments_, .ops = {}};
    for (const Op& op : body_.ops)
      if (op.results.size() == 1 && shared_.contains(op.results[0])) body.ops.push_back(op);
    std::ranges::move(ops_, std::back_inserter(body.ops));
    body.ops.push_back({.kind = OpKind::return_, .operands = next_});
    Op made{.kind = OpKind::while_, .operands = initial_, .location = loop_.location};
    std::vector<ValueId> results;
    for (const ValueId value : arguments_)
      made.results.push_back(function_.add_value(Type(type(value))));
    made.regions = {condition(), std::move(body)};
    std::vector<Op> after;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const ValueId result = loop_.results[i];
      if (!results_[i]) {
        const double first = definitions_.number(loop_.operands[i]).value();
        graph::Builder write(function_, after, loop_.location);
        static_cast<void>(whole_number(write, static_cast<std::int64_t>(first) + turns_));
        after.back().results = {result};
        continue;
      }
      const ValueId from = made.results[*results_[i]];
      if (type(from) == type(result)) {
        made.results[*results_[i]] = result;
      } else {
        after.push_back({.kind = OpKind::reshape,
                         .operands = {from},
                         .results = {result},
                         .location = loop_.location});
      }
    }
    ops_before_.push_back(std::move(made));
    std::ranges::move(after, std::back_inserter(ops_before_));
    return std::move(ops_before_);
  }

  Function& function_;
  const Definitions& definitions_;
  const Op& loop_;
  const Region& body_;
  LoopShape shape_;
  const Copies& copies_;
  std::int64_t turns_, count_;
  std::map<ValueId, const Op*> makers_;
  std::map<ValueId, int> readers_;
  std::vector<Op> ops_before_, ops_;  // before the loop, and of its body
  graph::Builder before_, write_;
  std::vector<ValueId> initial_, arguments_, next_;  // of the new loop
  std::vector<std::optional<std::size_t>> results_;  // which of its states; none for the count
  std::map<ValueId, ValueId> stacks_;                // a stack, and its rows in the loop
  std::set<ValueId> shared_;                         // what all copies read
};

class UnrolledLoops {
 public:
  explicit UnrolledLoops(Function& function) : function_(function) { run(function.body); }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void run(Region& region) {
    for (Op& op : region.ops)
      for (Region& inner : op.regions) run(inner);
    if (std::ranges::none_of(region.ops, [](const Op& op) { return op.kind == OpKind::while_; }))
      return;
    const Definitions definitions(function_);
    std::vector<std::pair<std::size_t, std::vector<Op>>> all;
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
      if (region.ops[i].kind != OpKind::while_) continue;
      if (auto made = rolled(definitions, region.ops[i])) all.emplace_back(i, *std::move(made));
    }
    for (auto& [at, ops] : std::views::reverse(all)) {
      const auto place = region.ops.begin() + static_cast<std::ptrdiff_t>(at);
      region.ops.insert(region.ops.erase(place), std::make_move_iterator(ops.begin()),
                        std::make_move_iterator(ops.end()));
    }
  }

  std::optional<std::vector<Op>> rolled(const Definitions& definitions, const Op& loop) {
    const auto turns = known_turns(definitions, loop);
    const Region& body = loop.regions.at(1);
    if (!turns || *turns < 1 ||
        std::any_of(body.ops.begin(), body.ops.end() - 1, graph::has_effect))
      return std::nullopt;
    for (const Repeated& each : repeated_ops(function_, body)) {
      const Copies copies(body, each);
      if (!copies.are_alike()) continue;
      if (auto found = Rolling(function_, definitions, loop, *turns, copies).run()) return found;
    }
    return std::nullopt;
  }

  Function& function_;
};

}  // namespace

void roll_loops(graph::Module& module) {
  for (Function& function : module.functions) UnrolledLoops{function};
}

}  // namespace trainyard::compiler
