// Calls of functions of the host's program out of a tensor program, as jax.debug.print and
// jax.pure_callback make them: a custom call with the function's number, which JAX writes for CPUs
// (jax/_src/callback.py, emit_python_callback).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "graph/module.h"

namespace trainyard::graph {

// Calls function `number`; the results have their types and get their content. Tokens are operands
// and results like others, without content. Throws what is wrong.
using HostFunctions = std::function<void(std::uint64_t number, std::span<const Literal> operands,
                                         std::span<Literal> results)>;

// The function that an operation calls; nothing for other operations.
[[nodiscard]] std::optional<std::uint64_t> host_callback(const Op& op);

}  // namespace trainyard::graph
