// Check: an address computed at run time stays inside its tensor.
#pragma once

#include "engines/checkers/history.h"

namespace trainyard::engines {

// `record` has its run-time addresses resolved; `original` is what the program holds.
void check_bounds(const History& history, std::uint32_t instruction,
                  const isa::InstructionInfo& info, const void* original, const void* record,
                  Findings& findings);

}  // namespace trainyard::engines
