// What AWS's graph compiler refuses, by its documented error codes. docs/ncc_codes.md lists all of
// them, and which cannot occur here. Source: AWS Neuron SDK, compiler/error-codes (November 2026).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/module.h"
#include "machine/generation.h"
#include "session/compiler_flags.h"

namespace trainyard::session {

// One violation for each kind of refusal, at the first operation that shows it: its label is the
// code, as "NCC_EVRF004". Empty for a program that AWS's compiler is not documented to refuse.
[[nodiscard]] std::vector<base::Violation> documented_refusals(const graph::Module& module,
                                                               machine::Generation generation,
                                                               const Permissions& permissions = {});

// NCC_EBVF030, where a program of so many instructions, loops unrolled, is too long.
[[nodiscard]] std::optional<base::Violation> refused_length(std::string_view program,
                                                            std::int64_t instructions,
                                                            const Permissions& permissions);

}  // namespace trainyard::session
