#include "compiler/lowering/product.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/tile_math.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// What one operand's blocks may take of a partition while they are used again.
constexpr std::int64_t kept_bytes_max = 40 * 1024;

// One operand as blocks with the depth (the dimension that is summed over) on the partitions.
class Blocks {
 public:
  Blocks(Emitter& emitter, const Strided& value, std::size_t batches, std::size_t free)
      : emitter_(emitter), value_(value), batches_(batches) {
    const std::span<const Extent> dims(value.dims);
    free_ = merged(dims.subspan(batches, free));
    depth_ = merged(dims.subspan(batches + free));
    // Rows of consecutive depth are loaded as they lie and turned on the tensor engine; otherwise
    // the transfer would fetch single elements.
    const bool depth_is_dense = !depth_.empty() && depth_.back().step == 1;
    const bool free_is_dense = !free_.empty() && free_.back().step == 1;
    turns_ = depth_is_dense && !free_is_dense && numerics::size_in_bytes(value.dtype) > 1;
  }

  [[nodiscard]] std::int64_t free() const { return product(free_); }
  [[nodiscard]] std::int64_t depth() const { return product(depth_); }
  // Bytes of a partition that `elements` of the free dimension take, at all depths.
  [[nodiscard]] std::int64_t bytes(std::int64_t elements) const {
    return blocks() * elements * numerics::size_in_bytes(value_.dtype);
  }
  [[nodiscard]] std::int64_t blocks() const {
    return base::ceil_div(depth(), emitter_.core().array.rows);
  }

  void choose(std::int64_t batch) {
    const std::span<const Extent> dims(value_.dims);
    offset_ = value_.offset +
              pieces(dims.first(batches_), batch, batch + 1, isa::rank_max).front().offset;
    forget();
  }
  void forget() {
    kept_.clear();
    rows_.clear();
  }

  // [depths of that block, elements first ... first + count of the free dimension].
  Tile block(std::int64_t block, std::int64_t first, std::int64_t count) {
    const auto key = std::pair{block, first};
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
    const std::int64_t rows = emitter_.core().array.rows;
    const Window window{block * rows, std::min(rows, depth() - block * rows), first, count};
    const Tile tile = emitter_.sbuf(value_.dtype, window.rows, count);
    if (turns_) {
      for (std::int64_t at = 0; at < count; at += rows)
        turn(window, first + at, part(tile, 0, window.rows, at, std::min(rows, count - at)));
    } else {
      load(emitter_, {value_.tensor, value_.dtype, offset_, depth_, free_}, window, tile);
    }
    kept_.emplace(key, tile);
    return tile;
  }

 private:
  // The block of elements from `first` on, transposed into `to`.
  void turn(const Window& window, std::int64_t first, const Tile& to) {
    const std::int64_t count = to.free_elements();
    const std::int64_t chunk = window.row / tile_columns;  // loaded rows are as wide as tiles are
    const auto key = std::pair{first, chunk};
    auto found = rows_.find(key);
    if (found == rows_.end()) {
      const std::int64_t begin = chunk * tile_columns;
      const Window wanted{first, count, begin, std::min(tile_columns, depth() - begin)};
      const Tile rows = emitter_.sbuf(value_.dtype, wanted.rows, wanted.columns);
      load(emitter_, {value_.tensor, value_.dtype, offset_, free_, depth_}, wanted, rows);
      found = rows_.emplace(key, rows).first;
    }
    const Tile data = part(found->second, 0, count, window.row - chunk * tile_columns, window.rows);
    const Tile turned = emitter_.psum(value_.dtype, window.rows, count);
    emitter_.emit(isa::NcTranspose{.dst = turned, .data = data});
    TileMath(emitter_, window.rows, count).copy(to, turned);
  }

  Emitter& emitter_;
  Strided value_;
  std::size_t batches_;
  std::vector<Extent> free_, depth_;
  bool turns_ = false;
  std::int64_t offset_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, Tile> kept_, rows_;
};

struct Extents {
  std::int64_t batches, rows, columns, row_block, column_block;
};

// The sums of one tile of the product, in the format of the product's value.
Tile multiply(Emitter& emitter, Blocks& left, Blocks& right, const Window& window,
              isa::DType dtype) {
  const Tile sums = emitter.psum(isa::DType::float32, window.rows, window.columns);
  for (std::int64_t k = 0; k < left.blocks(); ++k) {
    const Tile stationary = left.block(k, window.row, window.rows);
    const Tile moving = right.block(k, window.column, window.columns);
    emitter.emit(
        isa::NcMatmul{.dst = sums,
                      .stationary = stationary,
                      .moving = moving,
                      .accumulate = k == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
  }
  const TileMath math(emitter, window.rows, window.columns);
  return math.copy(math.fresh(dtype), sums);
}

// All tiles of one batch. Blocks of the operand in the outer loop stay for the inner one; those of
// the other stay as well where all of them find room.
void multiply_batch(Blocks& left, Blocks& right, const Extents& size, auto&& emit_tile) {
  const bool columns_first = right.bytes(size.columns) > kept_bytes_max;
  const bool inner_stays = !columns_first || left.bytes(size.rows) <= kept_bytes_max;
  for (Window window : columns_first
                           ? windows(size.columns, size.rows, size.column_block, size.row_block)
                           : windows(size.rows, size.columns, size.row_block, size.column_block)) {
    if (columns_first) {
      std::swap(window.row, window.column);
      std::swap(window.rows, window.columns);
    }
    Blocks& outer = columns_first ? right : left;
    Blocks& inner = columns_first ? left : right;
    const bool new_band = columns_first ? window.row == 0 : window.column == 0;
    if (new_band) outer.forget();
    if (!inner_stays) inner.forget();
    emit_tile(window);
  }
}

}  // namespace

bool multiplies(isa::DType left, isa::DType right) {
  constexpr std::array all{isa::DType::float32, isa::DType::bfloat16, isa::DType::float16};
  return left == right && std::ranges::find(all, left) != all.end();
}

void compute_product(Segment& segment, Group& group, const Strided& to) {
  const Node node = segment.node(group.product());
  const Product& product = node.product;
  Emitter& emitter = segment.emitter();
  const std::size_t row_dims = product.batches + product.rows;
  const bool fits = group.adapt([](const Strided& value) { return value; }, row_dims);
  base::check(fits, "values fused behind a product have its shape");
  emitter.at(node.location);
  Blocks left(emitter, product.left, product.batches, product.rows);
  Blocks right(emitter, product.right, product.batches, product.columns);
  const machine::PeArray& array = emitter.core().array;
  const std::int64_t bank = emitter.core().psum.bank_size.value / 4;
  const Extents size{
      .batches = compiler::product(std::span(to.dims).first(product.batches)),
      .rows = left.free(),
      .columns = right.free(),
      .row_block = std::clamp(kept_bytes_max / left.bytes(1), std::int64_t{1},
                              static_cast<std::int64_t>(array.stationary_free_max)),
      .column_block = std::clamp(kept_bytes_max / right.bytes(1), std::int64_t{1},
                                 std::min<std::int64_t>(array.moving_free_max_fp32, bank))};
  const Matrix place = matrix_of(to, row_dims);
  const isa::DType dtype = *storage_of(node.type.element);
  for (std::int64_t batch = 0; batch < size.batches; ++batch) {
    left.choose(batch);
    right.choose(batch);
    multiply_batch(left, right, size, [&](Window window) {
      emitter.at(node.location);
      const Tile sums = multiply(emitter, left, right, window, dtype);
      window.row += batch * size.rows;
      store(emitter, group.tile(window, &sums), place, window);
    });
  }
}

}  // namespace trainyard::compiler
