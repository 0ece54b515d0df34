#include "compiler/lowering/image_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/elementwise.h"
#include "compiler/lowering/product_blocks.h"
#include "compiler/lowering/tile_math.h"
#include "isa/instructions/nc_matmul.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// Of a partition: what one strip of an image takes, and the weights that are kept for all of them.
constexpr std::int64_t strip_bytes_max = std::int64_t{13} * 1024;
constexpr std::int64_t weights_bytes_max = std::int64_t{48} * 1024;
// Fewer channels leave most of the array idle.
constexpr std::int64_t channels_min = 16;
constexpr std::int64_t taps_max = 64;

std::int64_t power_below(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
}

// Windows [begin, end).
struct Span {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// The windows among those whose tap lies within `size` elements.
Span inside(const Slides::Along& along, std::int64_t tap, std::int64_t size, Span windows) {
  const std::int64_t shift = tap * along.dilation - along.low;  // window w reads w * stride + shift
  const std::int64_t first = shift >= 0 ? 0 : base::ceil_div(-shift, along.stride);
  const std::int64_t room = size - 1 - shift;
  const std::int64_t end = room < 0 ? 0 : room / along.stride + 1;
  const std::int64_t begin = std::max(windows.begin, first);
  return {begin, std::max(begin, std::min(windows.end, end))};
}

// The elements that windows read.
Span read_by(const Slides::Along& along, std::int64_t size, Span windows) {
  const std::int64_t first = windows.begin * along.stride - along.low;
  const std::int64_t last =
      (windows.end - 1) * along.stride - along.low + (along.taps - 1) * along.dilation;
  return {std::max(std::int64_t{0}, first), std::min(size, last + 1)};
}

// A tap that lies within the image for all windows.
std::optional<std::int64_t> full_tap(const Slides::Along& along, std::int64_t size) {
  const Span all{0, along.windows};
  for (std::int64_t tap = 0; tap < along.taps; ++tap) {
    const Span found = inside(along, tap, size, all);
    if (found.begin == 0 && found.end == along.windows) return tap;
  }
  return std::nullopt;
}

// Images that lie in one tile.
std::int64_t images_together(std::int64_t batch, std::int64_t bytes) {
  if (batch * bytes <= strip_bytes_max) return batch;
  return power_below(std::max(std::int64_t{1}, strip_bytes_max / bytes));
}

class ImageProduct {
 public:
  ImageProduct(Segment& segment, Group& group, Sink& sink)
      : segment_(segment),
        emitter_(segment.emitter()),
        group_(group),
        sink_(sink),
        node_(segment.node(group.product())),
        image_(node_.product.right),
        y_(node_.product.slides->along[0]),
        x_(node_.product.slides->along[1]),
        in_bytes_(numerics::size_in_bytes(image_.dtype)) {
    const Strided& kernel = node_.product.left;
    const auto add = [&](std::int64_t y, std::int64_t x) {
      Strided tap = kernel;
      tap.offset += y * kernel.dims[1].step + x * kernel.dims[2].step;
      tap.dims = {kernel.dims[0], kernel.dims[3]};
      taps_.push_back({y, x, Blocks(segment, tap, 0, 1)});
    };
    const std::int64_t full_y = *full_tap(y_, height()), full_x = *full_tap(x_, width());
    add(full_y, full_x);
    for (std::int64_t y = 0; y < y_.taps; ++y) {
      for (std::int64_t x = 0; x < x_.taps; ++x)
        if (y != full_y || x != full_x) add(y, x);
    }
    const std::int64_t feature = std::ssize(taps_) * taps_.front().weights.bytes(1);
    band_ = std::max(std::int64_t{1}, weights_bytes_max / feature / columns_max()) * columns_max();
    sums_max_ = emitter_.core().psum.bank_size.value / 4;
    for (Tap& tap : taps_) tap.weights.choose(0);
  }

  void compute() {
    explain();
    for (std::int64_t band = 0; band < features(); band += band_) {
      const Span features{band, std::min(this->features(), band + band_)};
      for (Tap& tap : taps_) tap.weights.forget();
      for_each_chunk([&](Span images, Span rows) { compute_chunk(features, images, rows); });
    }
  }

 private:
  struct Tap {
    std::int64_t y = 0, x = 0;
    Blocks weights;
  };
  // Part of the image, by channels.
  struct Strip {
    Span images, rows;                        // of the image
    std::vector<std::optional<Tile>> blocks;  // nothing where a resident has it
  };

  [[nodiscard]] std::int64_t batch() const { return image_.dims[0].size; }
  [[nodiscard]] std::int64_t height() const { return image_.dims[1].size; }
  [[nodiscard]] std::int64_t width() const { return image_.dims[2].size; }
  [[nodiscard]] std::int64_t features() const { return node_.product.left.dims[0].size; }
  [[nodiscard]] std::int64_t columns_max() const {
    return emitter_.core().array.stationary_free_max;
  }
  [[nodiscard]] std::int64_t pixels() const { return y_.windows * x_.windows; }

  void explain() {
    emitter_.explain(
        group_.locations(),
        fmt::format("a convolution of {} taps and {} channels to {} features of {} x {} x {}: "
                    "features on the partitions, each tap a view of the image; {} features at a "
                    "time",
                    taps_.size(), image_.dims[3].size, features(), batch(), y_.windows, x_.windows,
                    std::min(band_, features())));
  }

  // What is made in one tile a block of features: whole images where they stay on chip.
  template <typename F>
  void for_each_chunk(const F& f) {
    const std::int64_t bytes = numerics::size_in_bytes(sink_.place().dtype) * pixels();
    std::int64_t images = images_together(batch(), bytes);
    std::int64_t rows = y_.windows;
    if (sink_.is_stored()) {
      const std::int64_t row_bytes = width() * in_bytes_;
      const std::int64_t fit = images_together(batch(), height() * row_bytes);
      images = std::min(images, fit);
      const std::int64_t most = std::max(
          std::int64_t{1}, (strip_bytes_max / row_bytes - (y_.taps - 1) * y_.dilation) / y_.stride);
      const std::int64_t out = std::max(std::int64_t{1}, strip_bytes_max * y_.windows / bytes);
      if (images == 1) rows = std::min({rows, most, out});
      rows = base::ceil_div(y_.windows, base::ceil_div(y_.windows, rows));
    }
    for (std::int64_t image = 0; image < batch(); image += images) {
      for (std::int64_t row = 0; row < y_.windows; row += rows)
        f(Span{image, std::min(batch(), image + images)},
          Span{row, std::min(y_.windows, row + rows)});
    }
  }

  // Parts of a chunk whose sums a bank holds.
  struct Part {
    Span images, rows, columns;
  };
  [[nodiscard]] std::vector<Part> parts_of(Span images, Span rows) const {
    std::vector<Part> parts;
    const Span all{0, x_.windows};
    const bool is_whole = rows.size() == y_.windows;
    if (is_whole && pixels() <= sums_max_) {
      const std::int64_t together = power_below(sums_max_ / pixels());
      for (std::int64_t image = images.begin; image < images.end; image += together)
        parts.push_back({{image, std::min(images.end, image + together)}, rows, all});
      return parts;
    }
    const std::int64_t columns = std::min(sums_max_, x_.windows);
    std::int64_t height = std::max(std::int64_t{1}, sums_max_ / columns);
    height = base::ceil_div(rows.size(), base::ceil_div(rows.size(), height));
    for (std::int64_t image = images.begin; image < images.end; ++image) {
      for (std::int64_t row = rows.begin; row < rows.end; row += height) {
        for (std::int64_t column = 0; column < x_.windows; column += columns)
          parts.push_back({{image, image + 1},
                           {row, std::min(rows.end, row + height)},
                           {column, std::min(x_.windows, column + columns)}});
      }
    }
    return parts;
  }

  void compute_chunk(Span features, Span images, Span rows) {
    const std::int64_t first = images.begin * pixels() + rows.begin * x_.windows;
    const std::int64_t count = images.size() * rows.size() * x_.windows;
    const isa::DType dtype = sink_.place().dtype;
    std::vector<Tile> results;
    const auto blocks = windows(features.size(), 1, columns_max(), 1);
    for (const Window& block : blocks) results.push_back(emitter_.sbuf(dtype, block.rows, count));
    for (const Part& part : parts_of(images, rows)) {
      const std::int64_t begin =
          part.images.begin * pixels() + part.rows.begin * x_.windows + part.columns.begin;
      const std::int64_t some = part.images.size() * part.rows.size() * part.columns.size();
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Window window{features.begin + blocks[i].row, blocks[i].rows, begin, some};
        const Tile into = compiler::part(results[i], 0, window.rows, begin - first, some);
        emitter_.at(node_.location);
        finish(window, sums_of(features, window, part), into);
      }
    }
    for (std::size_t i = 0; i < blocks.size(); ++i)
      sink_.put(results[i], {features.begin + blocks[i].row, blocks[i].rows, first, count});
  }

  void finish(const Window& window, const Tile& sums, const Tile& into) {
    const TileMath math(emitter_, window.rows, window.columns);
    const isa::DType dtype = *storage_of(node_.type.element);
    const bool is_scalars_turn = emitter_.core().features.scalar_copy && turn_++ % 2 != 0;
    const isa::Engine copier = is_scalars_turn ? isa::Engine::scalar : isa::Engine::any;
    if (group_.is_product()) {
      math.copy(into, sums, copier);
      return;
    }
    const bool is_read_once = dtype == isa::DType::float32;
    const Tile given = is_read_once ? sums : math.copy(math.fresh(dtype), sums, copier);
    const Tile root = group_.tile(window, &given, &into);
    if (root != into) math.copy(into, root);
  }

  Tile sums_of(Span features, const Window& window, const Part& part) {
    const Tile sums = emitter_.psum(isa::DType::float32, window.rows, window.columns);
    bool is_first = true;
    const std::int64_t blocks = taps_.front().weights.blocks();
    for (Tap& tap : taps_) {
      const Span rows = inside(y_, tap.y, height(), part.rows);
      const Span columns = inside(x_, tap.x, width(), part.columns);
      if (rows.size() == 0 || columns.size() == 0) continue;
      const Part some{part.images, rows, columns};
      for (std::int64_t block = 0; block < blocks; ++block) {
        const Tile weights = tap.weights.block(block, features.begin, features.size());
        emitter_.emit(isa::NcMatmul{
            .dst = sums_at(sums, part, some),
            .stationary = compiler::part(weights, 0, weights.partitions,
                                         window.row - features.begin, window.rows),
            .moving = pixels_at(block, weights.partitions, tap, part, some),
            .accumulate = is_first ? isa::Accumulate::overwrite : isa::Accumulate::add});
        is_first = false;
      }
    }
    return sums;
  }

  // The sums of some windows among those of a part.
  [[nodiscard]] static Tile sums_at(const Tile& sums, const Part& part, const Part& some) {
    const std::int64_t row = part.columns.size(), image = part.rows.size() * row;
    const std::vector<Extent> walk = merged(std::array<Extent, 3>{
        {{some.images.size(), image}, {some.rows.size(), row}, {some.columns.size(), 1}}});
    return walked(
        sums, walk,
        (some.rows.begin - part.rows.begin) * row + some.columns.begin - part.columns.begin);
  }

  // What a tap reads for them.
  Tile pixels_at(std::int64_t block, std::int64_t channels, const Tap& tap, const Part& part,
                 const Part& some) {
    const std::int64_t row = some.rows.begin * y_.stride + tap.y * y_.dilation - y_.low;
    const std::int64_t column = some.columns.begin * x_.stride + tap.x * x_.dilation - x_.low;
    const auto& dims = image_.dims;
    const auto walk_with = [&](std::int64_t image_step, std::int64_t row_step,
                               std::int64_t column_step) {
      return std::vector<Extent>{{some.images.size(), image_step},
                                 {some.rows.size(), row_step * y_.stride},
                                 {some.columns.size(), column_step * x_.stride}};
    };
    const Strip& strip = strip_for(block, channels, part);
    if (const auto& tile = strip.blocks[static_cast<std::size_t>(block)]) {
      const std::int64_t image = strip.rows.size() * width();
      return walked(*tile, merged(walk_with(image, width(), 1)),
                    (some.images.begin - strip.images.begin) * image +
                        (row - strip.rows.begin) * width() + column);
    }
    const Matrix matrix{image_.tensor,
                        image_.dtype,
                        image_.offset + some.images.begin * dims[0].step + row * dims[1].step +
                            column * dims[2].step,
                        {dims[3]},
                        walk_with(dims[0].step, dims[1].step, dims[2].step)};
    const auto here = segment_.residents().find(
        matrix, {block * rows_max(), channels, 0, compiler::product(matrix.columns)});
    base::check(here.has_value(), "a part of what lies in one tile lies there");
    return *here;
  }

  [[nodiscard]] std::int64_t rows_max() const { return emitter_.core().array.rows; }

  // The rows of the image that a part reads, on chip.
  const Strip& strip_for(std::int64_t block, std::int64_t channels, const Part& part) {
    const Span rows = read_by(y_, height(), part.rows);
    const bool is_held = strip_ && strip_->images.begin <= part.images.begin &&
                         part.images.end <= strip_->images.end &&
                         strip_->rows.begin <= rows.begin && rows.end <= strip_->rows.end;
    if (!is_held) {
      strip_ = strip_from(part, rows);
      held_.clear();
    }
    const auto at = static_cast<std::size_t>(block);
    if (!held_.contains(block)) {
      held_[block] = true;
      strip_->blocks[at] = load_block(block, channels, *strip_);
    }
    return *strip_;
  }

  // As many rows and images from a part on as one tile may hold.
  [[nodiscard]] Strip strip_from(const Part& part, Span rows) const {
    const std::int64_t row_bytes = width() * in_bytes_;
    Strip strip{.images = part.images, .rows = rows, .blocks = {}};
    const std::int64_t images = images_together(batch(), height() * row_bytes);
    if (height() * row_bytes <= strip_bytes_max) {
      strip.rows = {0, height()};
      strip.images.begin = part.images.begin / images * images;
      strip.images.end = std::max(part.images.end, std::min(batch(), strip.images.begin + images));
    } else {
      strip.rows.end = std::clamp(rows.begin + strip_bytes_max / row_bytes, rows.end, height());
    }
    strip.blocks.resize(static_cast<std::size_t>(taps_.front().weights.blocks()));
    return strip;
  }

  std::optional<Tile> load_block(std::int64_t block, std::int64_t channels, const Strip& strip) {
    const auto& dims = image_.dims;
    const Matrix matrix{
        image_.tensor,
        image_.dtype,
        image_.offset + strip.images.begin * dims[0].step + strip.rows.begin * dims[1].step,
        {dims[3]},
        {{strip.images.size(), dims[0].step}, {strip.rows.size(), dims[1].step}, dims[2]}};
    const Window window{block * rows_max(), channels, 0, compiler::product(matrix.columns)};
    if (segment_.residents().find(matrix, window)) return std::nullopt;
    segment_.residents().write_back(image_.tensor);
    const Tile tile = emitter_.sbuf(image_.dtype, channels, window.columns);
    load(emitter_, matrix, window, tile);
    return tile;
  }

  Segment& segment_;
  Emitter& emitter_;
  Group& group_;
  Sink& sink_;
  const Node node_;
  const Strided& image_;
  const Slides::Along &y_, &x_;
  std::int64_t in_bytes_;
  std::vector<Tap> taps_;
  std::int64_t band_ = 0, sums_max_ = 0;
  std::optional<Strip> strip_;
  std::map<std::int64_t, bool> held_;
  std::int64_t turn_ = 0;
};

}  // namespace

bool is_image_product(const Product& product) {
  const Slides& slides = *product.slides;
  const std::int64_t taps = slides.along[0].taps * slides.along[1].taps;
  return taps <= taps_max && product.right.dims[3].size >= channels_min &&
         full_tap(slides.along[0], product.right.dims[1].size) &&
         full_tap(slides.along[1], product.right.dims[2].size);
}

void compute_image_product(Segment& segment, Group& group, Sink& sink) {
  ImageProduct(segment, group, sink).compute();
}

}  // namespace trainyard::compiler
