// Images in HBM with the channels of a pixel side by side and the pixels of a row behind each
// other, so that a transfer moves whole rows.
#pragma once

#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Whether such a copy is made without transfers of single elements.
[[nodiscard]] bool has_channels_last(const Emitter& emitter, const Strided& image);

// [images, height, width, channels]: as it lies where its rows are so already, or else a copy, by
// way of the array where its channels are on partitions.
[[nodiscard]] Strided channels_last(Segment& segment, const Strided& image);

}  // namespace trainyard::compiler
