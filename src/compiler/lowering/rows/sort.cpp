#include "compiler/lowering/rows/sort.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/elementwise/elementwise.h"
#include "compiler/lowering/nodes.h"
#include "compiler/lowering/region.h"
#include "compiler/lowering/tiles/movement.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using graph::Type;
using Sizes = std::vector<std::int64_t>;

// Pairs of places that are compared: the first and the second ones.
struct Pairs {
  Strided first, second;
};

class SortingNetwork {
 public:
  SortingNetwork(Lowerer& lowerer, const graph::Op& op)
      : lowerer_(lowerer),
        op_(op),
        region_(lowerer, op.regions.at(0)),
        dim_(static_cast<std::size_t>(op.integer("dimension"))),
        count_(op.operands.size()) {
    shape_ = lowerer.type(op.operands[0]).shape;
    length_ = shape_[dim_];
    shape_[dim_] = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length_)));
    for (const graph::ValueId value : op.operands) elements_.push_back(lowerer.type(value).element);
    stable_ = op.flag("is_stable", false);
    if (stable_ || shape_[dim_] != length_) elements_.push_back(ElementType::f32);  // places
  }

  void lower() {
    load();
    for (std::int64_t size = 2; size <= shape_[dim_]; size *= 2) {
      round(size, true);
      for (std::int64_t part = size / 2; part > 1; part /= 2) round(part, false);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      values_[i].dims[dim_].size = length_;
      lowerer_.define(op_.results[i],
                      segment().add_view(lowerer_.type(op_.results[i]), values_[i]));
    }
  }

 private:
  [[nodiscard]] Segment& segment() { return lowerer_.segment(); }
  [[nodiscard]] Type type(std::size_t i, const Sizes& shape) const {
    return {.element = elements_[i], .shape = shape};
  }

  // The values, filled up to a power of two, and each element's place.
  void load() {
    for (std::size_t i = 0; i < count_; ++i) {
      const Strided value = segment().stored(lowerer_.node(op_.operands[i]));
      if (shape_[dim_] == length_) {
        values_.push_back(value);
        continue;
      }
      Strided whole = fresh(lowerer_, type(i, shape_)), front = whole, rest = whole;
      front.dims[dim_].size = length_;
      rest.dims[dim_].size -= length_;
      rest.offset += length_ * whole.dims[dim_].step;
      copy(segment().emitter(), value, front);
      segment().store(number_node(lowerer_, type(i, rest.shape()), 0), rest);
      values_.push_back(whole);
    }
    if (elements_.size() == count_) return;
    const NodeId counted =
        counting_node(lowerer_, {.element = ElementType::f32, .shape = {shape_[dim_]}});
    const Sizes place{static_cast<std::int64_t>(dim_)};
    values_.push_back(broadcast(segment().stored(counted), place, shape_));
  }

  // The halves of each part of that size; the second one backwards where `turned`.
  [[nodiscard]] Pairs halves(const Strided& value, std::int64_t size, bool turned) const {
    const Extent all = value.dims[dim_];
    Pairs pairs{value, value};
    for (Strided* side : {&pairs.first, &pairs.second}) {
      side->dims[dim_] = {all.size / size, all.step * size};
      side->dims.insert(side->dims.begin() + static_cast<std::ptrdiff_t>(dim_) + 1,
                        {size / 2, all.step});
    }
    pairs.second.offset += size / 2 * all.step;
    if (turned) pairs.second = reversed_along(pairs.second, dim_ + 1);
    return pairs;
  }

  void round(std::int64_t size, bool turned) {
    std::vector<NodeId> first, second;
    std::vector<Pairs> next;
    Sizes shape;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Pairs pairs = halves(values_[i], size, turned);
      shape = pairs.first.shape();
      first.push_back(segment().add_view(type(i, shape), pairs.first));
      second.push_back(segment().add_view(type(i, shape), pairs.second));
      const Strided place = fresh(lowerer_, type(i, shape_));
      next.push_back(halves(place, size, turned));
      values_[i] = place;
    }
    const NodeId exchanged = is_before(second, first, shape);
    segment().stored(exchanged);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto chosen = [&](NodeId a, NodeId b) {
        return apply(lowerer_, OpKind::select, {exchanged, a, b}, type(i, shape), op_.location);
      };
      segment().store(chosen(second[i], first[i]), next[i].first);
      segment().store(chosen(first[i], second[i]), next[i].second);
    }
  }

  NodeId compare(const std::vector<NodeId>& a, const std::vector<NodeId>& b, const Sizes& shape) {
    std::vector<NodeId> arguments;
    for (std::size_t i = 0; i < count_; ++i) {
      arguments.push_back(a[i]);
      arguments.push_back(b[i]);
    }
    return region_.apply(arguments, shape).front();
  }

  // True where a belongs before b; what fills up belongs last.
  NodeId is_before(const std::vector<NodeId>& a, const std::vector<NodeId>& b, const Sizes& shape) {
    const Type flag{.element = ElementType::pred, .shape = shape};
    const auto both = [&](OpKind kind, NodeId x, NodeId y) {
      return apply(lowerer_, kind, {x, y}, flag, op_.location);
    };
    NodeId answer = compare(a, b, shape);
    if (elements_.size() == count_) return answer;
    const NodeId place_a = a.back(), place_b = b.back();
    if (stable_) {
      const NodeId not_after =
          apply(lowerer_, OpKind::not_, {compare(b, a, shape)}, flag, op_.location);
      const NodeId earlier = compared(lowerer_, place_a, "LT", place_b, op_.location);
      answer = both(OpKind::or_, answer, both(OpKind::and_, not_after, earlier));
    }
    if (shape_[dim_] == length_) return answer;
    const NodeId end = number_node(lowerer_, type(count_, shape), static_cast<double>(length_));
    const NodeId inside = compared(lowerer_, place_a, "LT", end, op_.location);
    const NodeId filled = compared(lowerer_, place_b, "GE", end, op_.location);
    return both(OpKind::and_, inside, both(OpKind::or_, answer, filled));
  }

  Lowerer& lowerer_;
  const graph::Op& op_;
  ElementRegion region_;
  std::size_t dim_;
  std::size_t count_;
  Sizes shape_;  // the length a power of two
  std::int64_t length_ = 0;
  bool stable_ = false;
  std::vector<ElementType> elements_;
  std::vector<Strided> values_;
};

}  // namespace

bool sort(Lowerer& lowerer, const graph::Op& op) {
  constexpr std::int64_t elements_max = 1 << 18;
  const Type& type = lowerer.type(op.operands[0]);
  if (type.elements() == 0 || type.elements() > elements_max ||
      type.shape.size() + 1 > isa::rank_max || !ElementRegion(lowerer, op.regions.at(0)).lowers())
    return false;
  lowerer.segment().emitter().at(op.location);
  SortingNetwork(lowerer, op).lower();
  return true;
}

}  // namespace trainyard::compiler
