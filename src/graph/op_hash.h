// Hashes by which passes find operations that may be equal.
#pragma once

#include <cstdint>

#include "graph/module.h"

namespace trainyard::graph {

// Of its kind and of the types of its operands and results; not of what they are called, nor of
// attributes and regions.
[[nodiscard]] std::uint64_t hash_of_types(const Function& function, const Op& op);

}  // namespace trainyard::graph
