#include "compiler/lowering/group.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/product.h"
#include "compiler/lowering/tile_math.h"

namespace trainyard::compiler {

Group::Group(Segment& segment, NodeId root)
    : segment_(segment), root_(root), loader_(segment.emitter()) {
  collect(root);
}

void Group::collect(NodeId id) {
  const Node& node = segment_.node(id);
  switch (node.kind) {
    case Node::Kind::view: leaves_.push_back(id); return;
    case Node::Kind::number: return;
    case Node::Kind::product:
      base::check(!product_ || product_ == id, "a group has one product");
      product_ = id;
      return;
    case Node::Kind::elementwise:
      for (const NodeId input : node.inputs) collect(input);
  }
}

bool Group::adapt(const Adapt& adapt, std::size_t row_dims) {
  std::map<NodeId, Matrix> adapted;
  for (const NodeId leaf : leaves_) {
    const std::optional<Strided> view = adapt(segment_.node(leaf).view);
    if (!view) return false;
    adapted[leaf] = matrix_of(*view, row_dims);
  }
  matrices_ = std::move(adapted);
  return true;
}

isa::Tile Group::tile(const Window& window, const isa::Tile* given) {
  done_.clear();
  const Operand operand = evaluate(root_, window, given);
  if (!operand.number) return operand.tile;
  const isa::DType dtype = *storage_of(segment_.node(root_).type.element);
  return TileMath(segment_.emitter(), window.rows, window.columns).filled(dtype, *operand.number);
}

Operand Group::evaluate(NodeId id, const Window& window, const isa::Tile* given) {
  const Node& node = segment_.node(id);
  if (node.kind == Node::Kind::number) return {.number = node.number};
  if (node.kind == Node::Kind::product) {
    base::check(given != nullptr, "a product's tile is given");
    return {.tile = *given};
  }
  if (const auto found = done_.find(id); found != done_.end()) return found->second;
  Operand result;
  if (node.kind == Node::Kind::view) {
    result.tile = loader_.load(matrices_.at(id), window);
  } else {
    std::vector<Operand> operands;
    for (const NodeId input : node.inputs) operands.push_back(evaluate(input, window, given));
    segment_.emitter().at(node.location);
    result.tile = emit_elementwise(segment_.emitter(), *node.op, node.types, operands, window.rows,
                                   window.columns);
  }
  done_.insert_or_assign(id, result);
  return result;
}

namespace {

void compute_windows(Segment& segment, Group& group, const Matrix& to, std::int64_t rows,
                     std::int64_t columns) {
  Emitter& emitter = segment.emitter();
  for (const Window& window : windows(rows, columns, emitter.core().sbuf.partitions, tile_columns))
    store(emitter, group.tile(window), to, window);
}

// A walk over all elements in order, cut into rows of a length that fills the partitions.
bool compute_flat(Segment& segment, Group& group, const Strided& to) {
  const std::int64_t total = to.elements();
  constexpr std::int64_t length_min = 128;  // shorter rows make poor transfers
  const std::int64_t length = std::clamp(
      base::ceil_div(total, segment.emitter().core().sbuf.partitions), length_min, tile_columns);
  const std::int64_t rows = total / length, rest = total % length;
  const std::array<std::int64_t, 1> flat{total}, stride{1};
  const auto cut = [&](std::int64_t begin, std::int64_t count, std::int64_t width) -> Adapt {
    return [=](const Strided& value) -> std::optional<Strided> {
      const std::optional<Strided> walk = reshaped(value, flat);
      if (!walk) return std::nullopt;
      const std::array<std::int64_t, 1> start{begin}, limit{begin + count * width};
      const std::array<std::int64_t, 2> shape{count, width};
      return reshaped(sliced(*walk, start, limit, stride), shape);
    };
  };
  const std::array<std::pair<std::int64_t, Adapt>, 2> parts{
      {{rows, cut(0, rows, length)}, {rest > 0 ? 1 : 0, cut(rows * length, 1, rest)}}};
  for (const auto& [count, adapt] : parts) {
    if (count == 0) continue;
    const std::optional<Strided> place = adapt(to);
    if (!place || !group.adapt(adapt, 1)) return false;
    compute_windows(segment, group, matrix_of(*place, 1), count, place->dims[1].size);
  }
  return true;
}

// How many dimensions count rows: columns as long as a tile takes, as many rows as there can be.
std::size_t split_of(std::span<const Extent> dims, std::int64_t partitions) {
  std::size_t split = dims.size();
  std::int64_t columns = 1;
  while (split > 0 && (columns * dims[split - 1].size <= tile_columns || columns == 1)) {
    const std::int64_t rows = product(dims.first(split));
    if (columns > 1 && rows <= partitions) break;
    columns *= dims[--split].size;
  }
  return split;
}

}  // namespace

void compute(Segment& segment, NodeId id, const Strided& to) {
  if (to.elements() == 0) return;
  Group group(segment, id);
  if (group.has_product()) return compute_product(segment, group, to);
  segment.emitter().at(segment.node(id).location);
  if (compute_flat(segment, group, to)) return;
  const std::size_t split = split_of(to.dims, segment.emitter().core().sbuf.partitions);
  const bool fits = group.adapt([](const Strided& value) { return value; }, split);
  base::check(fits, "a value is seen as itself");
  const Matrix place = matrix_of(to, split);
  compute_windows(segment, group, place, product(place.rows), product(place.columns));
}

}  // namespace trainyard::compiler
