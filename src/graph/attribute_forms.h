// The one form of each attribute in a Module, whichever reader it comes from; see attribute.h.
#pragma once

#include <string_view>

#include "graph/module.h"

namespace trainyard::graph {

// Tensors of 64-bit integers and of booleans become lists of integers (but the value of a constant
// and replica_groups stay tensors), names of functions become symbols.
[[nodiscard]] Attribute flat_attribute(std::string_view name, Attribute attribute);

// Gives an operation of an older version what newer ones always carry, and sorts its attributes.
void complete_attributes(Op& op);

}  // namespace trainyard::graph
