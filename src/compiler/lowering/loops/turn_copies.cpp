#include "compiler/lowering/loops/turn_copies.h"

#include <algorithm>

#include "compiler/lowering/loops/turn_states.h"
#include "graph/reads.h"

namespace trainyard::compiler {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

TurnCopies::TurnCopies(graph::Function& function, const Definitions& definitions, const Op& loop,
                       std::vector<Op>& out, std::vector<ValueId> values,
                       std::map<std::size_t, Counter> counters)
    : function_(function),
      definitions_(definitions),
      loop_(loop),
      body_(loop.regions.at(1)),
      counters_(std::move(counters)),
      write_(function, out, loop.location),
      out_(out),
      values_(std::move(values)) {
  for (const Op& op : body_.ops)
    for (const ValueId value : graph::values_read(op)) ++readers_[value];
}

void TurnCopies::write(std::int64_t turns) {
  turns_ = turns;
  find_stacks();
  for (turn_ = 0; turn_ < turns_; ++turn_) write_turn();
}

std::vector<ValueId> TurnCopies::leave() {
  for (auto& [state, stack] : stacks_)
    if (!fill(state, stack)) flush(state, stack);
  for (const auto& [state, counter] : counters_) values_[state] = counted(state, turns_);
  return values_;
}

void TurnCopies::find_stacks() {
  for (std::size_t i = 0; i < body_.arguments.size(); ++i) {
    const ValueId left = body_.ops.back().operands[i], argument = body_.arguments[i];
    const auto found = std::ranges::find_if(body_.ops, [&](const Op& op) {
      return op.kind == OpKind::dynamic_update_slice && op.results[0] == left;
    });
    if (found == body_.ops.end() || found->operands[0] != argument || readers_[argument] != 1 ||
        readers_[left] != 1)
      continue;
    const Dims &whole = shape(argument), &part = shape(found->operands[1]);
    const auto differ = std::ranges::mismatch(whole, part).in1 - whole.begin();
    const auto dim = static_cast<std::size_t>(differ);
    if (dim < whole.size() &&
        std::equal(whole.begin() + differ + 1, whole.end(), part.begin() + differ + 1))
      stacks_[i] = {.update = &*found, .dim = dim};
  }
}

// --- Numbers ---

std::optional<TurnCopies::Line> TurnCopies::line(ValueId value) const {
  if (const auto found = lines_.find(value); found != lines_.end()) return found->second;
  if (type(value) != count_type) return std::nullopt;
  const auto known = definitions_.number(value);
  return known ? std::optional(Line{.offset = static_cast<std::int64_t>(*known)}) : std::nullopt;
}

// The least and the most that it is in any turn of the loop that stays.
std::pair<std::int64_t, std::int64_t> TurnCopies::range(const Line& line) const {
  if (line.scale == 0) return {line.offset, line.offset};
  const Counter& counter = counters_.at(line.state);
  return std::minmax(
      {line.scale * counter.least + line.offset, line.scale * counter.most + line.offset});
}

std::optional<TurnCopies::Line> TurnCopies::computed(const Op& op,
                                                     const std::vector<Line>& of) const {
  switch (op.kind) {
    case OpKind::add:
    case OpKind::subtract: {
      const std::int64_t sign = op.kind == OpKind::add ? 1 : -1;
      if (of[0].scale != 0 && of[1].scale != 0 && of[0].state != of[1].state) return std::nullopt;
      return Line{of[0].scale != 0 ? of[0].state : of[1].state, of[0].scale + sign * of[1].scale,
                  of[0].offset + sign * of[1].offset};
    }
    case OpKind::reshape:
    case OpKind::convert: return of[0];
    case OpKind::select: return of[0].offset != 0 ? of[1] : of[2];
    case OpKind::compare: {
      const auto [a, b] = std::pair(range(of[0]), range(of[1]));
      if (op.text("comparison_direction") != "LT") return std::nullopt;
      if (a.second < b.first) return Line{.offset = 1};
      return a.first >= b.second ? std::optional(Line{}) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

void TurnCopies::note(const Op& op) {
  if (op.results.size() != 1 || !shape(op.results[0]).empty()) return;
  if (op.kind == OpKind::constant && type(op.results[0]).element == ElementType::s32) {
    if (const auto known = one_number(op.literal("value")))
      lines_[op.results[0]] = {.offset = static_cast<std::int64_t>(*known)};
    return;
  }
  std::vector<Line> operands;
  for (const ValueId value : op.operands) {
    const auto known = line(value);
    if (!known) return;
    operands.push_back(*known);
  }
  if (const auto made = computed(op, operands)) lines_[op.results[0]] = *made;
}

ValueId TurnCopies::counted(std::size_t state, std::int64_t steps) {
  const Counter& counter = counters_.at(state);
  const bool is_known = counter.least == counter.most;
  const Line line{.state = state,
                  .scale = is_known ? 0 : 1,
                  .offset = steps * counter.step + (is_known ? counter.least : 0)};
  const ValueId value = at(line);
  lines_[value] = line;
  return value;
}

ValueId TurnCopies::at(const Line& line) {
  if (line.scale == 0) return whole_number(write_, line.offset);
  const ValueId counter = counters_.at(line.state).value;
  if (line.scale == 1 && line.offset == 0) return counter;
  const ValueId offset = whole_number(write_, line.offset);
  if (line.scale == 1) return write_.emit(OpKind::add, {counter, offset}, Type(count_type));
  return write_.emit(OpKind::subtract, {offset, counter}, Type(count_type));
}

// --- Turns ---

void TurnCopies::write_turn() {
  names_.clear();
  write_.at(loop_.location);
  for (const auto& [state, counter] : counters_) values_[state] = counted(state, turn_);
  for (std::size_t i = 0; i < body_.arguments.size(); ++i) names_[body_.arguments[i]] = values_[i];
  for (const Op& op : body_.ops) {
    if (op.kind == OpKind::return_) break;
    if (!put(op) && !slice(op)) copy(op);
  }
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (!stacks_.contains(i)) values_[i] = now(body_.ops.back().operands[i]);
}

ValueId TurnCopies::now(ValueId value) const {
  const auto found = names_.find(value);
  return found == names_.end() ? value : found->second;
}
ValueId TurnCopies::anew(ValueId value) {
  return names_[value] = function_.add_value(Type(type(value)));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as regions are
Op TurnCopies::copied(const Op& op) {
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
void TurnCopies::copy(const Op& op) {
  out_.push_back(copied(op));
  note(out_.back());
}

std::optional<TurnCopies::Place> TurnCopies::place_of(const Op& op, std::size_t first,
                                                      const Dims& whole, const Dims& part) const {
  Place place;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    const auto found =
        whole[d] == part[d] ? std::optional(Line{}) : line(now(op.operands[first + d]));
    if (!found) return std::nullopt;
    const auto [least, most] = range(*found);
    if (least < 0 || most + part[d] > whole[d]) return std::nullopt;
    place.numbers.push_back(found->offset);
    if (found->scale == 0) continue;
    if (place.dim || std::abs(found->scale) != 1) return std::nullopt;
    place.dim = d;
    place.line = *found;
  }
  return place;
}

ValueId TurnCopies::sliced(ValueId of, const Dims& begin, const Type& part) {
  Dims end = begin;
  for (std::size_t d = 0; d < end.size(); ++d) end[d] += part.shape[d];
  return write_.emit(
      OpKind::slice, {of}, Type(part),
      {{"limit_indices", {end}}, {"start_indices", {begin}}, {"strides", {Dims(end.size(), 1)}}});
}

bool TurnCopies::slice(const Op& op) {
  if (op.kind != OpKind::dynamic_slice) return false;
  const Type part = type(op.results[0]);
  const auto place = place_of(op, 1, shape(op.operands[0]), part.shape);
  if (!place) return false;
  write_.at(op.location);
  if (!place->dim) {
    names_[op.results[0]] = sliced(now(op.operands[0]), place->numbers, part);
    return true;
  }
  const auto block = block_of(op, *place);
  if (!block) return false;
  Dims begin(part.shape.size(), 0);
  begin[*place->dim] = place->line.offset - block->first;
  names_[op.results[0]] = sliced(block->value, begin, part);
  return true;
}

std::optional<TurnCopies::Block> TurnCopies::block_of(const Op& op, const Place& place) {
  const Dims& whole = shape(op.operands[0]);
  Dims sizes = shape(op.results[0]);
  const std::int64_t pace = counters_.at(place.line.state).step * place.line.scale;
  const std::int64_t begin = place.line.offset - turn_ * pace, end = begin + (turns_ - 1) * pace;
  const std::size_t dim = *place.dim;
  if (std::abs(pace) > sizes[dim]) return std::nullopt;
  Line line = place.line;
  line.offset = std::min(begin, end);
  sizes[dim] += std::abs(end - begin);
  const auto [least, most] = range(line);
  if (least < 0 || most + sizes[dim] > whole[dim]) return std::nullopt;
  Dims key = place.numbers;
  key[dim] = line.offset;
  key.insert(key.end(), sizes.begin(), sizes.end());
  key.insert(key.end(),
             {static_cast<std::int64_t>(dim), line.scale, static_cast<std::int64_t>(line.state)});
  const auto [found, is_new] = blocks_.try_emplace({now(op.operands[0]), std::move(key)});
  if (!is_new) return found->second;
  std::vector<ValueId> operands{now(op.operands[0])};
  for (std::size_t d = 0; d < sizes.size(); ++d)
    operands.push_back(at(d == dim ? line : Line{.offset = place.numbers[d]}));
  Type part = type(op.results[0]);
  part.shape = sizes;
  const ValueId value = write_.emit(OpKind::dynamic_slice, std::move(operands), std::move(part),
                                    {{"slice_sizes", {sizes}}});
  return found->second = {value, line.offset};
}

// Whether no row that waits has a part of it.
bool TurnCopies::is_free(const Stack& stack, std::int64_t begin, std::int64_t length) const {
  const auto next = stack.rows.lower_bound(begin);
  if (next != stack.rows.end() && next->first < begin + length) return false;
  if (next == stack.rows.begin()) return true;
  const auto& [first, row] = *std::prev(next);
  return first + shape(row)[stack.dim] <= begin;
}

// Into a stack: joined behind all turns.
bool TurnCopies::put(const Op& op) {
  for (auto& [state, stack] : stacks_) {
    if (stack.update != &op) continue;
    const ValueId row = op.operands[1];
    const auto place = place_of(op, 2, shape(op.operands[0]), shape(row));
    const bool is_alike = stack.rows.empty() || (place && stack.line.state == place->line.state &&
                                                 stack.line.scale == place->line.scale);
    if (place && is_alike && is_free(stack, place->numbers[stack.dim], shape(row)[stack.dim])) {
      stack.rows.emplace(place->numbers[stack.dim], now(row));
      stack.line = place->line;
      return true;
    }
    flush(state, stack);
    names_[op.operands[0]] = values_[state];
    out_.push_back(copied(op));
    values_[state] = now(op.results[0]);
    return true;
  }
  return false;
}

// Writes the rows that wait into the stack, those that lie beside each other at once.
void TurnCopies::flush(std::size_t state, Stack& stack) {
  const std::size_t dim = stack.dim;
  const auto length = [&](ValueId row) { return shape(row)[dim]; };
  for (auto row = stack.rows.begin(); row != stack.rows.end();) {
    const std::int64_t begin = row->first;
    std::int64_t end = begin;
    std::vector<ValueId> parts;
    for (; row != stack.rows.end() && row->first == end; ++row) {
      end += length(row->second);
      parts.push_back(row->second);
    }
    Type joined = type(parts.front());
    joined.shape[dim] = end - begin;
    const ValueId put = parts.size() == 1
                            ? parts.front()
                            : write_.emit(OpKind::concatenate, std::move(parts), std::move(joined),
                                          {{"dimension", {static_cast<std::int64_t>(dim)}}});
    std::vector<ValueId> operands{values_[state], put};
    Line line = stack.line;
    line.offset = begin;
    for (std::size_t d = 0; d < shape(values_[state]).size(); ++d)
      operands.push_back(at(d == dim ? line : Line{}));
    values_[state] =
        write_.emit(OpKind::dynamic_update_slice, std::move(operands), Type(type(values_[state])));
  }
  stack.rows.clear();
}

bool TurnCopies::fill(std::size_t state, const Stack& stack) {
  std::int64_t at = 0;
  std::vector<ValueId> parts;
  for (const auto& [begin, row] : stack.rows) {
    if (begin != at) return false;
    at += shape(row)[stack.dim];
    parts.push_back(row);
  }
  const Type whole = type(values_[state]);
  if (stack.line.scale != 0 || at != whole.shape[stack.dim] || parts.empty()) return false;
  values_[state] = parts.size() == 1
                       ? parts.front()
                       : write_.emit(OpKind::concatenate, std::move(parts), Type(whole),
                                     {{"dimension", {static_cast<std::int64_t>(stack.dim)}}});
  return true;
}

}  // namespace trainyard::compiler
