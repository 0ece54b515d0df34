// Copies whose runs are short: coordinates that are turned round, repeated, or of which some are
// taken.
#pragma once

#include <span>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/values/tiled_copy.h"

namespace trainyard::compiler {

// Whether many runs that lie as they are to are of few bytes each.
[[nodiscard]] bool moves_short_runs(std::span<const Both> walk, isa::DType dtype);

// A partition takes all that lies between the elements of a stretch of the target, and an engine
// puts these side by side. False, and nothing emitted, where the elements lie far apart.
[[nodiscard]] bool copy_by_spans(Emitter& emitter, const Strided& from, const Strided& to,
                                 std::span<const Both> walk);

}  // namespace trainyard::compiler
