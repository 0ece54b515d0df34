// What the regions of a tensor program would take if the compiler chose otherwise: compile
// --explain. Each region is timed alone, once for all that are equal; the program is not compiled.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/lowering/emit/lowered.h"
#include "graph/module.h"
#include "machine/machine.h"

namespace trainyard::session {

// The regions with ways that were timed, of a module behind all passes (Model::lowered_module) with
// that share of SBUF for what stays on chip (Model::resident_percent), each list of operations
// once.
[[nodiscard]] std::vector<compiler::FusionGroup> told_ways(const graph::Module& module,
                                                           const machine::Machine& machine,
                                                           int cores, std::int64_t resident_percent,
                                                           const compiler::Options& options);

}  // namespace trainyard::session
