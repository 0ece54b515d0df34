#include "compiler/schedule.h"

namespace trainyard::compiler {

void schedule(isa::Program&, const machine::Core&, Order order) {
  if (order == Order::author) return;
}

}  // namespace trainyard::compiler
