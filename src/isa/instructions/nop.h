// nop: takes its place and its time in an engine's queue, and does nothing.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Nop {
  std::int32_t tag = 0;
};

template <>
struct Definition<Nop> {
  static constexpr std::string_view mnemonic = "nop";
  static constexpr std::string_view summary = "the engine does nothing, in its order";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::sync;
  static constexpr Traits<Nop> traits{
      .kind = Kind::control,
      .interface = Interface::experimental,
      .engine_parameter = EngineParameter::preset,
  };
  static constexpr auto operands = std::tuple{
      immediate("tag", &Nop::tag, "a number to find it by in a listing", "0"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Nop>>({
      {"nop.c1", "tag is not negative", [](const auto& op, const auto&) { return op.tag >= 0; },
       "pass a number from 0", true},
  });
  // No profile shows its length: a register move is the shortest instruction that one does show.
  static constexpr Source source = {
      "opcode NOP in public Neuron profiles; lasts as long as a register move", Fidelity::assumed};

  static Timing cycles(const Nop&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::register_move, core);
  }
  static Activity activity(const Nop&) { return {}; }
  static void execute(const Nop&, Execution&) {}
};

}  // namespace trainyard::isa
