#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "compiler/lowering/indexing/gather.h"
#include "compiler/lowering/indexing/indices.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using graph::Type;
using Sizes = std::vector<std::int64_t>;

std::int64_t count_of(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

Sizes sizes_of(const Type& type, const Sizes& dims) {
  Sizes sizes;
  for (const std::int64_t dim : dims) sizes.push_back(type.shape[static_cast<std::size_t>(dim)]);
  return sizes;
}

Sizes joined(std::initializer_list<Sizes> parts) {
  Sizes all;
  for (const Sizes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// 0, 1 ... count - 1, from `first` on.
Sizes places(std::size_t first, std::size_t count) {
  Sizes all(count);
  std::iota(all.begin(), all.end(), static_cast<std::int64_t>(first));
  return all;
}

bool replaces(const graph::Region& region) {
  return region.ops.size() == 1 && region.arguments.size() == 2 &&
         region.ops.front().operands == std::vector{region.arguments[1]};
}

// updates go to table[batch..., index, window...], with windows as large as the table is.
class ScatterSum {
 public:
  ScatterSum(Lowerer& lowerer, const graph::Op& op)
      : lowerer_(lowerer),
        op_(op),
        how_(indexing_of_scatter(op)),
        table_(lowerer.type(op.operands[0])),
        element_(counts() ? ElementType::f32 : table_.element),
        sums_(graph::is_float(element_) ? ElementType::f32 : element_),
        windows_(window_dims(how_, table_.rank())) {
    const Type& indices = lowerer.type(op.operands[1]);
    Sizes taken = how_.index_batches;
    taken.push_back(how_.vector_dim);
    batches_ = sizes_of(table_, how_.table_batches);
    rows_ = count_of(sizes_of(table_, how_.indexed));
    depths_ = sizes_of(indices, others(indices.rank(), taken));
    columns_ = sizes_of(table_, windows_);
  }

  [[nodiscard]] bool fits() const {
    constexpr std::int64_t rows_max = 1 << 24;  // counted in float32
    constexpr std::int64_t ones_max = 1 << 26;
    Sizes indexed = how_.indexed, collapsed = how_.collapsed;
    std::ranges::sort(indexed);
    std::ranges::sort(collapsed);
    const Type& updates = lowerer_.type(op_.operands[2]);
    const isa::DType dtype = *storage_of(element_);
    return indexed == collapsed && !indexed.empty() &&
           sizes_of(updates, how_.windowed) == columns_ &&
           multiplies(dtype, dtype, lowerer_.segment().emitter().core()) && rows_ <= rows_max &&
           count_of(batches_) * rows_ * count_of(depths_) <= ones_max;
  }

  bool lower() {
    const std::optional<Strided> index = positions();
    if (!index) return false;
    const Type type{.element = sums_, .shape = joined({batches_, {rows_}, columns_})};
    const NodeId sum = are_few() ? few_updates(*index, type) : product(*index, type);
    NodeId total = apply(lowerer_, OpKind::add, {table_node(type), sum}, type, op_.location);
    total = converted(total, table_.element);
    const Sizes order = joined({how_.table_batches, how_.indexed, windows_});
    Sizes back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const std::optional<Strided> apart =
        reshaped(lowerer_.segment().stored_dense(total), sizes_of(table_, order));
    base::check(apart.has_value(), "a dense value has every shape");
    return define_view(lowerer_, op_, permuted(*apart, back));
  }

 private:
  [[nodiscard]] Type shaped(Sizes shape) const {
    return {.element = element_, .shape = std::move(shape)};
  }
  // Whether it counts updates: whole numbers, all of them the same, whose sums float32 holds.
  [[nodiscard]] bool counts() {
    const Node &table = segment().node(lowerer_.node(op_.operands[0])),
               &update = segment().node(lowerer_.node(op_.operands[2]));
    constexpr double exact_max = 1 << 24;
    const bool are_numbers = table.kind == Node::Kind::number && update.kind == Node::Kind::number;
    return graph::is_integer(table_.element) && are_numbers &&
           std::abs(table.number) +
                   std::abs(update.number) * static_cast<double>(update.type.elements()) <
               exact_max;
  }
  [[nodiscard]] Segment& segment() { return lowerer_.segment(); }

  NodeId converted(NodeId node, ElementType element) {
    Type type = segment().node(node).type;
    if (type.element == element) return node;
    type.element = element;
    return apply(lowerer_, OpKind::convert, {node}, type, op_.location);
  }

  // The row of each update, as float32 [batches..., depths...]; -1 of those outside.
  std::optional<Strided> positions() {
    const Indexing rows{.indexed = places(0, how_.indexed.size()), .vector_dim = how_.vector_dim};
    const Type space{.element = table_.element, .shape = sizes_of(table_, how_.indexed)};
    const std::optional<Offsets> offsets =
        offsets_of(lowerer_, rows, op_.operands[1], space, Sizes(rows.indexed.size(), 1),
                   Outside::dropped, op_.location);
    if (!offsets) return std::nullopt;
    Type type = segment().node(offsets->node).type;
    type.element = ElementType::f32;
    const NodeId real = apply(lowerer_, OpKind::convert, {offsets->node}, type, op_.location);
    Sizes batches;
    for (const std::int64_t dim : how_.index_batches)
      batches.push_back(dim > how_.vector_dim ? dim - 1 : dim);
    return permuted(segment().stored(real), joined({batches, others(type.rank(), batches)}));
  }

  // 1 where an update belongs to a row: [batches..., rows, rest...], pred.
  NodeId matches(const Strided& index, const Sizes& index_places, const Sizes& shape) {
    const Type type{.element = ElementType::f32, .shape = shape};
    const NodeId row = counting_node(lowerer_, {.element = ElementType::f32, .shape = {rows_}});
    const Sizes row_place{static_cast<std::int64_t>(batches_.size())};
    const Strided rows = segment().stored(row);
    return compared(lowerer_, segment().add_view(type, broadcast(rows, row_place, shape)), "EQ",
                    segment().add_view(type, broadcast(index, index_places, shape)), op_.location);
  }

  // The updates as [batches..., windows..., depths...].
  Strided updates() {
    NodeId node = lowerer_.node(op_.operands[2]);
    if (element_ != table_.element) {
      const Node& update = segment().node(node);
      node =
          number_node(lowerer_, {.element = element_, .shape = update.type.shape}, update.number);
    }
    if (are_few()) node = converted(node, sums_);
    const Strided value = segment().stored(node);
    const Type& indices = lowerer_.type(op_.operands[1]);
    const Sizes counting = others(static_cast<std::int64_t>(value.dims.size()), how_.windowed);
    Sizes batches, depths;
    for (std::int64_t dim = 0, place = 0; dim < indices.rank(); ++dim) {
      if (dim == how_.vector_dim) continue;
      const std::int64_t update_dim = counting[static_cast<std::size_t>(place++)];
      if (std::ranges::find(how_.index_batches, dim) == how_.index_batches.end())
        depths.push_back(update_dim);
    }
    for (const std::int64_t dim : how_.index_batches) {
      const std::int64_t place = dim > how_.vector_dim ? dim - 1 : dim;
      batches.push_back(counting[static_cast<std::size_t>(place)]);
    }
    return permuted(value, joined({batches, how_.windowed, depths}));
  }

  // Of so few updates a batch, products would fill a corner of the array.
  [[nodiscard]] bool are_few() const {
    constexpr std::int64_t few = 16;
    const std::int64_t depth = count_of(depths_);
    return depth == 1 || (depth <= few && count_of(batches_) > 1);
  }

  NodeId few_updates(const Strided& index, const Type& type) {
    const Strided values = updates();
    std::optional<NodeId> sum;
    for (std::int64_t i = 0; i < count_of(depths_); ++i) {
      const NodeId one = one_update(at_depth(index, batches_.size(), i),
                                    at_depth(values, batches_.size() + columns_.size(), i), type);
      sum = sum ? apply(lowerer_, OpKind::add, {*sum, one}, type, op_.location) : one;
    }
    return *sum;
  }

  // What stands before the depths, for one of them.
  static Strided at_depth(Strided value, std::size_t before, std::int64_t depth) {
    const std::span<const Extent> depths = std::span<const Extent>(value.dims).subspan(before);
    value.offset += pieces(depths, depth, depth + 1, isa::rank_max).front().offset;
    value.dims.resize(before);
    return value;
  }

  NodeId one_update(const Strided& index, const Strided& value, const Type& type) {
    const Sizes batch_places = places(0, batches_.size());
    const Sizes value_places = joined({batch_places, places(batches_.size() + 1, columns_.size())});
    const NodeId spread_value =
        segment().add_view(type, broadcast(value, value_places, type.shape));
    return apply(
        lowerer_, OpKind::select,
        {matches(index, batch_places, type.shape), spread_value, number_node(lowerer_, type, 0)},
        type, op_.location);
  }

  NodeId product(const Strided& index, const Type& type) {
    const Type ones = shaped(joined({batches_, {rows_}, depths_}));
    const Sizes index_places =
        joined({places(0, batches_.size()), places(batches_.size() + 1, depths_.size())});
    const NodeId is_one = apply(lowerer_, OpKind::convert,
                                {matches(index, index_places, ones.shape)}, ones, op_.location);
    return segment().add({.kind = Node::Kind::product,
                          .type = type,
                          .location = op_.location,
                          .product = {.left = segment().stored(is_one),
                                      .right = updates(),
                                      .batches = batches_.size(),
                                      .rows = 1,
                                      .columns = columns_.size()}});
  }

  // The table as [batches..., rows, windows...].
  NodeId table_node(const Type& type) {
    const NodeId node = lowerer_.node(op_.operands[0]);
    if (segment().node(node).kind == Node::Kind::number)
      return number_node(lowerer_, type, segment().node(node).number);
    const Sizes order = joined({how_.table_batches, how_.indexed, windows_});
    Strided value = permuted(segment().stored(node), order);
    if (!reshaped(value, type.shape)) {
      const NodeId turned = segment().add_view(shaped(sizes_of(table_, order)), value);
      value = segment().stored_dense(turned);
    }
    return converted(segment().add_view(shaped(type.shape), *reshaped(value, type.shape)), sums_);
  }

  Lowerer& lowerer_;
  const graph::Op& op_;
  Indexing how_;
  Type table_;
  ElementType element_;     // of what is multiplied
  ElementType sums_;        // rounded once, behind the last one
  Sizes windows_;           // table dims
  Sizes batches_, depths_;  // sizes; depths: of the updates that may meet
  std::int64_t rows_ = 0;
  Sizes columns_;
};

bool replace(Lowerer& lowerer, const graph::Op& op) {
  const Type table = lowerer.type(op.operands[0]);
  const Indexing how = indexing_of_scatter(op);
  const Type& updates = lowerer.type(op.operands[2]);
  const Sizes windows = window_dims(how, table.rank());
  Sizes sizes(table.shape.size(), 1);
  for (std::size_t i = 0; i < windows.size(); ++i)
    sizes[static_cast<std::size_t>(windows[i])] =
        updates.shape[static_cast<std::size_t>(how.windowed[i])];
  const std::optional<Offsets> offsets =
      offsets_of(lowerer, how, op.operands[1], table, sizes, Outside::dropped, op.location);
  if (!offsets) return false;
  Segment& segment = lowerer.segment();
  const Strided list = segment.stored(offsets->node);
  const Strided values = segment.stored(lowerer.node(op.operands[2]));
  const NodeId replaced = lowerer.node(op.operands[0]);
  const bool in_place = lowerer.may_overwrite(op.operands[0], op) &&
                        segment.stored(replaced).is_dense() &&
                        segment.stored(replaced).tensor != values.tensor;
  const Strided whole = in_place ? segment.stored(replaced) : fresh(lowerer, table);
  if (in_place) {
    segment.residents().forget(whole.tensor);
  } else {
    segment.store(replaced, whole);
  }
  Sizes order = others(updates.rank(), how.windowed);
  order = joined({order, how.windowed});
  Strided first = whole;
  first.dims.clear();
  for (const std::int64_t dim : windows) {
    const auto d = static_cast<std::size_t>(dim);
    first.dims.push_back({sizes[d], whole.dims[d].step});
  }
  segment.emitter().at(op.location);
  scatter_windows(segment.emitter(), permuted(values, order),
                  {.first = first, .list = list, .unit = offsets->unit});
  return define_view(lowerer, op, whole);
}

}  // namespace

bool scatter(Lowerer& lowerer, const graph::Op& op) {
  if (op.results.size() != 1) return false;
  const Type& type = lowerer.type(op.results[0]);
  if (type.elements() == 0 || lowerer.type(op.operands[2]).elements() == 0) return false;
  const graph::Region& region = op.regions.at(0);
  if (replaces(region)) return replace(lowerer, op);
  if (reduction_of(region, type.element) != numerics::AluOp::add) return false;
  ScatterSum sum(lowerer, op);
  return sum.fits() && sum.lower();
}

}  // namespace trainyard::compiler
