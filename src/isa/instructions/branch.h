// branch: skips the instructions up to a later one when a comparison holds. Sequencers interpret it
// (isa/semantics/control.h), so execute() has nothing to do.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Branch {
  RegisterOrInt left{};
  numerics::AluOp op = numerics::AluOp::equal;
  RegisterOrInt right{};
  std::int32_t target = -1;
};

template <>
struct Definition<Branch> {
  static constexpr std::string_view mnemonic = "branch";
  static constexpr std::string_view summary = "go to target when left op right";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<Branch> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
      .flow = Flow::branch,
      .condition =
          [](const Branch& op) {
            return Condition{op.left, op.op, op.right};
          },
  };
  static constexpr auto operands = std::tuple{
      immediate("left", &Branch::left, "32-bit integer or register"),
      immediate("op", &Branch::op, "comparison of signed 32-bit integers"),
      immediate("right", &Branch::right, "32-bit integer or register"),
      as(Role::target,
         immediate("target", &Branch::target,
                   "index of a later instruction of the same loop body; the ones before it are "
                   "skipped")),
  };
  static constexpr auto constraints = std::to_array<Constraint<Branch>>({
      {"branch.c1", "left and right are registers of the sequencer",
       [](const auto& op, const auto& core) {
         return rules::is_register_or_int(op.left, core) &&
                rules::is_register_or_int(op.right, core);
       },
       fixes::integer_or_register},
      {"branch.c2", "op is a comparison",
       [](const auto& op, const auto&) { return numerics::is_comparison(op.op); },
       fixes::comparison},
      {"branch.c3", "target is the index of an instruction, or the end of the program",
       [](const auto& op, const auto&, const Site& site) {
         return op.target >= 0 &&
                static_cast<std::size_t>(op.target) <= site.program.instructions.size();
       },
       "name an instruction of the program, or their number for its end"},
  });
  static constexpr Source source = {"opcode COMPARE_BRANCH in public Neuron profiles",
                                    Fidelity::derived};

  static Timing cycles(const Branch&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::branch, core);
  }
  static Activity activity(const Branch&) { return {}; }
  static void execute(const Branch&, Execution&) {}
};

}  // namespace trainyard::isa
