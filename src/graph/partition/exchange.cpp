// Values that lie otherwise than they are wanted: cut, gathered, added up.
#include <algorithm>
#include <cstring>
#include <utility>

#include "graph/builder.h"
#include "graph/partition/partitioner.h"

namespace trainyard::graph {

namespace {

template <typename T>
Literal literal(ElementType element, std::vector<std::int64_t> shape, const std::vector<T>& all) {
  Literal result{.type = {.element = element, .shape = std::move(shape)},
                 .content = std::vector<std::byte>(all.size() * sizeof(T))};
  std::memcpy(result.content.data(), all.data(), result.content.size());
  return result;
}

Literal replica_groups(const Mesh& mesh, const Axes& axes) {
  const std::vector<std::vector<std::int64_t>> groups = groups_along(mesh, axes);
  std::vector<std::int64_t> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return literal(ElementType::s64, {std::ssize(groups), std::ssize(groups.front())}, all);
}

Axes rest_of(const Axes& axes, std::size_t begin) {
  return {axes.begin() + static_cast<std::ptrdiff_t>(begin), axes.end()};
}

std::size_t common(const Axes& a, const Axes& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

Axes joined(Axes a, const Axes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool is_free(const Sharding& sharding, const Axes& axes) {
  return std::ranges::none_of(axes, [&](std::size_t axis) { return sharding.uses(axis); });
}

}  // namespace

ValueId Partitioner::get(ValueId value, const Sharding& wanted) {
  settle(value);
  const Placed placed = values_.at(value);
  if (lies_alike(placed.sharding, wanted)) return placed.part;
  if (ValueId part = 0; placed.source != nullptr && again(*placed.source, wanted, part))
    return part;
  for (const Known& known : known_) {
    if (known.part == placed.part && lies_alike(known.sharding, wanted)) return known.moved;
  }
  const ValueId result = moved(value, placed, wanted);
  known_.push_back({placed.part, wanted, result});
  return result;
}

ValueId Partitioner::moved(ValueId value, const Placed& placed, const Sharding& wanted) {
  const Type& whole = type(value);
  ValueId part = placed.part;
  Sharding from = placed.sharding;
  from.dims.resize(whole.shape.size());
  Sharding to = wanted;
  to.dims.resize(whole.shape.size());
  if (from.is_whole() && to.mesh != nullptr) from.mesh = to.mesh;
  if (to.mesh == nullptr) to.mesh = from.mesh;
  const bool is_same_mesh = *from.mesh == *to.mesh;
  if (is_same_mesh) {
    while (swap(part, whole, from, to)) {
    }
    for (std::size_t d = 0; d < from.dims.size(); ++d) {
      const std::size_t same = common(from.dims[d], to.dims[d]);
      const Axes more = rest_of(to.dims[d], same);
      if (same == from.dims[d].size() && !more.empty() && is_free(from, more))
        part = cut(part, whole, from, d, more);
    }
  }
  for (std::size_t d = 0; d < from.dims.size(); ++d) {
    const std::size_t same = is_same_mesh ? common(from.dims[d], to.dims[d]) : 0;
    if (same < from.dims[d].size()) part = gathered(part, whole, from, d, same);
  }
  if (!is_same_mesh) from.mesh = to.mesh;
  for (std::size_t d = 0; d < from.dims.size(); ++d) {
    const Axes more = rest_of(to.dims[d], from.dims[d].size());
    if (!more.empty()) part = cut(part, whole, from, d, more);
  }
  return part;
}

void Partitioner::settle(ValueId value) {
  const Placed placed = values_.at(value);
  if (placed.partial.empty()) return;
  Sharding reached = placed.sharding;
  const ValueId part = added_up(placed, type(value), decided_->of(value), reached);
  put(value, {.part = part, .sharding = std::move(reached)});
}

// Scattered where the wanted parts are those of the sum.
ValueId Partitioner::added_up(const Placed& placed, const Type& whole, const Sharding& wanted,
                              Sharding& reached) {
  const Mesh& mesh = *placed.sharding.mesh;
  ValueId part = placed.part;
  Axes left = placed.partial;
  reached.dims.resize(whole.shape.size());
  for (std::size_t d = 0; d < whole.shape.size(); ++d) {
    if (wanted.mesh == nullptr || *wanted.mesh != mesh) break;
    Axes& now = reached.dims[d];
    Axes more;
    if (common(now, wanted.axes(d)) == now.size()) more = rest_of(wanted.axes(d), now.size());
    const auto other = std::ranges::find_if(
        more, [&](std::size_t axis) { return std::ranges::find(left, axis) == left.end(); });
    more.erase(other, more.end());
    if (more.empty()) continue;
    now = joined(now, more);
    std::erase_if(left,
                  [&](std::size_t axis) { return std::ranges::find(more, axis) != more.end(); });
    part = add(OpKind::reduce_scatter, {part}, part_of(whole, reached),
               {{"replica_groups", {replica_groups(mesh, more)}},
                {"scatter_dimension", {static_cast<std::int64_t>(d)}}},
               {sum_region(whole.element)});
  }
  if (left.empty()) return part;
  part = add(OpKind::all_reduce, {part}, part_of(whole, reached),
             {{"replica_groups", {replica_groups(mesh, left)}}}, {sum_region(whole.element)});
  sums_[part] = {placed.sharding.mesh, std::move(left)};
  return part;
}

Literal Partitioner::groups(const Mesh& mesh, const Axes& axes) {
  return replica_groups(mesh, axes);
}

void Partitioner::combine(ValueId value, const Region& region, const Axes& axes) {
  const Placed placed = values_.at(value);
  std::vector<Region> regions{copy(region)};
  const ValueId part =
      add(OpKind::all_reduce, {placed.part}, part_of(type(value), placed.sharding),
          {{"replica_groups", {replica_groups(*placed.sharding.mesh, axes)}}}, std::move(regions));
  put(value, {.part = part, .sharding = placed.sharding});
}

Region Partitioner::sum_region(ElementType element) {
  return Builder(main_, ops_, location_).combining(OpKind::add, element);
}

ValueId Partitioner::gathered(ValueId part, const Type& whole, Sharding& from, std::size_t dim,
                              std::size_t kept) {
  const Axes axes = rest_of(from.dims[dim], kept);
  from.dims[dim].resize(kept);
  return add(OpKind::all_gather, {part}, part_of(whole, from),
             {{"all_gather_dim", {static_cast<std::int64_t>(dim)}},
              {"replica_groups", {replica_groups(*from.mesh, axes)}}});
}

// Axes that divide one dimension and are wanted in another one: each device sends each a piece.
bool Partitioner::swap(ValueId& part, const Type& whole, Sharding& from, const Sharding& to) {
  for (std::size_t i = 0; i < from.dims.size(); ++i) {
    const std::size_t same = common(from.dims[i], to.dims[i]);
    const Axes moves = rest_of(from.dims[i], same);
    if (moves.empty() || same != to.dims[i].size()) continue;
    for (std::size_t j = 0; j < from.dims.size(); ++j) {
      if (j == i || to.dims[j] != joined(from.dims[j], moves)) continue;
      from.dims[i].resize(same);
      from.dims[j] = to.dims[j];
      part = add(OpKind::all_to_all, {part}, part_of(whole, from),
                 {{"concat_dimension", {static_cast<std::int64_t>(i)}},
                  {"replica_groups", {replica_groups(*from.mesh, moves)}},
                  {"split_count", {size_of(*from.mesh, moves)}},
                  {"split_dimension", {static_cast<std::int64_t>(j)}}});
      return true;
    }
  }
  return false;
}

ValueId Partitioner::integer(std::int64_t value) {
  return add(
      OpKind::constant, {}, {.element = ElementType::s32},
      {{"value", {literal(ElementType::s32, {}, std::vector{static_cast<std::int32_t>(value)})}}});
}

ValueId Partitioner::begin_of_part(const Mesh& mesh, const Axes& axes, std::int64_t elements) {
  for (const Begin& begin : begins_) {
    if (begin.axes == axes && begin.elements == elements && begin.mesh == mesh) return begin.value;
  }
  std::vector<std::int32_t> begins;
  for (const std::int64_t place : places_along(mesh, axes))
    begins.push_back(static_cast<std::int32_t>(place * elements));
  std::vector<Op> ops = std::exchange(ops_, std::move(prelude_));
  if (!device_) device_ = add(OpKind::partition_id, {}, {.element = ElementType::u32});
  const Type list{.element = ElementType::s32, .shape = {std::ssize(begins)}};
  const Type one{.element = ElementType::s32, .shape = {1}};
  const ValueId all =
      add(OpKind::constant, {}, list, {{"value", {literal(ElementType::s32, list.shape, begins)}}});
  const ValueId mine = add(OpKind::dynamic_slice, {all, *device_}, one,
                           {{"slice_sizes", {std::vector<std::int64_t>{1}}}});
  const ValueId begin = add(OpKind::reshape, {mine}, {.element = ElementType::s32});
  prelude_ = std::exchange(ops_, std::move(ops));
  begins_.push_back({mesh, axes, elements, begin});
  return begin;
}

ValueId Partitioner::cut(ValueId part, const Type& whole, Sharding& from, std::size_t dim,
                         const Axes& axes) {
  from.dims[dim] = joined(from.dims[dim], axes);
  Type type = part_of(whole, from);
  const ValueId begin = begin_of_part(*from.mesh, axes, type.shape[dim]);
  std::vector<ValueId> operands{part};
  for (std::size_t d = 0; d < type.shape.size(); ++d)
    operands.push_back(d == dim ? begin : integer(0));
  Dictionary attributes{{"slice_sizes", {type.shape}}};
  const ValueId result =
      add(OpKind::dynamic_slice, std::move(operands), std::move(type), std::move(attributes));
  cuts_[result] = {from.mesh, axes, dim};
  return result;
}

bool Partitioner::again(const Op& op, const Sharding& wanted, ValueId& part) {
  const ValueId value = op.results.at(0);
  if (op.kind == OpKind::constant) {
    Literal all = op.literal("value");
    if (!all.splat) return false;
    all.type = part_of(type(value), wanted);
    const Type type = all.type;
    part = add(OpKind::constant, {}, type, {{"value", {std::move(all)}}});
    return true;
  }
  if (op.kind == OpKind::iota) {
    part = iota(op, wanted);
    return true;
  }
  if (op.kind != OpKind::broadcast_in_dim) {  // element by element, of what is made again
    std::vector<ValueId> parts;
    for (const ValueId each : op.operands) parts.push_back(get(each, wanted));
    part = add(op.kind, std::move(parts), part_of(type(value), wanted), op.attributes);
    return true;
  }
  const ValueId operand = op.operands.at(0);
  const std::vector<std::int64_t>& shape = type(operand).shape;
  const std::span<const std::int64_t> dims = op.integers("broadcast_dimensions");
  Sharding given{.mesh = wanted.mesh, .dims = std::vector<Axes>(shape.size())};
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const auto to = static_cast<std::size_t>(dims[k]);
    if (shape[k] == type(value).shape[to]) given.dims[k] = wanted.axes(to);
  }
  const ValueId from = get(operand, given);
  part = add(OpKind::broadcast_in_dim, {from}, part_of(type(value), wanted), op.attributes);
  return true;
}

}  // namespace trainyard::graph
