#include "compiler/lowering/products/sparse_product.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/nc_matmul_sparse.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

constexpr std::int64_t tags_per_word = isa::sparse::tags_per_word;
constexpr std::int64_t panel = tile_columns;  // what is loaded at once of the sparse matrix
// Of a partition, what the sparse matrix takes while it is used again.
constexpr std::int64_t kept_percent = 40;

// The elements and tags of the sparse matrix, [stored depth, columns], in blocks of the array.
class Stored {
 public:
  Stored(Segment& segment, const Product& product)
      : segment_(segment),
        values_(product.right),
        tags_(product.sparsity->tags),
        columns_(values_.dims[0].size),
        depth_(values_.dims[1].size) {}

  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] std::int64_t blocks() const { return base::ceil_div(depth_, rows_max()); }
  [[nodiscard]] std::int64_t rows_of(std::int64_t block) const {
    return std::min(rows_max(), depth_ - block * rows_max());
  }
  [[nodiscard]] std::int64_t bytes() const {
    return blocks() * (columns_ * numerics::size_in_bytes(values_.dtype) +
                       columns_ / tags_per_word * numerics::size_in_bytes(tags_.dtype));
  }
  void forget() { kept_.clear(); }

  struct Block {
    Tile values, tags;
  };
  [[nodiscard]] Block block(std::int64_t block, std::int64_t first, std::int64_t count) {
    const std::int64_t begin = first / panel * panel;
    const auto [entry, is_new] = kept_.try_emplace({block, begin});
    if (is_new) {
      const std::int64_t width = std::min(panel, columns_ - begin);
      entry->second = {loaded(values_, block, begin, width),
                       loaded(tags_, block, begin / tags_per_word, width / tags_per_word)};
    }
    return {part(entry->second.values, 0, rows_of(block), first - begin, count),
            part(entry->second.tags, 0, rows_of(block), (first - begin) / tags_per_word,
                 count / tags_per_word)};
  }

 private:
  [[nodiscard]] std::int64_t rows_max() const { return segment_.emitter().core().array.rows; }
  [[nodiscard]] Tile loaded(const Strided& value, std::int64_t block, std::int64_t first,
                            std::int64_t count) const {
    const Matrix matrix{value.tensor, value.dtype, value.offset, {value.dims[1]}, {value.dims[0]}};
    segment_.residents().write_back(value.tensor);
    const Tile tile = segment_.emitter().sbuf(value.dtype, rows_of(block), count);
    load(segment_.emitter(), matrix, {block * rows_max(), rows_of(block), first, count}, tile);
    return tile;
  }

  Segment& segment_;
  Strided values_, tags_;
  std::int64_t columns_, depth_;
  std::map<std::pair<std::int64_t, std::int64_t>, Block> kept_;
};

// The dense operand with N/M neighbours of its depth on each partition: [stored rows, N/M, rows].
class Dense {
 public:
  Dense(Segment& segment, const Product& product)
      : segment_(segment), emitter_(segment.emitter()), value_(product.left) {
    const std::span<const Extent> dims(value_.dims);
    free_ = merged(dims.first(product.rows));
    depth_ = dims.back();
    const auto& items = product.sparsity->pattern.items;
    ratio_ = items[1] / items[0];
  }

  [[nodiscard]] std::int64_t rows() const { return product(free_); }
  void forget_before(std::int64_t first) {
    std::erase_if(kept_, [&](const auto& each) { return each.first.second < first; });
  }
  void prepare(std::int64_t block_at, std::int64_t rows, std::int64_t first, std::int64_t count) {
    static_cast<void>(block(block_at, rows, first, count));
  }

  // For `rows` stored rows from block * array rows on: elements first ... first + count.
  [[nodiscard]] const Tile& block(std::int64_t block, std::int64_t rows, std::int64_t first,
                                  std::int64_t count) {
    const auto [entry, is_new] = kept_.try_emplace({block, first});
    if (is_new) {
      const std::int64_t depth = block * emitter_.core().array.rows * ratio_;
      const bool by_columns = depth_.step != 1 && !free_.empty() && free_.back().step == 1;
      const Tile tile =
          by_columns ? loaded(depth, rows, first, count) : turned(depth, rows, first, count);
      entry->second = tile;
      entry->second.rank = 2;
      entry->second.dims[0] = {static_cast<std::int32_t>(count), static_cast<std::int32_t>(ratio_)};
      entry->second.dims[1] = {1, static_cast<std::int32_t>(count)};
    }
    return entry->second;
  }

 private:
  [[nodiscard]] Tile loaded(std::int64_t depth, std::int64_t rows, std::int64_t first,
                            std::int64_t count) {
    segment_.residents().write_back(value_.tensor);
    const Tile tile = emitter_.sbuf(value_.dtype, rows, ratio_ * count);
    for (std::int64_t slice = 0; slice < ratio_; ++slice) {
      const std::int64_t offset = value_.offset + (depth + slice) * depth_.step;
      const Matrix matrix{
          value_.tensor, value_.dtype, offset, {{rows, ratio_ * depth_.step}}, free_};
      load(emitter_, matrix, {0, rows, first, count}, part(tile, 0, rows, slice * count, count));
    }
    return tile;
  }

  [[nodiscard]] Tile turned(std::int64_t depth, std::int64_t rows, std::int64_t first,
                            std::int64_t count) {
    const std::int64_t tall = emitter_.core().sbuf.partitions;
    const Matrix matrix{value_.tensor, value_.dtype, value_.offset, free_, {depth_}};
    const Tile tile = emitter_.sbuf(value_.dtype, rows, ratio_ * count);
    for (std::int64_t at = 0; at < count; at += tall) {
      const std::int64_t some = std::min(tall, count - at);
      const Tile wide = Loader(emitter_, segment_.residents())
                            .load(matrix, {first + at, some, depth, rows * ratio_});
      const Tile narrow = emitter_.psum(value_.dtype, rows, ratio_ * some);
      for (std::int64_t slice = 0; slice < ratio_; ++slice) {
        Tile every = part(wide, 0, some, slice, rows);
        every.dims[0].step *= static_cast<std::int32_t>(ratio_);
        emitter_.emit(
            isa::NcTranspose{.dst = part(narrow, 0, rows, slice * some, some), .data = every});
      }
      const auto slices = [&](Tile all, std::int64_t apart, std::int64_t begin) {
        all = part(all, 0, rows, begin, some);
        all.rank = 2;
        all.dims[0] = {static_cast<std::int32_t>(apart), static_cast<std::int32_t>(ratio_)};
        all.dims[1] = {1, static_cast<std::int32_t>(some)};
        return all;
      };
      TileMath(emitter_, rows, ratio_ * some)
          .copy(slices(tile, count, at), slices(narrow, some, 0));
    }
    return tile;
  }

  Segment& segment_;
  Emitter& emitter_;
  Strided value_;
  std::vector<Extent> free_;
  Extent depth_;
  std::int64_t ratio_ = 1;
  std::map<std::pair<std::int64_t, std::int64_t>, Tile> kept_;
};

}  // namespace

void compute_sparse_product(Segment& segment, Group& group, Sink& sink) {
  const Node node = segment.node(group.product());
  Emitter& emitter = segment.emitter();
  const machine::Core& core = emitter.core();
  Stored stored(segment, node.product);
  Dense dense(segment, node.product);
  const bool stays = stored.bytes() <= core.sbuf.partition_size.value * kept_percent / 100;
  const std::int64_t height = core.array.stationary_free_max;
  const std::int64_t width = core.psum.bank_size.value / 4;
  for (std::int64_t first = 0; first < dense.rows(); first += width) {
    const std::int64_t count = std::min(width, dense.rows() - first);
    dense.forget_before(first);
    if (!stays) stored.forget();
    for (std::int64_t column = 0; column < stored.columns(); column += height) {
      const Window window{column, std::min(height, stored.columns() - column), first, count};
      emitter.at(node.location);
      const Tile sums = emitter.psum(DType::float32, window.rows, window.columns);
      for (std::int64_t k = 0; k < stored.blocks(); ++k) {
        const Stored::Block block = stored.block(k, window.row, window.rows);
        emitter.emit(isa::NcMatmulSparse{
            .dst = sums,
            .stationary = block.values,
            .tags = block.tags,
            .moving = dense.block(k, stored.rows_of(k), first, count),
            .pattern = node.product.sparsity->pattern,
            .accumulate = k == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
      }
      put_sums(segment, group, sink, sums, window);
      // The next rows, block by block behind the products of these.
      const std::int64_t next = first + count, ahead = column / height;
      const std::int64_t tiles = base::ceil_div(stored.columns(), height);
      for (std::int64_t k = ahead; k < stored.blocks() && next < dense.rows(); k += tiles)
        dense.prepare(k, stored.rows_of(k), next, std::min(width, dense.rows() - next));
    }
  }
}

}  // namespace trainyard::compiler
