#include "compiler/lowering/loops/turn_batch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "graph/evaluate.h"
#include "graph/values.h"

namespace trainyard::compiler {

using graph::Dictionary;
using graph::ElementType;
using graph::Literal;
using graph::Op;
using graph::OpKind;
using graph::Trait;
using graph::Type;
using graph::ValueId;

namespace {

std::vector<std::int64_t> with_last(std::span<const std::int64_t> others, std::int64_t last) {
  std::vector<std::int64_t> all(others.begin(), others.end());
  all.push_back(last);
  return all;
}

Type batched(Type type, std::int64_t turns) {
  type.shape.push_back(turns);
  return type;
}

std::vector<std::int64_t> integers_of_literal(const Literal& literal) {
  std::vector<std::int64_t> all;
  const std::vector<std::byte> bytes = literal.expanded();
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(literal.type.element));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[at], size);
    const int unused = 64 - static_cast<int>(8 * size);
    all.push_back(graph::is_signed(literal.type.element)
                      ? static_cast<std::int64_t>(word << unused) >> unused
                      : static_cast<std::int64_t>(word));
  }
  return all;
}

}  // namespace

TurnBatch::TurnBatch(graph::Function& function, std::vector<Op>& out, std::int64_t turns)
    : function_(function), write_(function, out, 0), turns_(turns) {}

std::optional<TurnBatch::Batched> TurnBatch::find(ValueId value) const {
  const auto found = known_.find(value);
  return found == known_.end() ? Batched{value} : found->second;
}

void TurnBatch::define_counter(ValueId value, std::int64_t first, std::int64_t step) {
  const ElementType element = type(value).element;
  Literal all{.type = {.element = element, .shape = {turns_}}};
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(element));
  all.content.resize(static_cast<std::size_t>(turns_) * size);
  for (std::int64_t t = 0; t < turns_; ++t) {
    const std::int64_t number = first + t * step;
    std::memcpy(&all.content[static_cast<std::size_t>(t) * size], &number, size);
  }
  numbers_[value] = all;
  define(value, {write_.constant(std::move(all)), true});
}

void TurnBatch::note_constant(const Op& op) {
  if (op.kind == OpKind::constant && type(op.results[0]).shape.empty())
    numbers_[op.results[0]] = op.literal("value");
}

const Literal* TurnBatch::numbers_of(ValueId value) const {
  const auto found = numbers_.find(value);
  return found == numbers_.end() ? nullptr : &found->second;
}

bool TurnBatch::is_ready(const Op& op) const {
  return std::ranges::all_of(op.operands,
                             [&](ValueId operand) { return find(operand).has_value(); });
}

// Scalars that follow from counters and constants alone are known as numbers, too.
void TurnBatch::note_numbers(const Op& op) {
  if (op.kind == OpKind::constant) return note_constant(op);
  const bool is_number = op.results.size() == 1 && graph::is(op.kind, Trait::elementwise) &&
                         type(op.results[0]).shape.empty() &&
                         !graph::is_float(type(op.results[0]).element);
  if (!is_number || !std::ranges::all_of(op.operands, [&](ValueId operand) {
        return numbers_of(operand) != nullptr && !graph::is_float(type(operand).element);
      }))
    return;
  const bool varies = std::ranges::any_of(
      op.operands, [&](ValueId operand) { return !numbers_of(operand)->type.shape.empty(); });
  graph::ModuleBuilder program("numbers");
  Op alone = op;
  for (ValueId& operand : alone.operands) {
    Literal literal = *numbers_of(operand);
    if (varies && literal.type.shape.empty()) {
      literal.type.shape = {turns_};
      literal.splat = true;
    }
    operand = program.ops().constant(std::move(literal));
  }
  Type result = type(op.results[0]);
  if (varies) result.shape = {turns_};
  const ValueId made =
      program.ops().emit(op.kind, alone.operands, std::move(result), alone.attributes);
  numbers_[op.results[0]] = graph::evaluate(program.finish({made}), {}).front();
}

bool TurnBatch::add(const Op& op) {
  if (op.results.size() != 1 || !type(op.results[0]).is_static() ||
      type(op.results[0]).kind != Type::Kind::tensor)
    return false;
  write_.at(op.location);
  note_numbers(op);
  const bool varies =
      std::ranges::any_of(op.operands, [&](ValueId operand) { return find(operand)->varies; });
  if (!varies) return add_invariant(op);
  if (graph::is(op.kind, Trait::elementwise)) return add_elementwise(op);
  if (op.kind == OpKind::dynamic_slice) return add_slice_of_turn(op);
  if (op.kind == OpKind::reduce) return add_sum(op);
  if (op.kind == OpKind::dot_general) return add_product(op);
  return add_moved(op);
}

bool TurnBatch::add_invariant(const Op& op) {
  if (graph::is(op.kind, Trait::collective) || graph::is(op.kind, Trait::control) ||
      graph::is(op.kind, Trait::host) || graph::is(op.kind, Trait::product) ||
      op.kind == OpKind::custom_call || op.kind == OpKind::call || !op.regions.empty())
    return false;
  std::vector<ValueId> operands;
  for (const ValueId operand : op.operands) operands.push_back(find(operand)->value);
  define(op.results[0],
         {write_.emit(op.kind, std::move(operands), Type(type(op.results[0])), op.attributes)});
  return true;
}

ValueId TurnBatch::in_all_turns(ValueId value) {
  const Batched known = find(value).value();
  if (known.varies) return known.value;
  const auto& shape = type(value).shape;
  std::vector<std::int64_t> places;
  for (std::size_t d = 0; d < shape.size(); ++d) places.push_back(static_cast<std::int64_t>(d));
  return write_.spread(known.value, std::move(places), with_last(shape, turns_));
}

bool TurnBatch::finish(const Op& op, std::vector<ValueId> operands, Dictionary attributes) {
  define(op.results[0], {write_.emit(op.kind, std::move(operands),
                                     batched(type(op.results[0]), turns_), std::move(attributes)),
                         true});
  return true;
}

// A scalar beside larger operands (the predicate of select, the bounds of clamp) is one a turn.
bool TurnBatch::add_elementwise(const Op& op) {
  const auto& shape = type(op.results[0]).shape;
  std::vector<ValueId> operands;
  for (const ValueId operand : op.operands) {
    ValueId all = in_all_turns(operand);
    if (type(operand).shape != shape) {
      if (!type(operand).shape.empty()) return false;
      all = write_.spread(all, {std::ssize(shape)}, with_last(shape, turns_));
    }
    operands.push_back(all);
  }
  return finish(op, std::move(operands), op.attributes);
}

bool TurnBatch::add_moved(const Op& op) {
  Op moved{.kind = op.kind, .attributes = op.attributes};
  const auto lengthen = [&](std::string_view name, std::int64_t last) {
    moved.set(name, {with_last(op.integers(name), last)});
  };
  switch (op.kind) {
    case OpKind::reshape:
    case OpKind::reverse:
    case OpKind::concatenate: break;
    case OpKind::transpose: lengthen("permutation", type(op.results[0]).rank()); break;
    case OpKind::broadcast_in_dim:
      lengthen("broadcast_dimensions", type(op.results[0]).rank());
      break;
    case OpKind::slice:
      lengthen("start_indices", 0);
      lengthen("limit_indices", turns_);
      lengthen("strides", 1);
      break;
    case OpKind::pad:
      if (find(op.operands[1])->varies) return false;
      for (const std::string_view name :
           {"edge_padding_low", "edge_padding_high", "interior_padding"})
        lengthen(name, 0);
      return finish(op, {in_all_turns(op.operands[0]), find(op.operands[1])->value},
                    std::move(moved.attributes));
    default: return false;
  }
  std::vector<ValueId> operands;
  for (const ValueId operand : op.operands) operands.push_back(in_all_turns(operand));
  return finish(op, std::move(operands), std::move(moved.attributes));
}

// Reduced by one operation.
bool TurnBatch::add_sum(const Op& op) {
  if (op.operands.size() != 2 || find(op.operands[1])->varies || op.regions[0].ops.size() != 2)
    return false;
  const Op& by = op.regions[0].ops.front();
  if (!graph::is(by.kind, Trait::fold) || by.operands.size() != 2) return false;
  const ElementType element = type(op.results[0]).element;
  define(op.results[0],
         {write_.emit(op.kind, {in_all_turns(op.operands[0]), find(op.operands[1])->value},
                      batched(type(op.results[0]), turns_), op.attributes,
                      {write_.combining(by.kind, element)}),
          true});
  return true;
}

// Turns are a batch of both operands, or a dimension of the one that varies.
bool TurnBatch::add_product(const Op& op) {
  has_products_ = true;
  Op made{.kind = op.kind, .attributes = op.attributes};
  std::vector<ValueId> operands;
  bool all_vary = true;
  for (const ValueId operand : op.operands) {
    operands.push_back(find(operand)->value);
    all_vary = all_vary && find(operand)->varies;
  }
  const auto lhs = type(op.operands[0]).rank(), rhs = type(op.operands[1]).rank();
  const std::int64_t batches = std::ssize(op.integers("lhs_batching_dimensions")),
                     summed = std::ssize(op.integers("lhs_contracting_dimensions"));
  if (all_vary) {
    for (const auto& [name, last] :
         {std::pair{"lhs_batching_dimensions", lhs}, std::pair{"rhs_batching_dimensions", rhs}})
      made.set(name, {with_last(op.integers(name), last)});
  }
  // Where turns stand in the product: behind the batches, behind what is left of the first
  // operand, or last.
  const std::int64_t rank = type(op.results[0]).rank();
  const std::int64_t turns_at = all_vary                       ? batches
                                : find(op.operands[0])->varies ? lhs - summed
                                                               : rank;
  Type product = type(op.results[0]);
  product.shape.insert(product.shape.begin() + turns_at, turns_);
  std::vector<std::int64_t> order;
  for (std::int64_t d = 0; d <= rank; ++d) {
    if (d != turns_at) order.push_back(d);
  }
  order.push_back(turns_at);
  const ValueId value =
      write_.emit(op.kind, std::move(operands), std::move(product), std::move(made.attributes));
  define(op.results[0], {write_.turned(value, std::move(order)), true});
  return true;
}

std::optional<TurnBatch::Place> TurnBatch::place_of(const Op& op, std::size_t from,
                                                    const std::vector<std::int64_t>& shape) const {
  std::optional<Place> found;
  const auto& whole = type(op.operands[0]).shape;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    const Literal* const numbers = numbers_of(op.operands.at(from + d));
    if (numbers == nullptr) return std::nullopt;
    const std::int64_t most = whole[d] - shape[d];
    if (most == 0) continue;  // wherever it points
    std::vector<std::int64_t> places = integers_of_literal(*numbers);
    for (std::int64_t& place : places) place = std::clamp<std::int64_t>(place, 0, most);
    if (places.size() == 1 && turns_ > 1) return std::nullopt;
    const std::int64_t step = turns_ > 1 ? places[1] - places[0] : 1;
    if (found || shape[d] != 1 || (step != 1 && step != -1)) return std::nullopt;
    for (std::size_t t = 1; t < places.size(); ++t) {
      if (places[t] - places[t - 1] != step) return std::nullopt;
    }
    found = Place{d, {.first = std::min(places.front(), places.back()), .is_backward = step < 0}};
  }
  if (!found && turns_ == 1) return Place{};
  return found;
}

ValueId TurnBatch::by_place(ValueId stacked, const Place& place) {
  const auto dim = static_cast<std::int64_t>(place.dim);
  ValueId part = stacked;
  if (type(stacked).shape[place.dim] != turns_)
    part = write_.sliced(stacked, dim, place.run.first, place.run.first + turns_);
  if (place.run.is_backward)
    part = write_.emit(OpKind::reverse, {part}, Type(type(part)),
                       {{"dimensions", {std::vector{dim}}}});
  return part;
}

bool TurnBatch::add_slice_of_turn(const Op& op) {
  const auto& shape = type(op.results[0]).shape;
  if (find(op.operands[0])->varies) return false;
  const std::optional<Place> place = place_of(op, 1, shape);
  if (!place || shape.empty()) return false;
  has_slices_ = true;
  const ValueId part = by_place(find(op.operands[0])->value, *place);
  std::vector<std::int64_t> order;
  for (std::int64_t d = 0; d < type(part).rank(); ++d) {
    if (d != static_cast<std::int64_t>(place->dim)) order.push_back(d);
  }
  order.push_back(static_cast<std::int64_t>(place->dim));
  const ValueId last = write_.turned(part, std::move(order));
  define(op.results[0], {write_.reshape(last, with_last(shape, turns_)), true});
  return true;
}

ValueId TurnBatch::before_turns(ValueId initial, ValueId after) {
  const auto& shape = type(initial).shape;
  const auto last = std::ssize(shape);
  const ValueId first = write_.reshape(initial, with_last(shape, 1));
  if (turns_ == 1) return first;
  const ValueId others = write_.sliced(after, last, 0, turns_ - 1);
  return write_.emit(OpKind::concatenate, {first, others}, Type(type(after)),
                     {{"dimension", {std::int64_t{last}}}});
}

ValueId TurnBatch::last_of(ValueId all) {
  const auto& shape = type(all).shape;
  const ValueId last = write_.sliced(all, std::ssize(shape) - 1, turns_ - 1, turns_);
  return write_.reshape(last, {shape.begin(), shape.end() - 1});
}

}  // namespace trainyard::compiler
