// What an instruction does with the accumulators of its lanes, said once for those who run it,
// order it and check it. Sources: nki.isa.activation and nki.isa.exponential, reduce_cmd.
#pragma once

#include <optional>

#include "isa/core/instruction_info.h"

namespace trainyard::isa {

// What lies in the accumulators behind an instruction.
enum class Accumulated : std::uint8_t {
  kept,       // what lay there before
  undefined,  // something
  identity,   // what a reduction starts from
  own,        // a reduction of the instruction's own values
  added,      // that, and what lay there before
};

// `state`: vector_accumulator or scalar_accumulator. On Scalar, idle keeps the registers as they
// are; on Vector it leaves them undefined.
[[nodiscard]] constexpr Accumulated accumulated_by(ReduceCmd command, HiddenState state) {
  switch (command) {
    case ReduceCmd::idle:
      return state == HiddenState::scalar_accumulator ? Accumulated::kept : Accumulated::undefined;
    case ReduceCmd::reset: return Accumulated::identity;
    case ReduceCmd::reduce: return Accumulated::added;
    case ReduceCmd::reset_reduce:
    case ReduceCmd::load_reduce: return Accumulated::own;
  }
  return Accumulated::undefined;
}
// Whether an instruction with this command reduces values of its own.
[[nodiscard]] constexpr bool reduces(ReduceCmd command) {
  return command != ReduceCmd::idle && command != ReduceCmd::reset;
}
// Whether it starts from the identity of its operator.
[[nodiscard]] constexpr bool resets(ReduceCmd command) {
  return command == ReduceCmd::reset || command == ReduceCmd::reset_reduce;
}

// The part of one record in the accumulators.
struct Accumulation {
  HiddenState state = HiddenState::none;
  ReduceCmd command = ReduceCmd::reset_reduce;  // of an instruction that takes none
  const Tile* data = nullptr;                   // whose rows run through the lanes
  bool gives = false;                           // it writes them to a tile of its own

  [[nodiscard]] Accumulated behind() const { return accumulated_by(command, state); }
  // Whether it reads what an earlier instruction left.
  [[nodiscard]] bool continues() const {
    return command == ReduceCmd::reduce || (command == ReduceCmd::idle && gives);
  }
  // Whether it neither reads nor changes them.
  [[nodiscard]] bool leaves_alone() const { return behind() == Accumulated::kept && !continues(); }
};

// Nothing for an instruction without accumulators.
[[nodiscard]] std::optional<Accumulation> accumulation_of(const InstructionInfo& info,
                                                          const void* record);

}  // namespace trainyard::isa
