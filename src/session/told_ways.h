// What the regions of a tensor program would take if the compiler chose otherwise: compile
// --explain. Each region is timed alone, once for all that are equal; the program is not compiled.
#pragma once

#include <vector>

#include "compiler/compiler.h"
#include "compiler/lowering/lowered.h"
#include "graph/module.h"
#include "machine/machine.h"

namespace trainyard::session {

// The regions with ways that were timed, of a module behind all passes (Model::lowered_module),
// each list of operations once.
[[nodiscard]] std::vector<compiler::FusionGroup> told_ways(const graph::Module& module,
                                                           const machine::Machine& machine,
                                                           int cores,
                                                           const compiler::Options& options);

}  // namespace trainyard::session
