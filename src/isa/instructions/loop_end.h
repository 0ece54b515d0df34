// loop_end: the body of a hardware loop ends; the next iteration, or what follows the loop, is
// next.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct LoopEnd {
  std::int32_t begin = -1;
};

template <>
struct Definition<LoopEnd> {
  static constexpr std::string_view mnemonic = "loop_end";
  static constexpr std::string_view summary = "go back to the loop_begin, or leave the loop";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<LoopEnd> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
      .flow = Flow::loop_end,
  };
  static constexpr auto operands = std::tuple{
      as(Role::loop, immediate("begin", &LoopEnd::begin, "index of the loop_begin that it closes")),
  };
  static constexpr auto constraints = std::to_array<Constraint<LoopEnd>>({
      {"loop_end.c1", "begin is the index of a loop_begin of the program",
       [](const auto& op, const auto&, const Site& site) {
         return op.begin >= 0 &&
                static_cast<std::size_t>(op.begin) < site.program.instructions.size() &&
                site.program.info_at(static_cast<std::uint32_t>(op.begin)).mnemonic == "loop_begin";
       },
       "name the loop_begin that it closes by its index"},
  });
  static constexpr Source source = {"dynamic loops deep dive, NKI 0.6"};

  static Timing cycles(const LoopEnd&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::loop_iteration, core);
  }
  static Activity activity(const LoopEnd&) { return {}; }
  static void execute(const LoopEnd&, Execution&) {}
};

}  // namespace trainyard::isa
