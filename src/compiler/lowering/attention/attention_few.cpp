#include "compiler/lowering/attention/attention_few.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/attention/attention_operands.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/window.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/select_reduce.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar_reduce.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

// Keys whose scores are on chip at a time. More are cut into splits, each with its own maximum.
constexpr std::int64_t split_max = 2048;

// Some batches, each in its own rows of a tile.
struct Band {
  std::int64_t first = 0, count = 0;
};

// One split of a band: the largest score of each row, the sum of the exponentials of what the
// others lack to it, and the values weighted with them.
struct Part {
  Tile most{}, sum{}, values{};
};

class FewQueries {
 public:
  FewQueries(Lowerer& lowerer, const graph::Op& op)
      : segment_(lowerer.segment()),
        emitter_(segment_.emitter()),
        core_(emitter_.core()),
        shape_(attention_shape(op)),
        location_(op.location),
        queries_(placed(lowerer, op.operands[0], shape_.query_dims)),
        keys_(attention_operand(lowerer, op.operands[1], shape_.key_dims, shape_.outer)),
        values_(attention_operand(lowerer, op.operands[2], shape_.value_dims, shape_.outer)),
        weights_(*storage_of(shape_.weights)),
        partitions_(core_.array.rows),
        stride_(std::max<std::int64_t>(
            core_.array.tile_columns_min,
            shape_.queries <= core_.sbuf.quadrant ? core_.sbuf.quadrant : 2 * core_.sbuf.quadrant)),
        sink_(segment_, fresh(lowerer, lowerer.type(op.results[0])),
              Layout{.order = shape_.result_dims, .row_dims = shape_.result_dims.size() - 1}),
        loader_(emitter_, segment_.residents()) {
    if (shape_.limit == AttentionShape::Limit::mask)
      flags_ = attention_operand(lowerer, op.operands[3], shape_.limit_dims, outer_and_queries());
  }

  [[nodiscard]] Strided run() {
    emitter_.explain(shape_.locations,
                     fmt::format("attention: {} x {} queries by {} keys, {} batches side by side; "
                                 "scores and probabilities stay on chip",
                                 shape_.batches(), shape_.queries, shape_.keys,
                                 std::min(shape_.batches(), partitions_ / stride_)));
    emitter_.at(location_);
    const std::int64_t batches = shape_.batches();
    if (emitter_.cores() < 2 || batches < 2) {
      emit(0, batches);
      return sink_.place();
    }
    segment_.residents().write_back(queries_.tensor);
    emitter_.in_halves([&](std::uint8_t half) {
      emit(half == 0 ? 0 : batches / 2, half == 0 ? batches / 2 : batches);
    });
    return sink_.place();
  }

 private:
  // On chip or in HBM, with its dimensions as AttentionShape lists them.
  [[nodiscard]] Strided placed(Lowerer& lowerer, graph::ValueId value,
                               std::span<const std::int64_t> dims) const {
    const Strided whole = segment_.placed(lowerer.node(value));
    Strided made = whole;
    made.dims.clear();
    for (const std::int64_t dim : dims)
      made.dims.push_back(whole.dims[static_cast<std::size_t>(dim)]);
    return made;
  }
  [[nodiscard]] std::vector<std::int64_t> outer_and_queries() const {
    std::vector<std::int64_t> sizes = shape_.outer;
    sizes.insert(sizes.end(), {shape_.queries, shape_.keys});
    return sizes;
  }

  // The queries of batches as columns, `stride_` of them a batch, with zeros behind its own.
  [[nodiscard]] Tile stationary(std::int64_t begin, std::int64_t end) {
    const std::int64_t batches = end - begin, queries = shape_.queries, depth = shape_.depth;
    const Tile whole = emitter_.sbuf(queries_.dtype, depth, batches * stride_);
    if (queries < stride_) emitter_.emit(isa::Memset{.dst = whole}, isa::Engine::gpsimd);
    const bool by_query = queries < batches;
    const std::int64_t turns = by_query ? queries : batches, rows = by_query ? batches : queries;
    const std::int64_t bank = core_.psum.bank_size.value / numerics::size_in_bytes(queries_.dtype);
    const std::int64_t together = std::max<std::int64_t>(1, bank / rows);
    for (std::int64_t at = 0; at < turns; at += together) {
      const std::int64_t some = std::min(together, turns - at);
      const Tile turned = emitter_.psum(queries_.dtype, depth, some * rows);
      for (std::int64_t i = 0; i < some; ++i) {
        emitter_.emit(isa::NcTranspose{.dst = part(turned, 0, depth, i * rows, rows),
                                       .data = query_rows(begin, at + i, rows, by_query)});
      }
      const std::array<Extent, 2> from{{{some, rows}, {rows, 1}}};
      const std::array<Extent, 2> to{
          {{some, by_query ? 1 : stride_}, {rows, by_query ? stride_ : 1}}};
      const TileMath math(emitter_, depth, some * rows);
      math.copy(walked(whole, to, at * (by_query ? 1 : stride_)), walked(turned, from, 0));
    }
    return whole;
  }
  // One query of each batch, or those of one batch: [rows, depth].
  [[nodiscard]] Tile query_rows(std::int64_t begin, std::int64_t i, std::int64_t rows,
                                bool by_query) {
    Matrix matrix = matrix_of(queries_, queries_.dims.size() - 1);
    const Extent query = queries_.dims[shape_.outer.size()];
    if (!by_query)
      return loader_.load(matrix, {(begin + i) * shape_.queries, rows, 0, shape_.depth});
    matrix.offset += i * query.step;
    matrix.rows.assign(queries_.dims.begin(),
                       queries_.dims.begin() + static_cast<std::ptrdiff_t>(shape_.outer.size()));
    return loader_.load(matrix, {begin, rows, 0, shape_.depth});
  }

  [[nodiscard]] Tile in_band(const Tile& tile, std::int64_t i, std::int64_t rows) const {
    Tile made = tile;
    made.partition_start = static_cast<std::uint16_t>(tile.partition_start + i * stride_);
    made.partitions = static_cast<std::uint16_t>(rows);
    return made;
  }
  [[nodiscard]] isa::NcMatmul product(const Tile& dst, const Tile& stationary, const Tile& moving,
                                      std::int64_t i) const {
    isa::NcMatmul made{.dst = dst, .stationary = stationary, .moving = moving};
    made.tile_position.count = made.tile_size.count = 2;
    made.tile_position.items[1] = static_cast<std::int32_t>(i * stride_);
    made.tile_size.items[0] = static_cast<std::int32_t>(partitions_);
    made.tile_size.items[1] = static_cast<std::int32_t>(stride_);
    return made;
  }

  // 1 where a score counts.
  [[nodiscard]] Tile flags(const Band& band, std::int64_t key, std::int64_t keys) {
    const Tile tile = emitter_.sbuf(flags_->dtype, band.count * stride_, keys);
    const Extent query = flags_->dims[shape_.outer.size()], along = flags_->dims.back();
    const std::int64_t rows = query.step == 0 ? stride_ : shape_.queries;
    if (rows < stride_) emitter_.emit(isa::Memset{.dst = tile}, isa::Engine::gpsimd);
    for (std::int64_t i = 0; i < band.count; ++i) {
      const std::int64_t at =
          batch_offset(*flags_, shape_.outer, band.first + i) + key * along.step;
      emitter_.emit(
          isa::DmaCopy{.dst = in_band(tile, i, rows),
                       .src = region(*flags_, at, {{rows, query.step}, {keys, along.step}})});
    }
    return tile;
  }

  void maximum(const Tile& to, const Tile& from) {
    isa::IntList axis;
    axis.push_back(1);
    emitter_.emit(isa::TensorReduce{.dst = to, .op = AluOp::maximum, .data = from, .axis = axis});
  }

  // The scores of a split, before they are scaled, and each row's maximum.
  [[nodiscard]] Tile scores(const Band& band, const Tile& queries, std::int64_t key,
                            std::int64_t keys, Tile& most) {
    const std::int64_t rows = band.count * stride_, bank = core_.psum.bank_size.value / 4;
    const Tile all = emitter_.sbuf(DType::float32, rows, keys);
    const Tile maxima = emitter_.sbuf(DType::float32, rows, base::ceil_div(keys, bank));
    std::vector<Tile> operands;
    for (std::int64_t i = 0; i < band.count; ++i) {
      const std::int64_t at = batch_offset(keys_, shape_.outer, band.first + i);
      const std::int64_t step = keys_.dims[shape_.outer.size()].step;
      operands.push_back(load_turned(emitter_, keys_, at + key * step, keys));
    }
    const std::optional<Tile> counts =
        flags_ ? std::optional(flags(band, key, keys)) : std::nullopt;
    for (std::int64_t at = 0; at < keys; at += bank) {
      const std::int64_t some = std::min(bank, keys - at);
      const Tile sums = emitter_.psum(DType::float32, rows, some);
      for (std::int64_t i = 0; i < band.count; ++i) {
        isa::NcMatmul made =
            product(in_band(sums, i, stride_),
                    part(queries, 0, shape_.depth, (band.first - first_ + i) * stride_, stride_),
                    part(operands[static_cast<std::size_t>(i)], 0, shape_.depth, at, some), i);
        made.accumulate = isa::Accumulate::overwrite;
        emitter_.emit(made);
      }
      const Tile to = part(all, 0, rows, at, some), highest = part(maxima, 0, rows, at / bank, 1);
      if (counts) {
        emitter_.emit(isa::SelectReduce{.dst = to,
                                        .predicate = part(*counts, 0, rows, at, some),
                                        .on_true = sums,
                                        .on_false = {.constant = shape_.masked / shape_.scale},
                                        .reduce_res = highest,
                                        .reduce_cmd = isa::ReduceCmd::reset_reduce});
      } else {
        emitter_.emit(isa::TensorScalarReduce{.dst = to,
                                              .data = sums,
                                              .operand0 = {.constant = 1},
                                              .reduce_op = AluOp::maximum,
                                              .reduce_res = highest});
      }
    }
    most = maxima;
    if (keys > bank) {
      most = emitter_.sbuf(DType::float32, rows, 1);
      maximum(most, maxima);
    }
    return all;
  }

  // With the keys on partitions, `keys / partitions` apart: [partitions, block, batch, query].
  [[nodiscard]] Tile turned(const Band& band, const Tile& weights) {
    const std::int64_t rows = band.count * stride_, blocks = weights.free_elements() / partitions_;
    const std::int64_t queries = shape_.queries, width = band.count * queries;
    const Tile all = emitter_.sbuf(weights_, partitions_, blocks * width);
    const std::int64_t together =
        core_.psum.bank_size.value / numerics::size_in_bytes(weights_) / rows;
    for (std::int64_t at = 0; at < blocks; at += together) {
      const std::int64_t some = std::min(together, blocks - at);
      const Tile sums = emitter_.psum(weights_, partitions_, some * rows);
      for (std::int64_t j = 0; j < some; ++j) {
        const std::array<Extent, 1> walk{{{partitions_, blocks}}};
        emitter_.emit(isa::NcTranspose{.dst = part(sums, 0, partitions_, j * rows, rows),
                                       .data = walked(weights, walk, at + j)});
      }
      const std::array<Extent, 2> from{{{some * band.count, stride_}, {queries, 1}}};
      const std::array<Extent, 2> to{{{some * band.count, queries}, {queries, 1}}};
      const TileMath math(emitter_, partitions_, some * width);
      math.copy(walked(all, to, at * width), walked(sums, from, 0));
    }
    return all;
  }

  [[nodiscard]] Part split(const Band& band, const Tile& queries, std::int64_t key,
                           std::int64_t keys) {
    const std::int64_t rows = band.count * stride_, blocks = keys / partitions_;
    Part made;
    const Tile all = scores(band, queries, key, keys, made.most);
    const TileMath column(emitter_, rows, 1);
    if (keys < shape_.keys) {  // a split may have no score that counts
      made.most = column.scalar(column.fresh(DType::float32), made.most, AluOp::maximum, -1e30);
    }
    const Tile low =
        column.scalar(column.fresh(DType::float32), made.most, AluOp::multiply, -shape_.scale);
    made.sum = emitter_.sbuf(DType::float32, rows, 1);
    const Tile weights = emitter_.sbuf(weights_, rows, keys);
    emitter_.emit(isa::Activation{.dst = weights,
                                  .op = numerics::ActivationFunction::exp,
                                  .data = all,
                                  .bias = {.tile = low},
                                  .scale = {.constant = shape_.scale},
                                  .reduce_op = AluOp::add,
                                  .reduce_res = made.sum,
                                  .reduce_cmd = isa::ReduceCmd::reset_reduce});
    const Tile by_key = turned(band, weights);
    made.values = emitter_.psum(DType::float32, rows, shape_.columns);
    const std::int64_t width = shape_.columns, queries_of = shape_.queries;
    for (std::int64_t i = 0; i < band.count; ++i) {
      const Tile values = value_blocks(band.first + i, key, blocks);
      for (std::int64_t j = 0; j < blocks; ++j) {
        isa::NcMatmul of =
            product(in_band(made.values, i, queries_of),
                    part(by_key, 0, partitions_, (j * band.count + i) * queries_of, queries_of),
                    part(values, 0, partitions_, j * width, width), i);
        of.accumulate = j == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add;
        emitter_.emit(of);
      }
    }
    return made;
  }
  // Partition p has the keys [p * blocks, (p + 1) * blocks).
  [[nodiscard]] Tile value_blocks(std::int64_t batch, std::int64_t key, std::int64_t blocks) {
    const std::int64_t step = values_.dims[shape_.outer.size()].step;
    const Tile tile = emitter_.sbuf(values_.dtype, partitions_, blocks * shape_.columns);
    const std::int64_t at = batch_offset(values_, shape_.outer, batch) + key * step;
    emitter_.emit(isa::DmaCopy{.dst = tile,
                               .src = region(values_, at,
                                             {{partitions_, blocks * step},
                                              {blocks, step},
                                              {shape_.columns, values_.dims.back().step}})});
    return tile;
  }

  // Splits as if they were one: each is scaled down to the largest score of all.
  [[nodiscard]] Part joined(const std::vector<Part>& parts, std::int64_t rows) {
    const TileMath column(emitter_, rows, 1);
    const Tile maxima = emitter_.sbuf(DType::float32, rows, std::ssize(parts));
    for (std::size_t i = 0; i < parts.size(); ++i)
      column.copy(part(maxima, 0, rows, static_cast<std::int64_t>(i), 1), parts[i].most);
    const Tile most = column.fresh(DType::float32);
    maximum(most, maxima);
    const Tile low =
        column.scalar(column.fresh(DType::float32), most, AluOp::multiply, -shape_.scale);
    Part made{.most = most};
    for (const Part& each : parts) {
      const Tile factor = column.fresh(DType::float32);
      isa::Activation scaled;
      scaled.dst = factor;
      scaled.op = numerics::ActivationFunction::exp;
      scaled.data = each.most;
      scaled.bias = {.tile = low};
      scaled.scale = {.constant = shape_.scale};
      emitter_.emit(scaled);
      made.sum = added(made.sum, each.sum, factor, rows, 1);
      made.values = added(made.values, each.values, factor, rows, shape_.columns);
    }
    return made;
  }
  [[nodiscard]] Tile added(const Tile& to, const Tile& value, const Tile& factor, std::int64_t rows,
                           std::int64_t columns) {
    const TileMath math(emitter_, rows, columns);
    const Tile made = math.fresh(DType::float32);
    if (!to) return math.column(made, value, AluOp::multiply, repeated(factor, columns));
    emitter_.emit(isa::ScalarTensorTensor{
        .dst = made, .data = value, .operand0 = {.tile = factor}, .operand1 = to});
    return made;
  }

  void emit(std::int64_t begin, std::int64_t end) {
    const std::int64_t side_by_side = partitions_ / stride_;
    for (std::int64_t some = begin; some < end; some += partitions_) {
      first_ = some;
      const std::int64_t until = std::min(end, some + partitions_);
      const Tile queries = stationary(some, until);
      for (std::int64_t at = some; at < until; at += side_by_side)
        emit({at, std::min(side_by_side, until - at)}, queries);
    }
  }
  void emit(const Band& band, const Tile& queries) {
    const std::int64_t rows = band.count * stride_;
    std::vector<Part> parts;
    for (std::int64_t key = 0; key < shape_.keys; key += split_max)
      parts.push_back(split(band, queries, key, std::min(split_max, shape_.keys - key)));
    const Part all = parts.size() == 1 ? parts.front() : joined(parts, rows);
    const TileMath column(emitter_, rows, 1), math(emitter_, rows, shape_.columns);
    const Tile inverse = column.reciprocal(column.fresh(DType::float32), all.sum);
    const Tile made = math.column(math.fresh(sink_.place().dtype), all.values, AluOp::multiply,
                                  repeated(inverse, shape_.columns));
    for (std::int64_t i = 0; i < band.count; ++i) {
      sink_.put(in_band(made, i, shape_.queries),
                {(band.first + i) * shape_.queries, shape_.queries, 0, shape_.columns});
    }
  }

  Segment& segment_;
  Emitter& emitter_;
  const machine::Core& core_;
  AttentionShape shape_;
  graph::LocationId location_;
  Strided queries_, keys_, values_;
  std::optional<Strided> flags_{};
  DType weights_;
  std::int64_t partitions_, stride_;
  Sink sink_;
  Loader loader_;
  std::int64_t first_ = 0;  // of the batches whose queries are on chip
};

}  // namespace

bool few_queries_fit(const AttentionShape& shape, graph::ElementType operands,
                     graph::ElementType values, const machine::Core& core) {
  if (shape.inner || shape.limit == AttentionShape::Limit::bias) return false;
  const auto has_two_bytes = [](graph::ElementType type) {
    return numerics::size_in_bytes(*storage_of(type)) == 2;
  };
  const auto repeats_none = [](const std::vector<std::int64_t>& dims) {
    return std::ranges::find(dims, AttentionShape::repeats) == dims.end();
  };
  return has_two_bytes(operands) && has_two_bytes(values) && has_two_bytes(shape.weights) &&
         repeats_none(shape.query_dims) && shape.keys % core.array.rows == 0 && shape.depth > 1 &&
         shape.depth <= core.array.rows && shape.columns <= core.psum.bank_size.value / 4 &&
         core.features.column_tiling;
}

bool lower_few_queries(Lowerer& lowerer, const graph::Op& op) {
  return define_view(lowerer, op, FewQueries(lowerer, op).run());
}

}  // namespace trainyard::compiler
