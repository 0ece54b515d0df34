// Products of tensors as products of matrices: rows of the table in operations.cpp.
#pragma once

#include "compiler/lowering/lowerer.h"

namespace trainyard::compiler {

bool dot_general(Lowerer& lowerer, const graph::Op& op);

// A composite of chosen_products.h.
bool chosen_product(Lowerer& lowerer, const graph::Op& op);

// A composite that stands for a product in an MX format: of operands to quantise
// (graph/precision.h), or of given elements and scales ("xla.scaled_dot", which JAX makes of
// jax.lax.scaled_dot). False where the core has no MX formats or the shape does not fit them.
bool mx_product(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
