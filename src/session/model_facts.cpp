// What can be said of a compiled model without running it.
#include <map>
#include <utility>
#include <vector>

#include "session/each_step.h"
#include "session/model.h"

namespace trainyard::session {

std::vector<RoutineUse> Model::routines() const {
  std::map<graph::OpKind, RoutineUse> uses;
  for_each_step(lowered_.block, [&](const compiler::Step& step) {
    const auto* const routine = std::get_if<compiler::RoutineStep>(&step.what);
    if (routine == nullptr || routine->is_prepared || routine->is_held) return;
    RoutineUse& use = uses[routine->kind];
    if (use.count++ > 0) return;
    use.kind = routine->kind;
    use.place = routine->module.describe(routine->module.entry().body.ops.front().location);
  });
  std::vector<RoutineUse> all;
  for (auto& [kind, use] : uses) all.push_back(std::move(use));
  return all;
}

std::int64_t Model::prepared() const {
  std::int64_t count = 0;
  for_each_step(lowered_.block, [&](const compiler::Step& step) {
    const auto* const routine = std::get_if<compiler::RoutineStep>(&step.what);
    if (routine != nullptr && routine->is_prepared) ++count;
  });
  return count;
}

std::int64_t Model::instructions() const {
  std::int64_t sum = 0;
  for (const auto& instance : programs())
    sum += static_cast<std::int64_t>(instance->program().instructions.size());
  return sum;
}

}  // namespace trainyard::session
