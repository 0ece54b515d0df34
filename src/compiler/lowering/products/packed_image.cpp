#include "compiler/lowering/products/packed_image.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/values/rearranged.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"

namespace trainyard::compiler {

using isa::DType;
using isa::Tile;

namespace {

// Smaller images are not worth it.
constexpr std::int64_t windows_min = 16;
// Of a partition, what the rows take that are turned, and the taps.
constexpr std::int64_t raw_bytes_max = std::int64_t{16} * 1024;
constexpr std::int64_t packed_bytes_max = std::int64_t{56} * 1024;

std::int64_t border(const Slides::Along& along) {
  return (along.windows - 1) * along.stride + (along.taps - 1) * along.dilation + 1;
}

}  // namespace

bool PackedImage::fits(const Product& product, const machine::Core& core) {
  const Slides::Along &y = product.slides->along[0], &x = product.slides->along[1];
  const std::int64_t channels = product.right.dims[3].size;
  const DType dtype = product.right.dtype;
  const std::int64_t bytes = numerics::size_in_bytes(dtype);
  const bool turns = dtype == DType::float32 || dtype == DType::bfloat16 || dtype == DType::float16;
  const std::int64_t rows = core.array.rows, at_once = rows / (x.taps * channels);
  if (!turns || !core.features.tensor_transpose_exact || at_once == 0 || y.apart != 1 ||
      x.apart != 1)
    return false;
  const std::int64_t blocks = base::ceil_div(y.taps, at_once);
  return y.windows >= windows_min && x.windows >= windows_min &&
         y.taps * border(x) * channels * bytes <= raw_bytes_max &&
         blocks * x.windows * std::min(rows, y.windows) * bytes <= packed_bytes_max;
}

PackedImage::PackedImage(Segment& segment, const Product& product)
    : segment_(segment),
      emitter_(segment.emitter()),
      image_(product.right),
      slides_(*product.slides),
      taps_at_once_(rows_max() / (slides_.along[1].taps * channels())) {
  const std::int64_t taps = slides_.along[0].taps;
  for (std::int64_t first = 0; first < taps; first += taps_at_once_) {
    Strided kernel = product.left;
    kernel.offset += first * kernel.dims[1].step;
    kernel.dims[1].size = std::min(taps_at_once_, taps - first);
    kernels_.emplace_back(segment, kernel, 0, 1).choose(0);
  }
}

Tile PackedImage::weights(std::size_t block, Span features) {
  return kernels_[block].block(0, features.begin, features.size());
}

void PackedImage::forget_weights() {
  for (Blocks& kernel : kernels_) kernel.forget();
}

std::int64_t PackedImage::width() const { return border(slides_.along[1]); }

bool PackedImage::channels_last() const {
  return std::abs(image_.dims[3].step) <= std::abs(image_.dims[2].step);
}

Span PackedImage::taps_of(std::size_t block) const {
  const std::int64_t first = static_cast<std::int64_t>(block) * taps_at_once_;
  return {first, std::min(first + taps_at_once_, slides_.along[0].taps)};
}

Tile PackedImage::pixels(std::size_t block, const ImagePart& windows, Span rows) {
  if (slab_.image != windows.images.begin || slab_.rows.begin != rows.begin ||
      slab_.rows.end != rows.end) {
    slab_ = {.image = windows.images.begin, .rows = rows, .tiles = {}};
    const Tile raw = loaded(slab_.image, rows);
    for (std::size_t i = 0; i < blocks(); ++i) slab_.tiles.push_back(turned(raw, taps_of(i)));
  }
  const std::array<Extent, 2> walk{
      {{windows.rows.size(), 1}, {windows.columns.size(), rows.size()}}};
  return walked(slab_.tiles[block], merged(walk),
                windows.columns.begin * rows.size() + windows.rows.begin - rows.begin);
}

// [rows of windows, taps along the height, a row of the image with its border].
Tile PackedImage::loaded(std::int64_t image, Span rows) {
  const Slides::Along &y = slides_.along[0], &x = slides_.along[1];
  const auto& dims = image_.dims;
  const std::int64_t line = width() * channels(), low = std::max(std::int64_t{0}, -x.low);
  const Span columns{low, std::min(dims[2].size, width() - x.low)};
  const std::int64_t before = columns.begin + x.low, behind = width() - before - columns.size();
  const Tile raw = emitter_.sbuf(image_.dtype, rows.size(), y.taps * line);
  const auto at = [&](std::int64_t first, std::int64_t columns_count, std::int64_t lines,
                      std::int64_t partition, std::int64_t partitions) {
    const std::array<Extent, 3> walk =
        channels_last()
            ? std::array<Extent, 3>{{{lines, line}, {columns_count, channels()}, {channels(), 1}}}
            : std::array<Extent, 3>{{{lines, line}, {channels(), width()}, {columns_count, 1}}};
    Tile tile = part(raw, partition, partitions, 0, 1);
    return walked(tile, merged(walk), first);
  };
  const auto clear = [&](std::int64_t first, std::int64_t count, std::int64_t lines) {
    if (count > 0)
      emitter_.emit(isa::Memset{.dst = at(first, count, lines, 0, rows.size()), .value = 0});
  };
  clear(0, before, y.taps);
  clear((width() - behind) * step(), behind, y.taps);
  segment_.residents().write_back(image_.tensor);
  for (std::int64_t tap = 0; tap < y.taps; ++tap) {
    const Span some = inside(y, tap, dims[1].size, rows);
    if (some.size() < rows.size()) clear(tap * line + before * step(), columns.size(), 1);
    if (some.size() == 0 || columns.size() <= 0) continue;
    const std::int64_t row = some.begin * y.stride + tap * y.dilation - y.low;
    const std::int64_t offset =
        image_.offset + image * dims[0].step + row * dims[1].step + columns.begin * dims[2].step;
    std::vector<Extent> walk{{some.size(), dims[1].step * y.stride}};
    const Extent across{columns.size(), dims[2].step};
    const auto inner = channels_last() ? merged(std::array<Extent, 2>{across, dims[3]})
                                       : merged(std::array<Extent, 2>{dims[3], across});
    walk.insert(walk.end(), inner.begin(), inner.end());
    emitter_.emit(isa::DmaCopy{.dst = at(tap * line + before * step(), columns.size(), 1,
                                         some.begin - rows.begin, some.size()),
                               .src = hbm_tile(image_.tensor, image_.dtype, offset, walk)},
                  issuer_of_load(emitter_, image_.tensor));
  }
  return raw;
}

// [taps, columns x rows of windows].
Tile PackedImage::turned(const Tile& raw, Span taps) {
  const Slides::Along& x = slides_.along[1];
  const std::int64_t rows = raw.partitions, line = width() * channels();
  const std::int64_t height = taps.size() * x.taps * channels();
  const std::array<Extent, 3> walk{
      {{taps.size(), line}, {x.taps, x.dilation * step()}, {channels(), channel_step()}}};
  return turned_beside(emitter_, image_.dtype, height, rows, x.windows, [&](std::int64_t window) {
    return walked(raw, merged(walk), taps.begin * line + window * x.stride * step());
  });
}

}  // namespace trainyard::compiler
