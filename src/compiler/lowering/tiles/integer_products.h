// Products of integers of 8 bits, which the array multiplies in bfloat16: it holds each of them,
// and float32 holds their sums while these are short.
#pragma once

#include "graph/module.h"

namespace trainyard::compiler {

[[nodiscard]] constexpr bool is_multiplied_in_bfloat16(graph::ElementType type) {
  return type == graph::ElementType::s8 || type == graph::ElementType::u8;
}

// The composite of float32 numbers without a fraction, as words.
inline constexpr auto whole_name = "trainyard.whole";

// dot_general of integers becomes a sum in words of products in bfloat16, each of a piece of what
// is summed over that is exact in float32.
void multiply_integers(graph::Module& module);

}  // namespace trainyard::compiler
