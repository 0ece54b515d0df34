// drain: the engine goes on only when everything it ran before has committed its writes.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Drain {
  bool unused = false;  // a record is never empty
};

template <>
struct Definition<Drain> {
  static constexpr std::string_view mnemonic = "drain";
  static constexpr std::string_view summary =
      "wait until the engine's earlier instructions have committed";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<Drain> traits{
      .kind = Kind::control,
      .interface = Interface::compiler,
      .flow = Flow::drain,
  };
  static constexpr auto operands = std::tuple{};
  static constexpr std::array<Constraint<Drain>, 0> constraints{};
  static constexpr Source source = {"opcode DRAIN in public Neuron profiles"};

  static Timing cycles(const Drain&, Engine engine, const machine::Core& core) {
    return cost::drain(engine, core);
  }
  static Activity activity(const Drain&) { return {}; }
  static void execute(const Drain&, Execution&) {}
};

}  // namespace trainyard::isa
