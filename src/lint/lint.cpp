#include "lint/lint.h"

namespace trainyard::lint {

void inspect(const isa::Program& program, const machine::Core& core, checkers::Findings& findings) {
  inspect_stores(program, findings);
  inspect_transfers(program, core, findings);
  inspect_matmuls(program, core, findings);
  inspect_sizes(program, core, findings);
  inspect_silicon(program, findings);
}

}  // namespace trainyard::lint
