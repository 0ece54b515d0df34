// loop_begin: a hardware loop starts. The instructions up to its loop_end are the body; sequencers
// interpret the pair (isa/semantics/control.h), so execute() has nothing to do.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct LoopBegin {
  Register counter{};
  RegisterOrInt start{}, stop{};
  std::int32_t step = 1;
  LoopKind kind = LoopKind::counted;
};

template <>
struct Definition<LoopBegin> {
  static constexpr std::string_view mnemonic = "loop_begin";
  static constexpr std::string_view summary =
      "run the body for counter = start, start + step, ... below stop, or while counter is not 0";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr auto operands = std::tuple{
      sets("counter", &LoopBegin::counter,
           "register: receives the count of each iteration (counted), or is the condition "
           "(while_nonzero)"),
      immediate("start", &LoopBegin::start, "first count: 32-bit integer or register", "0"),
      immediate("stop", &LoopBegin::stop, "end of the counts, exclusive", "0"),
      immediate("step", &LoopBegin::step, "distance between counts, known when compiled", "1"),
      immediate("kind", &LoopBegin::kind, "counted, or while_nonzero", "loop_kind.counted"),
  };
  static constexpr auto constraints = std::to_array<Constraint<LoopBegin>>({
      {"loop_begin.c1", "counter, start and stop are registers of the sequencer",
       [](const auto& op, const auto& core) {
         return rules::is_register(op.counter, core) && rules::is_register_or_int(op.start, core) &&
                rules::is_register_or_int(op.stop, core);
       },
       fixes::make_register},
      {"loop_begin.c2", "step is positive", [](const auto& op, const auto&) { return op.step > 0; },
       "count upwards and compute the index you need from the count"},
      {"loop_begin.c3", "a while_nonzero loop has no start, stop or step",
       [](const auto& op, const auto&) {
         return op.kind == LoopKind::counted ||
                (op.start == RegisterOrInt{} && op.stop == RegisterOrInt{} && op.step == 1);
       },
       "leave start, stop and step out"},
  });
  static constexpr Source source = {
      "nki.language.fori_loop, while_loop and dynamic_range, NKI 0.6; dynamic loops deep dive"};

  static Timing cycles(const LoopBegin&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::branch, core);
  }
  static Activity activity(const LoopBegin&) { return {}; }
  static void execute(const LoopBegin&, Execution&) {}
  static Access access(const LoopBegin& op, std::size_t operand) {
    if (operand != 0) return Access::none;
    return op.kind == LoopKind::counted ? Access::write : Access::read;
  }

  static constexpr Traits<LoopBegin> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
      .flow = Flow::loop_begin,
      .access = access,
      .loop =
          [](const LoopBegin& op) {
            return LoopBounds{op.kind, op.counter, op.start, op.stop, op.step};
          },
  };
};

}  // namespace trainyard::isa
