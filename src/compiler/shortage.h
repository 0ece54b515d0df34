// That the core has less of something than a program needs at once: memory, semaphores. An answer
// of a pass, not an error: compiled in another way, the program may need less.
#pragma once

#include "base/error.h"

namespace trainyard::compiler {

struct Shortage {
  base::Violation violation;  // what was missing, for those who cannot go on
};

}  // namespace trainyard::compiler
