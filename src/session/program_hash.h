// Tells programs apart in reports and traces by what they do.
#pragma once

#include <cstdint>

#include "isa/core/program.h"

namespace trainyard::session {

// The same for equal programs on every host, wherever their source lies: places in the source do
// not count, addresses, engines and streams do.
[[nodiscard]] std::uint64_t program_hash(isa::Program program);

}  // namespace trainyard::session
