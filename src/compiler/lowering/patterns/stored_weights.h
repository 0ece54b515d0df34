// Weights that memory holds as the array takes them (--precision weights=mxfp4_stored,
// sparse_4_16): what makes words and scales, or elements and tags, of an argument is parted from
// the program that multiplies with them, and is done once for each new argument.
#pragma once

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// The composite of one or more values that follow from arguments and constants alone. A run makes
// them where its arguments are others than those of the run before; it takes none of its time.
inline constexpr std::string_view prepared_name = "trainyard.prepared";
[[nodiscard]] bool is_prepared(const graph::Op& op);

// Behind inline-calls. Weights that come from an argument or a constant of main by movements and
// conversions, also those that a loop reads a slice of at each turn, get a composite before the
// other operations, and their product becomes that of trainyard.mx or trainyard.sparse. Others, and
// all on a core without the instruction, stay products of values that are rounded at each run.
void prepare_stored_weights(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
