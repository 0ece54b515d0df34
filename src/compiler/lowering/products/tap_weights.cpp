#include "compiler/lowering/products/tap_weights.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "compiler/lowering/products/product_blocks.h"
#include "compiler/lowering/values/rearranged.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

using isa::Tile;

bool TapWeights::fits(const Strided& kernel, const machine::Core& core) {
  const Extent &down = kernel.dims[1], &across = kernel.dims[2];
  const std::int64_t taps = down.size * across.size;
  const std::int64_t across_step = across.size > 1 ? std::abs(across.step) : 1;
  const std::int64_t down_step = down.size > 1 ? std::abs(down.step) : across.size;
  const bool side_by_side = (across_step == 1 && down_step == across.size) ||
                            (down_step == 1 && across_step == down.size);
  const bool has_channels_beside = kernel.dims[3].step == taps;
  const bool has_features_beside = kernel.dims[0].step == taps;
  return taps > 1 && side_by_side && (has_channels_beside || has_features_beside) &&
         array_format(kernel.dtype) == kernel.dtype && numerics::size_in_bytes(kernel.dtype) > 1 &&
         core.features.tensor_transpose_exact;
}

TapWeights::TapWeights(Segment& segment, const Strided& kernel)
    : segment_(segment), kernel_(kernel) {
  for (const std::size_t dim : {std::size_t{1}, std::size_t{2}})
    lowest_ += std::min(std::int64_t{0}, (kernel.dims[dim].size - 1) * kernel.dims[dim].step);
}

std::int64_t TapWeights::place_of(std::int64_t y, std::int64_t x) const {
  return y * kernel_.dims[1].step + x * kernel_.dims[2].step - lowest_;
}

Tile TapWeights::block(std::int64_t y, std::int64_t x, std::int64_t block, std::int64_t first,
                       std::int64_t count) {
  const auto key = std::tuple{place_of(y, x), block, first};
  if (!kept_.contains(key)) load_block(block, first, count);
  return kept_.at(key);
}

void TapWeights::load_block(std::int64_t block, std::int64_t first, std::int64_t count) {
  Emitter& emitter = segment_.emitter();
  const Extent &features = kernel_.dims[0], &channels = kernel_.dims[3];
  const std::int64_t channel = block * emitter.core().array.rows;
  const std::int64_t size = std::min(emitter.core().array.rows, channels.size - channel);
  const std::int64_t offset = kernel_.offset + lowest_;
  if (channels.step == taps()) {
    const Tile rows = emitter.sbuf(kernel_.dtype, count, size * taps());
    load(emitter,
         {kernel_.tensor, kernel_.dtype, offset, {features}, {{channels.size * taps(), 1}}},
         {first, count, channel * taps(), size * taps()}, rows);
    const Tile turned =
        turned_beside(emitter, kernel_.dtype, size, count, taps(), [&](std::int64_t tap) {
          return walked(rows, std::array{Extent{size, taps()}}, tap);
        });
    for (std::int64_t tap = 0; tap < taps(); ++tap)
      kept_[{tap, block, first}] = part(turned, 0, size, tap * count, count);
    return;
  }
  const Tile rows = emitter.sbuf(kernel_.dtype, size, count * taps());
  load(emitter, {kernel_.tensor, kernel_.dtype, offset, {channels}, {{features.size * taps(), 1}}},
       {channel, size, first * taps(), count * taps()}, rows);
  for (std::int64_t tap = 0; tap < taps(); ++tap)
    kept_[{tap, block, first}] = walked(rows, std::array{Extent{count, taps()}}, tap);
}

}  // namespace trainyard::compiler
