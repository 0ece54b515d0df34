// A walk over the steps of a lowered program, those inside loops and branches among them.
#pragma once

#include <variant>

#include "compiler/lowering/emit/lowered.h"

namespace trainyard::session {

// `block`: a compiler::Block, which f may change where it is not const.
template <typename Block, typename F>
void for_each_step(Block& block, F&& f) {
  for (auto& step : block.steps) {
    f(step);
    if (auto* const loop = std::get_if<compiler::LoopStep>(&step.what)) {
      for_each_step(loop->condition, f);
      for_each_step(loop->body, f);
    }
    if (auto* const branch = std::get_if<compiler::BranchStep>(&step.what)) {
      for (auto& each : branch->branches) for_each_step(each, f);
    }
  }
}

}  // namespace trainyard::session
