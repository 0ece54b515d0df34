// notify: the engine leaves a note for the host. Runtimes put it around kernels; profiles show it.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Notify {
  std::int32_t code = 0;
};

template <>
struct Definition<Notify> {
  static constexpr std::string_view mnemonic = "notify";
  static constexpr std::string_view summary =
      "the engine leaves a note for the host, in its order, and goes on";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::sync;
  static constexpr Traits<Notify> traits{
      .kind = Kind::control,
      .interface = Interface::experimental,
      .engine_parameter = EngineParameter::preset,
  };
  static constexpr auto operands = std::tuple{
      immediate("code", &Notify::code, "what the note says: 0 to 65,535", "0"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Notify>>({
      {"notify.c1", "code is 0 to 65,535",
       [](const auto& op, const auto&) { return op.code >= 0 && op.code <= 0xFFFF; },
       "pass a code of 16 bits", true},
  });
  static constexpr Source source = {"opcode NOTIFY in public Neuron profiles"};

  static Timing cycles(const Notify&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::notify, core);
  }
  static Activity activity(const Notify&) { return {}; }
  static void execute(const Notify&, Execution&) {}
};

}  // namespace trainyard::isa
