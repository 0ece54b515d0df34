#include "compiler/lowering/indexing/indices.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using graph::Type;

std::vector<std::int64_t> dense_steps(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> steps(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
  return steps;
}

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

// The greatest step that all indexed dimensions are multiples of.
std::int64_t unit_of(const Indexing& how, const std::vector<std::int64_t>& steps) {
  std::int64_t unit = 0;
  for (const std::int64_t dim : how.indexed) unit = std::gcd(unit, steps[at(dim)]);
  for (const std::int64_t dim : how.table_batches) unit = std::gcd(unit, steps[at(dim)]);
  return std::max<std::int64_t>(1, unit);
}

// Adds up what each dimension contributes to the offsets.
class PlaceSum {
 public:
  PlaceSum(Lowerer& lowerer, Type type, std::int64_t unit, graph::LocationId location)
      : lowerer_(lowerer), type_(std::move(type)), unit_(unit), location_(location) {}

  // An index into a dimension of which a window may begin at 0 ... last.
  void index(NodeId value, std::int64_t last, std::int64_t step, Outside outside) {
    Segment& segment = lowerer_.segment();
    const Type type = segment.node(value).type;
    const NodeId zero = number_node(lowerer_, type, 0);
    const NodeId end = number_node(lowerer_, type, static_cast<double>(last));
    if (outside == Outside::moved) {
      value = apply(lowerer_, OpKind::clamp, {zero, value, end}, type, location_);
    } else {
      segment.stored(value);  // three readers
      need(compared(lowerer_, value, "GE", zero, location_));
      need(compared(lowerer_, value, "LE", end, location_));
    }
    if (type.element != type_.element)
      value = apply(lowerer_, OpKind::convert, {value}, type_, location_);
    add(value, step);
  }
  void add(NodeId value, std::int64_t step) {
    if (step != unit_)
      value = combine(OpKind::multiply, value,
                      number_node(lowerer_, type_, static_cast<double>(step / unit_)));
    sum_ = sum_ ? combine(OpKind::add, *sum_, value) : value;
  }
  [[nodiscard]] NodeId take() {
    if (!sum_) sum_ = number_node(lowerer_, type_, 0);
    if (!inside_) return *sum_;
    return apply(lowerer_, OpKind::select, {*inside_, *sum_, number_node(lowerer_, type_, -1)},
                 type_, location_);
  }

 private:
  NodeId combine(OpKind kind, NodeId a, NodeId b) {
    return apply(lowerer_, kind, {a, b}, type_, location_);
  }
  void need(NodeId flag) {
    const Type type{.element = ElementType::pred, .shape = type_.shape};
    inside_ = inside_ ? apply(lowerer_, OpKind::and_, {*inside_, flag}, type, location_) : flag;
  }

  Lowerer& lowerer_;
  Type type_;
  std::int64_t unit_;
  graph::LocationId location_;
  std::optional<NodeId> sum_, inside_;
};

}  // namespace

std::optional<Offsets> offsets_of(Lowerer& lowerer, const Indexing& how, graph::ValueId indices,
                                  const Type& table, const std::vector<std::int64_t>& sizes,
                                  Outside outside, graph::LocationId location) {
  const Type index_type = lowerer.type(indices);
  if ((index_type.element != ElementType::s32 && index_type.element != ElementType::u32) ||
      table.elements() > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  Segment& segment = lowerer.segment();
  const Strided all = segment.stored(lowerer.node(indices));
  const bool has_components = how.vector_dim < index_type.rank();
  Type type{.element = ElementType::s32, .shape = index_type.shape};
  if (has_components) type.shape.erase(type.shape.begin() + how.vector_dim);
  const std::vector<std::int64_t> steps = dense_steps(table.shape);
  const std::int64_t unit = unit_of(how, steps);
  PlaceSum sum(lowerer, type, unit, location);
  for (std::size_t i = 0; i < how.indexed.size(); ++i) {
    Strided component = all;
    if (has_components) {
      component.offset += static_cast<std::int64_t>(i) * all.dims[at(how.vector_dim)].step;
      component.dims.erase(component.dims.begin() + how.vector_dim);
    }
    const std::size_t dim = at(how.indexed[i]);
    sum.index(segment.add_view({.element = index_type.element, .shape = type.shape}, component),
              table.shape[dim] - sizes[dim], steps[dim], outside);
  }
  for (std::size_t i = 0; i < how.table_batches.size(); ++i) {
    const std::size_t dim = at(how.table_batches[i]);
    const std::int64_t place = how.index_batches[i];
    const std::array<std::int64_t, 1> places{place > how.vector_dim ? place - 1 : place};
    const NodeId count =
        counting_node(lowerer, {.element = ElementType::s32, .shape = {table.shape[dim]}});
    sum.add(segment.add_view(type, broadcast(segment.stored(count), places, type.shape)),
            steps[dim]);
  }
  return Offsets{.node = sum.take(), .unit = unit};
}

}  // namespace trainyard::compiler
