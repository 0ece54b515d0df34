#include "compiler/handed_state.h"

#include <optional>

namespace trainyard::compiler {

namespace {

using isa::HiddenState;
using isa::Program;
using isa::ReduceCmd;

std::optional<ReduceCmd> command_of(const Program& program, std::uint32_t i) {
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    if (operand.type == isa::OperandType::reduce_cmd)
      return operand.in<ReduceCmd>(program.record(i));
  }
  return std::nullopt;  // resets
}

bool has_result(const Program& program, std::uint32_t i) {
  bool found = false;
  program.for_each_tile(i, [&](const isa::OperandInfo& operand, const isa::Tile&, isa::Access) {
    found = found || operand.name == "reduce_res";
  });
  return found;
}

}  // namespace

HandedState::HandedState(const Program& program) : program_(program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (continues(i)) handed_ = handed_ | program.info_at(i).hidden;
  }
}

bool HandedState::touches(std::uint32_t i, HiddenState state) const {
  return isa::overlap(handed_, state) && isa::overlap(program_.info_at(i).hidden, state) &&
         !leaves_alone(i);
}

bool HandedState::continues(std::uint32_t i) const {
  const HiddenState own = program_.info_at(i).hidden;
  constexpr HiddenState accumulators =
      HiddenState::vector_accumulator | HiddenState::scalar_accumulator;
  if (own == HiddenState::none) return false;
  if (!isa::overlap(own, accumulators)) return true;
  const std::optional<ReduceCmd> command = command_of(program_, i);
  return command == ReduceCmd::reduce || (command == ReduceCmd::idle && has_result(program_, i));
}

// On Scalar, idle keeps the registers as they are; on Vector it makes them undefined.
bool HandedState::leaves_alone(std::uint32_t i) const {
  return program_.info_at(i).hidden == HiddenState::scalar_accumulator &&
         command_of(program_, i) == ReduceCmd::idle && !continues(i);
}

}  // namespace trainyard::compiler
