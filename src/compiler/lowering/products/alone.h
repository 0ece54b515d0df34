// Regions of a program under construction as programs of their own, to be timed: their operands
// lie in tensors of their own, as they lie in the whole.
#pragma once

#include <span>
#include <string>

#include "compiler/lowering/emit/ways.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// A value of the same shape and steps at the beginning of a tensor of its own.
[[nodiscard]] Strided stand_in(const Strided& value, Emitter& emitter, isa::TensorRole role);
// How a value lies, in words that say nothing of where.
[[nodiscard]] std::string described(const Strided& value);

// Operations with their regions: what they compute, of which types. Places in the source are left
// out, and values are numbered as they appear.
[[nodiscard]] std::string described(const graph::Function& function,
                                    std::span<const graph::Op* const> ops);

// What was emitted, as a region that stands alone.
[[nodiscard]] AloneRegion alone_region(Emitter& emitter);

// The ways to compute nodes that are no views, of one shape if they are several; `to`: into a place
// in HBM, or null.
[[nodiscard]] Ways ways_of(const Segment& segment, std::string_view of, std::span<const NodeId> ids,
                           const Strided* to);

}  // namespace trainyard::compiler
