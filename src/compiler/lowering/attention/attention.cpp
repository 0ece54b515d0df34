#include "compiler/lowering/attention/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/attention/attention_bands.h"
#include "compiler/lowering/attention/attention_few.h"
#include "compiler/lowering/attention/attention_operands.h"
#include "compiler/lowering/attention/attention_rows.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/cost/cycles.h"
#include "isa/instructions/activate2.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/select_reduce.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_scalar_reduce.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::DType;
using isa::Engine;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;

// The operands of one batch.
struct Keys {
  Tile keys{};
  std::vector<Tile> values{};  // in blocks of rows
};

class Attention {
 public:
  Attention(Lowerer& lowerer, const graph::Op& op)
      : segment_(lowerer.segment()),
        emitter_(segment_.emitter()),
        core_(emitter_.core()),
        shape_(attention_shape(op)),
        location_(op.location),
        queries_(attention_operand(lowerer, op.operands[0], shape_.query_dims, shape_.outer, true)),
        keys_(attention_operand(lowerer, op.operands[1], shape_.key_dims, shape_.outer, true)),
        values_(attention_operand(lowerer, op.operands[2], shape_.value_dims, shape_.outer, true)),
        rows_(OperandRows::of(segment_, shape_, queries_, keys_, values_)),
        limit_(limit(lowerer, op)),
        weights_(*storage_of(shape_.weights)),
        partitions_(core_.array.rows),
        chunk_(core_.psum.bank_size.value / 4 / emitter_.variation().chunk_divisor),
        behind_(std::min(emitter_.variation().attention_bands - 1,
                         bands_behind(shape_, numerics::size_in_bytes(keys_.dtype),
                                      numerics::size_in_bytes(values_.dtype), core_))),
        sink_(sink(lowerer, op)) {
    if (!rows_ || emitter_.cores() > 1) {
      for (const Strided* const value : {&queries_, &keys_, &values_})
        segment_.residents().write_back(value->tensor);
    }
    if (result_rows_) results_.emplace(segment_, *result_rows_, sink_);
    for (std::size_t i = 1; i < op.results.size(); ++i)
      left_.push_back(fresh(lowerer, lowerer.type(op.results[i])));
  }

  // What a gradient needs: logarithms of sums, and the result in float32.
  [[nodiscard]] const std::vector<Strided>& left() const { return left_; }

  [[nodiscard]] Strided run() {
    explain();
    emitter_.at(location_);
    const std::vector<AttentionBand> all = attention_bands(shape_, partitions_);
    if (emitter_.cores() < 2 || all.size() < 2) {
      emit(all);
      return sink_.place();
    }
    emitter_.in_halves([&](std::uint8_t half) { emit(half_of_bands(all, half)); });
    return sink_.place();
  }

 private:
  [[nodiscard]] std::optional<Strided> limit(Lowerer& lowerer, const graph::Op& op) const {
    if (shape_.limit == AttentionShape::Limit::none) return std::nullopt;
    std::vector<std::int64_t> sizes = shape_.outer;
    sizes.insert(sizes.end(), {shape_.queries, shape_.keys});
    return attention_operand(lowerer, op.operands[3], shape_.limit_dims, sizes);
  }

  [[nodiscard]] Sink sink(Lowerer& lowerer, const graph::Op& op) {
    const graph::Type& type = lowerer.type(op.results[0]);
    const DType dtype = *storage_of(type.element);
    const Strided some = dense(isa::no_tensor, dtype, type.shape);
    AttentionRows rows(segment_, permuted(some, shape_.result_dims), shape_.outer);
    if (!rows_ || emitter_.cores() > 1 || rows.batches_of_row() == 1)  // cores may share a row
      return {segment_,
              fresh(lowerer, type),
              {.order = shape_.result_dims, .row_dims = shape_.result_dims.size() - 1}};
    const Layout layout = rows.layout(shape_.result_dims);
    result_rows_.emplace(std::move(rows));
    return {segment_, dtype, type.shape, layout, true, op.results[0]};
  }

  [[nodiscard]] std::string_view how_limited() const {
    if (shape_.mask) return ", without what the mask leaves out";
    if (shape_.limit == AttentionShape::Limit::mask) return ", with a mask that is loaded";
    return shape_.limit == AttentionShape::Limit::bias ? ", with a bias" : "";
  }
  void explain() {
    emitter_.explain(
        shape_.locations,
        fmt::format("attention: {} x {} queries by {} keys in bands of {}{}; scores and "
                    "probabilities stay on chip, {} bands are under way{}{}",
                    shape_.batches(), shape_.queries, shape_.keys,
                    std::min(partitions_, shape_.queries), how_limited(), behind_ + 1,
                    turn_on_array(emitter_, weights_, shape_.keys)
                        ? "; the array turns the probabilities"
                        : "; the DMA engines turn the probabilities",
                    rows_ ? " and the operands, whose rows lie on chip" : ""));
  }

  // --- What is loaded ---

  const Keys& keys(const AttentionBand& band) {
    const std::int64_t key = batch_offset(keys_, shape_.outer, band.batch);
    const std::int64_t value = batch_offset(values_, shape_.outer, band.batch);
    if (held_at_ == std::pair(key, value)) return held_;
    held_at_ = {key, value};
    held_ = {.keys = rows_ ? turned(rows_->keys, band.batch)
                           : load_turned(emitter_, keys_, key, shape_.keys)};
    for (std::int64_t block = 0; rows_ && block < rows_->values.blocks(); ++block)
      held_.values.push_back(rows_->values.block(band.batch, block));
    if (!rows_) held_.values = load_each_block(emitter_, values_, value, shape_.keys);
    return held_;
  }
  [[nodiscard]] Tile turned(AttentionRows& rows, std::int64_t batch) {
    return rows.turned(
        batch, [this](const Tile& from) { return copies(from); }, rows_->share_partitions);
  }

  void load(AttentionBand& band) {
    operands_[band.batch] = keys(band);
    std::erase_if(operands_,
                  [&](const auto& each) { return each.first + behind_ + 1 < band.batch; });
    const std::int64_t some = bands_together * partitions_;
    const std::int64_t begin = rows_ ? 0 : band.row / some * some;
    if (queries_at_ != std::pair(band.batch, begin)) {
      queries_at_ = {band.batch, begin};
      const std::int64_t first = batch_offset(queries_, shape_.outer, band.batch);
      const std::int64_t step = queries_.dims[shape_.outer.size()].step;
      queries_held_ = rows_ ? turned(rows_->queries, band.batch)
                            : load_turned(emitter_, queries_, first + begin * step,
                                          std::min(some, shape_.queries - begin));
    }
    band.queries = part(queries_held_, 0, shape_.depth, band.row - begin, band.rows);
    if (limit_) load_limit(band);
  }

  void load_limit(AttentionBand& band) {
    const Extent& rows = limit_->dims[shape_.outer.size()];
    const std::int64_t offset =
        batch_offset(*limit_, shape_.outer, band.batch) + band.row * rows.step;
    const std::pair key{offset, band.rows};
    if (limit_at_ != key) {
      limit_at_ = key;
      limit_held_ = emitter_.sbuf(limit_->dtype, band.rows, shape_.keys);
      emitter_.emit(isa::DmaCopy{
          .dst = limit_held_,
          .src = region(*limit_, offset, {{band.rows, rows.step}, limit_->dims.back()})});
    }
    band.limit = limit_held_;
  }

  // --- What is computed ---

  // Which of Vector and Scalar is done sooner with a pass.
  [[nodiscard]] Engine shared(const isa::Timing& on_vector, const isa::Timing& on_scalar) {
    const Ticks vector = core_.vector.clock(on_vector.occupancy);
    const Ticks scalar = core_.scalar.clock(on_scalar.occupancy);
    const bool is_vectors = busy_vector_ + vector <= busy_scalar_ + scalar;
    (is_vectors ? busy_vector_ : busy_scalar_) += is_vectors ? vector : scalar;
    return is_vectors ? Engine::vector : Engine::scalar;
  }
  void charge(const isa::Timing& on_vector) {
    busy_vector_ += core_.vector.clock(on_vector.occupancy);
  }

  [[nodiscard]] std::vector<KeyRange> chunks(const AttentionBand& band) const {
    std::vector<KeyRange> all;
    for (std::int64_t at = band.keys.begin; at < band.keys.end; at += chunk_)
      all.push_back({at, std::min(band.keys.end, at + chunk_)});
    return all;
  }

  // The scores of a chunk, scaled and masked, on their way to SBUF, and their maxima.
  void score(AttentionBand& band, const KeyRange& some) {
    if (!band.scores) {
      band.scores = emitter_.sbuf(DType::float32, band.rows, band.keys.size());
      band.maxima = emitter_.sbuf(DType::float32, band.rows, 3 * std::ssize(chunks(band)));
    }
    const Tile sums = emitter_.psum(DType::float32, band.rows, some.size());
    emitter_.emit(isa::NcMatmul{
        .dst = sums,
        .stationary = band.queries,
        .moving = part(operands_.at(band.batch).keys, 0, shape_.depth, some.begin, some.size()),
        .accumulate = isa::Accumulate::overwrite});
    if (limit_) {
      const Tile most = part(band.maxima, 0, band.rows, band.maxima_count++, 1);
      const Tile to = part(band.scores, 0, band.rows, some.begin, some.size());
      const Tile limit = part(band.limit, 0, band.rows, some.begin, some.size());
      shape_.limit == AttentionShape::Limit::bias
          ? limit_scores(to, capped(sums), AluOp::add, limit, most)
          : select_scores(to, capped(sums), limit, most);
      return;
    }
    const Tile all = capped(sums);
    const std::array<KeyRange, 3> parts{
        {{some.begin, std::min(some.end, band.kept.begin)},
         {std::max(some.begin, band.kept.begin), std::min(some.end, band.kept.end)},
         {std::max(some.begin, band.kept.end), some.end}}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const KeyRange& each = parts[i];
      if (each.size() <= 0) continue;
      const Tile from = part(all, 0, band.rows, each.begin - some.begin, each.size());
      const Tile to = part(band.scores, 0, band.rows, each.begin - band.keys.begin, each.size());
      const Tile most = part(band.maxima, 0, band.rows, band.maxima_count++, 1);
      i == 1 ? copy_scores(to, from, most) : mask_scores(band, each, to, from, most);
    }
  }

  // The products as they are, or their hyperbolic tangents.
  [[nodiscard]] Tile capped(const Tile& sums) {
    if (!shape_.inner) return sums;
    isa::Activation made;
    made.dst = emitter_.sbuf(DType::float32, sums.partitions, sums.free_elements());
    made.op = ActivationFunction::tanh;
    made.data = sums;
    made.scale = {.constant = *shape_.inner};
    emitter_.emit(made);
    busy_scalar_ +=
        core_.scalar.clock(isa::cost::activation(made.dst, sums, false, core_).occupancy);
    return made.dst;
  }

  void copy_scores(const Tile& to, const Tile& from, const Tile& most) {
    const isa::Timing on_vector =
        isa::cost::vector_reduce(to, from, core_.vector_rates.other, core_);
    const bool is_vectors =
        !core_.features.activate2 ||
        shared(on_vector, isa::cost::activation(to, from, true, core_)) == Engine::vector;
    if (is_vectors) {
      emitter_.emit(isa::TensorScalarReduce{.dst = to,
                                            .data = from,
                                            .op0 = AluOp::multiply,
                                            .operand0 = {.constant = shape_.scale},
                                            .reduce_op = AluOp::maximum,
                                            .reduce_res = most});
      return;
    }
    isa::Activate2 made;
    made.dst = to;
    made.data = from;
    made.imm0 = {.constant = shape_.scale};
    made.op0 = AluOp::multiply;
    made.reduce_op = AluOp::maximum;
    made.reduce_res = most;
    made.reduce_cmd = isa::ReduceCmd::reset_reduce;
    emitter_.emit(made);
  }

  void mask_scores(const AttentionBand& band, const KeyRange& columns, const Tile& to,
                   const Tile& from, const Tile& most) {
    limit_scores(to, from, AluOp::minimum,
                 masks_.tile(columns.begin - band.row, band.rows, columns.size()), most);
  }
  void limit_scores(const Tile& to, const Tile& from, AluOp how, const Tile& limit,
                    const Tile& most) {
    isa::ScalarTensorTensor made;
    made.dst = to;
    made.data = from;
    made.operand0 = {.constant = shape_.scale};
    made.op1 = how;
    made.operand1 = limit;
    emitter_.emit(made);
    charge(isa::cost::vector(to, from, core_.vector_rates.other, core_));
    maximum(most, to);
  }
  void select_scores(const Tile& to, const Tile& from, const Tile& kept, const Tile& most) {
    isa::Activation scaled;
    scaled.dst = emitter_.sbuf(DType::float32, from.partitions, from.free_elements());
    scaled.op = ActivationFunction::copy;
    scaled.data = from;
    scaled.scale = {.constant = shape_.scale};
    emitter_.emit(scaled);
    busy_scalar_ +=
        core_.scalar.clock(isa::cost::activation(scaled.dst, from, false, core_).occupancy);
    isa::SelectReduce made;
    made.dst = to;
    made.predicate = kept;
    made.on_true = scaled.dst;
    made.on_false = {.constant = shape_.masked};
    made.reduce_res = most;
    made.reduce_cmd = isa::ReduceCmd::reset_reduce;
    emitter_.emit(made);
    charge(isa::cost::vector(to, scaled.dst, core_.vector_rates.other, core_));
  }
  void maximum(const Tile& to, const Tile& from) {
    isa::IntList axis;
    axis.push_back(1);
    emitter_.emit(isa::TensorReduce{.dst = to, .op = AluOp::maximum, .data = from, .axis = axis});
    charge(isa::cost::tensor_reduce(to, from, AluOp::maximum, core_));
  }

  // The probabilities, not divided by their sum yet, with the keys on partitions.
  void soften(AttentionBand& band) {
    Tile most = part(band.maxima, 0, band.rows, 0, 1);
    if (band.maxima_count > 1) {
      most = emitter_.sbuf(DType::float32, band.rows, 1);
      maximum(most, part(band.maxima, 0, band.rows, 0, band.maxima_count));
    }
    band.most = most;
    band.weights = emitter_.sbuf(weights_, band.rows, band.keys.size());
    band.sum = emitter_.sbuf(DType::float32, band.rows, 1);
    exponential(band, most);
    band.turned = turned(band.weights);
  }
  Tile turned(const Tile& tile) {
    if (!turn_on_array(emitter_, tile.dtype, tile.free_elements()))
      return turned_blocks(emitter_, tile);
    return turned_on_array(emitter_, tile, copies(tile));
  }
  // The engine that copies as much as the tile.
  [[nodiscard]] Engine copies(const Tile& tile) {
    const isa::Timing on_vector = isa::cost::copy(tile, tile, Engine::vector, core_);
    if (core_.features.scalar_copy)
      return shared(on_vector, isa::cost::copy(tile, tile, Engine::scalar, core_));
    charge(on_vector);
    return Engine::vector;
  }
  void exponential(const AttentionBand& band, const Tile& most) {
    if (core_.features.exponential) {
      isa::Exponential made;
      made.dst = band.weights;
      made.src = band.scores;
      made.max_value = {.tile = most};
      made.reduce_res = band.sum;
      made.reduce_cmd = isa::ReduceCmd::reset_reduce;
      emitter_.emit(made);
      charge(isa::cost::vector(band.weights, band.scores, core_.vector_rates.exponential, core_));
      return;
    }
    const TileMath column(emitter_, band.rows, 1);
    isa::Activation made;
    made.dst = band.weights;
    made.op = ActivationFunction::exp;
    made.data = band.scores;
    made.bias = {.tile = column.scalar(column.fresh(DType::float32), most, AluOp::multiply, -1)};
    made.reduce_op = AluOp::add;
    made.reduce_res = band.sum;
    made.reduce_cmd = isa::ReduceCmd::reset_reduce;
    emitter_.emit(made);
    busy_scalar_ +=
        core_.scalar.clock(isa::cost::activation(band.weights, band.scores, true, core_).occupancy);
  }

  // Adds the values of the blocks [begin, end) of the band's keys.
  void multiply(AttentionBand& band, std::int64_t begin, std::int64_t end) {
    if (!band.result) band.result = emitter_.psum(DType::float32, band.rows, shape_.columns);
    for (std::int64_t block = begin; block < end; ++block) {
      const std::int64_t rows = std::min(partitions_, band.keys.size() - block * partitions_);
      const std::int64_t of = band.keys.begin / partitions_ + block;
      emitter_.emit(isa::NcMatmul{
          .dst = band.result,
          .stationary = part(band.turned, 0, rows, block * band.rows, band.rows),
          .moving = part(operands_.at(band.batch).values[static_cast<std::size_t>(of)], 0, rows, 0,
                         shape_.columns),
          .accumulate = block == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
    }
  }

  void finish(AttentionBand& band) {
    const TileMath column(emitter_, band.rows, 1);
    const Tile inverse = column.reciprocal(column.fresh(DType::float32), band.sum);
    const DType dtype = sink_.place().dtype;
    const Tile to = results_ ? results_->place(band, shape_.columns)
                             : emitter_.sbuf(dtype, band.rows, shape_.columns);
    const Tile made = left_.empty() ? to : emitter_.sbuf(DType::float32, band.rows, shape_.columns);
    const isa::Timing on_vector = isa::cost::with_numbers(
        isa::cost::copy(made, band.result, Engine::vector, core_), true, Engine::vector, core_);
    if (shared(on_vector, isa::cost::activation(made, band.result, false, core_)) ==
        Engine::vector) {
      emitter_.emit(isa::TensorScalar{.dst = made,
                                      .data = band.result,
                                      .op0 = AluOp::multiply,
                                      .operand0 = {.tile = inverse}},
                    Engine::vector);
    } else {
      isa::Activation scaled;
      scaled.dst = made;
      scaled.op = ActivationFunction::copy;
      scaled.data = band.result;
      scaled.scale = {.tile = inverse};
      emitter_.emit(scaled);
    }
    if (!left_.empty()) {
      const std::int64_t row = band.batch * shape_.queries + band.row, width = shape_.columns;
      store_log_sum(emitter_, band.sum, band.most, left_[0], row);
      emitter_.emit(isa::DmaCopy{
          .dst = region(left_[1], row * width, {{band.rows, width}, {width, 1}}), .src = made});
      TileMath(emitter_, band.rows, width).copy(to, made);
    }
    if (results_) {
      results_->done(band);
    } else {
      sink_.put(to, {band.batch * shape_.queries + band.row, band.rows, 0, shape_.columns});
    }
    band = {};
  }

  void emit(std::vector<AttentionBand> all) {
    held_at_.reset();
    queries_at_.reset();
    limit_at_.reset();
    operands_.clear();
    if (rows_) rows_->forget();
    if (results_) results_->expect(all);
    const auto count = std::ssize(all);
    const auto band = [&](std::int64_t i) {
      return i >= 0 && i < count ? &all[static_cast<std::size_t>(i)] : nullptr;
    };
    if (count > 0) load(all.front());
    for (std::int64_t turn = 0; turn < count + behind_; ++turn) {
      if (AttentionBand* const next = band(turn + 1)) load(*next);
      if (AttentionBand* const scored = band(turn - 1)) soften(*scored);
      AttentionBand *const at = band(turn), *const last = band(turn - behind_);
      const std::vector<KeyRange> some = at != nullptr ? chunks(*at) : std::vector<KeyRange>{};
      const std::int64_t blocks =
          last != nullptr ? base::ceil_div(last->keys.size(), partitions_) : 0;
      const auto steps = std::max<std::int64_t>(std::ssize(some), blocks > 0 ? 1 : 0);
      for (std::int64_t step = 0; step < steps; ++step) {
        if (step < std::ssize(some)) score(*at, some[static_cast<std::size_t>(step)]);
        if (last != nullptr) multiply(*last, blocks * step / steps, blocks * (step + 1) / steps);
      }
      if (last != nullptr) finish(*last);
    }
  }

  Segment& segment_;
  Emitter& emitter_;
  const machine::Core& core_;
  AttentionShape shape_;
  graph::LocationId location_;
  Strided queries_, keys_, values_;
  std::optional<OperandRows> rows_;
  std::optional<Strided> limit_;
  DType weights_;
  std::int64_t partitions_, chunk_, behind_;
  std::optional<AttentionRows> result_rows_{};  // where batches of it share rows
  Sink sink_;
  std::optional<AttentionResults> results_{};
  std::vector<Strided> left_{};
  std::optional<std::pair<std::int64_t, std::int64_t>> held_at_{};  // offsets
  Keys held_{};
  std::optional<std::pair<std::int64_t, std::int64_t>> queries_at_{};  // batch and first row
  Tile queries_held_{};
  std::optional<std::pair<std::int64_t, std::int64_t>> limit_at_{};  // offset and rows
  Tile limit_held_{};
  std::map<std::int64_t, Keys> operands_;  // by batch
  MaskTiles masks_{emitter_, shape_.mask.value_or(DiagonalMask{})};
  Ticks busy_vector_{0}, busy_scalar_{0};
};

}  // namespace

bool lower_attention(Lowerer& lowerer, const graph::Op& op) {
  if (are_few(attention_shape(op))) return lower_few_queries(lowerer, op);
  Attention attention(lowerer, op);
  const Strided made = attention.run();
  for (std::size_t i = 0; i < attention.left().size(); ++i) {
    lowerer.define(op.results[i + 1], lowerer.segment().add_view(lowerer.type(op.results[i + 1]),
                                                                 attention.left()[i]));
  }
  return define_view(lowerer, op, made);
}

}  // namespace trainyard::compiler
