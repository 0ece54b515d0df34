// That the core has less of something than a program needs at once: memory, semaphores. An answer
// of a pass, not an error: compiled in another way, the program may need less.
#pragma once

#include <utility>

#include "base/no_room.h"

namespace trainyard::compiler {

struct Shortage {
  base::Violation violation;  // what was missing
};

// For those who cannot go on.
[[nodiscard]] inline base::NoRoom error_of(Shortage shortage) {
  return {base::MemoryLevel::on_chip, std::move(shortage.violation)};
}

}  // namespace trainyard::compiler
