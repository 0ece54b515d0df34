// Attributes that programs may leave out.
#pragma once

#include <string_view>

#include "graph/module.h"

namespace trainyard::graph {

// Adds an attribute that the operation lacks.
void add_default(Op& op, std::string_view name, Attribute value);
// A list of equal numbers, as long as another attribute's list times `each`.
void add_filled(Op& op, std::string_view name, std::string_view like, std::int64_t value,
                std::size_t each = 1);

// What several operations share.
void complete_precision(Op& op);  // of products
void complete_accuracy(Op& op);   // of transcendental functions
void complete_channel(Op& op);    // of collectives

}  // namespace trainyard::graph
