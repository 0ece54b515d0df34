// The golden evaluator: what a tensor program means, computed on the host by plain loops. It is the
// reference that the compiler and the machine are judged by, not a fast executor.
//
// Numbers: formats up to 32 bits compute in float32 and round to their format after every operation
// (sums over several elements round once, at the end); elementary functions round a float64 result.
// Integers wrap. Conversions to integers saturate, NaN becomes 0. dot_general and convolution add
// in the order of the contracted index. One device: collectives over one rank pass their operand
// on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/host_callback.h"
#include "graph/module.h"

namespace trainyard::graph {

struct EvaluateLimits {
  std::int64_t loop_iterations_max = std::int64_t{1} << 40;
  std::int64_t call_depth_max = 200;
  HostFunctions host_functions{};  // of the program that makes the run; may be none
};

// Whether the evaluator knows the operation at all.
[[nodiscard]] bool evaluates(OpKind kind);

// The results of the function `main`. Inputs have the types of its arguments (a splat will do).
// Throws InputError "graph.<operation>" when an operation cannot be evaluated: dynamic results,
// quantised types, custom calls without a meaning here.
[[nodiscard]] std::vector<Literal> evaluate(const Module& module, std::span<const Literal> inputs,
                                            const EvaluateLimits& limits = {});
[[nodiscard]] std::vector<Literal> evaluate(const Module& module, const Function& function,
                                            std::span<const Literal> inputs,
                                            const EvaluateLimits& limits = {});

}  // namespace trainyard::graph
