#include "compiler/lowering/products/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/products/chosen_matrix.h"
#include "compiler/lowering/products/image_product.h"
#include "compiler/lowering/products/mx_product.h"
#include "compiler/lowering/products/product_blocks.h"
#include "compiler/lowering/products/product_ways.h"
#include "compiler/lowering/products/small_products.h"
#include "compiler/lowering/products/sparse_product.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// Products of numbers from which on two cores are faster than one.
constexpr std::int64_t divided_products_min = std::int64_t{1} << 24;

isa::Accumulate accumulate(std::int64_t block) {
  return block == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add;
}

isa::MatmulPerfMode mode(std::int64_t blocks) {
  return blocks == 2 ? isa::MatmulPerfMode::double_row : isa::MatmulPerfMode::none;
}

// Loading the wide operand counts as no work of the array, whose clock is limited until it has
// worked for a share of some microseconds. In float32, where loads take longest, so few rows pass
// that it stays limited: 3,072 x 576 take 37 us with up to 32 rows, and 27 from 48 on. They pass as
// often as makes so many, their sums again behind those that are read.
constexpr std::int64_t rows_of_full_clock = 48;
constexpr std::int64_t loads_of_full_clock = 40;  // until it shows

std::int64_t times_passed(const Extents& size, std::int64_t rows, const Blocks& right,
                          const machine::Core& core) {
  const std::int64_t parts = base::ceil_div(size.columns.size(), core.array.columns);
  const bool is_limited = core.throttle.enabled && right.format() == isa::DType::float32 &&
                          rows < rows_of_full_clock &&
                          size.batches.size() * right.blocks() * parts >= loads_of_full_clock;
  return is_limited ? base::ceil_div(rows_of_full_clock, rows) : 1;
}

// The same elements of a run `times` times, a step apart.
Tile passed_again(const Tile& run, std::int64_t times, std::int64_t step) {
  if (times == 1) return run;
  Tile result = run;
  std::copy_backward(run.dims.begin(), run.dims.begin() + run.rank,
                     result.dims.begin() + run.rank + 1);
  result.dims[0] = {static_cast<std::int32_t>(step), static_cast<std::int32_t>(times)};
  ++result.rank;
  return result;
}

// The sums of a window of few rows, turned, in SBUF: the wide operand is loaded into the array,
// which takes less time than moving it through.
Tile turned_sums(Emitter& emitter, Blocks& left, Blocks& right, const Window& window,
                 std::int64_t times) {
  const std::int64_t width = emitter.core().array.columns;
  const std::int64_t parts = base::ceil_div(window.columns, width);
  const std::int64_t tall = std::min(width, window.columns);
  const std::int64_t sums = parts * window.rows;
  const Tile all = emitter.psum(isa::DType::float32, tall, sums * times);
  const Tile columns = part(all, 0, tall, 0, sums);
  for (std::int64_t k = 0, step = 0; k < left.blocks(); k += step) {
    step = Blocks::step(left, right, k, window);
    const Tile block = right.blocks_at(k, step, window.column, window.columns);
    for (std::int64_t i = 0; i < parts; ++i) {
      const std::int64_t some = std::min(width, window.columns - i * width);
      const auto run = columns_of(block, window.columns, i * width, some);
      const Tile wide = run ? *run : right.blocks_at(k, step, window.column + i * width, some);
      const Tile dst = part(columns, 0, some, i * window.rows, window.rows);
      const Tile moving = left.blocks_at(k, step, window.row, window.rows);
      emitter.emit(isa::NcMatmul{.dst = passed_again(dst, times, sums),
                                 .stationary = wide,
                                 .moving = passed_again(moving, times, 0),
                                 .accumulate = accumulate(k),
                                 .perf_mode = mode(step)});
    }
  }
  const Tile copy = emitter.sbuf(isa::DType::float32, tall, parts * window.rows);
  const std::int64_t whole = window.columns / width, rest = window.columns % width;
  const auto copy_parts = [&](std::int64_t first, std::int64_t count, std::int64_t partitions) {
    if (count == 0) return;
    const std::int64_t begin = first * window.rows, elements = count * window.rows;
    TileMath(emitter, partitions, elements)
        .copy(part(copy, 0, partitions, begin, elements),
              part(columns, 0, partitions, begin, elements));
  };
  copy_parts(0, whole, width);
  copy_parts(whole, rest > 0 ? 1 : 0, rest);
  return copy;
}

// Turns them back: of a window's sums those of `columns` columns from `first` on, a multiple of the
// array's columns.
Tile turned_back(Emitter& emitter, const Tile& turned, std::int64_t rows, std::int64_t first,
                 std::int64_t columns) {
  const std::int64_t width = emitter.core().array.columns;
  const Tile sums = emitter.psum(isa::DType::float32, rows, columns);
  for (std::int64_t at = 0; at < columns; at += width) {
    const std::int64_t some = std::min(width, columns - at);
    emitter.emit(
        isa::NcTranspose{.dst = part(sums, 0, rows, at, some),
                         .data = part(turned, 0, some, (first + at) / width * rows, rows)});
  }
  return sums;
}

// An array that multiplies by an identity to transpose would spread infinities.
bool are_few_rows(std::int64_t rows, std::int64_t columns, const machine::Core& core) {
  const std::int64_t few = core.array.columns / 2;
  return core.features.tensor_transpose_exact && rows <= few && columns >= few;
}

// The sums of one tile of the product, in PSUM. `ahead(block)` is called behind each block, for
// what may be prepared meanwhile.
Tile multiply(Emitter& emitter, Blocks& left, Blocks& right, const Extents& size,
              const Window& window, auto&& ahead) {
  if (are_few_rows(window.rows, window.columns, emitter.core())) {
    const std::int64_t times = times_passed(size, window.rows, right, emitter.core());
    const Tile turned = turned_sums(emitter, left, right, window, times);
    return turned_back(emitter, turned, window.rows, 0, window.columns);
  }
  const Tile sums = emitter.psum(isa::DType::float32, window.rows, window.columns);
  for (std::int64_t k = 0, step = 0; k < left.blocks(); k += step) {
    step = Blocks::step(left, right, k, window);
    emitter.emit(isa::NcMatmul{.dst = sums,
                               .stationary = left.blocks_at(k, step, window.row, window.rows),
                               .moving = right.blocks_at(k, step, window.column, window.columns),
                               .accumulate = accumulate(k),
                               .perf_mode = mode(step)});
    for (std::int64_t i = 0; i < step; ++i) ahead(k + i);
  }
  return sums;
}

// How many columns of few rows pass at a time: each block of the wide operand is in SBUF only while
// it is loaded and used, in rows as long as they may be.
std::int64_t columns_of_few_rows(const Extents& size, const Blocks& right,
                                 const machine::Core& core) {
  constexpr std::int64_t columns_max = 2048;
  if (!right.lies_by_depth()) return 0;
  const std::int64_t rows = size.rows.size() * times_passed(size, size.rows.size(), right, core);
  const std::int64_t sums = core.psum.bank_size.value / 4 / rows * core.array.columns;
  return std::min(columns_max, sums);
}

void multiply_few_rows(Emitter& emitter, Blocks& left, Blocks& right, const Extents& size,
                       std::int64_t together, auto&& put) {
  const std::int64_t rows = size.rows.size(), tile = emitter.core().psum.bank_size.value / 4;
  const std::int64_t times = times_passed(size, rows, right, emitter.core());
  for (std::int64_t column = size.columns.begin; column < size.columns.end; column += together) {
    const Window window{size.rows.begin, rows, column,
                        std::min(together, size.columns.end - column)};
    const Tile turned = turned_sums(emitter, left, right, window, times);
    right.forget();
    for (std::int64_t at = 0; at < window.columns; at += tile) {
      const std::int64_t some = std::min(tile, window.columns - at);
      put(Window{window.row, rows, column + at, some},
          turned_back(emitter, turned, rows, at, some));
    }
  }
}

// Of so few rows a product takes as long as loading its right operand, which is done in long runs;
// of more, they would let it begin later. Measured on 52 shapes: 256 rows are up to 7 % faster so,
// 2,304 up to 7 % slower.
constexpr std::int64_t rows_of_long_runs_max = 256;

// Of a partition, what rows of the left operand take that come in one run. As many as pass at once
// through a product of usual depth; of a deeper one, they would fill SBUF before they are used.
constexpr std::int64_t loaded_together_bytes_max = std::int64_t{64} * 1024;

// All tiles of one batch, band by band of columns: of the right operand, a band is kept for all
// rows, of the left one the rows at hand and the next ones, or all of them where they find room.
// The next rows are brought and turned behind the products of the first window.
void multiply_batch(Blocks& left, Blocks& right, const Extents& size, auto&& emit_tile) {
  const bool left_stays = left.bytes(size.rows.size()) <= kept_bytes_max;
  // The left one passes once for a single window of columns. For several, rows that it needs later
  // would arrive before columns that it needs now: a training step of a layer takes 1.37 times as
  // long.
  if (size.columns.size() <= size.column_block)
    left.loads_together_until(size.rows.end, loaded_together_bytes_max);
  for (std::int64_t band = size.columns.begin; band < size.columns.end; band += size.band) {
    right.forget();
    const std::int64_t end = std::min(size.columns.end, band + size.band);
    if (size.rows.size() <= rows_of_long_runs_max) right.loads_together_until(end);
    for (std::int64_t row = size.rows.begin; row < size.rows.end; row += size.row_block) {
      if (!left_stays) left.forget_before(row);
      const std::int64_t next = row + size.row_block;
      const std::int64_t next_rows = std::min(size.row_block, size.rows.end - next);
      for (std::int64_t column = band; column < end; column += size.column_block) {
        const bool has_next = column == band && next_rows > 0;
        emit_tile(Window{row, std::min(size.row_block, size.rows.end - row), column,
                         std::min(size.column_block, end - column)},
                  [&](std::int64_t block) {
                    if (has_next) static_cast<void>(left.block(block, next, next_rows));
                  });
      }
    }
    if (!left_stays) left.forget();
  }
}

// Of a depth for which no band of an operand stays on chip, the sums of several tiles are kept in
// PSUM instead, while both operands pass by once for all of them.
constexpr std::int64_t tall = 3, wide = 2;  // tiles; what they leave of PSUM turns operands
// The tiles of a product, in groups of those whose sums are kept together.
std::vector<std::vector<Window>> deep_tiles(const Extents& size, const machine::Core& core) {
  const std::int64_t height = core.array.stationary_free_max;
  const std::int64_t width =
      std::min<std::int64_t>(core.array.moving_free_max_fp32, core.psum.bank_size.value / 4);
  std::vector<std::vector<Window>> groups;
  for (const Window& group :
       windows(size.rows.size(), size.columns.size(), tall * height, wide * width)) {
    std::vector<Window>& tiles = groups.emplace_back();
    for (const Window& tile : windows(group.rows, group.columns, height, width)) {
      tiles.push_back({size.rows.begin + group.row + tile.row, tile.rows,
                       size.columns.begin + group.column + tile.column, tile.columns});
    }
  }
  return groups;
}

void multiply_deep(Emitter& emitter, Blocks& left, Blocks& right, std::span<const Window> windows,
                   std::vector<Tile>& sums) {
  // Blocks that are turned together, a bank of PSUM full.
  const std::int64_t ahead = emitter.core().psum.bank_size.value / 4 / emitter.core().array.rows;
  for (const Window& window : windows)
    sums.push_back(emitter.psum(isa::DType::float32, window.rows, window.columns));
  for (std::int64_t k = 0, step = 0; k < left.blocks(); k += step) {
    step = left.blocks();
    for (const Window& window : windows)
      step = std::min(step, Blocks::step(left, right, k, window));
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const Window& window = windows[i];
      emitter.emit(isa::NcMatmul{.dst = sums[i],
                                 .stationary = left.blocks_at(k, step, window.row, window.rows),
                                 .moving = right.blocks_at(k, step, window.column, window.columns),
                                 .accumulate = accumulate(k),
                                 .perf_mode = mode(step)});
      for (std::int64_t next = k + ahead; next < std::min(k + ahead + step, left.blocks());
           ++next) {
        static_cast<void>(left.block(next, window.row, window.rows));
        static_cast<void>(right.block(next, window.column, window.columns));
      }
    }
  }
  left.forget();
  right.forget();
}

// Both halves of a range, cut at a multiple of `step`; the second one may be empty.
std::array<Range, 2> halves(Range range, std::int64_t step) {
  const std::int64_t middle =
      std::min(range.end, base::round_up(base::ceil_div(range.size(), std::int64_t{2}), step));
  return {{{range.begin, middle}, {middle, range.end}}};
}

// Bytes that one core loads of both operands: the left one again for each band.
std::int64_t loaded_bytes(const Extents& size, const Blocks& left, const Blocks& right) {
  const bool left_stays = left.bytes(size.rows.size()) <= kept_bytes_max;
  const std::int64_t bands = left_stays ? 1 : base::ceil_div(size.columns.size(), size.band);
  return size.batches.size() *
         (left.bytes(size.rows.size()) * bands + right.bytes(size.columns.size()));
}

// What each of two cores computes: halves of the batches, rows or columns, so that the larger one
// is as small as it can be, and then loads as little as it can.
std::array<Extents, 2> divided(const Extents& all, const Blocks& left, const Blocks& right,
                               const machine::Core& core) {
  std::array<std::array<Extents, 2>, 3> ways;
  ways.fill({all, all});
  const auto batches = halves(all.batches, 1);
  const auto rows = halves(all.rows, all.deep ? core.array.stationary_free_max : all.row_block);
  const auto columns =
      halves(all.columns, std::min<std::int64_t>(all.column_block, core.array.columns));
  for (std::size_t half = 0; half < 2; ++half) {
    ways[0][half].batches = batches[half];
    ways[1][half].rows = rows[half];
    ways[2][half].columns = columns[half];
  }
  const auto cost = [&](const std::array<Extents, 2>& way) {
    const Extents& larger = way.front();
    return std::pair(larger.batches.size() * larger.rows.size() * larger.columns.size(),
                     loaded_bytes(larger, left, right));
  };
  return *std::ranges::min_element(ways, {}, cost);
}

void compute_part(Segment& segment, Group& group, Sink& sink, const Node& node,
                  const Extents& size) {
  const Product& product = node.product;
  Emitter& emitter = segment.emitter();
  Blocks left(segment, product.left, product.batches, product.rows);
  Blocks right(segment, product.right, product.batches, product.columns);
  ChosenMatrix chosen(segment, product);
  const auto put = [&](std::int64_t batch, Window window, const Tile& sums) {
    window.row += batch * left.free();
    put_sums(segment, group, sink, sums, window);
  };
  for (std::int64_t batch = size.batches.begin; batch < size.batches.end; ++batch) {
    left.choose(batch);
    right.choose(batch);
    if (product.chosen) right.read_from(chosen.of(batch));
    if (size.deep) {
      for (const std::vector<Window>& tiles : deep_tiles(size, emitter.core())) {
        emitter.at(node.location);
        left.loads_together_until(tiles.back().row + tiles.back().rows);
        right.loads_together_until(tiles.back().column + tiles.back().columns);
        std::vector<Tile> sums;
        multiply_deep(emitter, left, right, tiles, sums);
        for (std::size_t i = 0; i < tiles.size(); ++i) put(batch, tiles[i], sums[i]);
      }
      continue;
    }
    const std::int64_t together =
        are_few_rows(size.rows.size(), size.columns.size(), emitter.core())
            ? columns_of_few_rows(size, right, emitter.core())
            : 0;
    if (together > size.column_block && size.row_block >= size.rows.size()) {
      emitter.at(node.location);
      multiply_few_rows(emitter, left, right, size, together,
                        [&](const Window& window, const Tile& sums) { put(batch, window, sums); });
      continue;
    }
    multiply_batch(left, right, size, [&](Window window, auto&& ahead) {
      emitter.at(node.location);
      put(batch, window, multiply(emitter, left, right, size, window, ahead));
    });
  }
}

// Of a product that is divided, what core 1 reads lies in HBM before it begins.
void write_back_all(Segment& segment, const Product& product, const Group& group) {
  segment.residents().write_back(product.left.tensor);
  segment.residents().write_back(product.right.tensor);
  if (product.chosen) segment.residents().write_back(product.chosen->list.tensor);
  for (const std::optional<Strided>& scale : {product.left_scale, product.right_scale})
    if (scale) segment.residents().write_back(scale->tensor);
  for (const Strided& view : group.views()) segment.residents().write_back(view.tensor);
}

class BandsOfProduct : public RowsOfProduct {
 public:
  BandsOfProduct(Segment& segment, const Node& node)
      : emitter_(segment.emitter()),
        location_(node.location),
        left_(segment, node.product.left, node.product.batches, node.product.rows),
        right_(segment, node.product.right, node.product.batches, node.product.columns),
        size_(usual_way(node.product, left_, right_, emitter_.core())),
        left_stays_(left_.bytes(size_.rows.size()) <= kept_bytes_max) {}

  [[nodiscard]] bool has_whole_rows(std::int64_t partitions) const {
    return size_.band >= size_.columns.size() &&
           size_.row_block >= std::min(partitions, size_.rows.size()) &&
           (size_.batches.size() == 1 || size_.rows.size() % partitions == 0);
  }

  [[nodiscard]] std::int64_t bytes() const override {
    return right_.bytes(size_.columns.size()) +
           left_.bytes(left_stays_ ? size_.rows.size() : size_.row_block);
  }

  void band(std::int64_t row, std::int64_t rows, const Take& take) override {
    emitter_.at(location_);
    const std::int64_t batch = row / size_.rows.size();
    if (batch_ != batch) {
      left_.choose(batch);
      right_.choose(batch);
      batch_ = batch;
    }
    if (!left_stays_) left_.forget();
    for (std::int64_t column = 0; column < size_.columns.size(); column += size_.column_block) {
      emitter_.at(location_);
      const Window window{row - batch * size_.rows.size(), rows, column,
                          std::min(size_.column_block, size_.columns.size() - column)};
      take(window, multiply(emitter_, left_, right_, size_, window, [](std::int64_t) {}));
    }
  }

 private:
  Emitter& emitter_;
  graph::LocationId location_;
  Blocks left_, right_;
  Extents size_;
  bool left_stays_;
  std::optional<std::int64_t> batch_{};
};

}  // namespace

std::unique_ptr<RowsOfProduct> RowsOfProduct::of(Segment& segment, NodeId product) {
  const Node& node = segment.node(product);
  const machine::Core& core = segment.emitter().core();
  if (!node.product.is_plain() || are_small(node.product, core) || is_divided(segment, product))
    return nullptr;
  auto made = std::make_unique<BandsOfProduct>(segment, node);
  return made->has_whole_rows(core.sbuf.partitions) ? std::move(made) : nullptr;
}

bool is_divided(Segment& segment, NodeId id) {
  const Emitter& emitter = segment.emitter();
  const Product& product = segment.node(id).product;
  if (emitter.cores() < 2 || product.sparsity) return false;
  const std::span<const Extent> left(product.left.dims);
  const std::int64_t elements = segment.node(id).type.elements();
  if (product.slides) return compiler::product(left.subspan(1)) * elements >= divided_products_min;
  if (are_small(product, emitter.core())) return false;
  const std::int64_t depth = compiler::product(left.subspan(product.batches + product.rows));
  return depth * elements >= divided_products_min;
}

void put_sums(Segment& segment, Group& group, Sink& sink, const Tile& sums, const Window& window) {
  const isa::DType dtype = *storage_of(segment.node(group.product()).type.element);
  Emitter& emitter = segment.emitter();
  const TileMath math(emitter, window.rows, window.columns);
  const bool is_read_once = dtype == isa::DType::float32;  // where it lies: in PSUM
  const std::int64_t number =
      window.row / emitter.core().array.stationary_free_max + window.column / window.columns;
  const bool is_scalars_turn = emitter.core().features.scalar_copy && number % 2 != 0;
  const isa::Engine copier = is_scalars_turn ? isa::Engine::scalar : isa::Engine::any;
  const Tile given = is_read_once ? sums : math.copy(math.fresh(dtype), sums, copier);
  const Tile root = group.tile(window, &given);
  sink.put(root.space == isa::Space::psum ? math.copy(math.fresh(dtype), root, copier) : root,
           window);
}

void compute_product(Segment& segment, Group& group, Sink& sink) {
  const Node node = product_as_computed(segment, group.product());
  const Product& product = node.product;
  Emitter& emitter = segment.emitter();
  group.adapt(product_layout(segment, group));
  emitter.at(node.location);
  if (product.slides) {
    const bool in_halves = is_divided(segment, group.product());
    if (in_halves) write_back_all(segment, product, group);
    return compute_image_product(segment, group, sink, in_halves);
  }
  if (product.in_blocks) {
    emitter.explain(group.locations(), "a product of MX blocks of 32 along its depth");
    const bool in_halves = is_divided(segment, group.product());
    if (in_halves) write_back_all(segment, product, group);
    return compute_mx_product(segment, group, sink, in_halves);
  }
  if (product.sparsity) {
    const auto& pattern = product.sparsity->pattern.items;
    emitter.explain(group.locations(),
                    fmt::format("a product with a matrix of {}:{} sparsity, held by the array",
                                pattern[0], pattern[1]));
    return compute_sparse_product(segment, group, sink);
  }
  if (are_small(product, emitter.core())) {
    emitter.explain(group.locations(), "products too small for the array alone share it");
    return compute_small_products(segment, group, sink);
  }
  const machine::Core& core = emitter.core();
  const Blocks left(segment, product.left, product.batches, product.rows);
  const Blocks right(segment, product.right, product.batches, product.columns);
  const Extents all = chosen_way(emitter, product, left, right);
  const bool is_shared = is_divided(segment, group.product());
  const std::int64_t height = core.array.stationary_free_max, bank = core.psum.bank_size.value / 4;
  const bool deep = all.deep;
  emitter.explain(
      group.locations(),
      fmt::format("a product of {} x {} elements in tiles of {} x {}, depth blocks: {}; the "
                  "array holds {} stationary columns, a bank of PSUM {} sums; {}{}{}{}",
                  all.rows.size(), all.columns.size(),
                  std::min(deep ? height : all.row_block, all.rows.size()),
                  std::min(deep ? bank : all.column_block, all.columns.size()), left.blocks(),
                  height, bank,
                  deep ? "sums stay in PSUM while the operands pass"
                       : fmt::format("{} columns of the right operand stay in SBUF for all rows",
                                     std::min(all.band, all.columns.size())),
                  all.batches.size() > 1 ? fmt::format("; {} times", all.batches.size()) : "",
                  is_shared ? "; divided between two cores" : "",
                  product.layout.is_turned ? "; features on partitions" : ""));
  if (!is_shared) return compute_part(segment, group, sink, node, all);
  write_back_all(segment, product, group);
  const std::array<Extents, 2> parts = divided(all, left, right, core);
  emitter.in_halves([&](std::uint8_t half) {
    Group own = group;
    compute_part(segment, own, sink, node, parts.at(half));
  });
}

}  // namespace trainyard::compiler
