#include "compiler/lowering/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/group.h"
#include "compiler/lowering/nodes.h"
#include "compiler/lowering/product.h"
#include "compiler/lowering/row_clusters.h"
#include "compiler/lowering/row_passes.h"
#include "compiler/lowering/row_plan.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::ValueId;

// Of SBUF, what the bands that are under way may take: the rest is for values that stay on chip.
constexpr std::int64_t bands_percent = 70;

bool repeats(std::span<const Extent> dims) {
  return std::ranges::all_of(dims, [](const Extent& dim) { return dim.step == 0; });
}

// An input as the bands are loaded from it.
struct Source {
  RowValueId value;
  Matrix matrix;
  std::int64_t columns;
};

class Rows {
 public:
  Rows(Lowerer& lowerer, const Op& op)
      : lowerer_(lowerer),
        segment_(lowerer.segment()),
        op_(op),
        space_(row_space_of(op)),
        row_shape_(space_.shape.begin(),
                   space_.shape.begin() + static_cast<std::ptrdiff_t>(space_.row_dims)) {}

  [[nodiscard]] bool run() {
    if (!reads_whole_rows()) return false;
    const machine::Core& core = segment_.emitter().core();
    std::int64_t bytes = core.sbuf.usable().value * bands_percent / 100;
    if (product_) bytes -= product_->bytes();
    plan_ = plan_rows(
        lowerer_.function(), op_, core, bytes, [&](ValueId value) { return input(value); },
        segment_.emitter().variation().overlaps_rows);
    if (!plan_) return false;
    find_sources();
    is_divided_ = may_be_divided();
    explain();
    std::vector<Sink> sinks;
    for (const ValueId value : op_.results) sinks.push_back(sink(value));
    emit(sinks);
    for (std::size_t i = 0; i < sinks.size(); ++i) define(op_.results[i], sinks[i].place());
    return true;
  }

 private:
  // A product whose rows are the cluster's is computed on the way.
  [[nodiscard]] bool takes_product(ValueId value) {
    const NodeId id = lowerer_.node(value);
    const Node& node = segment_.node(id);
    const bool is_alike = node.type.shape == space_.shape &&
                          node.product.batches + node.product.rows == space_.row_dims;
    if (product_ || !is_alike || space_.parts > 1) return false;
    product_ = RowsOfProduct::of(segment_, id);
    if (product_) taken_ = id;
    return product_ != nullptr;
  }

  void explain() {
    std::vector<graph::LocationId> operations;
    for (const Op& op : op_.regions.at(0).ops) operations.push_back(op.location);
    const std::int64_t partitions = segment_.emitter().core().sbuf.partitions;
    segment_.emitter().explain(
        std::move(operations),
        fmt::format("{} rows of {} elements in bands of {} x {}, one pass over memory in {} "
                    "stages{}: what a row needs is known once it is on chip",
                    space_.rows(), space_.columns(), std::min(partitions, space_.rows()),
                    space_.width(), plan_->stages, plan_->overlaps ? " that overlap" : ""));
  }

  // Whether no input is a value on chip whose rows lie in parts, or that comes so from a product.
  [[nodiscard]] bool reads_whole_rows() {
    return std::ranges::all_of(values_read(op_), [&](ValueId value) {
      const Node& node = segment_.node(lowerer_.node(value));
      if (node.kind == Node::Kind::product)
        return takes_product(value) || node.product.batches == 0;
      if (node.kind != Node::Kind::view) return true;
      const std::optional<std::int64_t> columns = segment_.residents().columns(node.view.tensor);
      if (!columns) return true;
      const std::int64_t parts = *columns == space_.columns() ? space_.parts : 1;
      return segment_.residents().tile_width(node.view.tensor) == *columns / parts;
    });
  }

  // The value as a matrix of the cluster's rows, computed by now.
  [[nodiscard]] Matrix matrix(NodeId node, const graph::Type& type) {
    if (type.shape == space_.shape) return matrix_of(segment_.placed(node), space_.row_dims);
    if (type.shape.empty())
      return matrix_of(broadcast(segment_.placed(node), {}, row_shape_), space_.row_dims);
    std::optional<Strided> view = reshaped(segment_.placed(node), row_shape_);
    if (!view) view = reshaped(segment_.stored_dense(node), row_shape_);
    return matrix_of(*view, space_.row_dims);
  }

  [[nodiscard]] RowInput input(ValueId value) {
    const NodeId node = lowerer_.node(value);
    if (segment_.node(node).kind == Node::Kind::number)
      return {.number = segment_.node(node).number};
    const graph::Type& type = lowerer_.type(value);
    if (taken_ == node) return {.node = node, .is_full = true, .is_product = true};
    const Matrix seen = matrix(node, type);
    return {.node = node,
            .is_full = type.shape == space_.shape && !repeats(seen.columns),
            .is_alike = repeats(seen.rows)};
  }

  void find_sources() {
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (!value.input || value.uses == 0 || value.is_product) continue;
      Matrix seen = matrix(*value.input, segment_.node(*value.input).type);
      if (!value.is_full) seen.columns.clear();
      sources_.push_back({id, std::move(seen), value.is_full ? space_.width() : 1});
    }
  }

  // Where a result goes: a value of the cluster's shape, or one element a row.
  [[nodiscard]] Sink sink(ValueId value) {
    const graph::Type& type = lowerer_.type(value);
    const bool is_column_sum = std::ranges::any_of(plan_->values, [&](const RowValue& each) {
      return each.is_column_sum && each.result == value;
    });
    if (is_column_sum)
      return {segment_, *storage_of(type.element), type.shape, in_order(type.shape.size(), 0)};
    const bool is_full = type.shape == space_.shape;
    const std::vector<std::int64_t>& shape = is_full ? space_.shape : row_shape_;
    return {segment_, *storage_of(type.element), shape, in_order(shape.size(), space_.row_dims),
            !is_divided_};
  }

  void define(ValueId value, const Strided& place) {
    const graph::Type& type = lowerer_.type(value);
    const std::optional<Strided> view = reshaped(place, type.shape);
    lowerer_.define(value, segment_.add_view(type, *view));
  }

  // Of `columns` columns: one, or the band's own.
  [[nodiscard]] Window window(std::int64_t band, std::int64_t columns) const {
    const std::int64_t partitions = segment_.emitter().core().sbuf.partitions;
    const std::int64_t row = band / space_.parts * partitions;
    return {row, std::min(partitions, space_.rows() - row),
            columns == 1 ? 0 : band % space_.parts * columns, columns};
  }

  void load(std::int64_t band) {
    const Window all = window(band, space_.width());
    RowBand& made = bands_
                        .try_emplace(band, *plan_, segment_.emitter(), column_sums_, all.rows,
                                     all.columns, slices(band))
                        .first->second;
    segment_.emitter().at(op_.location);
    for (const Source& source : sources_)
      made.set(source.value, loader_->load(source.matrix, window(band, source.columns)));
    if (!product_) return;
    product_->band(all.row, all.rows, [&](const Window& part, const isa::Tile& sums) {
      for (const RowStep& step : plan_->steps) {
        if (step.is_early) made.emit(step, sums, part.column);
      }
    });
  }

  void compute(std::int64_t band, int stage) {
    RowBand& made = bands_.at(band);
    for (const RowStep& step : plan_->steps) {
      if (step.stage == stage && !step.is_early) made.emit(step);
    }
  }

  void store(std::int64_t band, std::vector<Sink>& sinks) {
    segment_.emitter().at(op_.location);
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (!value.result || value.is_column_sum) continue;
      Sink& to = sink_of(value, sinks);
      const Window all = window(band, value.is_full ? space_.width() : 1);
      const std::int64_t parts = to.is_stored() && is_divisible(id) ? slices(band) : 1;
      for (std::int64_t k = 0; k < parts; ++k) {
        Window some = all;
        some.columns = all.columns / parts;
        some.column += k * some.columns;
        to.put(part(bands_.at(band).tile(id), 0, some.rows, k * some.columns, some.columns), some,
               isa::Engine::sync);
      }
    }
    bands_.erase(band);
  }

  [[nodiscard]] int slices(std::int64_t band) const {
    return band == last_band_ ? plan_->last_slices : 1;
  }
  // Whether the value's columns are computed in slices.
  [[nodiscard]] bool is_divisible(RowValueId value) const {
    return std::ranges::any_of(plan_->steps, [&](const RowStep& step) {
      return step.result == value && step.is_divisible && step.stage + 1 == plan_->stages;
    });
  }

  void store_column_sums(std::vector<Sink>& sinks) {
    for (const RowStep& step : plan_->steps) {
      if (step.kind != RowStep::Kind::column_sum) continue;
      segment_.emitter().at(step.op->location);
      const RowValue& value = plan_->values[step.result];
      sink_of(value, sinks)
          .put(column_sums_.take(step.index, value.dtype), {0, 1, 0, space_.columns()});
    }
  }

  [[nodiscard]] Sink& sink_of(const RowValue& value, std::vector<Sink>& sinks) const {
    const auto place = std::ranges::find(op_.results, *value.result) - op_.results.begin();
    return sinks[static_cast<std::size_t>(place)];
  }

  [[nodiscard]] std::int64_t bands() const {
    return space_.parts * base::ceil_div(space_.rows(), segment_.emitter().core().sbuf.partitions);
  }

  // Whether each of two cores takes half of the rows: the values are large, none sums
  // columns, and no product is part of the pass.
  [[nodiscard]] bool may_be_divided() const {
    const bool sums = std::ranges::any_of(
        plan_->values, [](const RowValue& value) { return value.is_column_sum; });
    std::int64_t bytes = 0;
    for (const RowValue& value : plan_->values) {
      if (value.result && value.is_full)
        bytes += space_.rows() * space_.columns() * numerics::size_in_bytes(value.dtype);
    }
    return segment_.emitter().cores() > 1 && bands() > 1 && !sums && !product_ &&
           bytes >= divided_bytes_min;
  }

  void emit(std::vector<Sink>& sinks) {
    if (!is_divided_) {
      emit(sinks, 0, bands());
      return store_column_sums(sinks);
    }
    for (const Source& source : sources_) segment_.residents().write_back(source.matrix.tensor);
    segment_.emitter().in_halves([&](std::uint8_t half) {
      const std::int64_t middle = base::ceil_div(bands(), std::int64_t{2});
      emit(sinks, half == 0 ? 0 : middle, half == 0 ? middle : bands());
    });
  }

  // Each turn takes every band under way one stage on, the oldest first.
  void emit(std::vector<Sink>& sinks, std::int64_t begin, std::int64_t end) {
    loader_.emplace(segment_.emitter(), segment_.residents());
    last_band_ = end - 1;
    const std::int64_t ahead = plan_->ahead;
    for (std::int64_t band = begin; band < std::min(begin + ahead, end); ++band) load(band);
    const int depth = plan_->overlaps ? plan_->stages : 1;
    for (std::int64_t turn = begin; turn < end + depth - 1; ++turn) {
      if (turn + ahead < end) load(turn + ahead);
      for (int stage = depth - 1; stage >= 0; --stage) {
        const std::int64_t band = turn - stage;
        if (band < begin || band >= end) continue;
        if (plan_->overlaps) {
          compute(band, stage);
        } else {
          for (int each = 0; each < plan_->stages; ++each) compute(band, each);
        }
        if (stage == depth - 1) store(band, sinks);
      }
    }
  }

  Lowerer& lowerer_;
  Segment& segment_;
  const Op& op_;
  RowSpace space_;
  std::vector<std::int64_t> row_shape_;
  std::unique_ptr<RowsOfProduct> product_;
  std::optional<NodeId> taken_;  // the product's node
  std::optional<RowPlan> plan_;
  std::vector<Source> sources_;
  ColumnSums column_sums_{segment_.emitter(), space_.columns()};
  std::optional<Loader> loader_;  // of the core at hand
  bool is_divided_ = false;
  std::int64_t last_band_ = 0;  // of the core at hand
  std::map<std::int64_t, RowBand> bands_;
};

}  // namespace

bool lower_rows(Lowerer& lowerer, const Op& op) {
  if (!Rows(lowerer, op).run()) lowerer.inline_region(op);
  return true;
}

}  // namespace trainyard::compiler
