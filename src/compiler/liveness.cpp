#include "compiler/liveness.h"

#include <algorithm>
#include <map>
#include <optional>

#include "isa/core/control_flow.h"

namespace trainyard::compiler {

std::vector<Lifetime> lifetimes(const isa::Program& program) {
  const isa::LoopTree tree(program);
  // Of the loops by their loop_begins.
  std::map<std::uint32_t, std::uint32_t> ends;
  for (const isa::LoopTree::Loop& loop : tree.loops()) ends[loop.begin] = loop.end;
  std::vector<Lifetime> result(program.tensors.size());
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      const std::optional<std::uint32_t> loop =
          tree.outermost_since(i, program.tensors[tile.tensor].created);
      Lifetime& life = result[tile.tensor];
      life.first = std::min(life.first, loop.value_or(i));
      life.last = std::max(life.last, loop ? ends.at(*loop) : i);
    });
  }
  return result;
}

}  // namespace trainyard::compiler
