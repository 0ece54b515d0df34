// Convolutions whose sums run over the pixels of all images, as the gradient of a kernel has them:
// rows of pixels on the partitions, the channels of neighbours side by side, the sums of all taps
// in PSUM at once.
#pragma once

#include <array>
#include <cstdint>

#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// result[tap y, tap x, channel, feature] = the sum over pixels of still[pixel, feature] times
// sliding[pixel * stride + tap * dilation - low, channel]. Along a dimension, windows: pixels of
// the image that stands still.
struct PixelProduct {
  Strided still, sliding;  // [images, height, width, channels]
  std::array<Slides::Along, 2> along;
  // A feature meets the channels of its own group.
  std::int64_t groups = 1;
};

// Whether a pixel's neighbours find room on a partition, windows overlap, and there are more pixels
// than taps.
[[nodiscard]] bool is_pixel_product(const PixelProduct& product, const Emitter& emitter);

// `to`: [taps y, taps x, channels of a group, features], in HBM.
void compute_pixel_product(Segment& segment, const PixelProduct& product, const Strided& to);

}  // namespace trainyard::compiler
