#include "compiler/lowering/attention/attention_operands.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

using isa::Tile;

namespace {

// What one transfer brings, in rows and in blocks of them, or turns on chip, in columns: longer
// ones cost less, shorter ones end sooner.
constexpr std::int64_t rows_max = 512, blocks_max = 8, turned_columns_max = 2048;

const Extent& rows_of(const Strided& value) { return value.dims[value.dims.size() - 2]; }
std::int64_t width_of(const Strided& value) { return value.dims.back().size; }

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

}  // namespace

Strided attention_operand(Lowerer& lowerer, graph::ValueId value,
                          std::span<const std::int64_t> dims, std::span<const std::int64_t> outer,
                          bool may_stay) {
  Segment& segment = lowerer.segment();
  const NodeId node = lowerer.node(value);
  const Strided whole = may_stay ? segment.placed(node) : segment.stored(node);
  Strided made = whole;
  made.dims.clear();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    made.dims.push_back(dims[i] == AttentionShape::repeats
                            ? Extent{outer[i], 0}
                            : whole.dims[static_cast<std::size_t>(dims[i])]);
  }
  return made;
}

std::int64_t batch_offset(const Strided& value, std::span<const std::int64_t> outer,
                          std::int64_t batch) {
  std::int64_t at = value.offset;
  for (std::size_t i = outer.size(); i-- > 0;) {
    at += batch % outer[i] * value.dims[i].step;
    batch /= outer[i];
  }
  return at;
}

Tile region(const Strided& value, std::int64_t offset, std::initializer_list<Extent> dims) {
  Tile tile{.space = isa::Space::hbm, .dtype = value.dtype, .tensor = value.tensor};
  tile.offset = offset * numerics::size_in_bytes(value.dtype);
  for (const Extent& dim : dims)
    tile.dims.at(tile.rank++) = {static_cast<std::int32_t>(dim.step),
                                 static_cast<std::int32_t>(dim.size)};
  return tile;
}

Tile load_turned(Emitter& emitter, const Strided& value, std::int64_t offset, std::int64_t rows) {
  const std::int64_t depth = width_of(value), step = rows_of(value).step;
  const Tile tile = emitter.sbuf(value.dtype, depth, rows);
  const Extent along{depth, value.dims.back().step};
  // It lies turned; or is of single bytes, which no transfer turns.
  if (step == 1 || numerics::size_in_bytes(value.dtype) == 1) {
    emitter.emit(isa::DmaCopy{.dst = tile, .src = region(value, offset, {along, {rows, step}})});
    return tile;
  }
  for (std::int64_t at = 0; at < rows; at += rows_max) {
    const std::int64_t some = std::min(rows_max, rows - at);
    emitter.emit(
        isa::DmaTranspose{.dst = part(tile, 0, depth, at, some),
                          .src = region(value, offset + at * step, {{some, step}, along})});
  }
  return tile;
}

Tile load_blocks(Emitter& emitter, const Strided& value, std::int64_t offset, std::int64_t rows) {
  const std::int64_t partitions = emitter.core().array.rows, step = rows_of(value).step;
  const std::int64_t width = width_of(value), blocks = base::ceil_div(rows, partitions);
  const Tile tile = emitter.sbuf(value.dtype, std::min(partitions, rows), blocks * width);
  for (std::int64_t block = 0; block < blocks;) {
    const std::int64_t begin = block * partitions, some = std::min(partitions, rows - begin);
    const std::int64_t count =
        some < partitions ? 1 : std::min(blocks_max, rows / partitions - block);
    emitter.emit(
        isa::DmaCopy{.dst = part(tile, 0, some, block * width, count * width),
                     .src = region(value, offset + begin * step,
                                   {{some, step}, {count, step * partitions}, value.dims.back()})});
    block += count;
  }
  return tile;
}

std::vector<Tile> load_each_block(Emitter& emitter, const Strided& value, std::int64_t offset,
                                  std::int64_t rows) {
  const std::int64_t partitions = emitter.core().array.rows, width = width_of(value);
  const Tile whole = load_blocks(emitter, value, offset, rows);
  std::vector<Tile> blocks;
  for (std::int64_t at = 0; at < rows; at += partitions) {
    blocks.push_back(
        part(whole, 0, std::min(partitions, rows - at), at / partitions * width, width));
  }
  return blocks;
}

void store_log_sum(Emitter& emitter, const Tile& sum, const Tile& most, const Strided& to,
                   std::int64_t row) {
  const std::int64_t rows = sum.partitions;
  const TileMath column(emitter, rows, 1);
  const Tile log =
      column.apply(column.fresh(isa::DType::float32), numerics::ActivationFunction::log, sum);
  const Tile all =
      column.tensor(column.fresh(isa::DType::float32), log, numerics::AluOp::add, most);
  emitter.emit(isa::DmaCopy{.dst = region(to, row, {{rows, 1}, {1, 1}}), .src = all});
}

Tile turned_blocks(Emitter& emitter, const Tile& tile) {
  const std::int64_t partitions = emitter.core().array.rows, rows = tile.partitions;
  const std::int64_t columns = tile.free_elements(), whole = columns / partitions;
  const Tile made = emitter.sbuf(tile.dtype, std::min(partitions, columns),
                                 base::ceil_div(columns, partitions) * rows);
  const std::int64_t most = turned_columns_max / partitions;
  for (std::int64_t block = 0; block < whole; block += most) {
    const std::int64_t count = std::min(most, whole - block);
    emitter.emit(isa::DmaTranspose{
        .dst = blocks_of(made, block * rows, count, rows, rows),
        .src = blocks_of(tile, block * partitions, count, partitions, partitions)});
  }
  if (const std::int64_t rest = columns - whole * partitions; rest > 0) {
    emitter.emit(isa::DmaTranspose{.dst = part(made, 0, rest, whole * rows, rows),
                                   .src = part(tile, 0, rows, whole * partitions, rest)});
  }
  return made;
}

bool turn_on_array(const Emitter& emitter, isa::DType dtype, std::int64_t columns) {
  const machine::Core& core = emitter.core();
  const bool is_exact = core.features.tensor_transpose_exact &&
                        (dtype == isa::DType::float32 || dtype == isa::DType::bfloat16 ||
                         dtype == isa::DType::float16);
  const bool are_few = columns <= core.psum.bank_size.value / 4;
  return is_exact && emitter.variation().attention_turns_on_array.value_or(are_few);
}

Tile turned_on_array(Emitter& emitter, const Tile& tile, isa::Engine copies) {
  const std::int64_t partitions = emitter.core().array.rows, rows = tile.partitions;
  const std::int64_t columns = tile.free_elements(), whole = columns / partitions;
  const std::int64_t most = emitter.core().psum.bank_size.value / 4 / rows;
  const Tile made = emitter.sbuf(tile.dtype, std::min(partitions, columns),
                                 base::ceil_div(columns, partitions) * rows);
  for (std::int64_t column = 0; column < columns;) {
    const std::int64_t block = column / partitions;
    const std::int64_t count = block < whole ? std::min(most, whole - block) : 1;
    const std::int64_t tall = std::min(partitions, columns - column);
    const Tile turned = emitter.psum(tile.dtype, tall, count * rows);
    for (std::int64_t i = 0; i < count; ++i, column += tall) {
      emitter.emit(isa::NcTranspose{.dst = part(turned, 0, tall, i * rows, rows),
                                    .data = part(tile, 0, rows, column, tall)});
    }
    emitter.emit(
        isa::TensorCopy{.dst = part(made, 0, tall, block * rows, count * rows), .src = turned},
        copies);
  }
  return made;
}

Tile MaskTiles::tile(std::int64_t shift, std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t held_max = 4;
  if (core_ != emitter_.core_at_hand() || held_.size() > held_max) held_.clear();
  core_ = emitter_.core_at_hand();
  const auto [held, is_unheld] = held_.try_emplace({shift, rows, columns});
  if (!is_unheld) return held->second;
  const std::array<std::int64_t, 2> shape{rows, columns};
  const auto [place, is_new] = constants_.try_emplace({shift, rows, columns}, isa::no_tensor);
  if (is_new) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> content;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        content.push_back(mask_.keeps(row, column + shift) ? infinity : -infinity);
    std::vector<std::byte> bytes(content.size() * sizeof(float));
    std::memcpy(bytes.data(), content.data(), bytes.size());
    place->second = emitter_.constant(isa::DType::float32, shape, std::move(bytes));
  }
  held->second = emitter_.sbuf(isa::DType::float32, rows, columns);
  const Strided constant = dense(place->second, isa::DType::float32, shape);
  emitter_.emit(isa::DmaCopy{.dst = held->second,
                             .src = region(constant, 0, {{rows, columns}, {columns, 1}})});
  return held->second;
}

}  // namespace trainyard::compiler
