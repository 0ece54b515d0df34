// Products with matrices that indices pick from a table, as a router picks experts: each matrix is
// read where it lies. The gather that would copy them is left out where products alone read it.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Operands: the left operand, the table, the indices. Attributes: those of the dot_general, whose
// right operand is the gathered [indices..., matrix...], and index_vector_dim.
inline constexpr std::string_view chosen_product_name = "trainyard.chosen_product";
[[nodiscard]] bool is_chosen_product(const graph::Op& op);

void choose_matrices(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
