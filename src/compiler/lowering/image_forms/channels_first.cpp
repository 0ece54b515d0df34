#include "compiler/lowering/image_forms/channels_first.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/lowering/image_forms/image_classes.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

graph::Attribute& attribute(Op& op, std::string_view name) {
  const auto found = std::ranges::find(op.attributes, name, &graph::NamedAttribute::name);
  return found->value;
}

// Where the dimensions of a turned value come from.
Dims order_of(std::size_t rank, std::size_t first) {
  Dims order{static_cast<std::int64_t>(first)};
  for (std::size_t i = 0; i < rank; ++i) {
    if (i != first) order.push_back(static_cast<std::int64_t>(i));
  }
  return order;
}

Dims inverse(const Dims& order) {
  Dims back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return back;
}

// `size` numbers for each dimension.
Dims permuted(const Dims& numbers, const Dims& order, std::size_t size = 1) {
  Dims made;
  for (const std::int64_t dim : order) {
    const auto begin = numbers.begin() + dim * static_cast<std::int64_t>(size);
    made.insert(made.end(), begin, begin + static_cast<std::int64_t>(size));
  }
  return made;
}

class Turner {
 public:
  explicit Turner(Function& function) : function_(function), classes_(function) {}

  void run() {
    if (!classes_.any()) return;
    std::vector<Op> ops = std::move(function_.body.ops);
    const std::size_t values = function_.types.size();
    before_ = function_.types;
    for (ValueId value = 0; value < values; ++value) {
      if (const auto order = order_of(value))
        function_.types[value].shape = permuted(before_[value].shape, *order);
    }
    for (ValueId& argument : function_.body.arguments) {
      if (!order_of(argument)) continue;
      const ValueId own = plain(argument);
      turn(own, argument, 0);
      argument = own;
    }
    for (Op& op : ops) turn(std::move(op));
  }

 private:
  [[nodiscard]] std::optional<Dims> order_of(ValueId value) const {
    const auto channels = classes_.channels(value);
    if (!channels) return std::nullopt;
    return compiler::order_of(before_[value].shape.size(), *channels);
  }

  // The value as it was, in its own shape; not yet computed.
  ValueId plain(ValueId value) { return plain_[value] = function_.add_value(Type(before_[value])); }
  void transpose(ValueId from, ValueId to, Dims order, graph::LocationId location) {
    out().push_back({.kind = OpKind::transpose,
                     .operands = {from},
                     .results = {to},
                     .attributes = {{"permutation", {std::move(order)}}},
                     .location = location});
  }
  void turn(ValueId from, ValueId to, graph::LocationId location) {
    transpose(from, to, *order_of(to), location);
  }
  [[nodiscard]] std::vector<Op>& out() { return function_.body.ops; }

  void turn(Op op) {
    Turning turning = turning_of(op);
    if (turning == Turning::none) return leave(std::move(op));
    switch (turning) {
      case Turning::window: window(op); break;
      case Turning::numbers: numbers(op); break;
      case Turning::sum: return sum(std::move(op));
      case Turning::spread: spread(op); break;
      case Turning::constant: constant(op); break;
      default: break;
    }
    out().push_back(std::move(op));
  }
  // As classes were made: by the types of before.
  [[nodiscard]] Turning turning_of(const Op& op) {
    std::swap(before_, function_.types);
    const Turning found = compiler::turning_of(function_, op);
    std::swap(before_, function_.types);
    return found;
  }

  // Reads and gives values as they were.
  void leave(Op op) {
    const graph::LocationId location = op.location;
    for (ValueId& value : op.operands) value = read(value, location);
    std::vector<std::pair<ValueId, ValueId>> turned;
    for (ValueId& value : op.results) {
      if (!order_of(value)) continue;
      turned.emplace_back(plain(value), value);
      value = turned.back().first;
    }
    out().push_back(std::move(op));
    for (const auto& [from, to] : turned) turn(from, to, location);
  }

  [[nodiscard]] ValueId read(ValueId value, graph::LocationId location) {
    if (value >= before_.size() || !order_of(value)) return value;
    if (const auto found = plain_.find(value); found != plain_.end()) return found->second;
    const Dims back = inverse(*order_of(value));
    const ValueId made = plain(value);
    transpose(value, made, back, location);
    return made;
  }

  void window(Op& op) const {
    const auto order = order_of(op.results[0]);
    if (!order) return;
    for (graph::NamedAttribute& each : op.attributes) {
      auto* const numbers = std::get_if<Dims>(&each.value.value);
      if (numbers == nullptr || numbers->empty()) continue;
      *numbers = permuted(*numbers, *order, numbers->size() / order->size());
    }
  }

  void numbers(Op& op) const {
    const auto turn = [&](ValueId value, std::array<std::string_view, 3> names) {
      const auto order = order_of(value);
      if (!order) return;
      const Dims back = inverse(*order);
      for (const std::string_view name : names) {
        graph::Attribute& found = attribute(op, name);
        if (auto* const one = std::get_if<std::int64_t>(&found.value))
          *one = back[static_cast<std::size_t>(*one)];
        if (auto* const several = std::get_if<Dims>(&found.value)) {
          for (std::int64_t& dim : *several) dim = back[static_cast<std::size_t>(dim)];
        }
      }
    };
    turn(op.operands[0],
         {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"});
    turn(op.operands[1], {"kernel_output_feature_dimension", "kernel_input_feature_dimension",
                          "kernel_spatial_dimensions"});
    turn(op.results[0],
         {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"});
  }

  // The dimensions that are left over may have another order.
  void sum(Op op) {
    const auto order = order_of(op.operands[0]);
    if (!order) return leave(std::move(op));
    const Dims back = inverse(*order);
    graph::Attribute& dims = attribute(op, "dimensions");
    Dims summed = std::get<Dims>(dims.value), left;
    for (std::int64_t& dim : summed) dim = back[static_cast<std::size_t>(dim)];
    std::ranges::sort(summed);
    for (std::size_t i = 0; i < order->size(); ++i) {
      if (std::ranges::find(summed, static_cast<std::int64_t>(i)) == summed.end())
        left.push_back((*order)[i]);
    }
    dims.value = summed;
    const ValueId result = op.results[0];
    const bool is_turned = order_of(result).has_value();
    if (std::ranges::is_sorted(left) && !is_turned) return out().push_back(std::move(op));
    Dims sorted = left, places;
    std::ranges::sort(sorted);
    for (const std::int64_t dim : sorted)
      places.push_back(std::ranges::find(left, dim) - left.begin());
    Type made = before_[result];
    made.shape = permuted(before_[result].shape, inverse(places));
    op.results[0] = function_.add_value(std::move(made));
    const ValueId from = op.results[0];
    const graph::LocationId location = op.location;
    out().push_back(std::move(op));
    const ValueId to = is_turned ? plain(result) : result;
    transpose(from, to, places, location);
    if (is_turned) turn(to, result, location);
  }

  // Dimensions of one element are dropped, so that the others are in order.
  void spread(Op& op) {
    op.operands[0] = read(op.operands[0], op.location);
    const auto order = order_of(op.results[0]);
    if (!order) return;
    const Dims back = inverse(*order);
    Dims& places = std::get<Dims>(attribute(op, "broadcast_dimensions").value);
    Type type = function_.type(op.operands[0]);
    Dims kept, shape;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (type.shape[i] == 1) continue;
      kept.push_back(back[static_cast<std::size_t>(places[i])]);
      shape.push_back(type.shape[i]);
    }
    places = kept;
    if (shape == type.shape) return;
    type.shape = shape;
    const ValueId dense = function_.add_value(std::move(type));
    out().push_back({.kind = OpKind::reshape,
                     .operands = {op.operands[0]},
                     .results = {dense},
                     .location = op.location});
    op.operands[0] = dense;
  }

  void constant(Op& op) const {
    if (order_of(op.results[0]))
      std::get<graph::Literal>(attribute(op, "value").value).type = function_.type(op.results[0]);
  }

  Function& function_;
  ImageClasses classes_;
  std::deque<Type> before_;
  std::map<ValueId, ValueId> plain_;  // of values that are turned
};

}  // namespace

void put_channels_first(graph::Module& module) {
  for (Function& function : module.functions) Turner(function).run();
}

}  // namespace trainyard::compiler
