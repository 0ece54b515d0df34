// Places that are written into a dimension of which each device has a part, as a token into caches
// that are divided along tokens.
#include <utility>

#include "graph/partition/partitioner.h"

namespace trainyard::graph {

namespace {

using Dims = std::vector<std::int64_t>;

const Type place_type{.element = ElementType::s32};

}  // namespace

ValueId Partitioner::clamped(ValueId value, std::int64_t low, std::int64_t high) {
  return add(OpKind::clamp, {integer(low), value, integer(high)}, place_type);
}

ValueId Partitioner::slice_at(ValueId value, std::vector<ValueId> starts, const Type& type) {
  starts.insert(starts.begin(), value);
  return add(OpKind::dynamic_slice, std::move(starts), type, {{"slice_sizes", {type.shape}}});
}

// The rows of an update from `before` on, a number; what lies outside of it are zeros.
ValueId Partitioner::rows_from(ValueId update, ValueId before, std::size_t dim) {
  const Type type = main_.type(update);
  const std::int64_t rows = type.shape[dim];
  if (rows == 1) return update;
  Type padded = type;
  padded.shape[dim] = 3 * rows;
  Dims edges(type.shape.size());
  edges[dim] = rows;
  const ValueId around = add(OpKind::pad, {update, splat(0, {.element = type.element})}, padded,
                             {{"edge_padding_high", {edges}},
                              {"edge_padding_low", {edges}},
                              {"interior_padding", {Dims(edges.size())}}});
  std::vector<ValueId> starts(edges.size(), integer(0));
  starts[dim] = add(OpKind::add, {clamped(before, -rows, rows), integer(rows)}, place_type);
  return slice_at(around, std::move(starts), type);
}

// Which of as many rows as an update has, from `before` on, are among its rows.
ValueId Partitioner::are_rows(const Type& update, ValueId before, std::size_t dim) {
  const Type truth{.element = ElementType::pred, .shape = update.shape};
  const Type places{.element = ElementType::s32, .shape = update.shape};
  const auto is_at_least = [&](ValueId a, ValueId b) {
    return add(
        OpKind::compare, {a, b}, truth,
        {{"comparison_direction", {std::string("GE")}}, {"compare_type", {std::string("SIGNED")}}});
  };
  const ValueId numbered =
      add(OpKind::iota, {}, places, {{"iota_dimension", {static_cast<std::int64_t>(dim)}}});
  const ValueId row = add(OpKind::add, {numbered, spread(before, places.shape, {})}, places);
  const ValueId low = is_at_least(row, splat(0, places));
  const ValueId high = is_at_least(splat(update.shape[dim] - 1, places), row);
  return add(OpKind::and_, {low, high}, truth);
}

// Each device writes as many rows as the update has, at the nearest place in its part: those of the
// update that are its own, and what was there before for all others.
void Partitioner::emit_update(const Op& op, const Division& division) {
  std::vector<ValueId> parts = division.parts;
  const Type part = main_.type(parts[0]), update = main_.type(parts[1]);
  const Sharding& table = division.operands[0];
  const Dims& whole = type(op.operands[0]).shape;
  std::optional<ValueId> is_mine;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    if (table.axes(d).empty() || !division.factors.operands[1][d].empty()) continue;
    for (std::size_t i = 2; i < parts.size() && !is_mine; ++i) {
      if (main_.type(parts[i]) != place_type)
        parts[i] = add(OpKind::convert, {parts[i]}, place_type);
    }
    const std::int64_t rows = update.shape[d];
    ValueId& start = parts[2 + d];
    const ValueId begin = begin_of_part(*table.mesh, table.axes(d), part.shape[d]);
    const ValueId mine =
        add(OpKind::subtract, {clamped(start, 0, whole[d] - rows), begin}, place_type);
    start = clamped(mine, 0, part.shape[d] - rows);
    const ValueId before = add(OpKind::subtract, {start, mine}, place_type);
    parts[1] = rows_from(parts[1], before, d);
    const ValueId inside = are_rows(update, before, d);
    is_mine = is_mine ? add(OpKind::and_, {inside, *is_mine}, main_.type(inside)) : inside;
  }
  if (is_mine) {
    const ValueId old = slice_at(parts[0], {parts.begin() + 2, parts.end()}, update);
    parts[1] = add(OpKind::select, {*is_mine, parts[1], old}, update);
  }
  emit(op, std::move(parts), division.results);
}

}  // namespace trainyard::graph
