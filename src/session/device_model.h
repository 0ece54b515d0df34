// A model for a device of one core or two.
#pragma once

#include <memory>

#include "graph/host_callback.h"
#include "session/model.h"

namespace trainyard::session {

// Routines with the evaluator's values.
[[nodiscard]] Evaluate evaluator(graph::HostFunctions functions);

// A timed run, whose values nobody computes.
[[nodiscard]] ModelRun run_without_values(Model& model);

// On both cores of a device of two, unless one of them is faster alone: what they exchange goes
// through HBM.
[[nodiscard]] Model device_model(const machine::Machine& machine, graph::Module module,
                                 const graph::Precision& precision,
                                 const compiler::Options& options, const Evaluate& evaluate,
                                 int cores, const std::shared_ptr<const CompiledCode>& kept = {});

}  // namespace trainyard::session
