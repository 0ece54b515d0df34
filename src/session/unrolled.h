// How many instructions a program runs, without running it.
#pragma once

#include <cstdint>

#include "isa/core/program.h"

namespace trainyard::session {

// The body of a loop counts as often as it runs; once where a register says how often.
[[nodiscard]] std::int64_t unrolled(const isa::Program& program);

}  // namespace trainyard::session
