#include "compiler/lowering/images/pixel_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/images/channels_last.h"
#include "compiler/lowering/products/image_product.h"
#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/window.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_reduce.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

// Of a partition, what the pixels of a block take, and what those of all blocks take if they are
// kept for several passes.
constexpr std::int64_t block_bytes_max = std::int64_t{40} * 1024;
constexpr std::int64_t kept_pixels_bytes_max = std::int64_t{72} * 1024;
// Of PSUM, what sums leave to transposes of the same program.
constexpr std::int64_t banks_left = 2;
constexpr std::int64_t word = 4;  // bytes of a sum

// Taps and channels that an operand has at a time.
struct Cut {
  Span y, x, channels;
  [[nodiscard]] std::int64_t size() const { return y.size() * x.size() * channels.size(); }
};

// Sums in one tile of PSUM: [features, cut], or [cut, features].
struct Sums {
  Cut cut;
  Span features;
  bool features_first = false;
  Tile tile{};
  bool has_begun = false;
};

// Rows of pixels of some images, of some columns.
struct Strip {
  Span images, rows, columns;
  [[nodiscard]] std::int64_t lines() const { return images.size() * rows.size(); }
};

std::int64_t evenly(std::int64_t size, std::int64_t most) {
  return base::ceil_div(size, base::ceil_div(size, std::clamp(most, std::int64_t{1}, size)));
}

std::vector<Span> spans(std::int64_t size, std::int64_t most) {
  std::vector<Span> all;
  for (std::int64_t begin = 0; begin < size; begin += most)
    all.push_back({begin, std::min(size, begin + most)});
  return all;
}

class PixelProductCode {
 public:
  PixelProductCode(Segment& segment, const PixelProduct& product, const Strided& to)
      : emitter_(segment.emitter()),
        still_(channels_last(segment, product.still)),
        sliding_(channels_last(segment, product.sliding)),
        y_(product.along[0]),
        x_(product.along[1]),
        groups_(product.groups),
        to_(to),
        blocks_(cut_into_blocks()) {}

  void compute() {
    std::vector<Sums> sums = all_sums();
    const std::int64_t bank = emitter_.core().psum.bank_size.value;
    const std::int64_t room = emitter_.core().psum.partition_size().value - banks_left * bank;
    const bool keeps = std::ssize(blocks_) * block_bytes() <= kept_pixels_bytes_max;
    for (std::size_t first = 0, last = 0; first < sums.size(); first = last) {
      std::int64_t bytes = 0;
      for (last = first; last < sums.size(); ++last) {
        Sums& each = sums[last];
        const std::int64_t columns = each.features_first ? each.cut.size() : each.features.size();
        bytes += std::min(bank, static_cast<std::int64_t>(
                                    std::bit_ceil(static_cast<std::uint64_t>(columns * word))));
        if (bytes > room) break;
        each.tile = emitter_.psum(
            DType::float32, each.features_first ? each.features.size() : each.cut.size(), columns);
      }
      pass({&sums[first], last - first}, keeps);
    }
  }

 private:
  using Block = std::vector<Strip>;

  [[nodiscard]] std::int64_t features() const { return still_.dims[3].size; }
  [[nodiscard]] std::int64_t channels() const { return sliding_.dims[3].size; }
  [[nodiscard]] std::int64_t bytes() const { return numerics::size_in_bytes(still_.dtype); }
  // Columns of the sliding image that so many windows read.
  [[nodiscard]] std::int64_t reach(std::int64_t windows) const {
    return (windows - 1) * x_.stride + (x_.taps - 1) * x_.dilation + 1;
  }
  [[nodiscard]] std::int64_t bytes_of(std::int64_t windows) const {
    return (windows * features() + y_.taps * reach(windows) * channels()) * bytes();
  }
  [[nodiscard]] std::int64_t block_bytes() const { return bytes_of(width_); }

  // Strips of as many columns, packed so that they fill the partitions.
  std::vector<Block> cut_into_blocks() {
    const std::int64_t rows_max = emitter_.core().array.rows, batch = still_.dims[0].size;
    const std::int64_t rows = evenly(y_.windows, rows_max);
    const std::int64_t images = rows < y_.windows ? 1 : evenly(batch, rows_max / rows);
    const std::int64_t beside = rows_max / (rows * images);
    width_ = base::ceil_div(x_.windows, std::min(x_.windows, beside));
    while (width_ > 1 && bytes_of(width_) > block_bytes_max) width_ = base::ceil_div(width_, 2);
    std::vector<Block> blocks;
    for (const Span& some : spans(batch, images)) {
      for (const Span& lines : spans(y_.windows, rows)) {
        for (const Span& columns : spans(x_.windows, width_)) {
          const Strip strip{some, lines, columns};
          const bool fits = !blocks.empty() && blocks.back().front().lines() == strip.lines() &&
                            (std::ssize(blocks.back()) + 1) * strip.lines() <= rows_max;
          if (!fits) blocks.emplace_back();
          blocks.back().push_back(strip);
        }
      }
    }
    return blocks;
  }

  // Taps and channels in rectangles of at most so many elements.
  [[nodiscard]] std::vector<Cut> cuts(std::int64_t most) const {
    const std::int64_t deep = evenly(channels(), most);
    const std::int64_t wide = deep < channels() ? 1 : evenly(x_.taps, most / deep);
    const std::int64_t high = wide < x_.taps ? 1 : evenly(y_.taps, most / (deep * wide));
    std::vector<Cut> all;
    for (const Span& y : spans(y_.taps, high)) {
      for (const Span& x : spans(x_.taps, wide)) {
        for (const Span& some : spans(channels(), deep)) all.push_back({y, x, some});
      }
    }
    return all;
  }

  // The side that stands still in the array is the one with which it takes fewer cycles.
  [[nodiscard]] std::vector<Sums> all_sums() const {
    const machine::PeArray& array = emitter_.core().array;
    const std::int64_t side = array.stationary_free_max;
    const std::int64_t most = emitter_.core().psum.bank_size.value / word;
    std::vector<Sums> usual, other;
    for (const Span& some : spans(features(), side)) {
      for (const Cut& cut : cuts(most)) usual.push_back({cut, some, true});
    }
    for (const Cut& cut : cuts(side)) {
      for (const Span& some : spans(features(), most)) other.push_back({cut, some, false});
    }
    const auto cycles = [&](std::span<const Sums> sums) {
      std::int64_t all = 0;
      for (const Sums& each : sums)
        all += array.matmul_overhead.value +
               (each.features_first ? each.cut.size() : each.features.size());
      return all;
    };
    return groups_ > 1 || cycles(usual) <= cycles(other) ? usual : other;
  }

  void pass(std::span<Sums> sums, bool keeps) {
    Span taps{y_.taps, 0};
    for (const Sums& each : sums) {
      taps.begin = std::min(taps.begin, each.cut.y.begin);
      taps.end = std::max(taps.end, each.cut.y.end);
    }
    if (keeps) taps = {0, y_.taps};
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      std::optional<Pixels> pixels;
      if (keeps && i < kept_.size()) pixels = kept_[i];
      if (!pixels) pixels = loaded(blocks_[i], taps);
      if (keeps && i >= kept_.size()) kept_.push_back(*pixels);
      multiply(*pixels, sums);
    }
    for (Sums& each : sums) put(each);
  }

  // Of a block, on chip: [lines, columns x features] and [lines, taps along the height x columns x
  // channels].
  struct Pixels {
    Tile still, sliding;
    Span taps;
  };

  Pixels loaded(const Block& block, Span taps) {
    const std::int64_t lines = block.front().lines(), line = reach(width_) * channels();
    const std::int64_t partitions = std::ssize(block) * lines;
    Pixels pixels{.still = emitter_.sbuf(still_.dtype, partitions, width_ * features()),
                  .sliding = emitter_.sbuf(sliding_.dtype, partitions, taps.size() * line),
                  .taps = taps};
    const bool is_even = std::ranges::all_of(
        block, [&](const Strip& strip) { return strip.columns.size() == width_; });
    if (!is_even) emitter_.emit(isa::Memset{.dst = pixels.still, .value = 0});
    if (block.size() > 1) {
      emitter_.emit(isa::Memset{.dst = pixels.sliding, .value = 0});
    } else {
      const auto [before, some] = columns_read(block.front());
      clear_columns(pixels.sliding, taps.size(), {0, before});
      clear_columns(pixels.sliding, taps.size(), {before + some.size(), reach(width_)});
    }
    for (std::int64_t i = 0; i < std::ssize(block); ++i) {
      const Strip& strip = block[static_cast<std::size_t>(i)];
      load_still(strip, part(pixels.still, i * lines, lines, 0, strip.columns.size() * features()));
      for (std::int64_t tap = taps.begin; tap < taps.end; ++tap) {
        load_sliding(strip, tap,
                     part(pixels.sliding, i * lines, lines, (tap - taps.begin) * line, line),
                     block.size() == 1);
      }
    }
    return pixels;
  }

  void clear_columns(const Tile& tile, std::int64_t taps, Span columns) {
    if (columns.size() <= 0) return;
    const std::array<Extent, 2> walk{
        {{taps, reach(width_) * channels()}, {columns.size() * channels(), 1}}};
    emitter_.emit(
        isa::Memset{.dst = walked(tile, merged(walk), columns.begin * channels()), .value = 0});
  }

  // How many columns of a strip lie before the image, and those of the image that it reads.
  [[nodiscard]] std::pair<std::int64_t, Span> columns_read(const Strip& strip) const {
    const std::int64_t first = strip.columns.begin * x_.stride - x_.low;
    const std::int64_t begin = std::max(std::int64_t{0}, first);
    const std::int64_t end = std::min(sliding_.dims[2].size, first + reach(strip.columns.size()));
    const std::int64_t before = std::min(begin - first, reach(width_));
    return {before, {begin, std::max(begin, end)}};
  }

  void load_still(const Strip& strip, const Tile& to) {
    const auto& dims = still_.dims;
    const std::int64_t offset = still_.offset + strip.images.begin * dims[0].step +
                                strip.rows.begin * dims[1].step +
                                strip.columns.begin * dims[2].step;
    copy_lines(still_, offset,
               {{strip.images.size(), dims[0].step}, {strip.rows.size(), dims[1].step}},
               strip.columns.size() * features(), to);
  }

  void load_sliding(const Strip& strip, std::int64_t tap, const Tile& to, bool clears) {
    const auto& dims = sliding_.dims;
    const auto [before, columns] = columns_read(strip);
    const Span rows = inside(y_, tap, dims[1].size, strip.rows);
    const std::int64_t each = strip.rows.size();
    if (columns.size() == 0 || rows.size() == 0) {
      if (clears) emitter_.emit(isa::Memset{.dst = to, .value = 0});
      return;
    }
    const auto lines = [&](std::int64_t image, std::int64_t images, Span some) {
      const std::int64_t row = some.begin * y_.stride + tap * y_.dilation - y_.low;
      copy_lines(sliding_,
                 sliding_.offset + (strip.images.begin + image) * dims[0].step +
                     row * dims[1].step + columns.begin * dims[2].step,
                 {{images, dims[0].step}, {some.size(), dims[1].step * y_.stride}},
                 columns.size() * channels(),
                 part(to, image * each + some.begin - strip.rows.begin, images * some.size(),
                      before * channels(), columns.size() * channels()));
    };
    if (rows.size() == each) return lines(0, strip.images.size(), rows);
    for (std::int64_t image = 0; image < strip.images.size(); ++image) {
      lines(image, 1, rows);
      if (!clears) continue;
      clear_lines(to, image * each, rows.begin - strip.rows.begin);
      clear_lines(to, image * each + rows.end - strip.rows.begin, strip.rows.end - rows.end);
    }
  }

  void copy_lines(const Strided& from, std::int64_t offset, std::vector<Extent> lines,
                  std::int64_t elements, const Tile& to) {
    lines = merged(lines);
    if (lines.empty()) lines.push_back({1, 1});
    lines.push_back({elements, 1});
    emitter_.emit(isa::DmaCopy{.dst = to, .src = hbm_tile(from.tensor, from.dtype, offset, lines)},
                  issuer_of_load(emitter_, from.tensor));
  }

  // On any partitions, which engines cannot reach: from zeros in HBM.
  void clear_lines(const Tile& to, std::int64_t first, std::int64_t count) {
    if (count <= 0) return;
    const std::int64_t elements = reach(width_) * channels();
    if (!zeros_) {
      const std::vector<std::int64_t> shape{elements};
      zeros_ =
          emitter_.constant(sliding_.dtype, shape,
                            std::vector<std::byte>(static_cast<std::size_t>(elements * bytes())));
    }
    const std::vector<Extent> walk{{count, 0}, {elements, 1}};
    emitter_.emit(isa::DmaCopy{.dst = part(to, first, count, 0, elements),
                               .src = hbm_tile(*zeros_, sliding_.dtype, 0, walk)});
  }

  void multiply(const Pixels& pixels, std::span<Sums> sums) {
    const std::int64_t line = reach(width_) * channels();
    for (std::int64_t column = 0; column < width_; ++column) {
      for (Sums& each : sums) {
        const Cut& cut = each.cut;
        const std::vector<Extent> walk{{cut.y.size(), line},
                                       {cut.x.size(), x_.dilation * channels()},
                                       {cut.channels.size(), 1}};
        const std::int64_t first = (cut.y.begin - pixels.taps.begin) * line +
                                   (column * x_.stride + cut.x.begin * x_.dilation) * channels() +
                                   cut.channels.begin;
        const Tile sliding = walked(pixels.sliding, merged(walk), first);
        const Tile still = part(pixels.still, 0, pixels.still.partitions,
                                column * features() + each.features.begin, each.features.size());
        emitter_.emit(isa::NcMatmul{.dst = each.tile,
                                    .stationary = each.features_first ? still : sliding,
                                    .moving = each.features_first ? sliding : still,
                                    .accumulate = std::exchange(each.has_begun, true)
                                                      ? isa::Accumulate::add
                                                      : isa::Accumulate::overwrite});
      }
    }
  }

  void put(const Sums& sums) {
    const Cut& cut = sums.cut;
    const auto& dims = to_.dims;
    const TileMath math(emitter_, sums.tile.partitions, sums.tile.free_elements());
    const Tile result =
        groups_ > 1 ? own_groups(sums) : math.copy(math.fresh(to_.dtype), sums.tile);
    const std::array<Extent, 3> walk{{{cut.y.size(), dims[0].step},
                                      {cut.x.size(), dims[1].step},
                                      {cut.channels.size() / groups_, dims[2].step}}};
    const std::int64_t offset =
        to_.offset + cut.y.begin * dims[0].step + cut.x.begin * dims[1].step +
        cut.channels.begin / groups_ * dims[2].step + sums.features.begin * dims[3].step;
    Matrix matrix{
        to_.tensor, to_.dtype, offset, merged(walk), {{sums.features.size(), dims[3].step}}};
    if (matrix.rows.empty()) matrix.rows.push_back({1, 1});
    if (sums.features_first) std::swap(matrix.rows, matrix.columns);
    store(emitter_, result, matrix, {0, result.partitions, 0, result.free_elements()});
  }

  // Of [features, taps x groups x channels] each feature's own group.
  Tile own_groups(const Sums& sums) {
    const Cut& cut = sums.cut;
    const std::int64_t taps = cut.y.size() * cut.x.size(), deep = channels() / groups_;
    const std::int64_t together = cut.channels.size() / deep;
    const TileMath math(emitter_, sums.tile.partitions, sums.tile.free_elements());
    const std::vector<Extent> again{{taps, 0}, {cut.channels.size(), 1}};
    const Tile mask = walked(part(own(), 0, sums.tile.partitions, 0, 1), again, 0);
    const Tile kept =
        math.tensor(math.fresh(DType::float32), sums.tile, numerics::AluOp::multiply, mask);
    const std::vector<Extent> walk{{taps, cut.channels.size()}, {deep, 1}, {together, deep}};
    const TileMath less(emitter_, sums.tile.partitions, taps * deep);
    const Tile added = less.fresh(DType::float32);
    const std::vector<Extent> dense_walk{{taps, deep}, {deep, 1}};
    isa::IntList axis;
    axis.push_back(3);
    emitter_.emit(isa::TensorReduce{.dst = walked(added, dense_walk, 0),
                                    .op = numerics::AluOp::add,
                                    .data = walked(kept, walk, 0),
                                    .axis = axis});
    return less.copy(less.fresh(to_.dtype), added);
  }

  // [features, channels]: 1 where they are of one group.
  const Tile& own() {
    if (own_) return *own_;
    const std::array<std::int64_t, 2> shape{features(), channels()};
    std::vector<float> ones(static_cast<std::size_t>(shape[0] * shape[1]));
    for (std::size_t i = 0; i < ones.size(); ++i) {
      const auto feature = static_cast<std::int64_t>(i) / shape[1];
      const auto channel = static_cast<std::int64_t>(i) % shape[1];
      ones[i] = feature * groups_ / shape[0] == channel * groups_ / shape[1] ? 1.0F : 0.0F;
    }
    std::vector<std::byte> content(ones.size() * sizeof(float));
    std::memcpy(content.data(), ones.data(), content.size());
    const isa::TensorId tensor = emitter_.constant(DType::float32, shape, std::move(content));
    own_ = emitter_.sbuf(DType::float32, shape[0], shape[1]);
    const std::array<Extent, 2> walk{{{shape[0], shape[1]}, {shape[1], 1}}};
    emitter_.emit(isa::DmaCopy{.dst = *own_, .src = hbm_tile(tensor, DType::float32, 0, walk)});
    return *own_;
  }

  Emitter& emitter_;
  Strided still_, sliding_;
  Slides::Along y_, x_;
  std::int64_t groups_;
  Strided to_;
  std::int64_t width_ = 1;  // windows of a strip
  std::vector<Block> blocks_;
  std::vector<Pixels> kept_;
  std::optional<isa::TensorId> zeros_;
  std::optional<Tile> own_;
};

// Whether the pixels that stand still lie apart, all over an image that has its channels last, as
// in the gradient of patches.
bool covers_image(const PixelProduct& product) {
  std::int64_t taps = 1, pixels = 1;
  for (std::size_t i = 0; i < product.along.size(); ++i) {
    const Slides::Along& along = product.along.at(i);
    const std::int64_t reach = (along.windows - 1) * along.stride + 1;
    if (along.windows == 1) continue;
    if (along.stride == 1 || 2 * reach < product.sliding.dims[i + 1].size) return false;
    taps *= along.taps;
    pixels *= along.windows;
  }
  return 2 * pixels >= taps && product.sliding.dims[3].step == 1;
}

}  // namespace

bool is_pixel_product(const PixelProduct& product, const Emitter& emitter) {
  const auto& [y, x] = product.along;
  const std::int64_t taps = y.taps * x.taps, pixels = y.windows * x.windows;
  const std::int64_t bytes = numerics::size_in_bytes(product.still.dtype);
  const std::int64_t one_window =
      (product.still.dims[3].size +
       y.taps * ((x.taps - 1) * x.dilation + 1) * product.sliding.dims[3].size) *
      bytes;
  // Those of patches do not overlap: each pixel meets one tap.
  const bool is_line = y.windows == 1 && y.taps == 1;
  if (is_line && product.sliding.dims[3].size < image_channels_min) return false;
  const bool overlap = y.dilation < y.windows || x.dilation < x.windows;
  return overlap && (pixels > taps || covers_image(product)) &&
         product.still.dtype == product.sliding.dtype && one_window <= kept_pixels_bytes_max &&
         has_channels_last(emitter, product.still) && has_channels_last(emitter, product.sliding);
}

void compute_pixel_product(Segment& segment, const PixelProduct& product, const Strided& to) {
  const std::int64_t features = product.still.dims[3].size / product.groups;
  const std::int64_t channels = product.sliding.dims[3].size / product.groups;
  const std::int64_t side = segment.emitter().core().array.stationary_free_max;
  // Groups whose features and channels share a matmul, of whose sums those of other groups are left
  // out.
  const std::int64_t together = evenly(product.groups, side / std::max(features, channels));
  const auto some = [](Strided value, std::int64_t first, std::int64_t count) {
    value.offset += first * value.dims[3].step;
    value.dims[3].size = count;
    return value;
  };
  for (const Span& groups : spans(product.groups, together)) {
    PixelProduct part = product;
    part.groups = groups.size();
    part.still = some(product.still, groups.begin * features, groups.size() * features);
    part.sliding = some(product.sliding, groups.begin * channels, groups.size() * channels);
    PixelProductCode(segment, part, some(to, groups.begin * features, groups.size() * features))
        .compute();
  }
}

}  // namespace trainyard::compiler
