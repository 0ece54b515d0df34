#include "session/told_ways.h"

#include <algorithm>

#include "compiler/lowering/lower.h"
#include "session/each_step.h"
#include "session/scores.h"
#include "session/whole_program.h"

namespace trainyard::session {

std::vector<compiler::FusionGroup> told_ways(const graph::Module& module,
                                             const machine::Machine& machine, int cores,
                                             std::int64_t resident_percent,
                                             const compiler::Options& options) {
  Scores scores(machine, Scores::user_file(), compiler::Scorer::Effort::explain);
  const auto found = WholeProgram(scores, module, cores, compiler::of_lowered(options)).fastest();
  if (found && found->ways == WholeProgram::Ways::searched) scores.take_known();
  const compiler::Lowered lowered =
      compiler::lower(module, machine.core, resident_percent, cores, &scores);
  scores.save();
  std::vector<compiler::FusionGroup> all;
  for_each_step(lowered.block, [&](const compiler::Step& step) {
    const auto* const programs = std::get_if<compiler::ProgramStep>(&step.what);
    if (programs == nullptr) return;
    for (const compiler::FusionGroup& group : programs->groups) {
      const bool is_known = std::ranges::any_of(all, [&](const compiler::FusionGroup& each) {
        return each.operations == group.operations && each.are_layouts == group.are_layouts;
      });
      if (!is_known && !group.ways.empty()) all.push_back(group);
    }
  });
  return all;
}

}  // namespace trainyard::session
