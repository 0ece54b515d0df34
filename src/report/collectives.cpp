#include "report/collectives.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/collective_plan.h"
#include "isa/semantics/meeting.h"

namespace trainyard::report {

namespace {

std::string line_of(const isa::Program& program, std::uint32_t instruction) {
  const isa::Location& location = program.locations[program.instructions[instruction].location];
  const isa::Frame& frame = program.frames[location.frame];
  if (frame.file == 0) return {};
  return fmt::format("{}:{}", program.strings[frame.file], frame.line);
}

}  // namespace

std::vector<Collective> collectives_of(const isa::Program& program, std::int32_t rank,
                                       const trace::Summary& summary,
                                       const machine::Machine& machine) {
  std::vector<Collective> list;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Meeting meeting = isa::meeting_of(program, i, rank);
    if (meeting.encounter != isa::Encounter::collective || summary.executions(i) == 0) continue;
    const fabric::CollectivePlan plan =
        fabric::plan_of(fabric::message_of(program, i, rank), machine);
    Collective one{.place = line_of(program, i),
                   .mnemonic = std::string(program.info_at(i).mnemonic),
                   .algorithm = std::string(fabric::name(plan.algorithm)),
                   .ranks = static_cast<std::int64_t>(meeting.ranks.size()),
                   .bytes = meeting.bytes.value,
                   .steps = plan.steps};
    auto same = std::ranges::find_if(list, [&](const Collective& other) {
      return other.place == one.place && other.mnemonic == one.mnemonic &&
             other.bytes == one.bytes && other.ranks == one.ranks;
    });
    if (same == list.end()) same = list.insert(same, std::move(one));
    same->executions += summary.executions(i);
  }
  return list;
}

}  // namespace trainyard::report
