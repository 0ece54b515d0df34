#include "compiler/lowering/products/mx_operand.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/window.h"
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

// Parts of `count` elements, so far apart.
Tile spaced(Tile tile, std::int64_t parts, std::int64_t apart, std::int64_t count) {
  tile.rank = 2;
  tile.dims[0] = {static_cast<std::int32_t>(apart), static_cast<std::int32_t>(parts)};
  tile.dims[1] = {1, static_cast<std::int32_t>(count)};
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
  word_ = packed_dtype(format_);
  if (numerics::is_packed(value_.dtype)) {
    word_ = value_.dtype;
    depth_.size *= pack_of;
  }
  if (scale_) scale_->dtype = DType::uint8;
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
  return elements * (blocks() * numerics::size_in_bytes(word_) + base::ceil_div(blocks(), group));
}
bool MxOperand::by_columns() const {
  return depth_.step != 1 && !free_.empty() && free_.back().step == 1;
}

void MxOperand::choose_panels(std::int64_t first, std::int64_t end, std::int64_t width,
                              bool again) {
  first_ = first;
  end_ = end;
  width_ = width;
  kept_.clear();
  if (!again) return;
  const std::int64_t tiles = base::ceil_div(end - first, width) * base::ceil_div(blocks(), group);
  const std::int64_t rows = emitter_.core().array.rows;
  copy_width_ = base::round_up(width, std::int64_t{2});
  copy_ = emitter_.hbm(word_, std::array{tiles, rows, group * copy_width_});
  copy_of_scales_ = emitter_.hbm(DType::uint8, std::array{tiles, rows, copy_width_});
}

MxOperand::Block MxOperand::block(std::int64_t block, std::int64_t first, std::int64_t count) {
  const std::int64_t panel = panel_of(first);
  return part_of(made(panel, block / group), block, first - begin_of(panel), count);
}

MxOperand::Block MxOperand::part_of(const Group& from, std::int64_t block, std::int64_t at,
                                    std::int64_t count) const {
  const std::int64_t i = block % group, used = partitions(block);
  const std::int64_t whole = from.scale.free_elements();
  return {
      part(from.data, 0, used, i * whole + at, count),
      part(from.scale, i * scales_of_a_quadrant,
           std::max(used - (group - 1) * scales_of_a_quadrant, scales_of_a_quadrant), at, count)};
}

const MxOperand::Group& MxOperand::made(std::int64_t panel, std::int64_t group_at) {
  const std::pair key{panel, group_at};
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  return kept_.emplace(key, packed(panel, group_at)).first->second;
}

MxOperand::Group MxOperand::packed(std::int64_t panel, std::int64_t group_at) {
  const std::int64_t width = width_of(panel), some = blocks_of(group_at);
  const std::int64_t rows = emitter_.core().array.rows;
  const Group made{emitter_.sbuf(word_, partitions(group_at * group), some * width),
                   emitter_.sbuf(DType::uint8, rows, width)};
  if (in_copy_.contains({panel, group_at})) {
    move_copy(panel, group_at, made, false);
    return made;
  }
  const std::int64_t last = group_at * group + some - 1;
  const bool is_partial = words(last) < rows;
  const bool is_odd = width > count_of(panel);
  // The rows between scales are copied, too.
  if (copy_ != isa::no_tensor || (scale_ && is_partial) || is_odd)
    emitter_.emit(isa::Memset{.dst = made.scale, .value = 0}, isa::Engine::gpsimd);
  if (is_odd) zero(made.data);
  if (scale_) load_scales(panel, group_at, made.scale);
  if (numerics::is_packed(value_.dtype)) {
    load_words(panel, group_at, made);
  } else {
    by_columns() ? pack_columns(panel, group_at, made) : pack_rows(panel, group_at, made);
  }
  if (copy_ != isa::no_tensor) {
    move_copy(panel, group_at, made, true);
    in_copy_.emplace(panel, group_at);
  }
  return made;
}

// --- Packing ---

void MxOperand::zero(const Tile& words) {
  const DType bits = words.element_bytes() == 2 ? DType::uint16 : DType::int32;
  emitter_.emit(isa::Memset{.dst = retyped(words, bits, words.free_elements()), .value = 0});
}

// Words as they lie.
void MxOperand::load_words(std::int64_t panel, std::int64_t group_at, const Group& to) {
  segment_.residents().write_back(value_.tensor);
  const std::int64_t count = count_of(panel), width = width_of(panel);
  const std::int64_t rows = emitter_.core().array.rows;
  const auto load_blocks = [&](std::int64_t first, std::int64_t blocks) {
    const std::int64_t block = group_at * group + first, tall = words(block);
    if (tall < partitions(block)) zero(part_of(to, block, 0, count).data);
    const std::array<Extent, 3> dims{Extent{tall, depth_.step}, Extent{blocks, rows * depth_.step},
                                     Extent{count, 1}};
    const std::int64_t offset = value_.offset + block * rows * depth_.step + begin_of(panel);
    emitter_.emit(isa::DmaCopy{.dst = spaced(part(to.data, 0, tall, first * width, count), blocks,
                                             width, count),
                               .src = hbm_tile(value_.tensor, word_, offset, dims)},
                  issuer_of_load(emitter_, value_.tensor));
  };
  const std::int64_t all = blocks_of(group_at), last = group_at * group + all - 1;
  const std::int64_t whole = words(last) == rows ? all : all - 1;
  if (whole > 0) load_blocks(0, whole);
  if (whole < all) load_blocks(whole, 1);
}

void MxOperand::pack_columns(std::int64_t panel, std::int64_t group_at, const Group& to) {
  const std::int64_t count = count_of(panel);
  for (std::int64_t i = 0; i < blocks_of(group_at); ++i) {
    const std::int64_t block = group_at * group + i;
    put(loaded_columns(block, begin_of(panel), count), part_of(to, block, 0, count));
  }
}

void MxOperand::pack_rows(std::int64_t panel, std::int64_t group_at, const Group& to) {
  for (std::int64_t at = 0; at < count_of(panel); at += emitter_.core().array.rows) {
    const auto found = fetched_.extract({panel, group_at});
    const Tile rows = found ? found.mapped() : loaded_rows(panel, group_at, at);
    const bool is_dense = rows.rank == 1 && rows.dims[0].step == 1 && rows.offset % pack_of == 0;
    if (scale_ && value_.dtype == format_ && is_dense) {
      const std::int64_t words_of_rows = rows.free_elements() / pack_of;
      put_words(retyped(rows, DType::float32, words_of_rows), panel, group_at, at, to);
    } else {
      const TileMath math(emitter_, rows.partitions, rows.free_elements());
      put_rows(rows.element_bytes() == 2 ? rows : math.copy(math.fresh(DType::bfloat16), rows),
               group_at, at, to);
    }
  }
}

Tile MxOperand::loaded_rows(std::int64_t panel, std::int64_t group_at, std::int64_t at) {
  const std::int64_t rows = emitter_.core().array.rows, depths = group * pack_of * rows;
  const std::int64_t depth = group_at * depths;
  const Matrix matrix{value_.tensor, value_.dtype, value_.offset, free_, {depth_}};
  return Loader(emitter_, segment_.residents())
      .load(matrix, {begin_of(panel) + at, std::min(rows, count_of(panel) - at), depth,
                     std::min(depths, depth_.size - depth)});
}

void MxOperand::fetch(std::int64_t panel, std::int64_t group_at) {
  const std::pair key{panel, group_at};
  if (by_columns() || count_of(panel) > emitter_.core().array.rows || kept_.contains(key) ||
      in_copy_.contains(key))
    return;
  fetched_.emplace(key, loaded_rows(panel, group_at, 0));
}

void MxOperand::prepare(std::int64_t block, std::int64_t first) {
  const std::int64_t panel = panel_of(first), group_at = block / group;
  const bool is_last = (group_at + 1) * group >= blocks();
  const std::int64_t next = is_last ? panel + 1 : panel;
  if (begin_of(next) < end_) fetch(next, is_last ? 0 : group_at + 1);
  static_cast<void>(made(panel, group_at));
}

// Rows of four neighbouring depths on each partition: [words, 4 count].
Tile MxOperand::loaded_columns(std::int64_t block, std::int64_t first, std::int64_t count) {
  segment_.residents().write_back(value_.tensor);
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

// Words of elements that are packed already, turned as they are.
void MxOperand::put_words(const Tile& rows, std::int64_t panel, std::int64_t group_at,
                          std::int64_t at, const Group& to) {
  const std::int64_t count = rows.partitions, rows_max = emitter_.core().array.rows;
  const auto copy_blocks = [&](std::int64_t first, std::int64_t blocks) {
    const std::int64_t tall = words(group_at * group + first);
    const Tile turned = emitter_.psum(DType::float32, tall, blocks * count);
    for (std::int64_t i = 0; i < blocks; ++i) {
      emitter_.emit(isa::NcTranspose{.dst = part(turned, 0, tall, i * count, count),
                                     .data = part(rows, 0, count, (first + i) * rows_max, tall)});
    }
    const std::int64_t width = width_of(panel);
    Tile from = turned, place = part(to.data, 0, tall, first * width + at, count);
    from.dtype = place.dtype = DType::int32;
    emitter_.emit(isa::TensorCopy{.dst = spaced(place, blocks, width, count),
                                  .src = spaced(from, blocks, count, count)},
                  isa::Engine::vector);
  };
  const std::int64_t all = blocks_of(group_at), last = group_at * group + all - 1;
  const std::int64_t whole = words(last) == rows_max ? all : all - 1;
  if (whole > 0) copy_blocks(0, whole);
  if (whole == all) return;
  if (words(last) < partitions(last)) zero(part_of(to, last, at, count).data);
  copy_blocks(whole, 1);
}

// Elements on rows of the free dimension, turned slot by slot by way of PSUM.
void MxOperand::put_rows(const Tile& rows, std::int64_t group_at, std::int64_t at,
                         const Group& to) {
  const std::int64_t count = rows.partitions, depths = emitter_.core().array.rows * pack_of;
  const std::int64_t bank = emitter_.core().psum.bank_size.value / rows.element_bytes();
  const std::int64_t at_once = std::max(std::int64_t{1}, bank / (pack_of * count));
  for (std::int64_t i = 0; i < blocks_of(group_at);) {
    const std::int64_t block = group_at * group + i, used = partitions(block);
    std::int64_t some = std::min(at_once, blocks_of(group_at) - i);
    while (some > 1 && words(block + some - 1) < words(block)) --some;
    const Tile turned = emitter_.psum(rows.dtype, used, some * pack_of * count);
    if (words(block) < used) emitter_.emit(isa::Memset{.dst = turned, .value = 0});
    for (std::int64_t j = 0; j < some * pack_of; ++j) {
      emitter_.emit(isa::NcTranspose{
          .dst = part(turned, 0, words(block), j * count, count),
          .data = slot(rows, (i + j / pack_of) * depths + j % pack_of, words(block))});
    }
    const TileMath math(emitter_, used, some * pack_of * count);
    const bool scalar = emitter_.core().features.scalar_copy;
    const Tile copied =
        math.copy(math.fresh(rows.dtype), turned, scalar ? isa::Engine::scalar : isa::Engine::any);
    for (std::int64_t j = 0; j < some; ++j)
      put(part(copied, 0, used, j * pack_of * count, pack_of * count),
          part_of(to, block + j, at, count));
    i += some;
  }
}

// Elements [partitions, 4 count], slot by slot, in SBUF.
void MxOperand::put(const Tile& elements, const Block& to) {
  const std::int64_t used = elements.partitions, count = elements.free_elements() / pack_of;
  const TileMath math(emitter_, used, pack_of * count);
  if (scale_) {
    Tile view = to.data;
    view.dtype = format_;
    view.rank = 2;
    view.offset = to.data.offset;
    view.dims[0] = {static_cast<std::int32_t>(pack_of), static_cast<std::int32_t>(count)};
    view.dims[1] = {1, static_cast<std::int32_t>(pack_of)};
    math.copy(view, by_words(elements, count));
    return;
  }
  const bool is_wide = elements.element_bytes() > 2;  // for quantize_mx.c3
  const Tile source = is_wide ? math.copy(math.fresh(DType::bfloat16), elements) : elements;
  emitter_.emit(
      isa::QuantizeMx{.dst = to.data, .src = by_words(source, count), .dst_scale = to.scale});
}

// --- Scales that are given ---

// Those of a panel in rows, [depth / 32, free], by way of HBM.
void MxOperand::turn_scales(std::int64_t panel) {
  if (!turned_.insert(panel).second) return;
  const Strided& given = *scale_;
  const std::span<const Extent> dims(given.dims);
  const Extent depth = dims.back();
  if (scale_rows_ == isa::no_tensor) {
    segment_.residents().write_back(given.tensor);
    scale_rows_ = emitter_.hbm(DType::uint8, std::array{depth.size, free_count_});
  }
  const std::int64_t rows = emitter_.core().array.rows;
  const Matrix from{
      given.tensor, DType::uint8, given.offset, merged(dims.first(dims.size() - 1)), {depth}};
  const Matrix place{scale_rows_, DType::uint8, 0, {{depth.size, free_count_}}, {{free_count_, 1}}};
  for (Window window : windows(count_of(panel), depth.size, rows, rows)) {
    window.row += begin_of(panel);
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

// The scales of up to four blocks, those of a block four rows behind those of the one before. Four
// small transfers for one of words: where those pass in half the time, as in MXFP4, another engine
// issues the scales', so that words do not wait.
void MxOperand::load_scales(std::int64_t panel, std::int64_t group_at, const Tile& tile) {
  const std::span<const Extent> given(scale_->dims);
  const std::vector<Extent> free = merged(given.first(given.size() - 1));
  isa::TensorId tensor = scale_->tensor;
  std::int64_t offset = scale_->offset, step = given.back().step;
  if (free.size() == 1 && free[0].step == 1) {
    segment_.residents().write_back(tensor);
  } else {
    turn_scales(panel);
    tensor = scale_rows_;
    offset = 0;
    step = free_count_;
  }
  const std::int64_t quadrant = emitter_.core().sbuf.quadrant, count = count_of(panel);
  const std::int64_t of_a_block = emitter_.core().array.rows * pack_of / block_of;
  const isa::Engine issuer =
      word_ == DType::float4_e2m1fn_x4 ? isa::Engine::gpsimd : issuer_of_load(emitter_, tensor);
  const auto load_blocks = [&](std::int64_t first, std::int64_t blocks) {
    const std::int64_t block = group_at * group + first, rows = words(block) * pack_of / block_of;
    for (std::int64_t row = 0; row < rows; row += scales_of_a_quadrant) {
      const std::int64_t some = std::min(scales_of_a_quadrant, rows - row);
      const std::array<Extent, 3> dims{Extent{blocks, of_a_block * step}, Extent{some, step},
                                       Extent{count, 1}};
      const std::int64_t from = (block * of_a_block + row) * step + begin_of(panel);
      emitter_.emit(isa::DmaCopy{.dst = part(tile,
                                             row / scales_of_a_quadrant * quadrant +
                                                 first * scales_of_a_quadrant,
                                             blocks * some, 0, count),
                                 .src = hbm_tile(tensor, DType::uint8, offset + from, dims)},
                    issuer);
    }
  };
  const std::int64_t all = blocks_of(group_at), last = group_at * group + all - 1;
  const std::int64_t whole = words(last) == emitter_.core().array.rows ? all : all - 1;
  if (whole > 0) load_blocks(0, whole);
  if (whole < all) load_blocks(whole, 1);
}

// --- The copy in HBM ---

void MxOperand::move_copy(std::int64_t panel, std::int64_t group_at, const Group& tiles,
                          bool to_hbm) {
  const std::int64_t rows = emitter_.core().array.rows, count = width_of(panel);
  const std::int64_t tile = panel * base::ceil_div(blocks(), group) + group_at;
  const auto move = [&](const Tile& chip, isa::TensorId tensor, std::int64_t column,
                        std::int64_t width) {
    const std::array<Extent, 2> dims{Extent{chip.partitions, width},
                                     Extent{chip.free_elements(), 1}};
    const Tile hbm = hbm_tile(tensor, chip.dtype, tile * rows * width + column, dims);
    emitter_.emit(isa::DmaCopy{.dst = to_hbm ? hbm : chip, .src = to_hbm ? chip : hbm},
                  to_hbm ? isa::Engine::any : issuer_of_load(emitter_, tensor));
  };
  const std::int64_t some = blocks_of(group_at), last = group_at * group + some - 1;
  const std::int64_t whole = partitions(last) == tiles.data.partitions ? some : some - 1;
  move(part(tiles.data, 0, tiles.data.partitions, 0, whole * count), copy_, 0, group * copy_width_);
  if (whole < some)
    move(part_of(tiles, last, 0, count).data, copy_, whole * count, group * copy_width_);
  move(tiles.scale, copy_of_scales_, 0, copy_width_);
}

}  // namespace trainyard::compiler
