#include "session/unrolled.h"

#include <vector>

#include "isa/core/control_flow.h"

namespace trainyard::session {

std::int64_t unrolled(const isa::Program& program) {
  const isa::LoopTree tree(program);
  std::vector<std::int64_t> times;  // of each loop's body
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    const std::int64_t around = loop.parent == isa::LoopTree::none ? 1 : times[loop.parent];
    times.push_back(around * isa::turns_of(program, loop.begin).value_or(1));
  }
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const std::uint32_t loop = tree.around(i);
    sum += loop == isa::LoopTree::none ? 1 : times[loop];
  }
  return sum;
}

}  // namespace trainyard::session
