// register_move: a number or another register into a sequencer register.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct RegisterMove {
  Register dst{};
  RegisterOrInt src{};
};

template <>
struct Definition<RegisterMove> {
  static constexpr std::string_view mnemonic = "register_move";
  static constexpr std::string_view summary = "dst = src";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<RegisterMove> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
  };
  static constexpr auto operands = std::tuple{
      sets("dst", &RegisterMove::dst, "register"),
      immediate("src", &RegisterMove::src, "32-bit integer or register"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RegisterMove>>({
      {"register_move.c1", "dst and src are registers of the sequencer",
       [](const auto& op, const auto& core) {
         return rules::is_register(op.dst, core) && rules::is_register_or_int(op.src, core);
       },
       fixes::make_register},
  });
  static constexpr Source source = {"nki.isa.register_move, NKI 0.6"};

  static Timing cycles(const RegisterMove&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::register_move, core);
  }
  static Activity activity(const RegisterMove&) { return {}; }
  static void execute(const RegisterMove& op, Execution& e) {
    write_register(op.dst, read(op.src, e), e);
  }
};

}  // namespace trainyard::isa
