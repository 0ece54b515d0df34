#include "compiler/lowering/reductions/fold.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "compiler/lowering/images/pooling.h"
#include "compiler/lowering/images/sliding.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/reductions/running.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/nodes.h"
#include "compiler/lowering/walk/region.h"

namespace trainyard::compiler {

namespace {

using graph::Type;
using Sizes = std::vector<std::int64_t>;

// Some values of one shape that a region takes together.
class Values {
 public:
  Values(Lowerer& lowerer, const graph::Op& op)
      : lowerer_(lowerer), region_(lowerer, op.regions.at(0)) {
    for (const graph::ValueId value : op.results) elements_.push_back(lowerer.type(value).element);
  }

  [[nodiscard]] std::size_t count() const { return elements_.size(); }
  [[nodiscard]] Type type(std::size_t i, const Sizes& shape) const {
    return {.element = elements_[i], .shape = shape};
  }
  // The region on two lists of values, stored in `to`.
  void combine(const std::vector<Strided>& left, const std::vector<Strided>& right,
               const std::vector<Strided>& to) {
    const Sizes shape = to.front().shape();
    std::vector<NodeId> arguments;
    for (const std::vector<Strided>* side : {&left, &right}) {
      for (std::size_t i = 0; i < count(); ++i)
        arguments.push_back(lowerer_.segment().add_view(type(i, shape), (*side)[i]));
    }
    const std::vector<NodeId> results = region_.apply(arguments, shape);
    for (std::size_t i = 0; i < count(); ++i) lowerer_.segment().store(results[i], to[i]);
  }
  [[nodiscard]] std::vector<Strided> fresh_places(const Sizes& shape) {
    std::vector<Strided> places;
    for (std::size_t i = 0; i < count(); ++i) places.push_back(fresh(lowerer_, type(i, shape)));
    return places;
  }

 private:
  Lowerer& lowerer_;
  ElementRegion region_;
  std::vector<graph::ElementType> elements_;
};

// Elements first, first + step ... of a dimension, `size` of them.
std::vector<Strided> every(const std::vector<Strided>& values, std::size_t dim, std::int64_t first,
                           std::int64_t step, std::int64_t size) {
  std::vector<Strided> part = values;
  for (Strided& value : part) {
    value.offset += first * value.dims[dim].step;
    value.dims[dim] = {size, value.dims[dim].step * step};
  }
  return part;
}

void copy_all(Lowerer& lowerer, const std::vector<Strided>& from, const std::vector<Strided>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) copy(lowerer.segment().emitter(), from[i], to[i]);
}

std::vector<Strided> without(std::vector<Strided> values, const Sizes& dims) {
  for (Strided& value : values) {
    for (std::size_t i = value.dims.size(); i-- > 0;) {
      if (std::ranges::find(dims, static_cast<std::int64_t>(i)) != dims.end())
        value.dims.erase(value.dims.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return values;
}

// The values and initial values of a reduction; nothing where its region does not lower or the
// types of what goes in and comes out differ.
struct Inputs {
  std::vector<Strided> values, initial;
};
std::optional<Inputs> inputs_of(Lowerer& lowerer, const graph::Op& op) {
  const std::size_t count = op.results.size();
  if (!ElementRegion(lowerer, op.regions.at(0)).lowers()) return std::nullopt;
  Inputs inputs;
  for (std::size_t i = 0; i < count; ++i) {
    const Type& type = lowerer.type(op.operands[i]);
    if (type.elements() == 0 || type.element != lowerer.type(op.results[i]).element ||
        type.element != lowerer.type(op.operands[count + i]).element)
      return std::nullopt;
    inputs.values.push_back(lowerer.segment().stored(lowerer.node(op.operands[i])));
    // A number stays one for others, who may know it then.
    NodeId initial = lowerer.node(op.operands[count + i]);
    if (const Node& node = lowerer.segment().node(initial); node.kind == Node::Kind::number)
      initial = number_node(lowerer, Type(node.type), node.number);
    inputs.initial.push_back(lowerer.segment().stored(initial));
  }
  return inputs;
}

// Halves a dimension until one element is left.
std::vector<Strided> folded(Lowerer& lowerer, Values& values, std::vector<Strided> data,
                            std::size_t dim) {
  for (std::int64_t size = data.front().dims[dim].size; size > 1; size = (size + 1) / 2) {
    Sizes shape = data.front().shape();
    shape[dim] = (size + 1) / 2;
    const std::vector<Strided> next = values.fresh_places(shape);
    const std::int64_t pairs = size / 2;
    values.combine(every(data, dim, 0, 2, pairs), every(data, dim, 1, 2, pairs),
                   every(next, dim, 0, 1, pairs));
    if (size % 2 != 0)
      copy_all(lowerer, every(data, dim, size - 1, 1, 1), every(next, dim, pairs, 1, 1));
    data = next;
  }
  return data;
}

bool define_all(Lowerer& lowerer, const graph::Op& op, const std::vector<Strided>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    lowerer.define(op.results[i],
                   lowerer.segment().add_view(lowerer.type(op.results[i]), values[i]));
  return true;
}

// The dimension along which each window holds all elements up to one, or from one on.
struct Running {
  std::size_t dim = 0;
  bool is_backward = false;
};
std::optional<Running> running_of(const std::vector<Sliding>& sliding, const Type& type) {
  std::optional<Running> found;
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    const Sliding& how = sliding[i];
    if (how.stride != 1 || how.apart != 1 || how.dilation != 1) return std::nullopt;
    if (how.size == 1 && how.low == 0 && how.high == 0) continue;
    const bool is_whole = how.size == type.shape[i] && how.low + how.high == how.size - 1;
    if (found || !is_whole || (how.low != 0 && how.high != 0)) return std::nullopt;
    found = {.dim = i, .is_backward = how.low == 0};
  }
  return found;
}

// Each element with the one `distance` before it, the distance doubling.
std::vector<Strided> running(Lowerer& lowerer, Values& values, std::vector<Strided> data,
                             std::size_t dim) {
  const Sizes shape = data.front().shape();
  for (std::int64_t distance = 1; distance < shape[dim]; distance *= 2) {
    const std::vector<Strided> next = values.fresh_places(shape);
    const std::int64_t rest = shape[dim] - distance;
    copy_all(lowerer, every(data, dim, 0, 1, distance), every(next, dim, 0, 1, distance));
    values.combine(every(data, dim, 0, 1, rest), every(data, dim, distance, 1, rest),
                   every(next, dim, distance, 1, rest));
    data = next;
  }
  return data;
}

bool lower_running(Lowerer& lowerer, const graph::Op& op, const Inputs& inputs, Running how) {
  Values values(lowerer, op);
  std::vector<Strided> data = inputs.values;
  const auto turned = [&](std::vector<Strided> all) {
    for (Strided& value : all) value = reversed_along(value, how.dim);
    return all;
  };
  if (how.is_backward) data = turned(std::move(data));
  const graph::ElementType element = lowerer.type(op.results[0]).element;
  lowerer.segment().emitter().at(op.location);
  const auto alu = reduction_of(op.regions.at(0), element).value_or(numerics::AluOp::bitwise_and);
  if (graph::is_float(element) && runs(alu)) {
    const std::vector<Strided> sums = values.fresh_places(data.front().shape());
    run_along(lowerer.segment().emitter(), alu, data.front(), sums.front(), how.dim);
    data = sums;
  } else {
    data = running(lowerer, values, std::move(data), how.dim);
  }
  // The initial value stands in the padding of every window but the longest.
  return define_all(lowerer, op, how.is_backward ? turned(std::move(data)) : std::move(data));
}

// What folding with it changes nothing, as far as it is known.
bool is_neutral(Lowerer& lowerer, const graph::Op& op, numerics::AluOp alu) {
  const Node& initial = lowerer.segment().node(lowerer.node(op.operands[op.results.size()]));
  if (initial.kind != Node::Kind::number) return false;
  switch (alu) {
    case numerics::AluOp::add: return initial.number == 0;
    case numerics::AluOp::multiply: return initial.number == 1;
    case numerics::AluOp::maximum:
      return initial.number == -std::numeric_limits<double>::infinity();
    case numerics::AluOp::minimum: return initial.number == std::numeric_limits<double>::infinity();
    default: return false;
  }
}

}  // namespace

bool fold(Lowerer& lowerer, const graph::Op& op) {
  std::optional<Inputs> inputs = inputs_of(lowerer, op);
  if (!inputs) return false;
  Values values(lowerer, op);
  const std::span<const std::int64_t> named = op.integers("dimensions");
  const Sizes dims(named.begin(), named.end());
  lowerer.segment().emitter().at(op.location);
  std::vector<Strided> data = inputs->values;
  for (const std::int64_t dim : dims)
    data = folded(lowerer, values, std::move(data), static_cast<std::size_t>(dim));
  data = without(std::move(data), dims);
  const Sizes shape = data.front().shape();
  for (Strided& value : inputs->initial) value = broadcast(value, {}, shape);
  const std::vector<Strided> result = values.fresh_places(shape);
  values.combine(inputs->initial, data, result);
  return define_all(lowerer, op, result);
}

bool reduce_window(Lowerer& lowerer, const graph::Op& op) {
  constexpr std::int64_t taps_max = 64;
  const Type type = lowerer.type(op.operands[0]);
  if (lowerer.type(op.results[0]).elements() == 0) return false;
  const std::vector<Sliding> sliding = sliding_of(op);
  std::int64_t taps = 1;
  for (const Sliding& how : sliding) taps *= how.size;
  const std::optional<Running> how = running_of(sliding, type);
  const std::size_t count = op.results.size();
  if (how && type.shape[how->dim] > 1 && count == 1) {
    const auto alu = reduction_of(op.regions.at(0), type.element);
    if (alu && is_neutral(lowerer, op, *alu)) {
      const std::optional<Inputs> inputs = inputs_of(lowerer, op);
      return inputs && lower_running(lowerer, op, *inputs, *how);
    }
  }
  if (taps > taps_max) return false;
  if (count == 1) {
    const auto alu = reduction_of(op.regions.at(0), type.element);
    if (alu && is_neutral(lowerer, op, *alu) && pool_image(lowerer, op, *alu, sliding)) return true;
  }
  const std::optional<Inputs> inputs = inputs_of(lowerer, op);
  if (!inputs) return false;
  lowerer.segment().emitter().at(op.location);
  const ElementRegion region(lowerer, op.regions.at(0));
  std::vector<Windowed> windowed;
  std::vector<NodeId> sums;
  const Sizes shape = lowerer.type(op.results[0]).shape;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId initial = lowerer.node(op.operands[count + i]);
    windowed.emplace_back(lowerer, lowerer.node(op.operands[i]), initial, sliding);
    sums.push_back(spread(lowerer, initial, lowerer.type(op.results[i])));
  }
  windowed.front().for_each_tap([&](std::span<const std::int64_t> at) {
    std::vector<NodeId> arguments = sums;
    for (std::size_t i = 0; i < count; ++i)
      arguments.push_back(
          lowerer.segment().add_view(lowerer.type(op.results[i]), windowed[i].tap(at)));
    sums = region.apply(arguments, shape);
    if (count == 1 && op.regions.at(0).ops.size() == 2) return;  // one operation: one fused group
    for (const NodeId sum : sums) lowerer.segment().stored(sum);
  });
  for (std::size_t i = 0; i < count; ++i) lowerer.define(op.results[i], sums[i]);
  return true;
}

bool linear_scan(Lowerer& lowerer, const graph::Op& op) {
  Segment& segment = lowerer.segment();
  std::vector<Strided> given;
  for (const graph::ValueId operand : op.operands)
    given.push_back(segment.stored(lowerer.node(operand)));
  const Strided states = fresh(lowerer, lowerer.type(op.results[0]));
  segment.emitter().at(op.location);
  scan_linearly(segment, given[0], given[1], given[2], states);
  return define_all(lowerer, op, {states});
}

}  // namespace trainyard::compiler
