#include "compiler/liveness.h"

#include <algorithm>

#include "isa/core/control_flow.h"

namespace trainyard::compiler {

std::vector<Lifetime> outermost_loops(const isa::Program& program) {
  const isa::LoopTree tree(program);
  std::vector<Lifetime> spans(program.instructions.size());
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const std::uint32_t loop = tree.outermost(i);
    spans[i] =
        loop == isa::LoopTree::none ? Lifetime{i, i} : Lifetime{tree[loop].begin, tree[loop].end};
  }
  return spans;
}

std::vector<Lifetime> lifetimes(const isa::Program& program) {
  const std::vector<Lifetime> loops = outermost_loops(program);
  std::vector<Lifetime> result(program.tensors.size());
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      Lifetime& life = result[tile.tensor];
      life.first = std::min(life.first, loops[i].first);
      life.last = std::max(life.last, loops[i].last);
    });
  }
  return result;
}

}  // namespace trainyard::compiler
