#include "compiler/lowering/attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/attention_bands.h"
#include "compiler/lowering/group.h"
#include "compiler/lowering/nodes.h"
#include "compiler/lowering/tile_math.h"
#include "isa/cost/cycles.h"
#include "isa/instructions/activate2.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_scalar_reduce.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::DType;
using isa::Engine;
using isa::Tile;
using numerics::AluOp;
using Function = numerics::ActivationFunction;

constexpr std::int64_t repeats = AttentionShape::repeats;
// Columns that one transfer turns; longer ones cost less, shorter ones begin sooner.
constexpr std::int64_t turned_max = 2048;
constexpr std::int64_t behind_max = 3;  // bands from the scores to the result
// Of SBUF, what bands may take: the rest is for values that stay on chip.
constexpr std::int64_t bands_percent = 75;

std::int64_t size_of(graph::ElementType type) { return numerics::size_in_bytes(*storage_of(type)); }
// As many bands from the scores to the result as there is room for; 0 where there is none.
std::int64_t behind_of(const AttentionShape& shape, std::int64_t operand_bytes,
                       std::int64_t value_bytes, const machine::Core& core) {
  const std::int64_t of_keys =
      operand_bytes + base::ceil_div(shape.columns * value_bytes, std::int64_t{core.array.rows});
  const std::int64_t bands = base::ceil_div(shape.queries, std::int64_t{core.array.rows});
  const std::int64_t room = core.sbuf.usable().value * bands_percent / 100 / shape.keys;
  for (std::int64_t behind = behind_max; behind > 0; --behind) {
    const std::int64_t of_bands = 2 * 4 + (2 + behind) * size_of(shape.weights);
    const std::int64_t batches = std::min(shape.batches(), 1 + base::ceil_div(behind + 1, bands));
    if (of_bands + batches * of_keys <= room) return behind;
  }
  return 0;
}

// A region of HBM with exactly these dimensions.
Tile region(const Strided& value, std::int64_t offset, std::initializer_list<Extent> dims) {
  Tile tile{.space = isa::Space::hbm, .dtype = value.dtype, .tensor = value.tensor};
  tile.offset = offset * numerics::size_in_bytes(value.dtype);
  for (const Extent& dim : dims)
    tile.dims.at(tile.rank++) = {static_cast<std::int32_t>(dim.step),
                                 static_cast<std::int32_t>(dim.size)};
  return tile;
}

// [partitions, 1, count, width]: what a transfer that turns blocks takes.
Tile blocks_of(const Tile& tile, std::int64_t column, std::int64_t count, std::int64_t step,
               std::int64_t width) {
  Tile made = part(tile, 0, tile.partitions, column, 1);
  made.rank = 3;
  made.dims[0] = {1, 1};
  made.dims[1] = {static_cast<std::int32_t>(step), static_cast<std::int32_t>(count)};
  made.dims[2] = {1, static_cast<std::int32_t>(width)};
  return made;
}

// The operands of one batch.
struct Keys {
  Tile keys{}, values{};
};

class Attention {
 public:
  Attention(Lowerer& lowerer, const graph::Op& op)
      : segment_(lowerer.segment()),
        emitter_(segment_.emitter()),
        core_(emitter_.core()),
        shape_(attention_shape(op)),
        location_(op.location),
        queries_(view(lowerer, op.operands[0], shape_.query_dims)),
        keys_(view(lowerer, op.operands[1], shape_.key_dims)),
        values_(view(lowerer, op.operands[2], shape_.value_dims)),
        weights_(*storage_of(shape_.weights)),
        partitions_(core_.array.rows),
        chunk_(core_.psum.bank_size.value / 4),
        behind_(behind_of(shape_, numerics::size_in_bytes(keys_.dtype),
                          numerics::size_in_bytes(values_.dtype), core_)),
        sink_(sink(lowerer, op)) {}

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
  // The value with its dimensions in the order of the scores' ones; in HBM.
  [[nodiscard]] Strided view(Lowerer& lowerer, graph::ValueId value,
                             std::span<const std::int64_t> dims) const {
    Strided whole = segment_.stored(lowerer.node(value));
    if (whole.dims[static_cast<std::size_t>(dims.back())].step != 1)
      whole = segment_.stored_dense(lowerer.node(value));
    Strided made = whole;
    made.dims.clear();
    for (std::size_t i = 0; i < dims.size(); ++i) {
      made.dims.push_back(dims[i] == repeats ? Extent{shape_.outer[i], 0}
                                             : whole.dims[static_cast<std::size_t>(dims[i])]);
    }
    return made;
  }
  [[nodiscard]] Sink sink(Lowerer& lowerer, const graph::Op& op) const {
    const graph::Type& type = lowerer.type(op.results[0]);
    const Strided place = fresh(lowerer, type);
    Layout layout{.order = shape_.result_dims, .row_dims = shape_.result_dims.size() - 1};
    return {segment_, place, layout};
  }

  void explain() {
    std::vector<graph::LocationId> operations;
    for (const std::int64_t each : shape_.locations)
      operations.push_back(static_cast<graph::LocationId>(each));
    emitter_.explain(
        std::move(operations),
        fmt::format("attention: {} x {} queries by {} keys in bands of {}{}; scores and "
                    "probabilities stay on chip, {} bands are under way",
                    shape_.batches(), shape_.queries, shape_.keys,
                    std::min(partitions_, shape_.queries),
                    shape_.mask ? ", without what the mask leaves out" : "", behind_ + 1));
  }

  // --- What is loaded ---

  [[nodiscard]] std::int64_t offset(const Strided& value, std::int64_t batch) const {
    std::int64_t at = value.offset;
    for (std::size_t i = shape_.outer.size(); i-- > 0;) {
      at += batch % shape_.outer[i] * value.dims[i].step;
      batch /= shape_.outer[i];
    }
    return at;
  }
  [[nodiscard]] Extent rows_of(const Strided& value) const {
    return value.dims[shape_.outer.size()];
  }

  // Rows of a value with the depth on partitions.
  Tile load_turned(const Strided& value, std::int64_t first, std::int64_t row, std::int64_t rows) {
    const Tile tile = emitter_.sbuf(value.dtype, shape_.depth, rows);
    const std::int64_t step = rows_of(value).step;
    constexpr std::int64_t most = 512;
    for (std::int64_t at = 0; at < rows; at += most) {
      const std::int64_t some = std::min(most, rows - at);
      emitter_.emit(isa::DmaTranspose{
          .dst = part(tile, 0, shape_.depth, at, some),
          .src = region(value, first + (row + at) * step, {{some, step}, {shape_.depth, 1}})});
    }
    return tile;
  }

  // Rows on partitions, block after block of them.
  Tile load_blocks(const Strided& value, std::int64_t first) {
    const std::int64_t blocks = base::ceil_div(shape_.keys, partitions_);
    const std::int64_t step = rows_of(value).step, width = shape_.columns;
    const Tile tile =
        emitter_.sbuf(value.dtype, std::min(partitions_, shape_.keys), blocks * width);
    constexpr std::int64_t most = 8;  // in one transfer
    for (std::int64_t block = 0; block < blocks;) {
      const std::int64_t begin = block * partitions_;
      const std::int64_t rows = std::min(partitions_, shape_.keys - begin);
      const std::int64_t count =
          rows < partitions_ ? 1 : std::min(most, shape_.keys / partitions_ - block);
      Tile dst = part(tile, 0, rows, block * width, count * width);
      emitter_.emit(isa::DmaCopy{
          .dst = dst,
          .src = region(
              value, first + begin * step,
              {{rows, step}, {count, step * partitions_}, {width, value.dims.back().step}})});
      block += count;
    }
    return tile;
  }

  const Keys& keys(const AttentionBand& band) {
    const std::int64_t key = offset(keys_, band.batch), value = offset(values_, band.batch);
    if (held_at_ != std::pair(key, value)) {
      held_at_ = {key, value};
      held_ = {load_turned(keys_, key, 0, shape_.keys), load_blocks(values_, value)};
    }
    return held_;
  }

  void load(AttentionBand& band) {
    operands_[band.batch] = keys(band);
    std::erase_if(operands_,
                  [&](const auto& each) { return each.first + behind_ + 1 < band.batch; });
    band.queries = load_turned(queries_, offset(queries_, band.batch), band.row, band.rows);
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
    const std::array<KeyRange, 3> parts{
        {{some.begin, std::min(some.end, band.kept.begin)},
         {std::max(some.begin, band.kept.begin), std::min(some.end, band.kept.end)},
         {std::max(some.begin, band.kept.end), some.end}}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const KeyRange& each = parts[i];
      if (each.size() <= 0) continue;
      const Tile from = part(sums, 0, band.rows, each.begin - some.begin, each.size());
      const Tile to = part(band.scores, 0, band.rows, each.begin - band.keys.begin, each.size());
      const Tile most = part(band.maxima, 0, band.rows, band.maxima_count++, 1);
      i == 1 ? copy_scores(to, from, most) : mask_scores(band, each, to, from, most);
    }
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
    isa::ScalarTensorTensor made;
    made.dst = to;
    made.data = from;
    made.operand0 = {.constant = shape_.scale};
    made.op1 = AluOp::minimum;
    made.operand1 = mask(columns.begin - band.row, band.rows, columns.size());
    emitter_.emit(made);
    charge(isa::cost::vector(to, from, core_.vector_rates.other, core_));
    maximum(most, to);
  }
  void maximum(const Tile& to, const Tile& from) {
    isa::IntList axis;
    axis.push_back(1);
    emitter_.emit(isa::TensorReduce{.dst = to, .op = AluOp::maximum, .data = from, .axis = axis});
    charge(isa::cost::tensor_reduce(to, from, AluOp::maximum, core_));
  }

  // Plus infinity where a score is kept, else minus infinity. `shift`: the first column less the
  // first row.
  const Tile& mask(std::int64_t shift, std::int64_t rows, std::int64_t columns) {
    auto& [core, shift_of, tile] = mask_;
    const bool is_held = tile && core == emitter_.core_at_hand() && shift_of == shift &&
                         tile.partitions == rows && tile.free_elements() == columns;
    if (is_held) return tile;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> content;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        content.push_back(shape_.mask->keeps(row, column + shift) ? infinity : -infinity);
    std::vector<std::byte> bytes(content.size() * sizeof(float));
    std::memcpy(bytes.data(), content.data(), bytes.size());
    const std::array<std::int64_t, 2> shape{rows, columns};
    const auto [place, is_new] = masks_.try_emplace({shift, rows, columns}, isa::no_tensor);
    if (is_new) place->second = emitter_.constant(DType::float32, shape, std::move(bytes));
    core = emitter_.core_at_hand();
    shift_of = shift;
    tile = emitter_.sbuf(DType::float32, rows, columns);
    const Strided constant = dense(place->second, DType::float32, shape);
    emitter_.emit(
        isa::DmaCopy{.dst = tile, .src = region(constant, 0, {{rows, columns}, {columns, 1}})});
    return tile;
  }

  // The probabilities, not divided by their sum yet, with the keys on partitions.
  void soften(AttentionBand& band) {
    Tile most = part(band.maxima, 0, band.rows, 0, 1);
    if (band.maxima_count > 1) {
      most = emitter_.sbuf(DType::float32, band.rows, 1);
      maximum(most, part(band.maxima, 0, band.rows, 0, band.maxima_count));
    }
    band.weights = emitter_.sbuf(weights_, band.rows, band.keys.size());
    band.sum = emitter_.sbuf(DType::float32, band.rows, 1);
    exponential(band, most);
    turn(band);
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
    made.op = Function::exp;
    made.data = band.scores;
    made.bias = {.tile = column.scalar(column.fresh(DType::float32), most, AluOp::multiply, -1)};
    made.reduce_op = AluOp::add;
    made.reduce_res = band.sum;
    made.reduce_cmd = isa::ReduceCmd::reset_reduce;
    emitter_.emit(made);
    busy_scalar_ +=
        core_.scalar.clock(isa::cost::activation(band.weights, band.scores, true, core_).occupancy);
  }

  // Block b of the turned ones holds keys [b * partitions, ...) of the band's.
  void turn(AttentionBand& band) {
    const std::int64_t blocks = base::ceil_div(band.keys.size(), partitions_);
    band.turned =
        emitter_.sbuf(weights_, std::min(partitions_, band.keys.size()), blocks * band.rows);
    const std::int64_t whole = band.keys.size() / partitions_;
    const std::int64_t most = turned_max / partitions_;
    for (std::int64_t block = 0; block < whole; block += most) {
      const std::int64_t count = std::min(most, whole - block);
      emitter_.emit(isa::DmaTranspose{
          .dst = blocks_of(band.turned, block * band.rows, count, band.rows, band.rows),
          .src = blocks_of(band.weights, block * partitions_, count, partitions_, partitions_)});
    }
    if (const std::int64_t rest = band.keys.size() - whole * partitions_; rest > 0) {
      emitter_.emit(
          isa::DmaTranspose{.dst = part(band.turned, 0, rest, whole * band.rows, band.rows),
                            .src = part(band.weights, 0, band.rows, whole * partitions_, rest)});
    }
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
          .moving =
              part(operands_.at(band.batch).values, 0, rows, of * shape_.columns, shape_.columns),
          .accumulate = block == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
    }
  }

  void finish(AttentionBand& band) {
    const TileMath column(emitter_, band.rows, 1);
    const Tile inverse = column.reciprocal(column.fresh(DType::float32), band.sum);
    const Tile made = emitter_.sbuf(sink_.place().dtype, band.rows, shape_.columns);
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
      scaled.op = Function::copy;
      scaled.data = band.result;
      scaled.scale = {.tile = inverse};
      emitter_.emit(scaled);
    }
    sink_.put(made, {band.batch * shape_.queries + band.row, band.rows, 0, shape_.columns});
    band = {};
  }

  void emit(std::vector<AttentionBand> all) {
    held_at_.reset();
    operands_.clear();
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
  DType weights_;
  std::int64_t partitions_, chunk_, behind_;
  Sink sink_;
  std::optional<std::pair<std::int64_t, std::int64_t>> held_at_{};  // offsets
  Keys held_{};
  std::map<std::int64_t, Keys> operands_;  // by batch
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, isa::TensorId> masks_;
  std::tuple<int, std::int64_t, Tile> mask_{};
  Ticks busy_vector_{0}, busy_scalar_{0};
};

}  // namespace

bool attention_fits(const AttentionShape& shape, graph::ElementType operands,
                    graph::ElementType values, const machine::Core& core) {
  const bool is_whole = shape.depth > 1 && shape.depth <= core.array.rows &&
                        shape.columns <= core.psum.bank_size.value / 4;
  return is_whole && size_of(operands) > 1 && size_of(shape.weights) > 1 &&
         behind_of(shape, size_of(operands), size_of(values), core) > 0;
}

bool lower_attention(Lowerer& lowerer, const graph::Op& op) {
  const Strided made = Attention(lowerer, op).run();
  return define_view(lowerer, op, made);
}

}  // namespace trainyard::compiler
