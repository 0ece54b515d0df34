// Convolutions with features on the partitions: each tap of the kernel is a view of an image that
// lies on chip, multiplied with the weights of the tap and added to the same sums in PSUM. Elements
// beyond the border are left out, not multiplied by zero.
#pragma once

#include "compiler/lowering/values/group.h"

namespace trainyard::compiler {

// Fewer channels leave most of the array idle: taps are packed beside each other then.
inline constexpr std::int64_t image_channels_min = 16;

// Whether the channels are enough for the array, or else taps find room on the partitions.
[[nodiscard]] bool is_image_product(const Product& product, const machine::Core& core);

// Computes the root of a group with such a product into a sink of its layout. `in_halves`: each of
// two cores half of it; the operands lie in HBM.
void compute_image_product(Segment& segment, Group& group, Sink& sink, bool in_halves);

}  // namespace trainyard::compiler
