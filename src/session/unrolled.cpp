#include "session/unrolled.h"

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "isa/core/control_flow.h"

namespace trainyard::session {

namespace {

std::int64_t iterations(const isa::LoopBounds& loop) {
  const bool is_known =
      loop.kind == isa::LoopKind::counted && !loop.start.reg && !loop.stop.reg && loop.step > 0;
  if (!is_known) return 1;
  return std::max<std::int64_t>(
      0, base::ceil_div(loop.stop.constant - loop.start.constant, loop.step));
}

}  // namespace

std::int64_t unrolled(const isa::Program& program) {
  const isa::LoopTree tree(program);
  std::vector<std::int64_t> times;  // of each loop's body
  for (const isa::LoopTree::Loop& loop : tree.loops()) {
    const std::int64_t around = loop.parent == isa::LoopTree::none ? 1 : times[loop.parent];
    times.push_back(around *
                    iterations(program.info_at(loop.begin).loop(program.record(loop.begin))));
  }
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const std::uint32_t loop = tree.around(i);
    sum += loop == isa::LoopTree::none ? 1 : times[loop];
  }
  return sum;
}

}  // namespace trainyard::session
