#include "compiler/carried_accumulators.h"

namespace trainyard::compiler {

using isa::Accumulation;
using isa::HiddenState;

CarriedAccumulators::CarriedAccumulators(const isa::Program& program) : program_(program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (continues(i)) carried_ = carried_ | program.info_at(i).hidden;
  }
}

bool CarriedAccumulators::touches(std::uint32_t i, HiddenState state) const {
  return isa::overlap(carried_, state) && isa::overlap(program_.info_at(i).hidden, state) &&
         !leaves_alone(i);
}

bool CarriedAccumulators::continues(std::uint32_t i) const {
  const std::optional<Accumulation> what = accumulation(i);
  return what ? what->continues() : program_.info_at(i).hidden != HiddenState::none;
}

bool CarriedAccumulators::leaves_alone(std::uint32_t i) const {
  const std::optional<Accumulation> what = accumulation(i);
  return what && what->leaves_alone();
}

std::optional<Accumulation> CarriedAccumulators::accumulation(std::uint32_t i) const {
  return isa::accumulation_of(program_.info_at(i), program_.record(i));
}

}  // namespace trainyard::compiler
