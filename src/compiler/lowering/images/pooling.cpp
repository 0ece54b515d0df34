#include "compiler/lowering/images/pooling.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;
using numerics::AluOp;

constexpr std::int64_t pooled_channels_min = 16;

}  // namespace

Tile part_of(const Tile& tile, const ImagePart& whole, const ImagePart& some) {
  const std::int64_t row = whole.columns.size(), image = whole.rows.size() * row;
  const std::array<Extent, 3> walk{
      {{some.images.size(), image}, {some.rows.size(), row}, {some.columns.size(), 1}}};
  return walked(
      tile, merged(walk),
      (some.rows.begin - whole.rows.begin) * row + some.columns.begin - whole.columns.begin);
}

namespace {

// Joins taps into a tile: those that all windows have first, two of them at once.
// `tap(i, some)`: what windows read; `inside(i)`: those that have it.
void join_taps(Emitter& emitter, const Tile& into, const ImagePart& whole, AluOp how,
               std::int64_t taps, std::span<const std::int64_t> full,
               const std::function<ImagePart(std::int64_t)>& inside,
               const std::function<Tile(std::int64_t, const ImagePart&)>& tap) {
  const TileMath all(emitter, into.partitions, whole.size());
  const Tile first = tap(full[0], whole);
  if (full.size() > 1) {
    all.tensor(into, first, how, tap(full[1], whole));
  } else {
    all.copy(into, first);
  }
  for (std::int64_t i = 0; i < taps; ++i) {
    if (i == full[0] || (full.size() > 1 && i == full[1])) continue;
    const ImagePart some = inside(i);
    if (some.size() == 0) continue;
    const Tile place = part_of(into, whole, some);
    TileMath(emitter, into.partitions, some.size()).tensor(place, place, how, tap(i, some));
  }
}

}  // namespace

void pool_part(Emitter& emitter, ImageStrips& image, const Strided& value, const Slides& slides,
               AluOp how, std::int64_t block, const ImagePart& part, const Tile& into) {
  const Slides::Along &y = slides.along[0], &x = slides.along[1];
  const std::int64_t height = value.dims[1].size, width = value.dims[2].size;
  // Rows of the image, each joined along its width. The strip is that of the part.
  const Span read = read_by(y, height, part.rows);
  const ImagePart rows{part.images, read, part.columns};
  const Tile joined = emitter.sbuf(value.dtype, image.channels(block), rows.size());
  join_taps(
      emitter, joined, rows, how, x.taps, full_taps(x, width),
      [&](std::int64_t tap) {
        return ImagePart{rows.images, rows.rows, inside(x, tap, width, rows.columns)};
      },
      [&](std::int64_t tap, const ImagePart& some) { return image.rows(block, tap, part, some); });
  join_taps(
      emitter, into, part, how, y.taps, full_taps(y, height),
      [&](std::int64_t tap) {
        return ImagePart{part.images, inside(y, tap, height, part.rows), part.columns};
      },
      [&](std::int64_t tap, const ImagePart& some) {
        const std::int64_t row = rows.columns.size(), whole = rows.rows.size() * row;
        const std::int64_t first = some.rows.begin * y.stride + tap * y.dilation - y.low;
        const std::array<Extent, 3> walk{{{some.images.size(), whole},
                                          {some.rows.size(), row * y.stride},
                                          {some.columns.size(), 1}}};
        return walked(joined, merged(walk), (first - rows.rows.begin) * row);
      });
}

namespace {

// Of the dimensions that stand still, the one for the partitions: the outer one, as a convolution
// leaves its features, if it is large and pixels lie side by side; the last one otherwise.
std::int64_t on_partitions(const Strided& image, std::span<const std::int64_t> still,
                           std::span<const std::int64_t> moving) {
  constexpr std::int64_t many = 64;
  const auto dim = [&](std::int64_t i) { return image.dims[static_cast<std::size_t>(i)]; };
  const bool first_is_outer = dim(still[0]).step > dim(still[1]).step;
  const std::int64_t outer = first_is_outer ? still[0] : still[1];
  const std::int64_t inner = first_is_outer ? still[1] : still[0];
  const bool is_by_pixels =
      std::ranges::all_of(moving, [&](std::int64_t i) { return dim(i).step < dim(inner).step; });
  if (!is_by_pixels) return still[1];
  return dim(outer).size >= std::min(many, dim(inner).size) ? outer : inner;
}

}  // namespace

std::optional<Slides> image_slides(const Emitter& emitter, const std::vector<Sliding>& sliding,
                                   const Strided& image, std::span<const std::int64_t> windows) {
  std::vector<std::int64_t> still, moving;
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    const Sliding& each = sliding[i];
    const bool stays = each.size == 1 && each.stride == 1 && each.low == 0 && each.high == 0;
    (stays ? still : moving).push_back(static_cast<std::int64_t>(i));
    if (each.apart != 1) return std::nullopt;
  }
  if (still.size() != 2 || moving.size() != 2 || emitter.cores() > 1) return std::nullopt;
  const std::int64_t channels = on_partitions(image, still, moving);
  const std::int64_t images = still[0] + still[1] - channels;
  Slides slides{.along = {}, .order = {channels, images, moving[0], moving[1]}};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto dim = static_cast<std::size_t>(moving[i]);
    const Sliding& each = sliding[dim];
    slides.along.at(i) = {.taps = each.size,
                          .windows = windows[dim],
                          .stride = each.stride,
                          .low = each.low,
                          .dilation = each.dilation};
    if (full_taps(slides.along.at(i), image.dims[dim].size).empty()) return std::nullopt;
  }
  if (image.dims[static_cast<std::size_t>(channels)].size < pooled_channels_min)
    return std::nullopt;
  return slides;
}

Strided canonical(const Strided& value, const Slides& slides) {
  const auto& order = slides.order;
  const std::array<std::int64_t, 4> dims{order[1], order[2], order[3], order[0]};
  return permuted(value, dims);
}

std::int64_t parts_on_partitions(const Emitter& emitter, std::span<const Strided> values) {
  const std::vector<Extent>& first = values[0].dims;
  const bool is_by_channel = std::ranges::all_of(values, [](const Strided& value) {
    return value.dims[3].step == value.dims[0].size * value.dims[0].step;
  });
  std::int64_t parts = is_by_channel ? emitter.core().array.rows / first[3].size : 1;
  while (parts > 1 && first[0].size % parts != 0) --parts;
  return std::max<std::int64_t>(parts, 1);
}

Strided in_parts(Strided value, std::int64_t parts) {
  value.dims[0].size /= parts;
  value.dims[3] = {value.dims[3].size * parts, value.dims[3].step / parts};
  return value;
}

Sink in_rows(Segment& segment, const Strided& place, std::int64_t rows) {
  const std::array<std::int64_t, 2> shape{rows, place.elements() / rows};
  return {segment, dense(place.tensor, place.dtype, shape), in_order(2, 1)};
}

namespace {

// All windows of an image [images, height, width, channels].
void pool_into(Segment& segment, Sink& sink, const Strided& value, const Slides& slides,
               AluOp how) {
  Emitter& emitter = segment.emitter();
  ImageStrips image(segment, value, slides);
  const std::int64_t images = value.dims[0].size, bytes = numerics::size_in_bytes(value.dtype);
  const std::int64_t pixels = slides.along[0].windows * slides.along[1].windows;
  const auto parts = chunks_of(value, slides, images, bytes, false);
  for (const ImagePart& chunk : chunks_of(value, slides, images, bytes, !sink.is_stored())) {
    const std::int64_t row = slides.along[1].windows;
    const std::int64_t first = chunk.images.begin * pixels + chunk.rows.begin * row;
    for (std::int64_t block = 0; block < image.blocks(); ++block) {
      const Tile whole = emitter.sbuf(value.dtype, image.channels(block), chunk.size());
      for (const ImagePart& part : parts) {
        if (!chunk.holds(part)) continue;
        const std::int64_t begin = part.images.begin * pixels + part.rows.begin * row - first;
        pool_part(emitter, image, value, slides, how, block, part,
                  compiler::part(whole, 0, whole.partitions, begin, part.size()));
      }
      sink.put(whole, {block * emitter.core().array.rows, whole.partitions, first, chunk.size()});
    }
  }
}

}  // namespace

bool pool_image(Lowerer& lowerer, const graph::Op& op, AluOp how,
                const std::vector<Sliding>& sliding) {
  const graph::Type type = lowerer.type(op.results[0]);
  Segment& segment = lowerer.segment();
  Emitter& emitter = segment.emitter();
  if (!graph::is_float(type.element) ||
      (how != AluOp::maximum && how != AluOp::minimum &&
       (how != AluOp::add || type.element != graph::ElementType::f32)))
    return false;
  const Strided value = segment.placed(lowerer.node(op.operands[0]));
  const std::optional<Slides> found = image_slides(emitter, sliding, value, type.shape);
  if (!found) return false;
  emitter.at(op.location);
  const Strided seen = canonical(value, *found);
  Sink sink(segment, value.dtype, type.shape, {.order = found->order, .row_dims = 1});
  if (sink.is_stored()) {
    const std::int64_t parts = parts_on_partitions(emitter, std::span(&seen, 1));
    Sink stored = in_rows(segment, sink.place(), seen.dims[3].size * parts);
    pool_into(segment, stored, in_parts(seen, parts), *found, how);
  } else {
    pool_into(segment, sink, seen, *found, how);
  }
  lowerer.define(op.results[0], segment.add_view(type, sink.place()));
  return true;
}

}  // namespace trainyard::compiler
