#include "compiler/lowering/loops/rolled_chains.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/lowering/loops/recurrences.h"
#include "compiler/lowering/loops/repeated_ops.h"
#include "graph/builder.h"
#include "graph/reads.h"
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

constexpr std::size_t copies_min = 4, saved_min = 16;  // copies, and operations that are saved
constexpr std::size_t tried_max = 16;                  // ways to see copies in a function
constexpr std::size_t picked_max = 4;                  // steps of a value that are read apart

const Type number_type{.element = ElementType::s32, .shape = {}};

ValueId counting_number(graph::Builder& write, std::int64_t number) {
  return write.constant(graph::filled(number_type, static_cast<double>(number)));
}

// One way to see copies among the operations of a function's body.
class Chain {
 public:
  Chain(Function& function, const Region& region, Repeated which)
      : function_(function),
        region_(region),
        which_(which),
        copies_(region, which),
        location_(region.ops[which.begin].location),
        before_(function, ops_before_, location_),
        write_(function, ops_, location_),
        after_(function, ops_after_, location_) {}

  // The operations of the body with the loop; nothing where copies do something else besides.
  std::optional<std::vector<Op>> rolled() {
    if (!copies_.are_alike()) return std::nullopt;
    count();
    note_readers();
    // Without a state they are well computed apart.
    if (!copy() || states_.empty() || !stack_all()) return std::nullopt;
    return finish();
  }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // an operation of a copy, and its result

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }
  [[nodiscard]] std::int64_t turns() const { return static_cast<std::int64_t>(which_.count); }
  [[nodiscard]] bool is_copy(std::size_t i) const {
    return i >= which_.begin && i < which_.begin + which_.count * which_.period;
  }
  [[nodiscard]] ValueId made(std::size_t copy, Place place) const {
    return copies_.op(copy, place.first).results[place.second];
  }

  std::size_t hand_on(ValueId initial, ValueId argument, ValueId next) {
    initial_.push_back(initial);
    arguments_.push_back(argument);
    next_.push_back(next);
    return arguments_.size() - 1;
  }
  void count() {
    const ValueId first = counting_number(before_, 0), step = counting_number(write_, 1);
    count_ = function_.add_value(Type(number_type));
    hand_on(first, count_, write_.emit(OpKind::add, {count_, step}, Type(number_type)));
  }

  // Who reads what copies make, but for themselves.
  void note_readers() {
    std::map<ValueId, std::pair<std::size_t, Place>> places;
    for (std::size_t copy = 0; copy < copies_.count(); ++copy)
      for (std::size_t i = 0; i < copies_.period(); ++i)
        for (std::size_t k = 0; k < copies_.op(copy, i).results.size(); ++k)
          places[copies_.op(copy, i).results[k]] = {copy, {i, k}};
    for (std::size_t i = 0; i < region_.ops.size(); ++i) {
      if (is_copy(i)) continue;
      for (const ValueId value : graph::values_read(region_.ops[i])) {
        const auto found = places.find(value);
        if (found != places.end()) read_[found->second.second].insert(found->second.first);
      }
      for (const ValueId value : region_.ops[i].results) makers_[value] = i;
    }
  }

  // --- The copy that is left ---

  bool copy() {
    for (std::size_t i = 0; i < copies_.period(); ++i) {
      const Op& op = copies_.op(0, i);
      if (graph::is(op.kind, graph::Trait::product) || op.kind == OpKind::convolution) return false;
      if (op.kind == OpKind::slice && op.attributes != copies_.op(1, i).attributes) {
        if (!slice(i)) return false;
        continue;
      }
      Op made = op;
      for (std::size_t k = 0; k < op.operands.size(); ++k) {
        const Source source = *copies_.source_of(i, k);
        if (source.kind == Source::Kind::last) made.operands[k] = state(source);
      }
      ops_.push_back(std::move(made));
    }
    return true;
  }

  // What the copy before has left.
  ValueId state(const Source& source) {
    const auto [found, is_new] =
        states_.try_emplace({{source.op, source.result}, source.first}, std::size_t{0});
    if (is_new)
      found->second = hand_on(source.first, function_.add_value(Type(type(source.first))),
                              made(0, {source.op, source.result}));
    return arguments_[found->second];
  }

  // A slice of one element that begins one further, or one before, in each copy.
  bool slice(std::size_t index) {
    const auto source = copies_.source_of(index, 0);
    if (!source || source->kind != Source::Kind::fixed) return false;
    const auto starts_of = [&](std::size_t copy) {
      return copies_.op(copy, index).integers("start_indices");
    };
    const Op& op = copies_.op(0, index);
    const Dims whole = shape(source->first), part = shape(op.results[0]);
    std::optional<std::size_t> moving;
    for (std::size_t dim = 0; dim < whole.size(); ++dim) {
      if (part[dim] == whole[dim]) continue;
      if (moving || part[dim] != 1) return false;
      moving = dim;
    }
    if (!moving) return false;
    const std::int64_t first = starts_of(0)[*moving], step = starts_of(1)[*moving] - first;
    if (step != 1 && step != -1) return false;
    for (std::size_t copy = 0; copy < copies_.count(); ++copy)
      if (starts_of(copy)[*moving] != first + step * static_cast<std::int64_t>(copy)) return false;
    std::vector<ValueId> operands{source->first};
    for (std::size_t dim = 0; dim < whole.size(); ++dim)
      operands.push_back(dim == *moving ? place(first, step) : counting_number(write_, 0));
    ops_.push_back({.kind = OpKind::dynamic_slice,
                    .operands = std::move(operands),
                    .results = op.results,
                    .attributes = {{"slice_sizes", {part}}},
                    .location = op.location});
    return true;
  }
  ValueId place(std::int64_t first, std::int64_t step) {
    if (step == 1 && first == 0) return count_;
    const ValueId number = counting_number(write_, first);
    return write_.emit(step > 0 ? OpKind::add : OpKind::subtract, {number, count_},
                       Type(number_type));
  }

  // --- What others read ---

  void find_joins() {
    for (std::size_t i = 0; i < region_.ops.size(); ++i) {
      const Op& op = region_.ops[i];
      if (is_copy(i) || op.kind != OpKind::concatenate || op.operands.size() != copies_.count())
        continue;
      std::vector<ValueId> values;
      for (const ValueId row : op.operands) values.push_back(unshaped(row));
      for (const bool is_backward : {false, true}) {
        if (is_backward) std::ranges::reverse(values);
        const auto source = copies_.source_of(values);
        if (!source || source->kind == Source::Kind::fixed) continue;
        joins_.emplace(i, std::pair(*source, is_backward));
        break;
      }
    }
  }

  bool stack_all() {
    find_joins();
    for (const auto& [i, join] : joins_) stacked_.push_back({stack(join.first), i, join.second});
    for (const auto& [place, which] : read_) {
      std::vector<std::size_t> apart;
      for (const std::size_t copy : which)
        if (is_read_apart(made(copy, place))) apart.push_back(copy);
      if (apart.size() > picked_max) return false;
      if (apart == std::vector{copies_.count() - 1}) {
        leave_last(place);
        continue;
      }
      for (const std::size_t copy : apart) {
        const Source own{.kind = Source::Kind::own,
                         .op = place.first,
                         .result = place.second,
                         .first = made(0, place)};
        picked_.emplace_back(made(copy, place), stack(own), copy);
      }
    }
    return true;
  }
  void leave_last(Place place) {
    const ValueId next = made(0, place);
    auto found = std::ranges::find(next_, next);
    if (found == next_.end()) {
      hand_on(before_.number(Type(type(next)), 0), function_.add_value(Type(type(next))), next);
      found = next_.end() - 1;
    }
    last_.emplace_back(made(copies_.count() - 1, place),
                       static_cast<std::size_t>(found - next_.begin()));
  }

  // All steps of a value, [steps, ...], as a state of the loop.
  std::size_t stack(const Source& source) {
    const bool is_own = source.kind == Source::Kind::own;
    const auto [found, is_new] =
        stacks_.try_emplace({is_own, {source.op, source.result}, source.first}, std::size_t{0});
    if (!is_new) return found->second;
    const ValueId row = is_own ? source.first : state(source);
    Dims one = shape(row), all = shape(row);
    one.insert(one.begin(), 1);
    all.insert(all.begin(), turns());
    const Type whole{.element = type(row).element, .shape = all};
    const ValueId inside = function_.add_value(Type(whole));
    std::vector<ValueId> operands{inside, write_.reshape(row, one), count_};
    while (operands.size() < 2 + all.size()) operands.push_back(counting_number(write_, 0));
    const ValueId next =
        write_.emit(OpKind::dynamic_update_slice, std::move(operands), Type(whole));
    found->second = hand_on(before_.number(Type(whole), 0), inside, next);
    return found->second;
  }

  // By others than joins that read the stack instead.
  [[nodiscard]] bool is_read_apart(ValueId value) const {
    for (std::size_t i = 0; i < region_.ops.size(); ++i) {
      const Op& op = region_.ops[i];
      if (is_copy(i) || joins_.contains(i) || !graph::values_read(op).contains(value)) continue;
      if (!is_row(op)) return true;
    }
    return false;
  }
  // What a step has left with dimensions of one element, which joins alone read.
  [[nodiscard]] bool is_row(const Op& op) const {
    if (op.results.size() != 1) return false;
    const ValueId row = op.results[0], value = unshaped(row);
    if (value == row || !copies_.makes(value)) return false;
    for (std::size_t i = 0; i < region_.ops.size(); ++i)
      if (!joins_.contains(i) && graph::values_read(region_.ops[i]).contains(row)) return false;
    return true;
  }

  // Before it got dimensions of one element.
  [[nodiscard]] ValueId unshaped(ValueId value) const {
    const auto found = makers_.find(value);
    if (found == makers_.end()) return value;
    const Op& op = region_.ops[found->second];
    const bool is_shape =
        op.kind == OpKind::reshape || (op.kind == OpKind::broadcast_in_dim &&
                                       type(op.operands[0]).elements() == type(value).elements() &&
                                       std::ranges::is_sorted(op.integers("broadcast_dimensions")));
    return is_shape ? op.operands[0] : value;
  }

  // --- The loop ---

  [[nodiscard]] Region condition() {
    Region region;
    for (const ValueId value : arguments_)
      region.arguments.push_back(function_.add_value(Type(type(value))));
    graph::Builder write(function_, region.ops, location_);
    const ValueId bound = counting_number(write, turns());
    const ValueId goes_on = write.emit(
        OpKind::compare, {region.arguments[0], bound}, {.element = ElementType::pred, .shape = {}},
        {{"comparison_direction", {std::string("LT")}}, {"compare_type", {std::string("SIGNED")}}});
    region.ops.push_back({.kind = OpKind::return_, .operands = {goes_on}});
    return region;
  }

  // A join of all steps, from their stack.
  void write_join(const Op& join, ValueId stack, bool is_backward) {
    if (is_backward)
      stack = after_.emit(OpKind::reverse, {stack}, Type(type(stack)), {{"dimensions", {Dims{0}}}});
    Dims part = shape(join.operands[0]);
    part.insert(part.begin(), turns());
    Dims order;
    for (std::int64_t dim = 0; dim < join.integer("dimension"); ++dim) order.push_back(dim + 1);
    order.push_back(0);
    for (auto dim = join.integer("dimension"); dim + 1 < std::ssize(part); ++dim)
      order.push_back(dim + 1);
    const ValueId turned = after_.turned(after_.reshape(stack, part), std::move(order));
    static_cast<void>(after_.reshape(turned, shape(join.results[0])));
    ops_after_.back().results = join.results;
  }

  std::vector<Op> finish() {
    ops_.push_back({.kind = OpKind::return_, .operands = next_});
    Op loop{.kind = OpKind::while_, .operands = initial_, .location = location_};
    for (const ValueId value : arguments_)
      loop.results.push_back(function_.add_value(Type(type(value))));
    for (const auto& [value, state] : last_) {
      // Two may be the same.
      ops_after_.push_back({.kind = OpKind::reshape,
                            .operands = {loop.results[state]},
                            .results = {value},
                            .location = location_});
    }
    for (const auto& [value, state, copy] : picked_) {
      const auto at = static_cast<std::int64_t>(copy);
      static_cast<void>(
          after_.reshape(after_.sliced(loop.results[state], 0, at, at + 1), shape(value)));
      ops_after_.back().results = {value};
    }
    for (const Stacked& each : stacked_)
      write_join(region_.ops[each.op], loop.results[each.state], each.is_backward);
    std::vector<Op> ops;
    for (std::size_t i = 0; i < which_.begin; ++i) ops.push_back(region_.ops[i]);
    loop.regions = {condition(), Region{.arguments = arguments_, .ops = std::move(ops_)}};
    std::ranges::move(ops_before_, std::back_inserter(ops));
    ops.push_back(std::move(loop));
    std::ranges::move(ops_after_, std::back_inserter(ops));
    for (std::size_t i = which_.begin + which_.count * which_.period; i < region_.ops.size(); ++i)
      if (!joins_.contains(i) && !is_row(region_.ops[i])) ops.push_back(region_.ops[i]);
    return ops;
  }
  struct Stacked {
    std::size_t state = 0, op = 0;  // the operation that joins the steps
    bool is_backward = false;
  };

  Function& function_;
  const Region& region_;
  Repeated which_;
  Copies copies_;
  graph::LocationId location_;
  std::vector<Op> ops_before_, ops_, ops_after_;
  graph::Builder before_, write_, after_;
  ValueId count_ = 0;
  std::vector<ValueId> initial_, arguments_, next_;  // of the loop
  std::map<std::pair<Place, ValueId>, std::size_t> states_;
  std::map<Place, std::set<std::size_t>> read_;  // of what copies make, the copies that others read
  std::map<ValueId, std::size_t> makers_;        // of what others make
  std::vector<std::pair<ValueId, std::size_t>> last_;
  std::vector<std::tuple<ValueId, std::size_t, std::size_t>> picked_;
  std::vector<Stacked> stacked_;
  std::map<std::size_t, std::pair<Source, bool>> joins_;  // of all steps; whether backwards
  std::map<std::tuple<bool, Place, ValueId>, std::size_t> stacks_;
};

std::size_t loops_in(const Region& region) {
  std::size_t count = 0;
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::while_) ++count;
    for (const Region& inner : op.regions) count += loops_in(inner);
  }
  return count;
}

// Loops that are left of a function.
std::size_t loops_left(const Function& function) {
  graph::Module alone;
  alone.functions.push_back(function);
  run_recurrences(alone);
  return loops_in(alone.functions.front().body);
}

bool roll_one(Function& function) {
  std::vector<Repeated> all = repeated_ops(function, function.body);
  std::erase_if(all, [](const Repeated& each) {
    return each.count < copies_min || (each.count - 1) * each.period < saved_min;
  });
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Repeated& each) { return each.count * each.period; });
  std::size_t tried = 0;
  std::optional<std::size_t> before;
  for (const Repeated& each : all) {
    if (!Copies(function.body, each).are_alike()) continue;
    if (++tried > tried_max) break;
    Function attempt = function;
    auto ops = Chain(attempt, function.body, each).rolled();
    if (!ops) continue;
    attempt.body.ops = *std::move(ops);
    if (!before) before = loops_left(function);
    if (loops_left(attempt) > *before) continue;
    function = std::move(attempt);
    return true;
  }
  return false;
}

}  // namespace

void roll_chains(graph::Module& module) {
  for (Function& function : module.functions)
    while (roll_one(function)) {
    }
}

}  // namespace trainyard::compiler
