#include "compiler/lowering/rows/rows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/rows/column_halves.h"
#include "compiler/lowering/rows/row_joins.h"
#include "compiler/lowering/rows/row_passes.h"
#include "compiler/lowering/rows/row_places.h"
#include "compiler/lowering/rows/row_plan.h"
#include "compiler/lowering/rows/row_shares.h"
#include "compiler/lowering/rows/row_sweeps.h"
#include "compiler/lowering/rows/row_words.h"
#include "compiler/lowering/values/group.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::ValueId;

// Of SBUF, what the bands that are under way may take: the rest is for values that stay on chip.
constexpr std::int64_t bands_percent = 70, sweeps_percent = 85;

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
        places_(lowerer, space_) {}

  [[nodiscard]] bool run() {
    for (const ValueId value : values_read(op_)) {
      if (takes_product(value)) break;
    }
    plan_ = plan();
    if (!plan_ && product_) {  // its operands leave too little room
      product_.reset();
      taken_.reset();
      plan_ = plan();
    }
    if (!plan_ || (plan_->is_swept() && space_.runs() > 1)) return false;
    is_too_long_ = space_.piece > 0;
    places_.follow(*plan_);
    space_ = places_.space();
    find_sources();
    is_divided_ = may_be_divided();
    explain();
    std::vector<Sink> sinks;
    for (const ValueId value : op_.results) sinks.push_back(sink(value));
    const std::size_t first = segment_.emitter().instructions();
    emit(sinks);
    segment_.emitter().spread_transfers_from(first);
    for (std::size_t i = 0; i < sinks.size(); ++i) places_.define(op_.results[i], sinks[i].place());
    return true;
  }

 private:
  [[nodiscard]] std::optional<RowPlan> plan() {
    const machine::Core& core = segment_.emitter().core();
    const std::int64_t percent = space_.piece > 0 ? sweeps_percent : bands_percent;
    std::int64_t bytes = core.sbuf.usable().value * percent / 100;
    if (product_) bytes -= product_->bytes();
    return plan_rows(
        lowerer_.function(), op_, core, bytes,
        [&](ValueId value) { return places_.input(value, taken_); },
        segment_.emitter().variation());
  }

  // A product whose rows are the cluster's is computed on the way.
  [[nodiscard]] bool takes_product(ValueId value) {
    const NodeId id = lowerer_.node(value);
    const Node& node = segment_.node(id);
    const bool is_alike = node.kind == Node::Kind::product && node.type.shape == space_.shape &&
                          node.product.batches + node.product.rows == space_.row_dims;
    if (!is_alike || space_.parts > 1 || space_.piece > 0 || space_.share_dims > 0) return false;
    product_ = RowsOfProduct::of(segment_, id);
    if (product_) taken_ = id;
    return product_ != nullptr;
  }

  void explain() {
    std::vector<graph::LocationId> operations;
    for (const Op& op : op_.regions.at(0).ops) operations.push_back(op.location);
    segment_.emitter().explain(std::move(operations),
                               explained(*plan_, space_, is_too_long_, segment_.emitter().core()));
  }

  // Of one row.
  [[nodiscard]] std::int64_t row_columns() const { return space_.columns() / space_.stacked(); }

  void find_sources() {
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (!value.input || value.uses == 0 || value.is_product) continue;
      sources_.push_back(
          {id, places_.matrix(*value.input, segment_.node(*value.input).type, value.is_full),
           value.is_full ? space_.width() : plan_->stacked});
    }
  }

  // Where a result goes: a value of the cluster's shape, or one element a row.
  [[nodiscard]] Sink sink(ValueId value) {
    const graph::Type& type = lowerer_.type(value);
    const bool is_column_sum = std::ranges::any_of(plan_->values, [&](const RowValue& each) {
      return each.is_column_sum && each.result == value;
    });
    if (is_column_sum && space_.runs() == 1)
      return {segment_, *storage_of(type.element), type.shape, in_order(type.shape.size(), 0)};
    if (is_column_sum) {
      const std::array<std::int64_t, 2> shape{space_.runs(), row_columns()};
      return {segment_, *storage_of(type.element), shape, in_order(2, 1), !is_divided_};
    }
    const bool is_swept = places_.is_full(type) && plan_->is_swept();
    return places_.sink(value, !is_divided_ && !is_swept);
  }

  // Of `columns` columns: one, or the band's own.
  [[nodiscard]] Window window(std::int64_t band, std::int64_t columns) const {
    const std::int64_t rows = rows_of_band(*plan_, segment_.emitter().core());
    const std::int64_t run = band / space_.parts / bands_of_run(),
                       all = space_.rows() / space_.runs();
    const std::int64_t row = band / space_.parts % bands_of_run() * rows;
    return {run * all + row, std::min(rows, all - row),
            columns == 1 ? 0 : band % space_.parts * columns, columns};
  }

  // An input's tile; as one run, where engines read parts of it that may be no rectangles.
  [[nodiscard]] isa::Tile readable(RowValueId value, const isa::Tile& tile) {
    const bool is_divided = std::ranges::any_of(plan_->steps, [&](const RowStep& step) {
      bool reads = false;
      for_each_operand(step, [&](RowValueId id) { reads |= id == value; });
      return reads && plan_->reads_parts(step);
    });
    if (tile.rank == 1 || !is_divided) return tile;
    const bool is_alike = plan_->values[value].is_alike;
    const auto found = std::ranges::find(runs_, tile, &std::pair<isa::Tile, isa::Tile>::first);
    if (is_alike && found != runs_.end()) return found->second;
    const TileMath math(segment_.emitter(), tile.partitions, tile.free_elements());
    const isa::Tile run = math.copy(math.fresh(tile.dtype), tile);
    if (is_alike) runs_.emplace_back(tile, run);
    return run;
  }

  void load(std::int64_t band) {
    const Window all = window(band, space_.width());
    RowBand& made = bands_
                        .try_emplace(band, *plan_, segment_.emitter(), column_sums_, matrices_,
                                     all.rows, all.columns, slices(band))
                        .first->second;
    segment_.emitter().at(op_.location);
    for (const Source& source : sources_)
      made.set(source.value,
               readable(source.value, loader_->load(source.matrix, window(band, source.columns))));
    if (!product_) return;
    product_->band(all.row, all.rows, [&](const Window& part, const isa::Tile& sums) {
      for (const RowStep& step : plan_->steps) {
        if (step.is_early) made.emit(step, sums, part.column);
      }
    });
  }

  void compute(std::int64_t band, int stage, std::vector<Sink>& sinks) {
    RowBand& made = bands_.at(band);
    for (const RowStep& step : plan_->steps) {
      if (step.stage != stage || step.is_early) continue;
      made.emit(step);
      const std::int64_t bands = bands_of_run();
      if (step.kind == RowStep::Kind::column_sum && space_.runs() > 1 && (band + 1) % bands == 0) {
        const RowValue& value = plan_->values[step.result];
        sink_of(value, sinks)
            .put(column_sums_.take(step.index, value.dtype), {band / bands, 1, 0, row_columns()});
      }
    }
  }

  void store(std::int64_t band, std::vector<Sink>& sinks) {
    segment_.emitter().at(op_.location);
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (!value.result || value.is_column_sum) continue;
      Sink& to = sink_of(value, sinks);
      const Window all = window(band, value.is_full ? space_.width() : plan_->stacked);
      const std::int64_t parts = to.is_stored() && plan_->is_sliced(id) ? slices(band) : 1;
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

  void store_column_sums(std::vector<Sink>& sinks,
                         const std::function<isa::Tile(int index, isa::DType)>& sum) {
    for (const RowStep& step : plan_->steps) {
      if (step.kind != RowStep::Kind::column_sum) continue;
      segment_.emitter().at(step.op->location);
      const RowValue& value = plan_->values[step.result];
      sink_of(value, sinks).put(sum(step.index, value.dtype), {0, 1, 0, row_columns()});
    }
  }

  [[nodiscard]] Sink& sink_of(const RowValue& value, std::vector<Sink>& sinks) const {
    const auto place = std::ranges::find(op_.results, *value.result) - op_.results.begin();
    return sinks[static_cast<std::size_t>(place)];
  }

  [[nodiscard]] std::int64_t bands() const { return space_.parts * space_.runs() * bands_of_run(); }

  [[nodiscard]] std::int64_t bands_of_run() const {
    return space_.bands(rows_of_band(*plan_, segment_.emitter().core())) / space_.runs();
  }

  // Whether each of two cores takes half of the rows: no product is part of the pass, and the
  // values are large, or computing them takes longer than to store them and to load them again.
  [[nodiscard]] bool may_be_divided() const {
    std::int64_t bytes = 0;
    for (const RowValue& value : plan_->values) {
      if (value.result && value.is_full)
        bytes += space_.rows() * space_.columns() * numerics::size_in_bytes(value.dtype);
    }
    if (segment_.emitter().cores() == 1 || bands() == 1 || product_) return false;
    constexpr base::Ticks fixed{4'000 * base::ticks_per_nanosecond};  // until cores have met
    const double rate = static_cast<double>(segment_.emitter().core().dma.links().bytes_per_second);
    const double seconds = 2 * static_cast<double>(bytes) / rate;
    const base::Ticks moved{static_cast<std::int64_t>(seconds * 1e9 * base::ticks_per_nanosecond)};
    return bytes >= divided_bytes_min || plan_->time.value / 2 >= (moved + fixed).value;
  }

  void emit(std::vector<Sink>& sinks) {
    if (!is_divided_) {
      emit(sinks, 0, bands());
      if (space_.runs() > 1) return;
      return store_column_sums(sinks,
                               [&](int i, auto dtype) { return column_sums_.take(i, dtype); });
    }
    for (const Source& source : sources_) segment_.residents().write_back(source.matrix.tensor);
    if (space_.runs() > 1) {
      segment_.emitter().in_halves([&](std::uint8_t half) {
        const std::int64_t middle = base::ceil_div(space_.runs(), std::int64_t{2}) * bands_of_run();
        column_sums_.begin();
        emit(sinks, half == 0 ? 0 : middle, half == 0 ? middle : bands());
      });
      return;
    }
    ColumnHalves halves(segment_.emitter(), plan_->column_sums, row_columns());
    segment_.emitter().in_halves([&](std::uint8_t half) {
      const std::int64_t middle = base::ceil_div(bands(), std::int64_t{2});
      column_sums_.begin();
      emit(sinks, half == 0 ? 0 : middle, half == 0 ? middle : bands());
      for (int index = 0; index < plan_->column_sums; ++index)
        halves.store(column_sums_, index, half);
    });
    store_column_sums(sinks, [&](int i, isa::DType dtype) { return halves.added(i, dtype); });
  }

  // A piece of a band in one sweep.
  struct Turn {
    std::int64_t band;
    std::int64_t piece;
    std::size_t sweep;
  };

  // Each sweep follows the one before, so that what one frees is room for the next band.
  [[nodiscard]] std::vector<Turn> turns(std::int64_t begin, std::int64_t end) const {
    const std::int64_t pieces = space_.pieces(), all = (end - begin) * pieces;
    const std::int64_t behind = pieces + sweep_lag;
    const auto sweeps = static_cast<std::int64_t>(plan_->sweeps.size());
    std::vector<Turn> found;
    for (std::int64_t tick = 0; tick < all + (sweeps - 1) * behind; ++tick) {
      for (std::int64_t sweep = sweeps - 1; sweep >= 0; --sweep) {
        const std::int64_t at = tick - sweep * behind;
        if (at >= 0 && at < all)
          found.push_back({begin + at / pieces, at % pieces, static_cast<std::size_t>(sweep)});
      }
    }
    return found;
  }

  [[nodiscard]] Window window(const Turn& turn) const {
    Window all = window(turn.band, space_.piece);
    all.column = turn.piece * space_.piece;
    all.columns = std::min(space_.piece, space_.columns() - all.column);
    return all;
  }

  [[nodiscard]] bool is_read_later(RowValueId value, std::size_t sweep) const {
    return std::any_of(plan_->sweeps.begin() + static_cast<std::ptrdiff_t>(sweep) + 1,
                       plan_->sweeps.end(), [&](const RowSweep& each) {
                         return std::ranges::find(each.inputs, value) != each.inputs.end();
                       });
  }

  void load(const Turn& turn) {
    for (const Source& source : sources_) {
      const auto& inputs = plan_->sweeps[turn.sweep].inputs;
      if (std::ranges::find(inputs, source.value) == inputs.end()) continue;
      const PieceKey key{source.value, turn.band, turn.piece};
      if (plan_->carries && plan_->values[source.value].is_alike) {
        segment_.emitter().at(op_.location);
        loaded_[{key, turn.sweep}] = loader_->load(source.matrix, window(turn));
        continue;
      }
      if (kept_.contains(key)) continue;
      Loader once(segment_.emitter(), segment_.residents());
      segment_.emitter().at(op_.location);
      const isa::Tile tile = once.load(source.matrix, window(turn));
      loaded_[{key, turn.sweep}] = tile;
      if (turn.piece < plan_->pieces_kept && is_read_later(source.value, turn.sweep))
        kept_[key] = tile;
    }
  }

  [[nodiscard]] isa::Tile take(RowValueId value, const Turn& turn) {
    const PieceKey key{value, turn.band, turn.piece};
    const auto found = loaded_.find({key, turn.sweep});
    const isa::Tile tile = found == loaded_.end() ? kept_.at(key) : found->second;
    if (found != loaded_.end()) loaded_.erase(found);
    if (!is_read_later(value, turn.sweep)) kept_.erase(key);
    return tile;
  }

  void compute(const Turn& turn, std::vector<Sink>& sinks) {
    const RowSweep& sweep = plan_->sweeps[turn.sweep];
    const Window all = window(turn);
    const auto made_in = static_cast<int>(turn.sweep);
    if (turn.sweep == 0 && turn.piece == 0) begin_band(turn.band, all.rows);
    RowBand& made = bands_.at(turn.band);
    made.begin({.number = turn.piece,
                .of = space_.pieces(),
                .column = all.column,
                .columns = all.columns,
                .sweep = made_in});
    for (const RowValueId id : sweep.inputs) made.set(id, readable(id, take(id, turn)));
    for (const RowValueId id : sweep.carried) {
      const PieceKey key{id, turn.band, turn.piece};
      made.set(id, kept_.at(key));
      if (plan_->values[id].last == made_in) kept_.erase(key);
    }
    for (const std::size_t i : sweep.steps) {
      made.emit(plan_->steps[i]);
      const RowValueId id = plan_->steps[i].result;
      if (plan_->carries && plan_->values[id].is_full && plan_->values[id].last > made_in)
        kept_[{id, turn.band, turn.piece}] = made.tile(id);
    }
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (value.result && value.is_full && value.first == made_in)
        sink_of(value, sinks).put(made.tile(id), all, isa::Engine::sync);
    }
    if (turn.piece + 1 < space_.pieces()) return;
    made.finish(sweep, space_.columns());
    for (const std::size_t i : sweep.behind) made.emit(plan_->steps[i]);
    if (turn.sweep + 1 == plan_->sweeps.size()) end_band(turn.band, sinks);
  }

  void begin_band(std::int64_t band, std::int64_t rows) {
    RowBand& made = bands_
                        .try_emplace(band, *plan_, segment_.emitter(), column_sums_, matrices_,
                                     rows, space_.piece, 1)
                        .first->second;
    segment_.emitter().at(op_.location);
    for (const Source& source : sources_) {
      if (!plan_->values[source.value].is_full)
        made.set(source.value, loader_->load(source.matrix, window(band, 1)));
    }
    for (const RowSweep& sweep : plan_->sweeps) {
      for (const std::size_t i : sweep.before) made.emit(plan_->steps[i]);
    }
  }

  void end_band(std::int64_t band, std::vector<Sink>& sinks) {
    segment_.emitter().at(op_.location);
    for (RowValueId id = 0; id < plan_->values.size(); ++id) {
      const RowValue& value = plan_->values[id];
      if (value.result && !value.is_full && !value.is_column_sum)
        sink_of(value, sinks).put(bands_.at(band).tile(id), window(band, 1), isa::Engine::sync);
    }
    bands_.erase(band);
  }

  void sweep(std::vector<Sink>& sinks, std::int64_t begin, std::int64_t end) {
    const std::vector<Turn> all = turns(begin, end);
    const std::size_t ahead = static_cast<std::size_t>(plan_->ahead) * plan_->sweeps.size();
    for (std::size_t i = 0; i < all.size() + ahead; ++i) {
      if (i < all.size()) load(all[i]);
      if (i >= ahead) compute(all[i - ahead], sinks);
    }
  }

  // Each turn takes every band under way one stage on, the oldest first.
  void emit(std::vector<Sink>& sinks, std::int64_t begin, std::int64_t end) {
    loader_.emplace(segment_.emitter(), segment_.residents(),
                    rows_of_band(*plan_, segment_.emitter().core()));
    runs_.clear();
    matrices_.begin();
    if (plan_->is_swept()) return sweep(sinks, begin, end);
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
          compute(band, stage, sinks);
        } else {
          for (int each = 0; each < plan_->stages; ++each) compute(band, each, sinks);
        }
        if (stage == depth - 1) store(band, sinks);
      }
    }
  }

  Lowerer& lowerer_;
  Segment& segment_;
  const Op& op_;
  RowSpace space_;
  RowPlaces places_;
  std::unique_ptr<RowsOfProduct> product_;
  std::optional<NodeId> taken_;  // the product's node
  std::optional<RowPlan> plan_;
  std::vector<Source> sources_;
  ColumnSums column_sums_{segment_.emitter(), space_.columns()};
  RowMatrices matrices_{segment_.emitter()};
  std::optional<Loader> loader_;                       // of the core at hand
  std::vector<std::pair<isa::Tile, isa::Tile>> runs_;  // of inputs that are alike in all rows
  bool is_divided_ = false;
  bool is_too_long_ = false;    // rows, for SBUF
  std::int64_t last_band_ = 0;  // of the core at hand
  std::map<std::int64_t, RowBand> bands_;
  using PieceKey = std::tuple<RowValueId, std::int64_t, std::int64_t>;  // value, band, piece
  std::map<std::pair<PieceKey, std::size_t>, isa::Tile> loaded_;        // for a sweep
  std::map<PieceKey, isa::Tile> kept_;                                  // for later ones
};

}  // namespace

bool lower_rows(Lowerer& lowerer, const Op& op) {
  if (!Rows(lowerer, op).run()) lowerer.inline_region(op);
  return true;
}

}  // namespace trainyard::compiler
