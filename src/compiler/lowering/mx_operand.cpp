#include "compiler/lowering/mx_operand.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "compiler/lowering/layout.h"
#include "compiler/lowering/tile_math.h"
#include "compiler/lowering/window.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/quantize_mx.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

constexpr std::int64_t pack_of = 4;    // elements of a word
constexpr std::int64_t block_of = 32;  // elements that share a scale
// Scales of a block of partitions take the first rows of each quadrant; those of four blocks share
// a tile. Source: MX deep dive, "Packing Scale Values".
constexpr std::int64_t scales_of_a_quadrant = 4;
constexpr std::int64_t blocks_of_a_scale_tile = 4;
// What is packed at once.
constexpr std::int64_t columns_max = 512;
constexpr std::int64_t depths_max = tile_columns;
// What one transfer brings.
constexpr std::int64_t transfer_bytes_max = 1024 * 1024;

DType packed_dtype(DType element) {
  return element == DType::float8_e5m2 ? DType::float8_e5m2_x4 : DType::float8_e4m3fn_x4;
}

// A tile [partitions, 4 n], elements of one slot side by side, as [partitions, n, 4].
Tile by_words(const Tile& slots, std::int64_t n) {
  Tile result = slots;
  result.rank = 2;
  result.dims[0] = {1, static_cast<std::int32_t>(n)};
  result.dims[1] = {static_cast<std::int32_t>(n), static_cast<std::int32_t>(pack_of)};
  return result;
}

// Every fourth element from there on.
Tile slot(const Tile& rows, std::int64_t first, std::int64_t count) {
  Tile result = part(rows, 0, rows.partitions, first, count);
  result.dims[0].step *= static_cast<std::int32_t>(pack_of);
  return result;
}

Tile retyped(Tile tile, DType dtype, std::int64_t elements) {
  tile.dtype = dtype;
  tile.dims[0].count = static_cast<std::int32_t>(elements);
  return tile;
}

}  // namespace

MxOperand::MxOperand(Segment& segment, const Strided& value, const std::optional<Strided>& scale)
    : segment_(segment), emitter_(segment.emitter()), value_(value), scale_(scale) {
  const std::span<const Extent> dims(value_.dims);
  free_ = merged(dims.first(dims.size() - 1));
  depth_ = dims.back();
  free_count_ = product(free_);
  if (scale_ && value_.dtype == DType::float8_e5m2) format_ = DType::float8_e5m2;
  pack();
  pack_scales();
}

std::int64_t MxOperand::blocks() const {
  return base::ceil_div(depth_.size, emitter_.core().array.rows * pack_of);
}
std::int64_t MxOperand::words(std::int64_t block) const {
  const std::int64_t rows = emitter_.core().array.rows;
  return std::min(rows, depth_.size / pack_of - block * rows);
}
std::int64_t MxOperand::partitions(std::int64_t block) const {
  const std::int64_t quadrant = emitter_.core().sbuf.quadrant;
  return base::ceil_div(words(block), quadrant) * quadrant;
}
std::int64_t MxOperand::bytes(std::int64_t elements) const {
  return elements * (blocks() * pack_of + base::ceil_div(blocks(), blocks_of_a_scale_tile));
}
bool MxOperand::by_columns() const {
  return depth_.step != 1 && !free_.empty() && free_.back().step == 1;
}

// --- Packing ---

void MxOperand::pack() {
  const std::array<std::int64_t, 2> words{depth_.size / pack_of, free_count_};
  const std::array<std::int64_t, 2> scales{depth_.size / block_of, free_count_};
  packed_ = emitter_.hbm(packed_dtype(format_), words);
  scales_ = emitter_.hbm(DType::uint8, scales);
  if (by_columns()) {
    segment_.residents().write_back(value_.tensor);
    for (std::int64_t first = 0; first < free_count_; first += columns_max) {
      const std::int64_t count = std::min(columns_max, free_count_ - first);
      for (std::int64_t b = 0; b < blocks(); ++b) pack(b, first, loaded_columns(b, first, count));
    }
    return;
  }
  const std::int64_t rows = emitter_.core().array.rows, depths = rows * pack_of;
  for (std::int64_t first = 0; first < free_count_; first += rows) {
    const std::int64_t count = std::min(rows, free_count_ - first);
    for (std::int64_t at = 0; at < depth_.size; at += depths_max) {
      const std::int64_t some = std::min(depths_max, depth_.size - at);
      const Tile loaded = loaded_rows(first, count, at, some);
      for (std::int64_t depth = 0; depth < some; depth += depths)
        pack((at + depth) / depths, first, turned(loaded, (at + depth) / depths, depth));
    }
  }
}

// Rows of four neighbouring depths on each partition: [words, 4 count].
Tile MxOperand::loaded_columns(std::int64_t block, std::int64_t first, std::int64_t count) {
  const Tile tile = emitter_.sbuf(value_.dtype, partitions(block), pack_of * count);
  if (words(block) < partitions(block)) emitter_.emit(isa::Memset{.dst = tile, .value = 0});
  const std::int64_t depth = block * emitter_.core().array.rows * pack_of;
  const isa::Engine issuer = issuer_of_load(emitter_, value_.tensor);
  for (const Piece& piece : pieces(free_, first, first + count, 2)) {
    for (std::int64_t slot = 0; slot < pack_of; ++slot) {
      std::vector<Extent> dims{{words(block), pack_of * depth_.step}};
      dims.insert(dims.end(), piece.dims.begin(), piece.dims.end());
      const std::int64_t offset = value_.offset + piece.offset + (depth + slot) * depth_.step;
      emitter_.emit(
          isa::DmaCopy{.dst = part(tile, 0, words(block), slot * count + piece.begin - first,
                                   product(piece.dims)),
                       .src = hbm_tile(value_.tensor, value_.dtype, offset, dims)},
          issuer);
    }
  }
  return tile;
}

// Elements of the free dimension on the partitions, in the format in which they are turned.
Tile MxOperand::loaded_rows(std::int64_t first, std::int64_t count, std::int64_t depth,
                            std::int64_t depths) {
  const Matrix matrix{value_.tensor, value_.dtype, value_.offset, free_, {depth_}};
  const Window window{first, count, depth, depths};
  Loader loader(emitter_, segment_.residents());
  const Tile rows = loader.load(matrix, window);
  if (rows.element_bytes() == 2) return rows;
  const TileMath math(emitter_, count, depths);
  return math.copy(math.fresh(DType::bfloat16), rows);
}

// The block at that depth of loaded rows, in PSUM: [words, 4 count].
Tile MxOperand::turned(const Tile& rows, std::int64_t block, std::int64_t depth) {
  const std::int64_t count = rows.partitions;
  const Tile tile = emitter_.psum(rows.dtype, partitions(block), pack_of * count);
  if (words(block) < partitions(block)) emitter_.emit(isa::Memset{.dst = tile, .value = 0});
  for (std::int64_t i = 0; i < pack_of; ++i) {
    emitter_.emit(isa::NcTranspose{.dst = part(tile, 0, words(block), i * count, count),
                                   .data = slot(rows, depth + i, words(block))});
  }
  return tile;
}

// Stores what a block's elements become.
void MxOperand::pack(std::int64_t block, std::int64_t first, const Tile& elements) {
  const std::int64_t used = partitions(block), count = elements.free_elements() / pack_of;
  const TileMath math(emitter_, used, pack_of * count);
  const std::int64_t rows = emitter_.core().array.rows;
  const auto to = [&](isa::TensorId tensor, DType dtype, std::int64_t row, std::int64_t height) {
    const std::array<Extent, 2> dims{Extent{height, free_count_}, Extent{count, 1}};
    return hbm_tile(tensor, dtype, row * free_count_ + first, dims);
  };
  Tile data;
  if (scale_) {
    const Tile words = math.fresh(format_);
    Tile view = words;
    view.rank = 2;
    view.dims[0] = {static_cast<std::int32_t>(pack_of), static_cast<std::int32_t>(count)};
    view.dims[1] = {1, static_cast<std::int32_t>(pack_of)};
    math.copy(view, by_words(elements, count));
    data = retyped(words, packed_dtype(format_), count);
  } else {
    const bool is_wide = elements.element_bytes() > 2;  // for quantize_mx.c3
    const Tile source =
        elements.space == isa::Space::sbuf && !is_wide
            ? elements
            : math.copy(math.fresh(is_wide ? DType::bfloat16 : elements.dtype), elements);
    data = emitter_.sbuf(packed_dtype(format_), used, count);
    const Tile scale = emitter_.sbuf(DType::uint8, used, count);
    emitter_.emit(isa::QuantizeMx{.dst = data, .src = by_words(source, count), .dst_scale = scale});
    const std::int64_t quadrant = emitter_.core().sbuf.quadrant;
    const std::int64_t scale_rows = words(block) * pack_of / block_of;
    for (std::int64_t row = 0; row < scale_rows; row += scales_of_a_quadrant) {
      const std::int64_t some = std::min(scales_of_a_quadrant, scale_rows - row);
      emitter_.emit(isa::DmaCopy{
          .dst = to(scales_, DType::uint8, block * rows * pack_of / block_of + row, some),
          .src = part(scale, row / scales_of_a_quadrant * quadrant, some, 0, count)});
    }
  }
  emitter_.emit(isa::DmaCopy{.dst = to(packed_, data.dtype, block * rows, words(block)),
                             .src = part(data, 0, words(block), 0, count)});
}

// Scales that are given: [depth / 32, free], in rows.
void MxOperand::pack_scales() {
  if (!scale_) return;
  Strided& given = *scale_;
  given.dtype = DType::uint8;
  segment_.residents().write_back(given.tensor);
  const std::span<const Extent> dims(given.dims);
  const std::vector<Extent> free = merged(dims.first(dims.size() - 1));
  const Extent depth = dims.back();
  const std::int64_t rows = emitter_.core().array.rows;
  const Matrix from{given.tensor, DType::uint8, given.offset, free, {depth}};
  const Matrix place{scales_, DType::uint8, 0, {{depth.size, free_count_}}, {{free_count_, 1}}};
  for (const Window& window : windows(free_count_, depth.size, rows, rows)) {
    const Tile tile = emitter_.sbuf(DType::uint8, window.rows, window.columns);
    compiler::load(emitter_, from, window, tile);
    const TileMath wide(emitter_, window.rows, window.columns);
    const Tile turned = emitter_.psum(DType::bfloat16, window.columns, window.rows);
    emitter_.emit(
        isa::NcTranspose{.dst = turned, .data = wide.copy(wide.fresh(DType::bfloat16), tile)});
    const TileMath tall(emitter_, window.columns, window.rows);
    store(emitter_, tall.copy(tall.fresh(DType::uint8), turned), place,
          {window.column, window.columns, window.row, window.rows});
  }
}

// --- Loading ---

MxOperand::Block MxOperand::block(std::int64_t block, std::int64_t first, std::int64_t count) {
  const auto key = std::pair{block, first};
  if (!kept_.contains(key)) load(block, first, count);
  return kept_.at(key);
}

// That block, and those behind it that find room in one transfer.
void MxOperand::load(std::int64_t block, std::int64_t first, std::int64_t count) {
  const std::int64_t rows = emitter_.core().array.rows;
  const DType dtype = packed_dtype(format_);
  const std::int64_t whole = depth_.size / (rows * pack_of) - block;
  const std::int64_t most = transfer_bytes_max / (rows * count * pack_of);
  const std::int64_t fours = most / blocks_of_a_scale_tile * blocks_of_a_scale_tile;
  const std::int64_t many = whole < 1 ? 1 : std::clamp(fours, std::int64_t{1}, whole);
  const std::int64_t used = partitions(block);
  const Tile data = emitter_.sbuf(dtype, used, many * count);
  if (words(block) < used)
    emitter_.emit(isa::Memset{.dst = retyped(data, DType::int32, many * count), .value = 0});
  const std::array<Extent, 3> dims{Extent{words(block), free_count_},
                                   Extent{many, rows * free_count_}, Extent{count, 1}};
  emitter_.emit(
      isa::DmaCopy{.dst = part(data, 0, words(block), 0, many * count),
                   .src = hbm_tile(packed_, dtype, block * rows * free_count_ + first, dims)},
      isa::Engine::gpsimd);
  const std::int64_t tiles = base::ceil_div(many, blocks_of_a_scale_tile);
  const Tile scale = emitter_.sbuf(DType::uint8, rows, tiles * count);
  for (std::int64_t i = 0; i < many; i += blocks_of_a_scale_tile) {
    const std::int64_t some = std::min(blocks_of_a_scale_tile, many - i);
    load_scales(block + i, some, first, count,
                part(scale, 0, rows, i / blocks_of_a_scale_tile * count, count));
  }
  for (std::int64_t i = 0; i < many; ++i) {
    const std::int64_t row = i % blocks_of_a_scale_tile * scales_of_a_quadrant;
    const Tile own = part(scale, row, used - (blocks_of_a_scale_tile - 1) * scales_of_a_quadrant,
                          i / blocks_of_a_scale_tile * count, count);
    kept_[{block + i, first}] = {part(data, 0, used, i * count, count), own};
  }
}

// The scales of up to four blocks, those of a block four rows behind those of the one before.
void MxOperand::load_scales(std::int64_t block, std::int64_t blocks, std::int64_t first,
                            std::int64_t count, const Tile& tile) {
  const std::int64_t quadrant = emitter_.core().sbuf.quadrant;
  const std::int64_t of_a_block = emitter_.core().array.rows * pack_of / block_of;
  const std::int64_t rows = words(block) * pack_of / block_of;
  if (words(block) < partitions(block)) emitter_.emit(isa::Memset{.dst = tile, .value = 0});
  for (std::int64_t row = 0; row < rows; row += scales_of_a_quadrant) {
    const std::int64_t some = std::min(scales_of_a_quadrant, rows - row);
    const std::array<Extent, 3> dims{Extent{blocks, of_a_block * free_count_},
                                     Extent{some, free_count_}, Extent{count, 1}};
    emitter_.emit(
        isa::DmaCopy{
            .dst = part(tile, row / scales_of_a_quadrant * quadrant, blocks * some, 0, count),
            .src = hbm_tile(scales_, DType::uint8, (block * of_a_block + row) * free_count_ + first,
                            dims)},
        isa::Engine::gpsimd);
  }
}

}  // namespace trainyard::compiler
