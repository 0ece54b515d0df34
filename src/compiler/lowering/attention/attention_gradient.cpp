#include "compiler/lowering/attention/attention_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/attention/attention.h"
#include "compiler/lowering/attention/attention_bands.h"
#include "compiler/lowering/attention/attention_operands.h"
#include "compiler/lowering/attention/attention_turns.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Engine;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;

constexpr std::int64_t repeats = AttentionShape::repeats;
// Turns from a band's scores to its part of the gradient of the queries.
constexpr std::int64_t behind = 2;

std::vector<std::int64_t> list(const graph::Op& op, std::string_view name) {
  const auto all = op.integers(name);
  return {all.begin(), all.end()};
}

// A band of queries and what stays on chip of it while all keys pass.
struct Queries {
  AttentionBand band{};
  Tile queries{}, turned{};      // [rows, depth], [depth, rows]
  Tile given{}, given_turned{};  // [rows, columns], [columns, rows]
  Tile shift{};                  // minus the logarithm of the sum of exponentials
  Tile mean{};                   // of the change of the weights, by the weights
  Tile sum{};                    // the gradient
};

class Gradient {
 public:
  Gradient(Lowerer& lowerer, const graph::Op& op)
      : lowerer_(lowerer),
        segment_(lowerer.segment()),
        emitter_(segment_.emitter()),
        core_(emitter_.core()),
        shape_(attention_shape(op)),
        location_(op.location),
        queries_(operand(op, 0, shape_.query_dims)),
        keys_(operand(op, 1, shape_.key_dims)),
        values_(operand(op, 2, shape_.value_dims)),
        given_(operand(op, 3, list(op, "given_dims"))),
        result_(segment_.stored_dense(lowerer.node(op.operands[4]))),
        logs_(segment_.stored_dense(lowerer.node(op.operands[5]))),
        weights_(*storage_of(shape_.weights)),
        partitions_(core_.array.rows),
        chunk_(core_.psum.bank_size.value / 4),
        part_(bands_of_part(shape_, numerics::size_in_bytes(queries_.dtype), core_)),
        of_queries_(place(op, 0, list(op, "of_query_dims"))),
        of_keys_(place(op, 1, list(op, "of_key_dims"))),
        of_values_(place(op, 2, list(op, "of_value_dims"))) {}

  void run(const graph::Op& op) {
    explain();
    emitter_.at(location_);
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<AttentionBand>> groups;
    for (const AttentionBand& band : attention_bands(shape_, partitions_)) {
      groups[{batch_offset(keys_, shape_.outer, band.batch),
              batch_offset(values_, shape_.outer, band.batch)}]
          .push_back(band);
    }
    std::vector<std::vector<AttentionBand>> all;
    for (auto& [offsets, bands] : groups) all.push_back(std::move(bands));
    const auto some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) compute(all[i]);
    };
    if (emitter_.cores() < 2 || all.size() < 2) {
      some(0, all.size());
    } else {
      emitter_.in_halves([&](std::uint8_t half) {
        const std::size_t middle = (all.size() + 1) / 2;
        some(half == 0 ? 0 : middle, half == 0 ? middle : all.size());
      });
    }
    define(op, 0, of_queries_);
    define(op, 1, of_keys_);
    define(op, 2, of_values_);
  }

 private:
  // A result, with its dimensions as AttentionShape lists them.
  struct Place {
    Strided whole, seen;
  };

  [[nodiscard]] Strided operand(const graph::Op& op, std::size_t number,
                                const std::vector<std::int64_t>& dims) const {
    return attention_operand(lowerer_, op.operands[number], dims, shape_.outer);
  }
  [[nodiscard]] Place place(const graph::Op& op, std::size_t number,
                            const std::vector<std::int64_t>& dims) const {
    const Strided whole = fresh(lowerer_, lowerer_.type(op.results[number]));
    Strided seen = whole;
    seen.dims.clear();
    for (std::size_t i = 0; i < dims.size(); ++i) {
      seen.dims.push_back(dims[i] == repeats ? Extent{shape_.outer[i], 0}
                                             : whole.dims[static_cast<std::size_t>(dims[i])]);
    }
    return {whole, seen};
  }
  void define(const graph::Op& op, std::size_t number, const Place& place) {
    lowerer_.define(op.results[number],
                    segment_.add_view(lowerer_.type(op.results[number]), place.whole));
  }

  void explain() {
    emitter_.explain(
        shape_.locations,
        fmt::format("gradient of attention: {} x {} queries by {} keys, {} bands of {} queries by "
                    "{} keys at a time{}; scores and probabilities are computed again and stay on "
                    "chip",
                    shape_.batches(), shape_.queries, shape_.keys, part_, partitions_, chunk_,
                    shape_.mask ? ", without what the mask leaves out" : ""));
  }

  // --- What is loaded ---

  [[nodiscard]] static std::int64_t row_offset(const Strided& value,
                                               std::span<const std::int64_t> outer,
                                               const AttentionBand& band) {
    return batch_offset(value, outer, band.batch) + band.row * value.dims[outer.size()].step;
  }

  // Some neighbouring bands together.
  void load(const std::vector<AttentionBand>& bands, std::size_t first) {
    const AttentionBand& begin = bands[first];
    std::size_t last = first;
    std::int64_t rows = 0;
    while (last < bands.size() && bands[last].batch == begin.batch &&
           last - first < static_cast<std::size_t>(bands_together))
      rows += bands[last++].rows;
    const auto at = [&](const Strided& value) { return row_offset(value, shape_.outer, begin); };
    const Tile queries = load_blocks(emitter_, queries_, at(queries_), rows);
    const Tile queries_turned = load_turned(emitter_, queries_, at(queries_), rows);
    const Tile given = load_blocks(emitter_, given_, at(given_), rows);
    const Tile given_turned = load_turned(emitter_, given_, at(given_), rows);
    const Tile result = load_blocks(emitter_, result_, at(result_), rows);
    Strided logs = logs_;
    logs.dims.push_back({1, 1});
    const Tile log =
        load_blocks(emitter_, logs, logs_.offset + begin.batch * shape_.queries + begin.row, rows);
    for (std::size_t i = first; i < last; ++i) {
      const auto block = static_cast<std::int64_t>(i - first);
      const AttentionBand& band = bands[i];
      const auto rows_of = [&](const Tile& tile, std::int64_t width) {
        return part(tile, 0, band.rows, block * width, width);
      };
      const auto turned = [&](const Tile& tile) {
        return part(tile, 0, tile.partitions, block * partitions_, band.rows);
      };
      Queries& made = loaded_[i];
      made.band = band;
      made.queries = rows_of(queries, shape_.depth);
      made.turned = turned(queries_turned);
      made.given = rows_of(given, shape_.columns);
      made.given_turned = turned(given_turned);
      const TileMath column(emitter_, band.rows, 1), wide(emitter_, band.rows, shape_.columns);
      made.shift =
          column.scalar(column.fresh(DType::float32), rows_of(log, 1), AluOp::multiply, -1);
      const Tile both = wide.fresh(DType::float32);
      emitter_.emit(isa::TensorTensor{.dst = both,
                                      .data1 = made.given,
                                      .data2 = rows_of(result, shape_.columns),
                                      .op = AluOp::multiply});
      made.mean = column.fresh(DType::float32);
      isa::IntList axis;
      axis.push_back(1);
      emitter_.emit(
          isa::TensorReduce{.dst = made.mean, .op = AluOp::add, .data = both, .axis = axis});
    }
  }

  // --- What is computed ---

  // All bands of queries that have the same keys.
  void compute(const std::vector<AttentionBand>& bands) {
    const std::int64_t batch = bands.front().batch;
    const std::int64_t key = batch_offset(keys_, shape_.outer, batch);
    const std::int64_t value = batch_offset(values_, shape_.outer, batch);
    keys_turned_ = load_turned(emitter_, keys_, key, shape_.keys);
    values_turned_ = load_turned(emitter_, values_, value, shape_.keys);
    keys_rows_ = load_blocks(emitter_, keys_, key, shape_.keys);
    loaded_.assign(bands.size(), {});
    key_parts_.clear();
    value_parts_.clear();
    std::vector<AttentionTurn> turns =
        attention_turns(bands, static_cast<std::size_t>(part_), shape_.keys, chunk_);
    const auto count = std::ssize(turns);
    for (std::int64_t i = 0; i < count + behind; ++i) {
      const auto at = [&](std::int64_t turn) { return &turns[static_cast<std::size_t>(turn)]; };
      for (std::int64_t next = i; next < std::min(count, i + 3); ++next) bring(bands, *at(next));
      if (i < count) weigh(*at(i));
      if (i >= 1 && i - 1 < count) sum_keys(batch, *at(i - 1));
      if (i >= behind) sum_queries(*at(i - behind));
    }
  }

  void bring(const std::vector<AttentionBand>& bands, const AttentionTurn& turn) {
    if (loaded_[turn.band].queries) return;
    std::size_t first = turn.band;
    while (first > 0 && bands[first - 1].batch == bands[first].batch &&
           bands[first].row / partitions_ % bands_together != 0)
      --first;
    load(bands, first);
  }

  [[nodiscard]] Tile product(const Tile& stationary, const Tile& turned, const KeyRange& keys) {
    const Tile sums = emitter_.psum(DType::float32, stationary.free_elements(), keys.size());
    emitter_.emit(
        isa::NcMatmul{.dst = sums,
                      .stationary = stationary,
                      .moving = part(turned, 0, turned.partitions, keys.begin, keys.size()),
                      .accumulate = isa::Accumulate::overwrite});
    return sums;
  }

  // The probabilities and the change of the scores, both with the queries on partitions, and the
  // latter turned.
  void weigh(AttentionTurn& turn) {
    const Queries& of = loaded_[turn.band];
    const std::int64_t rows = of.band.rows, width = turn.keys.size();
    const Tile scores = product(of.turned, keys_turned_, turn.keys);
    turn.weights = emitter_.sbuf(weights_, rows, width);
    const KeyRange kept{std::clamp(of.band.kept.begin, turn.keys.begin, turn.keys.end),
                        std::clamp(of.band.kept.end, turn.keys.begin, turn.keys.end)};
    exponentials(turn, of, scores, {turn.keys.begin, kept.begin}, true);
    exponentials(turn, of, scores, kept, false);
    exponentials(turn, of, scores, {std::max(kept.begin, kept.end), turn.keys.end}, true);
    const Tile change = product(of.given_turned, values_turned_, turn.keys);
    turn.change = emitter_.sbuf(queries_.dtype, rows, width);
    isa::ScalarTensorTensor made;
    made.dst = turn.change;
    made.data = change;
    made.op0 = AluOp::subtract;
    made.operand0 = {.tile = of.mean};
    made.op1 = AluOp::multiply;
    made.operand1 = turn.weights;
    emitter_.emit(made);
  }

  // Of so many rows that lie in blocks of `width` columns: f(math, part) for all blocks that fill
  // the partitions, then for the last one where it does not.
  template <typename F>
  void in_whole_blocks(std::int64_t rows, std::int64_t width, F&& f) {
    const std::int64_t whole = rows / partitions_ * width, rest = rows % partitions_;
    const auto some = [&](std::int64_t partitions, std::int64_t begin, std::int64_t elements) {
      if (partitions == 0 || elements == 0) return;
      f(TileMath(emitter_, partitions, elements),
        [&](const Tile& tile) { return part(tile, 0, partitions, begin, elements); });
    };
    some(partitions_, 0, whole);
    some(rest, whole, width);
  }

  // [rows, columns] to [partitions, blocks * rows], by the tensor engine: transfers this short
  // would take longer.
  [[nodiscard]] Tile transposed(const Tile& tile) {
    const std::int64_t rows = tile.partitions, columns = tile.free_elements();
    const std::int64_t tall = std::min(partitions_, columns);
    const std::int64_t count = base::ceil_div(columns, partitions_);
    const Tile turned = emitter_.psum(tile.dtype, tall, count * rows);
    for (std::int64_t block = 0; block < count; ++block) {
      const std::int64_t some = std::min(partitions_, columns - block * partitions_);
      emitter_.emit(isa::NcTranspose{.dst = part(turned, 0, some, block * rows, rows),
                                     .data = part(tile, 0, rows, block * partitions_, some)});
    }
    const Tile made = emitter_.sbuf(tile.dtype, tall, count * rows);
    in_whole_blocks(columns, rows, [&](const TileMath& math, const auto& some) {
      const bool copies = emitter_.core().features.scalar_copy;
      math.copy(some(made), some(turned), copies ? Engine::scalar : Engine::any);
    });
    return made;
  }

  void exponentials(const AttentionTurn& turn, const Queries& of, const Tile& scores,
                    const KeyRange& keys, bool is_masked) {
    if (keys.size() <= 0) return;
    const std::int64_t rows = of.band.rows, at = keys.begin - turn.keys.begin;
    isa::Activation made;
    made.dst = part(turn.weights, 0, rows, at, keys.size());
    made.op = ActivationFunction::exp;
    made.data = part(scores, 0, rows, at, keys.size());
    made.scale = {.constant = shape_.scale};
    made.bias = {.tile = of.shift};
    if (is_masked) {
      isa::ScalarTensorTensor masked;
      masked.dst = emitter_.sbuf(DType::float32, rows, keys.size());
      masked.data = made.data;
      masked.operand0 = {.constant = shape_.scale};
      masked.op1 = AluOp::minimum;
      masked.operand1 = masks_.tile(keys.begin - of.band.row, rows, keys.size());
      emitter_.emit(masked);
      made.data = masked.dst;
      made.scale = {.constant = 1};
    }
    emitter_.emit(made);
  }

  [[nodiscard]] std::int64_t blocks(const KeyRange& keys) const {
    return base::ceil_div(keys.size(), partitions_);
  }

  // Adds a band's part of the gradients of the keys and values.
  void sum_keys(std::int64_t batch, AttentionTurn& turn) {
    const Queries& of = loaded_[turn.band];
    const std::int64_t tall = std::min(partitions_, turn.keys.size());
    const std::int64_t count = blocks(turn.keys);
    if (turn.is_first) {
      key_sums_ = emitter_.psum(DType::float32, tall, count * shape_.depth);
      value_sums_ = emitter_.psum(DType::float32, tall, count * shape_.columns);
    }
    const auto add = [&](const Tile& sums, const Tile& weights, const Tile& rows,
                         std::int64_t width) {
      for (std::int64_t block = 0; block < count; ++block) {
        const std::int64_t some = std::min(partitions_, turn.keys.size() - block * partitions_);
        emitter_.emit(isa::NcMatmul{
            .dst = part(sums, 0, some, block * width, width),
            .stationary = part(weights, 0, of.band.rows, block * partitions_, some),
            .moving = rows,
            .accumulate = turn.is_first ? isa::Accumulate::overwrite : isa::Accumulate::add});
      }
    };
    add(value_sums_, turn.weights, of.given, shape_.columns);
    add(key_sums_, turn.change, of.queries, shape_.depth);
    turn.turned = transposed(turn.change);
    if (!turn.is_last) return;
    finish_keys(turn, of_values_, batch, value_sums_, 1, value_parts_);
    finish_keys(turn, of_keys_, batch, key_sums_, shape_.scale, key_parts_);
  }

  // What a part of the queries adds is left on chip for the next part, or stored behind the last.
  void finish_keys(const AttentionTurn& turn, const Place& place, std::int64_t batch, Tile sums,
                   double scale, std::map<std::int64_t, Tile>& parts) {
    const std::int64_t count = blocks(turn.keys), width = sums.free_elements() / count;
    Tile& held = parts[turn.keys.begin];
    if (held || !turn.ends_keys) {
      const bool is_first = !held;
      if (is_first) held = emitter_.sbuf(DType::float32, sums.partitions, count * width);
      in_whole_blocks(turn.keys.size(), width, [&](const TileMath& math, const auto& some) {
        const Tile to = some(held), from = some(sums);
        is_first ? math.copy(to, from) : math.tensor(to, from, AluOp::add, to);
      });
      sums = held;
    }
    for (std::int64_t block = 0; turn.ends_keys && block < count; ++block) {
      const std::int64_t row = turn.keys.begin + block * partitions_;
      const std::int64_t some = std::min(partitions_, turn.keys.end - row);
      store(place, batch, row, part(sums, 0, some, block * width, width), scale);
    }
  }

  // The same of the queries, which other keys add to.
  void sum_queries(AttentionTurn& turn) {
    Queries& of = loaded_[turn.band];
    const std::int64_t rows = of.band.rows, first = turn.keys.begin / partitions_;
    const Tile sums = emitter_.psum(DType::float32, rows, shape_.depth);
    for (std::int64_t block = 0; block < blocks(turn.keys); ++block) {
      const std::int64_t some = std::min(partitions_, turn.keys.size() - block * partitions_);
      emitter_.emit(isa::NcMatmul{
          .dst = sums,
          .stationary = part(turn.turned, 0, some, block * rows, rows),
          .moving = part(keys_rows_, 0, some, (first + block) * shape_.depth, shape_.depth),
          .accumulate = block == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
    }
    const TileMath math(emitter_, rows, shape_.depth);
    if (!of.sum) {
      of.sum = math.copy(math.fresh(DType::float32), sums);
    } else {
      of.sum = math.tensor(of.sum, sums, AluOp::add, of.sum);
    }
    if (turn.ends_band) store(of_queries_, of.band.batch, of.band.row, of.sum, shape_.scale);
  }

  void store(const Place& place, std::int64_t batch, std::int64_t row, const Tile& sums,
             double scale) {
    const std::int64_t rows = sums.partitions, width = sums.free_elements();
    const TileMath math(emitter_, rows, width);
    const Tile made = math.scalar(math.fresh(place.seen.dtype), sums, AluOp::multiply, scale);
    const Extent& down = place.seen.dims[shape_.outer.size()];
    emitter_.emit(isa::DmaCopy{
        .dst = region(place.seen, batch_offset(place.seen, shape_.outer, batch) + row * down.step,
                      {{rows, down.step}, {width, place.seen.dims.back().step}}),
        .src = made});
  }

  Lowerer& lowerer_;
  Segment& segment_;
  Emitter& emitter_;
  const machine::Core& core_;
  AttentionShape shape_;
  graph::LocationId location_;
  Strided queries_, keys_, values_, given_, result_, logs_;
  DType weights_;
  std::int64_t partitions_, chunk_, part_;
  Place of_queries_, of_keys_, of_values_;
  MaskTiles masks_{emitter_, shape_.mask.value_or(DiagonalMask{})};
  // Of the batches at hand.
  Tile keys_turned_{}, values_turned_{}, keys_rows_{}, key_sums_{}, value_sums_{};
  std::map<std::int64_t, Tile> key_parts_{}, value_parts_{};  // sums of parts, by the first key
  std::vector<Queries> loaded_{};
};

}  // namespace

bool is_attention_gradient(const graph::Op& op) {
  return op.kind == graph::OpKind::composite && op.text("name") == attention_gradient_name;
}

bool attention_gradient_fits(const AttentionShape& shape, graph::ElementType operands,
                             const machine::Core& core) {
  if (!attention_fits(shape, operands, operands, core)) return false;
  return std::max(shape.depth, shape.columns) <= core.array.rows &&
         shape.depth <= core.psum.bank_size.value / 4 &&
         bands_of_part(shape, numerics::size_in_bytes(*storage_of(operands)), core) > 0;
}

bool lower_attention_gradient(Lowerer& lowerer, const graph::Op& op) {
  Gradient(lowerer, op).run(op);
  return true;
}

}  // namespace trainyard::compiler
