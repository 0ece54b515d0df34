// Products of tensors as products of matrices: rows of the table in operations.cpp.
#pragma once

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

bool dot_general(Lowerer& lowerer, const graph::Op& op);

// A composite of chosen_products.h.
bool chosen_product(Lowerer& lowerer, const graph::Op& op);

// A composite that stands for a product in an MX format: of operands to quantise
// (graph/precision.h), or of given elements and scales ("xla.scaled_dot", which JAX makes of
// jax.lax.scaled_dot). False where the core has no MX formats or the shape does not fit them.
bool mx_product(Lowerer& lowerer, const graph::Op& op);

// The composite "trainyard.sparse_product_M_N" of [rows..., depth], elements [depth * M/N, columns]
// and tags [depth * M/N, columns / 4], as a product that stays uncomputed. False where the machine
// or the types have no such product: then its decomposition is computed.
bool sparse_product(Lowerer& lowerer, const graph::Op& op);

}  // namespace trainyard::compiler
