// What AWS's graph compiler refuses, by its documented error codes. Source: AWS Neuron SDK,
// compiler/error-codes (November 2026). Codes of host tools, of QuantizeMX and ScaledMatmul, and
// of limits that depend on the compiler's own choices are not here.
#pragma once

#include <vector>

#include "base/error.h"
#include "graph/module.h"
#include "machine/generation.h"

namespace trainyard::session {

// One violation for each kind of refusal, at the first operation that shows it: its label is the
// code, as "NCC_EVRF004". Empty for a program that AWS's compiler is not documented to refuse.
[[nodiscard]] std::vector<base::Violation> documented_refusals(const graph::Module& module,
                                                               machine::Generation generation);

}  // namespace trainyard::session
