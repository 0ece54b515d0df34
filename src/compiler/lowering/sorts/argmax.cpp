#include "compiler/lowering/sorts/argmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/lowering/canonical/region_values.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/sorts/search.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/nc_n_gather.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

// --- What is asked ---

// Whether the region keeps the pair whose value lies before in that order ("GT", "LT"), NaN before
// all others, and of equal ones the pair with the lower index.
bool keeps_first(const Region& region, std::string_view order) {
  if (region.arguments.size() != 4 || region.ops.empty()) return false;
  const RegionValues choice(region);
  const ValueId a = region.arguments[0], i = region.arguments[1];
  const ValueId b = region.arguments[2], j = region.arguments[3];
  const std::vector<ValueId>& results = region.ops.back().operands;
  if (results.size() != 2) return false;
  const auto value_leads = choice.condition(results[0], a, b);
  const auto place_leads = choice.condition(results[1], i, j);
  if (!value_leads || !place_leads) return false;
  const auto compares = [&](std::string_view how, ValueId x, ValueId y) {
    return [&choice, how, x, y](ValueId value) { return choice.compares(value, how, x, y); };
  };
  const auto ties = [&](ValueId value) {
    return choice.joins(value, OpKind::and_, compares("EQ", a, b), compares("LT", i, j));
  };
  return choice.joins(*value_leads, OpKind::or_, compares(order, a, b), compares("NE", a, a)) &&
         choice.joins(
             *place_leads, OpKind::or_, [&](ValueId v) { return v == *value_leads; }, ties);
}

// Nothing lies behind it in that order.
bool is_last(double number, ElementType type, bool smallest) {
  if (graph::is_float(type))
    return number == (smallest ? 1 : -1) * std::numeric_limits<double>::infinity();
  const double values = std::exp2(graph::bits(type));
  const double lowest = graph::is_signed(type) ? -values / 2 : 0;
  return number == (smallest ? lowest + values - 1 : lowest);
}

struct Asked {
  std::size_t dim = 0;
  bool smallest = false;
};
std::optional<Asked> asked_of(Lowerer& lowerer, const Op& op) {
  if (op.results.size() != 2 || op.integers("dimensions").size() != 1 ||
      lowerer.is_read(op.results[0]))
    return std::nullopt;
  const Asked asked{static_cast<std::size_t>(op.integers("dimensions")[0]),
                    keeps_first(op.regions.at(0), "LT")};
  if (!asked.smallest && !keeps_first(op.regions.at(0), "GT")) return std::nullopt;
  const Op* const places = definition(lowerer.function().body, op.operands[1]);
  if (places == nullptr || places->kind != OpKind::iota ||
      static_cast<std::size_t>(places->integer("iota_dimension")) != asked.dim)
    return std::nullopt;
  const ElementType element = lowerer.type(op.operands[0]).element;
  const bool is_exact = graph::is_float(element) || graph::bits(element) <= 16;
  const auto number = [&](std::size_t i) -> std::optional<double> {
    const Node& node = lowerer.segment().node(lowerer.node(op.operands[i]));
    return node.kind == Node::Kind::number ? std::optional(node.number) : std::nullopt;
  };
  const std::optional<double> value = number(2), place = number(3);
  if (!is_exact || !value || !is_last(*value, element, asked.smallest) || place != 0.0)
    return std::nullopt;
  return asked;
}

// --- How it is found ---

// In how many pieces a row is searched: one where rows fill the partitions. Nothing where there is
// no such number, or float32 does not count its elements.
std::optional<std::int64_t> pieces_of(std::int64_t rows, std::int64_t length,
                                      std::int64_t partitions) {
  constexpr std::int64_t worth_dividing = 4096, exact = std::int64_t{1} << 24;
  if (length >= exact) return std::nullopt;
  if (length <= search_columns_max && (2 * rows >= partitions || length < worth_dividing)) return 1;
  std::optional<std::int64_t> best;
  for (std::int64_t count = 2; count <= search_columns_max && length / count >= search_columns_min;
       ++count) {
    if (length % count != 0 || length / count > search_columns_max) continue;
    best = count;
    if (rows * count >= partitions) break;
  }
  return best;
}

class ExtremeSearch {
 public:
  ExtremeSearch(Lowerer& lowerer, const Op& op, Asked asked, std::int64_t pieces)
      : segment_(lowerer.segment()),
        type_(lowerer.type(op.operands[0])),
        asked_(asked),
        pieces_(pieces),
        length_(type_.shape[asked.dim] / pieces),
        has_nan_(graph::is_float(type_.element)) {}

  // A value of the result's shape: each row's index.
  Strided lower(NodeId value, const Type& result) {
    if (pieces_ == 1) {
      Group group(segment_, value);
      const ReducedLayout layout =
          reduced_layout(segment_, group, std::array{dim()}, type_.rank(), type_.shape.size());
      group.adapt(layout.operand);
      Sink sink(segment_, *storage_of(result.element), result.shape, layout.result);
      for_each_row(sink, [&](const Window& row, const Window& to) {
        sink.put(as_stored(first(group.tile(row)).index, sink.place().dtype), to);
      });
      return sink.place();
    }
    return among_pieces(value, result);
  }

 private:
  [[nodiscard]] std::int64_t dim() const { return static_cast<std::int64_t>(asked_.dim); }
  [[nodiscard]] Emitter& emitter() { return segment_.emitter(); }

  First first(const Tile& tile) {
    return first_largest(emitter(), searchable(emitter(), tile, asked_.smallest), has_nan_);
  }

  // Calls f(window of the operand, window of the result), a column of rows at a time.
  template <typename F>
  void for_each_row(const Sink& sink, F&& f) {
    for (const Window& to :
         windows(sink.rows(), sink.columns(), emitter().core().sbuf.partitions, 1)) {
      f({to.row, to.rows, to.column * length_, length_}, to);
    }
  }

  // Indices are small: they are the same bits in every word.
  static Tile as_stored(Tile index, DType dtype) {
    index.dtype = dtype;
    return index;
  }

  // Each piece's largest element and its place first, then the first of the pieces.
  Strided among_pieces(NodeId value, const Type& result) {
    std::vector<std::int64_t> shape = result.shape;
    shape.push_back(pieces_);
    const Strided values = in_hbm(shape), places = in_hbm(shape);
    Group group(segment_, value);
    static_cast<void>(
        group.adapt([&](const Strided& view) { return in_pieces(view); }, shape.size()));
    const Layout rows = in_order(shape.size(), shape.size());
    Sink best(segment_, values, rows), where(segment_, places, rows);
    for_each_row(best, [&](const Window& row, const Window& to) {
      const First found = first(group.tile(row));
      const TileMath math(emitter(), to.rows, 1);
      best.put(found.value, to);
      where.put(math.copy(math.fresh(DType::float32), found.index), to);
    });
    return among(values, places, result);
  }

  Strided among(const Strided& values, const Strided& places, const Type& result) {
    const Type wide{.element = ElementType::f32, .shape = values.shape()};
    Group best(segment_, segment_.add_view(wide, values));
    Group where(segment_, segment_.add_view(wide, places));
    const std::size_t rank = result.shape.size();
    best.adapt(in_order(rank + 1, rank));
    where.adapt(in_order(rank + 1, rank));
    Sink sink(segment_, *storage_of(result.element), result.shape, in_order(rank, rank));
    for (const Window& to : windows(sink.rows(), 1, emitter().core().sbuf.partitions, 1)) {
      const Window row{to.row, to.rows, 0, pieces_};
      const TileMath math(emitter(), to.rows, 1);
      const First found =
          first_largest(emitter(), searchable(emitter(), best.tile(row), false), has_nan_);
      const Tile inside = math.fresh(DType::float32);
      emitter().emit(
          isa::NcNGather{.dst = inside, .data = where.tile(row), .indices = found.index});
      const Tile before = math.scalar(math.fresh(DType::float32),
                                      math.copy(math.fresh(DType::float32), found.index),
                                      AluOp::multiply, static_cast<double>(length_));
      const Tile sum = math.tensor(math.fresh(DType::float32), before, AluOp::add, inside);
      sink.put(math.copy(math.fresh(sink.place().dtype), sum), to);
    }
    return sink.place();
  }

  Strided in_hbm(const std::vector<std::int64_t>& shape) {
    return dense(emitter().hbm(DType::float32, shape), DType::float32, shape);
  }

  // [others..., pieces, length].
  [[nodiscard]] Strided in_pieces(Strided view) const {
    const auto at = view.dims.begin() + dim();
    const Extent whole = *at;
    view.dims.erase(at);
    view.dims.push_back({pieces_, whole.step * length_});
    view.dims.push_back({length_, whole.step});
    return view;
  }

  Segment& segment_;
  const Type& type_;
  Asked asked_;
  std::int64_t pieces_, length_;
  bool has_nan_;
};

}  // namespace

bool argmax(Lowerer& lowerer, const Op& op) {
  const Type& type = lowerer.type(op.operands[0]);
  const auto& policy = lowerer.segment().emitter().core().policy;
  if (type.elements() == 0 || policy.search_rule != machine::SearchRule::nki_0_6) return false;
  const std::optional<Asked> asked = asked_of(lowerer, op);
  if (!asked || graph::bits(lowerer.type(op.results[1]).element) != 32) return false;
  const std::int64_t length = type.shape[asked->dim];
  const auto pieces = pieces_of(type.elements() / length, length,
                                lowerer.segment().emitter().core().sbuf.partitions);
  if (!pieces) return false;
  constexpr std::int64_t fused_max = 1024;  // what is computed on the way takes as many tiles
  const NodeId value = lowerer.node(op.operands[0]);
  const Node::Kind kind = lowerer.segment().node(value).kind;
  if (kind == Node::Kind::number) return false;
  if (*pieces > 1) {
    lowerer.segment().stored(value);
  } else if (length > fused_max || Group(lowerer.segment(), value).has_product()) {
    lowerer.segment().placed(value);
  }
  lowerer.segment().emitter().at(op.location);
  const Strided indices =
      ExtremeSearch(lowerer, op, *asked, *pieces).lower(value, lowerer.type(op.results[1]));
  lowerer.define(op.results[1], lowerer.segment().add_view(lowerer.type(op.results[1]), indices));
  return true;
}

}  // namespace trainyard::compiler
