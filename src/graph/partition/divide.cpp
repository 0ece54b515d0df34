// Operations divided along their factors.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "graph/partition/partitioner.h"
#include "graph/reads.h"

namespace trainyard::graph {

namespace {

using Dims = std::vector<std::int64_t>;

}  // namespace

bool Partitioner::divide(const Op& op, const Factors& factors) {
  if (pass_partial(op, factors)) return true;
  Division division{.factors = factors, .chosen = {}};
  for (const ValueId value : op.operands) settle(value);
  std::vector<const Sharding*> lie, decided;
  for (const ValueId value : op.operands) lie.push_back(&sharding(value));
  for (const ValueId value : op.results) decided.push_back(&decided_->of(value));
  division.chosen = choose(factors, lie, decided, decided_->contest(op));
  if (division.chosen.mesh == nullptr) return false;
  for (std::size_t f = 0; f < factors.all.size(); ++f) {
    const Factor::Kind kind = factors.all[f].kind;
    const Axes& axes = division.chosen.axes[f];
    if (kind != Factor::Kind::kept)
      division.partial.insert(division.partial.end(), axes.begin(), axes.end());
  }
  for (const FactorsOfDims& dims : factors.operands)
    division.operands.push_back(division.chosen.sharding(factors, dims));
  for (const FactorsOfDims& dims : factors.results)
    division.results.push_back(division.chosen.sharding(factors, dims));
  name_gathered(op, division);
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    division.parts.push_back(get(op.operands[i], division.operands[i]));
  std::set<ValueId> read;
  for (const Region& region : op.regions) add_read(region, read);
  for (const ValueId value : read) put(value, {.part = whole(value)});
  emit_divided(op, division);
  return true;
}

bool Partitioner::pass_partial(const Op& op, const Factors& factors) {
  if (op.kind != OpKind::transpose && op.kind != OpKind::reshape && op.kind != OpKind::add)
    return false;
  const Placed& first = placed(op.operands[0]);
  std::vector<const Sharding*> lie;
  std::vector<ValueId> parts;
  for (const ValueId value : op.operands) {
    const Placed& each = placed(value);
    if (each.partial.empty() || each.partial != first.partial || !facts_->is_read_once(value) ||
        !lies_alike(each.sharding, first.sharding))
      return false;
    lie.push_back(&each.sharding);
    parts.push_back(each.part);
  }
  if (op.kind == OpKind::add && op.operands[0] == op.operands[1]) return false;
  const Chosen chosen = choose(factors, lie, {}, decided_->contest(op));
  Sharding given = chosen.sharding(factors, factors.operands[0]);
  Sharding to = chosen.sharding(factors, factors.results[0]);
  if (!lies_alike(given, first.sharding)) return false;
  to.mesh = first.sharding.mesh;
  emit(op, std::move(parts), {std::move(to)}, Axes(first.partial));
  return true;
}

// What lay in parts and is computed whole, because the operation goes along it.
void Partitioner::name_gathered(const Op& op, const Division& division) {
  if (is(op.kind, Trait::move)) return;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    for (std::size_t d = 0; d < division.operands[i].dims.size(); ++d) {
      const Axes& lay = sharding(op.operands[i]).axes(d);
      const bool is_lost = std::ranges::any_of(
          lay, [&](std::size_t axis) { return !division.operands[i].uses(axis); });
      if (division.factors.operands[i][d].empty() && is_lost)
        computed_whole_.insert(
            fmt::format("{} at {}", name(op.kind), module_.describe(op.location)));
    }
  }
}

void Partitioner::emit_divided(const Op& op, Division& division) {
  for (Sharding& each : division.results) {
    if (!division.partial.empty()) each.mesh = division.chosen.mesh;
  }
  const ValueId result = op.results[0];
  if (op.kind == OpKind::scatter) return emit_scatter(op, division);
  if (op.kind == OpKind::iota) {
    put(result, {.part = iota(op, division.results[0]), .sharding = division.results[0]});
  } else if (op.kind == OpKind::constant) {
    Op mine = op;
    to_part(mine, part_of(type(result), division.results[0]));
    emit(mine, {}, division.results);
  } else if (op.kind == OpKind::gather && !division.partial.empty()) {
    return emit_gather(op, division);
  } else if (op.kind == OpKind::dynamic_update_slice) {
    return emit_update(op, division);
  } else {
    Op mine = op;
    const bool combines = std::ranges::any_of(division.factors.all, [](const Factor& factor) {
      return factor.kind == Factor::Kind::combined;
    });
    adjust(mine, division);
    emit(mine, division.parts, division.results, combines ? Axes() : division.partial);
    if (combines && !division.partial.empty()) combine(result, op.regions[0], division.partial);
  }
  if (op.kind == OpKind::broadcast_in_dim || facts_->is_remade(result))
    values_.at(result).source = &op;
}

void Partitioner::adjust(Op& op, const Division& division) const {
  if (op.operands.empty()) return;
  const Dims& shape = type(op.operands[0]).shape;
  Dims operand, result;
  for (std::size_t d = 0; d < shape.size(); ++d) operand.push_back(division.operands[0].ways(d));
  for (std::size_t d = 0; d < type(op.results[0]).shape.size(); ++d)
    result.push_back(division.results[0].ways(d));
  to_parts(op, shape, operand, result);
}

ValueId Partitioner::splat(std::int64_t value, Type type) {
  if (value == 0) {
    Literal zeros{
        .type = type,
        .content = std::vector<std::byte>(static_cast<std::size_t>(size_in_bytes(type.element))),
        .splat = true};
    return add(OpKind::constant, {}, std::move(type), {{"value", {std::move(zeros)}}});
  }
  const ValueId scalar = add(OpKind::convert, {integer(value)}, {.element = type.element});
  return type.shape.empty() ? scalar : spread(scalar, type.shape, {});
}

ValueId Partitioner::spread(ValueId value, Dims shape, Dims dims) {
  Type type{.element = main_.type(value).element, .shape = std::move(shape)};
  return add(OpKind::broadcast_in_dim, {value}, std::move(type),
             {{"broadcast_dimensions", {std::move(dims)}}});
}

// A part counts on from where it begins.
ValueId Partitioner::iota(const Op& op, const Sharding& sharding) {
  const Type part = part_of(type(op.results[0]), sharding);
  const std::int64_t along = op.integer("iota_dimension");
  const auto dim = static_cast<std::size_t>(along);
  const ValueId from_zero = add(OpKind::iota, {}, part, {{"iota_dimension", {along}}});
  if (sharding.axes(dim).empty()) return from_zero;
  const ValueId begin = begin_of_part(*sharding.mesh, sharding.axes(dim), part.shape[dim]);
  const ValueId scalar = add(OpKind::convert, {begin}, {.element = part.element});
  return add(OpKind::add, {from_zero, spread(scalar, part.shape, {})}, part);
}

ValueId Partitioner::indices_of_part(ValueId indices, const Sharding& table, std::size_t dim,
                                     std::int64_t size) {
  const Type type{.element = ElementType::s32, .shape = main_.type(indices).shape};
  const ValueId numbers =
      main_.type(indices) == type ? indices : add(OpKind::convert, {indices}, type);
  const ValueId begin = begin_of_part(*table.mesh, table.axes(dim), size / table.ways(dim));
  return add(OpKind::subtract, {numbers, spread(begin, type.shape, {})}, type);
}

// Every device looks up what it has; the others' results are zeros until they are added up.
void Partitioner::emit_gather(const Op& op, const Division& division) {
  const auto dim = static_cast<std::size_t>(op.integers("start_index_map")[0]);
  const Sharding& table = division.operands[0];
  const std::int64_t rows = type(op.operands[0]).shape[dim];
  const Type indices = main_.type(division.parts[1]);
  const ValueId clamped = add(OpKind::clamp,
                              {splat(0, {.element = indices.element}), division.parts[1],
                               splat(rows - 1, {.element = indices.element})},
                              indices);
  const ValueId mine = indices_of_part(clamped, table, dim, rows);
  const Type truth{.element = ElementType::pred, .shape = indices.shape};
  const Type numbers = main_.type(mine);
  const auto compared = [&](const char* direction, std::int64_t with) {
    return add(OpKind::compare, {mine, splat(with, numbers)}, truth,
               {{"comparison_direction", {std::string(direction)}},
                {"compare_type", {std::string("SIGNED")}}});
  };
  const ValueId low = compared("GE", 0), high = compared("LT", rows / table.ways(dim));
  ValueId is_mine = add(OpKind::and_, {low, high}, truth);
  const auto vector_dim = static_cast<std::size_t>(op.integer("index_vector_dim"));
  if (vector_dim < truth.shape.size()) {
    Type without = truth;
    without.shape.erase(without.shape.begin() + static_cast<std::ptrdiff_t>(vector_dim));
    is_mine = add(OpKind::reshape, {is_mine}, without);
  }
  Op looked_up = op;
  adjust(looked_up, division);
  emit(looked_up, {division.parts[0], mine}, division.results);
  const ValueId found = placed(op.results[0]).part;
  const Type part = main_.type(found);
  Dims dims;
  const auto offsets = op.integers("offset_dims");
  for (std::int64_t d = 0; d < part.rank(); ++d) {
    if (std::ranges::find(offsets, d) == offsets.end()) dims.push_back(d);
  }
  const ValueId chosen = add(
      OpKind::select, {spread(is_mine, part.shape, std::move(dims)), found, splat(0, part)}, part);
  put(op.results[0],
      {.part = chosen, .sharding = division.results[0], .partial = division.partial});
}

// Rows of other devices lie outside of a part, where nothing is written. What several devices add
// to the same places begins as zeros.
void Partitioner::emit_scatter(const Op& op, const Division& division) {
  std::vector<ValueId> parts = division.parts;
  const auto mapped = op.integers("scatter_dims_to_operand_dims");
  const ValueId result = op.results[0];
  const Sharding& table = division.operands[0];
  const auto dim = mapped.size() == 1 ? static_cast<std::size_t>(mapped[0]) : 0;
  if (mapped.size() == 1 && !table.axes(dim).empty())
    parts[1] = indices_of_part(parts[1], table, dim, type(result).shape[dim]);
  const bool adds = !division.partial.empty() && !facts_->is_zero(op.operands[0]);
  if (adds) parts[0] = splat(0, main_.type(parts[0]));
  emit(op, std::move(parts), division.results, division.partial);
  if (!adds) return;
  settle(result);
  const Sharding lies = sharding(result);
  const Type part = part_of(type(result), lies);
  const ValueId before = get(op.operands[0], lies);
  put(result, {.part = add(OpKind::add, {placed(result).part, before}, part), .sharding = lies});
}

}  // namespace trainyard::graph
