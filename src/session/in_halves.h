// A program that each of two cores runs on its half of the batch (graph/halves.h): what lies where.
#pragma once

#include <optional>

#include "compiler/lowering/emit/lowered.h"
#include "graph/halves.h"

namespace trainyard::session {

// What each core does on its half, and what both do behind it, become what both do on the whole:
// buffers of halves become those of wholes, of which each core has its part. `whole`: what it is
// of. Nothing where a half is not computed by programs alone: where routines, loops and branches of
// the host stand between them.
[[nodiscard]] std::optional<compiler::Lowered> join_halves(compiler::Lowered each,
                                                           std::optional<compiler::Lowered> rest,
                                                           const graph::Halves& halves,
                                                           const graph::Function& whole);

// Whether each of two cores runs the programs of a step on its half.
[[nodiscard]] inline bool is_in_halves(const compiler::ProgramStep& step) {
  return !step.halved.empty();
}

}  // namespace trainyard::session
