#include "compiler/lowering/canonical/sliced_arithmetic.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/builder.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Of smaller values the whole costs no more than an instruction.
constexpr std::int64_t sliced_elements_min = std::int64_t{1} << 16;

class SlicedArithmetic {
 public:
  explicit SlicedArithmetic(Function& function) : function_(function) {}

  // One step up; true where there was one.
  [[nodiscard]] bool step() {
    readers_.clear();
    sliced_.clear();
    broadcasts_.clear();
    arithmetic_.clear();
    count(function_.body);
    return rewrite(function_.body);
  }

 private:
  void count(const Region& region) {
    for (const Op& op : region.ops) {
      for (const ValueId value : op.operands) ++readers_[value];
      if (op.kind == OpKind::slice) {
        auto& [slices, elements] = sliced_[op.operands[0]];
        ++slices;
        elements += function_.type(op.results[0]).elements();
      }
      if (graph::is(op.kind, graph::Trait::elementwise)) arithmetic_[op.results[0]] = std::nullopt;
      if (op.kind == OpKind::transpose) arithmetic_[op.results[0]] = op.operands[0];
      if (op.kind == OpKind::broadcast_in_dim) broadcasts_.emplace(op.results[0], op);
      for (const Region& nested : op.regions) count(nested);
    }
  }

  // Also turned: a product is not, which may be computed as it is turned.
  [[nodiscard]] bool is_arithmetic(ValueId value) const {
    auto found = arithmetic_.find(value);
    while (found != arithmetic_.end() && found->second) found = arithmetic_.find(*found->second);
    return found != arithmetic_.end();
  }

  [[nodiscard]] bool is_one(const Op& op) const {
    if (op.results.size() != 1 || !is_arithmetic(op.results[0])) return false;
    const auto found = sliced_.find(op.results[0]);
    const Type& type = function_.type(op.results[0]);
    return found != sliced_.end() && type.is_static() && found->second.first > 0 &&
           found->second.first == readers_.at(op.results[0]) &&
           type.elements() >= sliced_elements_min && found->second.second <= type.elements();
  }

  ValueId sliced(ValueId value, const Op& slice, graph::Builder& write) const {
    const Dims& to = function_.type(slice.results[0]).shape;
    const Type& type = function_.type(value);
    if (type.shape.empty()) return value;  // a number for all
    const auto found = broadcasts_.find(value);
    if (found == broadcasts_.end()) {
      Type result = type;
      result.shape = to;
      return write.emit(OpKind::slice, {value}, std::move(result), slice.attributes);
    }
    const ValueId source = found->second.operands[0];
    const auto places = found->second.integers("broadcast_dimensions");
    Type part = function_.type(source);
    Dims starts, limits, strides;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      const bool repeats = part.shape[i] == 1;
      starts.push_back(repeats ? 0 : slice.integers("start_indices")[place]);
      limits.push_back(repeats ? 1 : slice.integers("limit_indices")[place]);
      strides.push_back(repeats ? 1 : slice.integers("strides")[place]);
      if (!repeats) part.shape[i] = to[place];
    }
    const bool is_whole = part.shape == function_.type(source).shape;
    const ValueId some = is_whole ? source
                                  : write.emit(OpKind::slice, {source}, std::move(part),
                                               {{"limit_indices", {std::move(limits)}},
                                                {"start_indices", {std::move(starts)}},
                                                {"strides", {std::move(strides)}}});
    return write.spread(some, {places.begin(), places.end()}, to);
  }

  // The slice of what a transposition is of.
  ValueId before_turn(const Op& turn, const Op& slice, graph::Builder& write) const {
    const auto order = turn.integers("permutation");
    graph::Dictionary attributes = slice.attributes;
    Type part = function_.type(turn.operands[0]);
    for (graph::NamedAttribute& each : attributes) {
      const auto of_result = slice.integers(each.name);
      Dims of_operand(order.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        of_operand[static_cast<std::size_t>(order[i])] = of_result[i];
      each.value = {std::move(of_operand)};
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      part.shape[static_cast<std::size_t>(order[i])] = function_.type(slice.results[0]).shape[i];
    return write.emit(OpKind::slice, {turn.operands[0]}, std::move(part), std::move(attributes));
  }

  bool rewrite(Region& region) {
    bool any = false;
    std::map<ValueId, std::int64_t> here;  // slices in this region, not in one inside
    for (const Op& op : region.ops)
      if (op.kind == OpKind::slice) ++here[op.operands[0]];
    std::map<ValueId, Op> taken;  // arithmetic that its slices do
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& nested : op.regions) any = rewrite(nested) || any;
      const auto found = op.kind == OpKind::slice ? taken.find(op.operands[0]) : taken.end();
      if (found != taken.end()) {
        graph::Builder write(function_, ops, op.location);
        Op some = found->second;
        for (ValueId& operand : some.operands)
          operand = some.kind == OpKind::transpose ? before_turn(some, op, write)
                                                   : sliced(operand, op, write);
        some.results = op.results;
        ops.push_back(std::move(some));
        any = true;
      } else if (is_one(op) && here[op.results[0]] == readers_.at(op.results[0])) {
        taken.emplace(op.results[0], op);
      } else {
        ops.push_back(std::move(op));
      }
    }
    region.ops = std::move(ops);
    return any;
  }
  Function& function_;
  std::map<ValueId, std::int64_t> readers_;
  std::map<ValueId, std::pair<std::int64_t, std::int64_t>> sliced_;  // slices, and their elements
  std::map<ValueId, Op> broadcasts_;
  std::map<ValueId, std::optional<ValueId>> arithmetic_;  // and what transpositions turn
};

}  // namespace

void slice_before_arithmetic(graph::Module& module) {
  constexpr int steps_max = 32;  // of a chain
  for (Function& function : module.functions) {
    SlicedArithmetic arithmetic(function);
    for (int i = 0; i < steps_max && arithmetic.step(); ++i) {
    }
  }
}

}  // namespace trainyard::compiler
