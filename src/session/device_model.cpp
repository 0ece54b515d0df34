#include "session/device_model.h"

#include <utility>

#include "graph/evaluate.h"

namespace trainyard::session {

Evaluate evaluator(graph::HostFunctions functions) {
  return [limits = graph::EvaluateLimits{.host_functions = std::move(functions)}](
             const graph::Module& routine, std::span<const graph::Literal> inputs) {
    return graph::evaluate(routine, inputs, limits);
  };
}

ModelRun run_without_values(Model& model) {
  return model.run({}, {.timed = true, .values = false, .checks = false});
}

Model device_model(const machine::Machine& machine, graph::Module module,
                   const graph::Precision& precision, const compiler::Options& options,
                   const Evaluate& evaluate, int cores,
                   const std::shared_ptr<const CompiledCode>& kept) {
  const bool in_pairs = machine.core.features.core_pairs && cores > 1;
  if (kept != nullptr || !in_pairs) {
    return {machine, std::move(module), evaluate,
            options, precision,         kept == nullptr ? 1 : kept->cores,
            kept};
  }
  Model both(machine, module, evaluate, options, precision, 2);
  if (both.cores_in_use() < 2 || both.has_control_flow()) return both;
  Model one(machine, std::move(module), evaluate, options, precision);
  if (run_without_values(both).time <= run_without_values(one).time) return both;
  return one;
}

}  // namespace trainyard::session
