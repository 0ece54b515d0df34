// Functions of the program that uses the plugin, as a plain C function that the program passes in
// (python/jax_plugins/neuron/callbacks.py).
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/host_callback.h"

namespace trainyard::pjrt {

// A tensor that the function reads or writes: row-major. A token has no elements and no type.
struct HostTensor {
  void* data;
  const char* element;  // as StableHLO writes it, "bf16"; null for a token
  const std::int64_t* dims;
  std::int64_t rank;
};

// Calls function `number`. Returns 0, or writes a text that ends with a zero byte into `error`.
using HostFunction = int(std::uint64_t number, const HostTensor* operands,
                         std::int64_t operand_count, const HostTensor* results,
                         std::int64_t result_count, char* error, std::size_t error_size);

// Throws Failure "aborted" with the function's text.
[[nodiscard]] graph::HostFunctions host_functions(HostFunction* function);

}  // namespace trainyard::pjrt
