#include "compiler/lowering/products/small_products.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/products/product_ways.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// What one load of an operand may take of a partition.
constexpr std::int64_t image_bytes_max = 32 * 1024;

struct ProductSizes {
  std::int64_t batches, rows, columns, depth;
};
ProductSizes sizes_of(const Product& product) {
  const std::span<const Extent> left(product.left.dims), right(product.right.dims);
  return {compiler::product(left.first(product.batches)),
          compiler::product(left.subspan(product.batches, product.rows)),
          compiler::product(right.subspan(product.batches, product.columns)),
          compiler::product(left.subspan(product.batches + product.rows))};
}

std::int64_t bank_elements(const machine::Core& core) {
  return core.psum.bank_size.value / numerics::size_in_bytes(isa::DType::float32);
}

// One operand of all products, with the depth (the dimension that is summed over) on partitions.
class Panel {
 public:
  Panel(Segment& segment, const Strided& value, std::size_t batches, std::size_t free)
      : segment_(segment), value_(value), batches_(batches) {
    const std::span<const Extent> dims(value_.dims);
    free_ = merged(dims.subspan(batches, free));
    depth_ = merged(dims.subspan(batches + free));
    const bool free_is_dense = !free_.empty() && free_.back().step == 1;
    const bool depth_is_dense = !depth_.empty() && depth_.back().step == 1;
    image_by_free_ = depth_is_dense || !free_is_dense;
  }

  // Brings these batches on chip.
  void prepare(std::int64_t first, std::int64_t count) {
    tiles_.clear();
    for (std::int64_t batch = first; batch < first + count; ++batch) {
      if (const auto tile = by_depth(batch)) tiles_.emplace(batch, *tile);
    }
    if (std::ssize(tiles_) == count) return;
    const std::int64_t most =
        std::max(std::int64_t{1}, bank_elements(segment_.emitter().core()) / columns());
    for (std::int64_t at = first; at < first + count; at += most)
      turn(at, std::min(most, first + count - at));
  }
  [[nodiscard]] const Tile& tile(std::int64_t batch) const { return tiles_.at(batch); }

 private:
  [[nodiscard]] std::int64_t columns() const { return product(free_); }
  [[nodiscard]] std::int64_t rows() const { return product(depth_); }

  [[nodiscard]] std::optional<Tile> resident(std::int64_t batch, const std::vector<Extent>& down,
                                             const std::vector<Extent>& along) const {
    const std::span<const Extent> dims(value_.dims);
    const std::int64_t offset =
        value_.offset +
        pieces(dims.first(batches_), batch, batch + 1, isa::rank_max).front().offset;
    return segment_.residents().find({value_.tensor, value_.dtype, offset, down, along},
                                     {0, product(down), 0, product(along)});
  }

  std::optional<Tile> by_depth(std::int64_t batch) {
    if (auto tile = resident(batch, depth_, free_)) return tile;
    if (image_by_free_ || resident(batch, free_, depth_)) return std::nullopt;
    return image(batch, false);
  }
  Tile by_free(std::int64_t batch) {
    if (const auto tile = resident(batch, free_, depth_)) return *tile;
    return image(batch, true);
  }

  // Part of one transfer that brings many batches side by side.
  Tile image(std::int64_t batch, bool by_free) {
    const std::vector<Extent>& down = by_free ? free_ : depth_;
    const std::vector<Extent>& along = by_free ? depth_ : free_;
    const std::span<const Extent> dims(value_.dims);
    const std::int64_t all = product(dims.first(batches_)), width = product(along);
    const std::int64_t bytes = width * numerics::size_in_bytes(value_.dtype);
    const std::int64_t many = std::clamp(image_bytes_max / bytes, std::int64_t{1}, all);
    const auto [entry, is_new] = images_.try_emplace({by_free, batch / many});
    if (is_new) {
      Emitter& emitter = segment_.emitter();
      std::vector<Extent> columns(dims.begin(), dims.begin() + static_cast<long>(batches_));
      columns.insert(columns.end(), along.begin(), along.end());
      const std::int64_t first = batch / many * many, count = std::min(many, all - first);
      entry->second = emitter.sbuf(value_.dtype, product(down), count * width);
      segment_.residents().write_back(value_.tensor);
      load(emitter, {value_.tensor, value_.dtype, value_.offset, down, merged(columns)},
           {0, product(down), first * width, count * width}, entry->second);
    }
    return part(entry->second, 0, product(down), batch % many * width, width);
  }

  // Transposes of several batches share a tile of PSUM and one copy out of it.
  void turn(std::int64_t first, std::int64_t count) {
    Emitter& emitter = segment_.emitter();
    const Tile turned = emitter.psum(value_.dtype, rows(), count * columns());
    for (std::int64_t i = 0; i < count; ++i) {
      emitter.emit(isa::NcTranspose{.dst = part(turned, 0, rows(), i * columns(), columns()),
                                    .data = by_free(first + i)});
    }
    const TileMath math(emitter, rows(), count * columns());
    const Tile copy = math.copy(math.fresh(value_.dtype), turned);
    for (std::int64_t i = 0; i < count; ++i)
      tiles_.insert_or_assign(first + i, part(copy, 0, rows(), i * columns(), columns()));
  }

  Segment& segment_;
  Strided value_;
  std::size_t batches_;
  std::vector<Extent> free_, depth_;
  bool image_by_free_ = false;
  std::map<std::int64_t, Tile> tiles_;
  std::map<std::pair<bool, std::int64_t>, Tile> images_;
};

}  // namespace

bool are_small(const Product& product, const machine::Core& core) {
  const ProductSizes size = sizes_of(product);
  return product.is_plain() && size.batches > 1 && size.rows <= core.array.stationary_free_max &&
         size.depth <= core.array.rows && 2 * size.columns <= bank_elements(core) &&
         size.columns <= core.array.columns && numerics::size_in_bytes(product.left.dtype) > 1 &&
         numerics::size_in_bytes(product.right.dtype) > 1;
}

void compute_small_products(Segment& segment, Group& group, Sink& sink) {
  const Node node = segment.node(group.product());
  const Product& product = node.product;
  const ProductSizes size = sizes_of(product);
  Emitter& emitter = segment.emitter();
  Panel left(segment, product.left, product.batches, product.rows);
  Panel right(segment, product.right, product.batches, product.columns);
  // Sums of one bank, of operands that find room beside each other.
  const std::int64_t bytes = size.rows * numerics::size_in_bytes(product.left.dtype) +
                             size.columns * numerics::size_in_bytes(product.right.dtype);
  const std::int64_t most =
      std::max(std::int64_t{1},
               std::min(kept_bytes_max / bytes, bank_elements(emitter.core()) / size.columns));
  for (std::int64_t first = 0; first < size.batches; first += most) {
    const std::int64_t count = std::min(most, size.batches - first);
    emitter.at(node.location);
    left.prepare(first, count);
    right.prepare(first, count);
    const Tile sums = emitter.psum(isa::DType::float32, size.rows, count * size.columns);
    for (std::int64_t i = 0; i < count; ++i) {
      emitter.emit(isa::NcMatmul{.dst = part(sums, 0, size.rows, i * size.columns, size.columns),
                                 .stationary = left.tile(first + i),
                                 .moving = right.tile(first + i),
                                 .accumulate = isa::Accumulate::overwrite});
    }
    const Window window{0, size.rows, first * size.columns, count * size.columns};
    put_sums(segment, group, sink, sums, window);
  }
}

}  // namespace trainyard::compiler
