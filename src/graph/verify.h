// What every tensor program keeps, whoever made it: StableHLO's rules for operands, results,
// attributes and regions, values that are defined before they are used, functions that exist and do
// not call themselves. Readers check what they read; the compiler checks what its passes leave.
// Sizes that are not static, and quantised elements, are taken as right.
// Source: StableHLO specification 1.20, "Ops" and "Functions".
#pragma once

#include <vector>

#include "base/error.h"
#include "graph/module.h"

namespace trainyard::graph {

// Up to some twenty, in the order of the program; none where it is well formed.
[[nodiscard]] std::vector<base::Violation> violations(const Module& module);

// Throws InputError "graph.verify".
void verify(const Module& module);

// Throws InputError "lower.dynamic" where a tensor has a dimension without a size: what a program
// needs to be compiled or evaluated, and to be written down not.
void require_static(const Module& module);

}  // namespace trainyard::graph
