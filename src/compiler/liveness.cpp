#include "compiler/liveness.h"

#include <algorithm>

namespace trainyard::compiler {

std::vector<Lifetime> outermost_loops(const isa::Program& program) {
  const auto n = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<Lifetime> loops(n);
  std::uint32_t begin = 0;
  int depth = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    loops[i] = {i, i};
    const std::string_view mnemonic = program.info_at(i).mnemonic;
    if (mnemonic == "loop_begin" && depth++ == 0) begin = i;
    if (mnemonic == "loop_end" && --depth == 0) {
      for (std::uint32_t k = begin; k <= i; ++k) loops[k] = {begin, i};
    }
  }
  return loops;
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

void OpenLoops::come_to(const isa::Program& program, std::uint32_t i) {
  const std::string_view mnemonic = program.info_at(i).mnemonic;
  if (mnemonic == "loop_begin") begins_.push_back(i);
  if (mnemonic == "loop_end") begins_.pop_back();
}

std::optional<std::uint32_t> OpenLoops::outermost_since(std::uint32_t since) const {
  const auto loop = std::ranges::lower_bound(begins_, since);
  return loop == begins_.end() ? std::nullopt : std::optional(*loop);
}

}  // namespace trainyard::compiler
