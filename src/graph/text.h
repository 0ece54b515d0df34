// Reads StableHLO as text, in the pretty form that frameworks print and in MLIR's generic form,
// with the dialects func, stablehlo, chlo and sdy: the same Module as read_artifact() gives for the
// same program. What stands for nothing on one device is left out, as there.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "graph/module.h"

namespace trainyard::graph {

// `file` is what places in the text are called; operations without a location are placed by the
// line of the text that they stand on. Throws InputError "graph.text" with line and column, or
// "graph.verify".
[[nodiscard]] Module read_text(std::string_view text, std::string_view file = "text");

// Either form: an artifact by its first bytes, else text. Throws InputError "graph.artifact",
// "graph.text", "graph.verify".
[[nodiscard]] Module read_program(std::span<const std::byte> content, std::string_view file);

}  // namespace trainyard::graph
