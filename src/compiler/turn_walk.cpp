#include "compiler/turn_walk.h"

#include "isa/core/control_flow.h"

namespace trainyard::compiler {

TurnWalk::TurnWalk(const isa::Program& program, bool overlaps)
    : step_of_(program.instructions.size(), none),
      turn_(program.instructions.size(), none),
      overlaps_(program.instructions.size(), false) {
  std::uint32_t done = 0;
  if (overlaps && !isa::has_branches(program)) {
    const isa::LoopTree tree(program);
    for (std::uint32_t k = 0; k < tree.loops().size(); ++k) {
      const isa::LoopTree::Loop& loop = tree[k];
      const bool is_innermost = k + 1 == tree.loops().size() || tree[k + 1].parent != k;
      const isa::LoopBounds bounds = program.info_at(loop.begin).loop(program.record(loop.begin));
      if (!is_innermost || bounds.kind != isa::LoopKind::counted) continue;
      overlaps_[loop.begin] = overlaps_[loop.end] = true;
      add(done, loop.begin + 1, false);
      add(loop.begin + 1, loop.end, true);
      done = loop.begin + 1;
    }
  }
  add(done, static_cast<std::uint32_t>(program.instructions.size()), false);
}

void TurnWalk::add(std::uint32_t begin, std::uint32_t end, bool before) {
  for (std::uint32_t i = begin; i < end; ++i) {
    (before ? turn_ : step_of_)[i] = static_cast<Step>(steps_.size());
    steps_.push_back(i);
    before_.push_back(before);
  }
}

std::optional<TurnWalk::Step> TurnWalk::turn_before(std::uint32_t instruction) const {
  const Step step = turn_[instruction];
  return step == none ? std::nullopt : std::optional(step);
}

}  // namespace trainyard::compiler
