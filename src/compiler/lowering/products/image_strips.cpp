#include "compiler/lowering/products/image_strips.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::compiler {

using isa::Tile;

std::int64_t phases(const Slides::Along& along) {
  return along.apart / std::gcd(along.apart, along.stride);
}

// Window w reads what lies at w * stride + shift, where every so many places have an element.
Span inside(const Slides::Along& along, std::int64_t tap, std::int64_t size, Span windows) {
  const std::int64_t shift = tap * along.dilation - along.low, step = phases(along);
  const std::int64_t first = shift >= 0 ? 0 : base::ceil_div(-shift, along.stride);
  const std::int64_t room = (size - 1) * along.apart - shift;
  const std::int64_t end = room < 0 ? 0 : room / along.stride + 1;
  std::int64_t begin = std::max(windows.begin, first);
  for (std::int64_t i = 0; i < step && (begin * along.stride + shift) % along.apart != 0; ++i)
    ++begin;
  if ((begin * along.stride + shift) % along.apart != 0) return {begin, begin, step};
  return {begin, std::max(begin, std::min(windows.end, end)), step};
}

Span read_by(const Slides::Along& along, std::int64_t size, Span windows) {
  const std::int64_t first = windows.begin * along.stride - along.low;
  const std::int64_t last =
      (windows.end - 1) * along.stride - along.low + (along.taps - 1) * along.dilation;
  if (last < 0) return {0, 0};
  const std::int64_t begin = first < 0 ? 0 : base::ceil_div(first, along.apart);
  const std::int64_t end = std::min(size, last / along.apart + 1);
  return {std::min(begin, end), end};
}

std::vector<std::int64_t> full_taps(const Slides::Along& along, std::int64_t size) {
  std::vector<std::int64_t> taps;
  for (std::int64_t tap = 0; tap < along.taps; ++tap) {
    const Span found = inside(along, tap, size, {0, along.windows});
    if (found.size() == along.windows) taps.push_back(tap);
  }
  return taps;
}

std::int64_t strip_bytes_of(std::int64_t channels, std::int64_t groups, std::int64_t rows) {
  const std::int64_t blocks = groups > 1 ? 1 : base::ceil_div(channels, rows);
  constexpr std::int64_t together = std::int64_t{96} * 1024, least = 1024;
  return std::clamp(together / blocks, least, strip_bytes_max);
}

std::int64_t images_together(std::int64_t batch, std::int64_t bytes, std::int64_t bytes_max) {
  if (batch * bytes <= bytes_max) return batch;
  const auto fit = static_cast<std::uint64_t>(bytes_max / bytes);
  return static_cast<std::int64_t>(std::bit_floor(std::max(fit, std::uint64_t{1})));
}

std::vector<ImagePart> chunks_of(const Strided& image, const Slides& slides, std::int64_t batch,
                                 std::int64_t bytes, bool stays, std::int64_t bytes_max) {
  const Slides::Along &y = slides.along[0], &x = slides.along[1];
  std::int64_t images = images_together(batch, bytes * y.windows * x.windows, bytes_max);
  std::int64_t rows = y.windows;
  if (!stays) {
    const std::int64_t row_bytes = image.dims[2].size * numerics::size_in_bytes(image.dtype);
    images = std::min(images, images_together(batch, image.dims[1].size * row_bytes, bytes_max));
    const std::int64_t read =
        bytes_max / row_bytes - base::ceil_div((y.taps - 1) * y.dilation, y.apart);
    const std::int64_t most = std::min(read * y.apart / y.stride, bytes_max / (bytes * x.windows));
    if (images == 1) rows = std::clamp(most, std::int64_t{1}, rows);
    rows = base::ceil_div(y.windows, base::ceil_div(y.windows, rows));
  }
  std::vector<ImagePart> chunks;
  for (std::int64_t first = 0; first < batch; first += images) {
    for (std::int64_t row = 0; row < y.windows; row += rows)
      chunks.push_back({{first, std::min(batch, first + images)},
                        {row, std::min(y.windows, row + rows)},
                        {0, x.windows}});
  }
  return chunks;
}

std::int64_t ImageStrips::rows_max() const { return segment_.emitter().core().array.rows; }
std::int64_t ImageStrips::blocks() const { return base::ceil_div(image_.dims[3].size, rows_max()); }
std::int64_t ImageStrips::channels(std::int64_t block) const {
  return std::min(rows_max(), image_.dims[3].size - block * rows_max());
}

namespace {

// The element that a tap of a window meets, and how far apart those of the next ones are.
std::int64_t first_of(const Slides::Along& along, std::int64_t tap, const Span& windows) {
  return (windows.begin * along.stride + tap * along.dilation - along.low) / along.apart;
}
std::int64_t stride_of(const Slides::Along& along, const Span& windows) {
  return windows.step * along.stride / along.apart;
}

}  // namespace

Tile ImageStrips::tap(std::int64_t block, std::int64_t y, std::int64_t x, const ImagePart& part,
                      const ImagePart& some) {
  const Slides::Along &down = slides_.along[0], &across = slides_.along[1];
  return view(block, part,
              {.images = some.images,
               .row = first_of(down, y, some.rows),
               .rows = some.rows.size(),
               .row_stride = stride_of(down, some.rows),
               .column = first_of(across, x, some.columns),
               .columns = some.columns.size(),
               .column_stride = stride_of(across, some.columns)});
}

Tile ImageStrips::rows(std::int64_t block, std::int64_t x, const ImagePart& part,
                       const ImagePart& some) {
  const Slides::Along& across = slides_.along[1];
  return view(block, part,
              {.images = some.images,
               .row = some.rows.begin,
               .rows = some.rows.size(),
               .column = first_of(across, x, some.columns),
               .columns = some.columns.size(),
               .column_stride = stride_of(across, some.columns)});
}

Tile ImageStrips::view(std::int64_t block, const ImagePart& part, const Reach& reach) {
  const auto walk = [&](std::int64_t image_step, std::int64_t row_step, std::int64_t column_step) {
    return std::vector<Extent>{{reach.images.size(), image_step},
                               {reach.rows, row_step * reach.row_stride},
                               {reach.columns, column_step * reach.column_stride}};
  };
  if (const std::optional<Tile>& tile = tile_of(block, part)) {
    const std::int64_t width = image_.dims[2].size, image = strip_.rows.size() * width;
    return walked(*tile, merged(walk(image, width, 1)),
                  (reach.images.begin - strip_.images.begin) * image +
                      (reach.row - strip_.rows.begin) * width + reach.column);
  }
  const auto& dims = image_.dims;
  const Matrix matrix{image_.tensor,
                      image_.dtype,
                      image_.offset + reach.images.begin * dims[0].step + reach.row * dims[1].step +
                          reach.column * dims[2].step,
                      {dims[3]},
                      walk(dims[0].step, dims[1].step, dims[2].step)};
  const auto here = segment_.residents().find(
      matrix, {block * rows_max(), channels(block), 0, product(matrix.columns)});
  base::check(here.has_value(), "a part of what lies in one tile lies there");
  return *here;
}

const std::optional<Tile>& ImageStrips::tile_of(std::int64_t block, const ImagePart& part) {
  const Span rows = read_by(slides_.along[0], image_.dims[1].size, part.rows);
  if (!strip_.images.holds(part.images) || !strip_.rows.holds(rows))
    strip_ = strip_from(part, rows);
  const auto at = static_cast<std::size_t>(block);
  if (!strip_.is_known[at]) {
    strip_.tiles[at] = loaded(block);
    strip_.is_known[at] = true;
  }
  return strip_.tiles[at];
}

ImageStrips::Strip ImageStrips::strip_from(const ImagePart& part, Span rows) const {
  const std::int64_t batch = image_.dims[0].size, height = image_.dims[1].size;
  const std::int64_t row_bytes = image_.dims[2].size * numerics::size_in_bytes(image_.dtype);
  Strip strip{.images = part.images, .rows = rows, .is_known = {}, .tiles = {}};
  if (height * row_bytes <= bytes_max_) {
    const std::int64_t images = images_together(batch, height * row_bytes, bytes_max_);
    strip.rows = {0, height};
    strip.images.begin = part.images.begin / images * images;
    strip.images.end = std::max(part.images.end, std::min(batch, strip.images.begin + images));
  } else {
    strip.rows.end = std::clamp(rows.begin + bytes_max_ / row_bytes, rows.end, height);
  }
  strip.tiles.resize(static_cast<std::size_t>(blocks()));
  strip.is_known.resize(strip.tiles.size());
  return strip;
}

std::optional<Tile> ImageStrips::loaded(std::int64_t block) {
  const auto& dims = image_.dims;
  Matrix matrix{
      image_.tensor,
      image_.dtype,
      image_.offset + strip_.images.begin * dims[0].step + strip_.rows.begin * dims[1].step,
      {dims[3]},
      {{strip_.images.size(), dims[0].step}, {strip_.rows.size(), dims[1].step}, dims[2]}};
  if (dims[2].size == 1) matrix.columns.pop_back();  // a line, along which it is turned
  const Window window{block * rows_max(), channels(block), 0, product(matrix.columns)};
  if (segment_.residents().find(matrix, window)) return std::nullopt;
  segment_.residents().write_back(image_.tensor);
  const Tile tile = segment_.emitter().sbuf(image_.dtype, window.rows, window.columns);
  load(segment_.emitter(), matrix, window, tile);
  return tile;
}

}  // namespace trainyard::compiler
