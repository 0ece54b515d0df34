#include "compiler/lowering/products/image_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/products/grouped_weights.h"
#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/products/packed_image.h"
#include "compiler/lowering/products/product_blocks.h"
#include "compiler/lowering/products/tap_weights.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// Of a partition, what the weights take that are kept for all images.
constexpr std::int64_t weights_bytes_max = std::int64_t{48} * 1024;
constexpr std::int64_t taps_max = 64;

class ImageProduct {
 public:
  ImageProduct(Segment& segment, Group& group, Sink& sink)
      : emitter_(segment.emitter()),
        group_(group),
        sink_(sink),
        node_(segment.node(group.product())),
        y_(node_.product.slides->along[0]),
        x_(node_.product.slides->along[1]),
        strip_bytes_(strip_bytes_of(node_.product.right.dims[3].size, node_.product.slides->groups,
                                    emitter_.core().array.rows)),
        image_(segment, node_.product.right, *node_.product.slides, strip_bytes_) {
    const Strided &kernel = node_.product.left, &image = node_.product.right;
    const auto add = [&](std::int64_t y, std::int64_t x) {
      Strided tap = kernel;
      tap.offset += y * kernel.dims[1].step + x * kernel.dims[2].step;
      tap.dims = {kernel.dims[0], kernel.dims[3]};
      taps_.push_back({y, x, Blocks(segment, tap, 0, 1)});
    };
    sums_max_ = emitter_.core().psum.bank_size.value / 4;
    if (image.dims[3].size < image_channels_min) {
      packed_.emplace(segment, node_.product);
      band_ = features();
      return;
    }
    for (std::int64_t y = 0; y < y_.taps; ++y) {
      for (std::int64_t x = 0; x < x_.taps; ++x) add(y, x);
    }
    const std::int64_t feature = std::ssize(taps_) * taps_.front().weights.bytes(1);
    band_ = std::max(std::int64_t{1}, weights_bytes_max / feature / columns_max()) * columns_max();
    for (Tap& tap : taps_) tap.weights.choose(0);
    if (is_grouped()) {
      grouped_.emplace(segment, node_.product);
      band_ = columns_max();
    } else if (TapWeights::fits(kernel, emitter_.core())) {
      beside_.emplace(segment, kernel);
    }
  }

  void explain(bool in_halves) {
    const auto& dims = node_.product.right.dims;
    emitter_.explain(
        group_.locations(),
        fmt::format("a convolution of {} taps and {} channels to {} features of {} x {} x {}: "
                    "features on the partitions, each tap a view of the image; {} features at a "
                    "time{}",
                    y_.taps * x_.taps, dims[3].size, features(), dims[0].size, y_.windows,
                    x_.windows, std::min(band_, features()),
                    in_halves ? "; divided between two cores" : ""));
  }

  // `half`: the core's, where two share the work.
  void compute(std::optional<std::uint8_t> half = {}) {
    const auto& [some_features, chunks] =
        half ? halved(*half) : Work{{0, features()}, all_chunks()};
    for (std::int64_t band = some_features.begin; band < some_features.end; band += band_) {
      for (Tap& tap : taps_) tap.weights.forget();
      if (packed_) packed_->forget_weights();
      if (grouped_) grouped_->forget();
      if (beside_) beside_->forget();
      for (const ImagePart& chunk : chunks)
        compute_chunk({band, std::min(some_features.end, band + band_)}, chunk);
    }
  }

 private:
  struct Tap {
    std::int64_t y = 0, x = 0;
    Blocks weights;
  };

  [[nodiscard]] bool is_grouped() const { return node_.product.slides->groups > 1; }
  [[nodiscard]] std::int64_t features() const { return node_.product.left.dims[0].size; }
  [[nodiscard]] std::int64_t columns_max() const {
    return emitter_.core().array.stationary_free_max;
  }
  [[nodiscard]] std::int64_t pixels() const { return y_.windows * x_.windows; }

  // What is computed: features of parts of the images.
  struct Work {
    Span features;
    std::vector<ImagePart> chunks;
  };

  [[nodiscard]] std::vector<ImagePart> all_chunks() const {
    return chunks_of(node_.product.right, *node_.product.slides, node_.product.right.dims[0].size,
                     numerics::size_in_bytes(sink_.place().dtype), !sink_.is_stored(),
                     strip_bytes_);
  }

  // Half of the features, whose weights one core alone loads then, or half of the images or of
  // their rows, of which the same holds: of whichever there are more.
  [[nodiscard]] Work halved(std::uint8_t half) const {
    const auto half_of = [&](const Span& all, std::int64_t multiple) {
      const std::int64_t middle =
          all.begin +
          base::ceil_div(base::ceil_div(all.size(), std::int64_t{2}), multiple) * multiple;
      return half == 0 ? Span{all.begin, std::min(all.end, middle)}
                       : Span{std::min(all.end, middle), all.end};
    };
    std::vector<ImagePart> chunks = all_chunks();
    const bool has_more_weights =
        compiler::product(node_.product.left.dims) >= compiler::product(node_.product.right.dims);
    const bool has_halves = features() % (2 * columns_max()) == 0;
    if (has_halves && (is_grouped() || has_more_weights))
      return {half_of({0, features()}, columns_max()), std::move(chunks)};
    const std::ptrdiff_t middle = std::ssize(chunks) / 2;
    std::vector<ImagePart> own{half == 0 ? chunks.begin() : chunks.end() - middle,
                               half == 0 ? chunks.begin() + middle : chunks.end()};
    if (chunks.size() % 2 == 0) return {{0, features()}, std::move(own)};
    ImagePart& shared = chunks[static_cast<std::size_t>(middle)];
    Span& divided = shared.images.size() > 1 ? shared.images : shared.rows;
    divided = half_of(divided, 1);
    if (divided.size() > 0) own.insert(half == 0 ? own.end() : own.begin(), shared);
    return {{0, features()}, std::move(own)};
  }

  // Parts of a chunk whose sums a bank holds, and whose taps are packed together.
  [[nodiscard]] std::vector<ImagePart> parts_of(const ImagePart& chunk) const {
    std::vector<ImagePart> parts;
    const auto& [images, rows, all] = chunk;
    if (!packed_ && rows.size() == y_.windows && pixels() <= sums_max_) {
      const auto together = static_cast<std::int64_t>(
          std::bit_floor(static_cast<std::uint64_t>(sums_max_ / pixels())));
      for (std::int64_t image = images.begin; image < images.end; image += together)
        parts.push_back({{image, std::min(images.end, image + together)}, rows, all});
      return parts;
    }
    const std::int64_t columns = std::min(sums_max_, x_.windows);
    std::int64_t height = std::max(std::int64_t{1}, sums_max_ / columns);
    height = base::ceil_div(rows.size(), base::ceil_div(rows.size(), height));
    for (std::int64_t image = images.begin; image < images.end; ++image) {
      for (std::int64_t row = rows.begin, end = 0; row < rows.end; row = end) {
        end = std::min(packed_with(rows, row).end, row + height);
        for (std::int64_t column = 0; column < x_.windows; column += columns)
          parts.push_back(
              {{image, image + 1}, {row, end}, {column, std::min(x_.windows, column + columns)}});
      }
    }
    return parts;
  }

  // The rows of windows that are packed with one of them.
  [[nodiscard]] Span packed_with(Span rows, std::int64_t row) const {
    if (!packed_) return rows;
    const std::int64_t most = packed_->rows_max();
    const std::int64_t begin = rows.begin + (row - rows.begin) / most * most;
    return {begin, std::min(rows.end, begin + most)};
  }

  void compute_chunk(Span features, const ImagePart& chunk) {
    const std::int64_t first = chunk.images.begin * pixels() + chunk.rows.begin * x_.windows;
    std::vector<Tile> results;
    const auto blocks = windows(features.size(), 1, columns_max(), 1);
    for (const Window& block : blocks)
      results.push_back(emitter_.sbuf(sink_.place().dtype, block.rows, chunk.size()));
    for (const ImagePart& part : parts_of(chunk)) {
      const std::int64_t begin =
          part.images.begin * pixels() + part.rows.begin * x_.windows + part.columns.begin;
      const std::size_t before = emitter_.instructions();
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Window window{features.begin + blocks[i].row, blocks[i].rows, begin, part.size()};
        emitter_.at(node_.location);
        finish(window,
               packed_ ? packed_sums_of(features, window, part,
                                        packed_with(chunk.rows, part.rows.begin))
                       : sums_of(features, window, part),
               compiler::part(results[i], 0, window.rows, begin - first, part.size()));
      }
      emitter_.spread_engines_from(before);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i)
      sink_.put(results[i], {features.begin + blocks[i].row, blocks[i].rows, first, chunk.size()});
  }

  void finish(const Window& window, const Tile& sums, const Tile& into) {
    const TileMath math(emitter_, window.rows, window.columns);
    const isa::DType dtype = *storage_of(node_.type.element);
    if (group_.is_product()) {
      math.copy(into, sums);
      return;
    }
    // Where it lies, in PSUM: rounded once, behind what is added (deviation convolution-rounding).
    const bool is_read_there = dtype == isa::DType::float32 || group_.reads_sums();
    const Tile given = is_read_there ? sums : math.copy(math.fresh(dtype), sums);
    const Tile root = group_.tile(window, &given, &into);
    if (root != into) math.copy(into, root);
  }

  // A tap and the windows of a part for which it meets an element.
  struct Met {
    Tap* tap;
    ImagePart some;
  };

  Tile sums_of(Span features, const Window& window, const ImagePart& part) {
    const Tile sums = emitter_.psum(isa::DType::float32, window.rows, window.columns);
    for (std::int64_t y = 0; y < phases(y_); ++y) {
      for (std::int64_t x = 0; x < phases(x_); ++x) {
        const ImagePart phase{part.images, every(part.rows, y, phases(y_)),
                              every(part.columns, x, phases(x_))};
        if (phase.size() > 0) add_phase(sums, features, window, part, phase);
      }
    }
    return sums;
  }
  [[nodiscard]] static Span every(const Span& windows, std::int64_t first, std::int64_t step) {
    return {std::min(windows.begin + first, windows.end), windows.end, step};
  }

  // The sums of windows that meet the same taps. One that all of them meet begins, or a zero.
  void add_phase(const Tile& sums, Span features, const Window& window, const ImagePart& part,
                 const ImagePart& phase) {
    std::vector<Met> met;
    for (Tap& tap : taps_) {
      const auto& image = node_.product.right.dims;
      const ImagePart some{part.images, inside(y_, tap.y, image[1].size, part.rows),
                           inside(x_, tap.x, image[2].size, part.columns)};
      const auto is_of = [](const Span& a, const Span& b) {
        return a.size() > 0 && (a.begin - b.begin) % b.step == 0;
      };
      if (is_of(some.rows, phase.rows) && is_of(some.columns, phase.columns))
        met.push_back({&tap, some});
    }
    const auto whole = std::ranges::find_if(
        met, [&](const Met& each) { return each.some.size() == phase.size(); });
    isa::Accumulate accumulate = isa::Accumulate::overwrite;
    if (whole != met.end()) {
      std::rotate(met.begin(), whole, std::next(whole));
    } else {
      emitter_.emit(isa::Memset{.dst = sums_at(sums, part, phase), .value = 0});
      accumulate = isa::Accumulate::add;
    }
    const std::int64_t own = window.row / columns_max();
    const Span blocks = grouped_ ? Span{own, own + 1} : Span{0, image_.blocks()};
    for (const Met& each : met) {
      for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
        emitter_.emit(
            isa::NcMatmul{.dst = sums_at(sums, part, each.some),
                          .stationary = weights_of(*each.tap, block, features, window),
                          .moving = image_.tap(block, each.tap->y, each.tap->x, part, each.some),
                          .accumulate = std::exchange(accumulate, isa::Accumulate::add)});
      }
    }
  }

  [[nodiscard]] Tile weights_of(Tap& tap, std::int64_t block, Span features, const Window& window) {
    if (grouped_) return grouped_->block(tap.y, tap.x, block);
    if (beside_) return beside_->block(tap.y, tap.x, block, window.row, window.rows);
    const Tile all = tap.weights.block(block, features.begin, features.size());
    return compiler::part(all, 0, all.partitions, window.row - features.begin, window.rows);
  }

  Tile packed_sums_of(Span features, const Window& window, const ImagePart& part, Span rows) {
    const Tile sums = emitter_.psum(isa::DType::float32, window.rows, window.columns);
    for (std::size_t block = 0; block < packed_->blocks(); ++block) {
      const Tile weights = packed_->weights(block, features);
      emitter_.emit(isa::NcMatmul{
          .dst = sums,
          .stationary = compiler::part(weights, 0, weights.partitions, window.row - features.begin,
                                       window.rows),
          .moving = packed_->pixels(block, part, rows),
          .accumulate = block == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
    }
    return sums;
  }

  // The sums of some windows among those of a part.
  [[nodiscard]] static Tile sums_at(const Tile& sums, const ImagePart& part,
                                    const ImagePart& some) {
    const std::int64_t row = part.columns.size(), image = part.rows.size() * row;
    const std::array<Extent, 3> walk{{{some.images.size(), image},
                                      {some.rows.size(), row * some.rows.step},
                                      {some.columns.size(), some.columns.step}}};
    return walked(
        sums, merged(walk),
        (some.rows.begin - part.rows.begin) * row + some.columns.begin - part.columns.begin);
  }

  Emitter& emitter_;
  Group& group_;
  Sink& sink_;
  const Node node_;
  const Slides::Along &y_, &x_;
  std::int64_t strip_bytes_;
  ImageStrips image_;
  std::vector<Tap> taps_;
  std::optional<PackedImage> packed_;      // of few channels
  std::optional<GroupedWeights> grouped_;  // of several groups
  std::optional<TapWeights> beside_;       // of taps beside each other in memory
  std::int64_t band_ = 0, sums_max_ = 0;
};

}  // namespace

bool is_image_product(const Product& product, const machine::Core& core) {
  const Slides& slides = *product.slides;
  const std::int64_t taps = slides.along[0].taps * slides.along[1].taps;
  const bool is_spread = phases(slides.along[0]) * phases(slides.along[1]) > 1;
  if (is_spread && product.left.dims[0].size < image_channels_min)
    return false;  // most of it stands idle
  if (slides.groups > 1 && !GroupedWeights::fits(product, core)) return false;
  if (product.right.dims[3].size < image_channels_min)
    return slides.groups == 1 && PackedImage::fits(product, core);
  return taps <= taps_max;
}

void compute_image_product(Segment& segment, Group& group, Sink& sink, bool in_halves) {
  if (!in_halves) {
    ImageProduct whole(segment, group, sink);
    whole.explain(false);
    return whole.compute();
  }
  segment.emitter().in_halves([&](std::uint8_t half) {
    Group own = group;
    ImageProduct part(segment, own, sink);
    if (half == 0) part.explain(true);
    part.compute(half);
  });
}

}  // namespace trainyard::compiler
