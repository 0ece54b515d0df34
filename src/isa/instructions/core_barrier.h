// core_barrier: an engine of each core of a logical core waits until all of them are there.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct CoreBarrier {
  Tile data{};
  IntList cores{};
};

template <>
struct Definition<CoreBarrier> {
  static constexpr std::string_view mnemonic = "core_barrier";
  static constexpr std::string_view summary =
      "the engine goes on when the cores are all there; accesses of data keep their order with it";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr auto operands = std::tuple{
      fences(
          "data", &CoreBarrier::data,
          "what the cores share: a region of shared HBM; an SBUF tile stands for the core's own"),
      immediate("cores", &CoreBarrier::cores, "(0, 1); (0,) for a kernel that runs on one core"),
  };
  static constexpr auto constraints = std::to_array<Constraint<CoreBarrier>>({
      {"core_barrier.c1", "a barrier between cores needs NeuronCore-v3",
       [](const auto&, const auto& core) { return core.features.core_pairs; }, fixes::third_core},
      {"core_barrier.c2", "data is in shared HBM, or in SBUF",
       [](const auto& op, const auto&, const Site& site) {
         return op.data.space == Space::sbuf ||
                (op.data.space == Space::hbm &&
                 (op.cores.count < 2 || site.program.tensors[op.data.tensor].shared));
       },
       "share the data through a tensor in nl.shared_hbm"},
      {"core_barrier.c3", "cores is (0, 1), or (0,) alone",
       [](const auto& op, const auto&) {
         const auto cores = op.cores.span();
         return !cores.empty() && cores.size() <= 2 && cores[0] == 0 &&
                (cores.size() == 1 || cores[1] == 1);
       },
       "pass cores=(0, 1), or cores=(0,)"},
  });
  static constexpr Source source = {
      "nki.isa.core_barrier, NKI 0.6; SBUF data and (0,) as public "
      "kernels use them"};

  static Meeting meeting(const CoreBarrier& op) {
    // Barriers of one engine meet in order, whatever they name.
    return {.encounter = op.cores.count < 2 ? Encounter::none : Encounter::barrier};
  }
  static Timing cycles(const CoreBarrier&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::semaphore_operation, core);
  }
  static Activity activity(const CoreBarrier&) { return {}; }
  static void execute(const CoreBarrier&, Execution&) {}

  static constexpr Traits<CoreBarrier> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::peer,
      .meeting = meeting,
  };
};

}  // namespace trainyard::isa
