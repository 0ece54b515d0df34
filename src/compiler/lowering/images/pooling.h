// Pooling of images: the maximum, the minimum or the sum of windows that slide over them, first
// along their width, then along their height, with channels on the partitions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/images/sliding.h"
#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/walk/lowerer.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// Windows over images: those that slide along two of four dimensions, and not only over the border.
// Nothing else, and where the channels are few or two cores compute.
[[nodiscard]] std::optional<Slides> image_slides(const Emitter& emitter,
                                                 const std::vector<Sliding>& sliding,
                                                 const Strided& image,
                                                 std::span<const std::int64_t> windows);
// [images, height, width, channels].
[[nodiscard]] Strided canonical(const Strided& value, const Slides& slides);

// In how many parts images come so that those of all channels fill the partitions; one where a
// value does not have its images behind one another, channel by channel. Values: as canonical().
[[nodiscard]] std::int64_t parts_on_partitions(const Emitter& emitter,
                                               std::span<const Strided> values);
// Each part of the images of a channel as a channel.
[[nodiscard]] Strided in_parts(Strided value, std::int64_t parts);
// A result in HBM, written as so many rows, which lie one behind the other.
[[nodiscard]] Sink in_rows(Segment& segment, const Strided& place, std::int64_t rows);

// Joins what some windows read of a block of channels into a tile.
void pool_part(Emitter& emitter, ImageStrips& image, const Strided& value, const Slides& slides,
               numerics::AluOp how, std::int64_t block, const ImagePart& part,
               const isa::Tile& into);
// The part of a tile [images, rows, columns] that some windows of it are.
[[nodiscard]] isa::Tile part_of(const isa::Tile& tile, const ImagePart& whole,
                                const ImagePart& some);

// `how`: the reduction, whose initial value is neutral. False where the windows slide over more or
// fewer than two dimensions, the channels are few, or where the border covers whole windows.
[[nodiscard]] bool pool_image(Lowerer& lowerer, const graph::Op& op, numerics::AluOp how,
                              const std::vector<Sliding>& sliding);

}  // namespace trainyard::compiler
