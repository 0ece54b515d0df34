// rand_set_state: loads the random generators' states, lane by lane.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"
#include "numerics/prng.h"

namespace trainyard::isa {

struct RandSetState {
  Tile src_seeds;
};

template <>
struct Definition<RandSetState> {
  static constexpr std::string_view mnemonic = "rand_set_state";
  static constexpr std::string_view summary =
      "loads the random generator of each lane: 24 words on Vector, 6 on GpSimd";
  static constexpr EngineSet engines{Engine::gpsimd, Engine::vector};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<RandSetState> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::vector_random | HiddenState::gpsimd_random,
  };
  static constexpr auto operands = std::tuple{
      reads("src_seeds", &RandSetState::src_seeds, "uint32 SBUF tile, [lanes, 24 or 6]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RandSetState>>({
      {"rand_set_state.c1", "src_seeds is in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.src_seeds); }, fixes::to_sbuf},
      {"rand_set_state.c2", "src_seeds is uint32",
       [](const auto& op, const auto&) { return rules::dtype_in(op.src_seeds, {DType::uint32}); },
       fixes::uint32},
      {"rand_set_state.c3", "src_seeds has 24 words per lane on Vector, 6 on GpSimd",
       [](const auto& op, const auto&, const Site& site) {
         const std::size_t words =
             site.engine == Engine::vector ? numerics::XorwowLane::words : numerics::Xorwow::words;
         return op.src_seeds.free_elements() == static_cast<std::int64_t>(words);
       },
       "declare src_seeds as [P, 24] for the Vector engine, as [P, 6] for GpSimd"},
      {"rand_set_state.c4", "GpSimd has generator states from gen3 on, Vector from gen4 on",
       [](const auto&, const auto& core, const Site& site) {
         return site.engine == Engine::vector ? core.features.vector_xorwow
                                              : core.features.gpsimd_random;
       },
       "use set_rng_seed"},
  });
  static constexpr Source source = {"nki.isa.rand_set_state, NKI 0.6; word order: numerics/prng.h"};

  static Timing cycles(const RandSetState& op, Engine engine, const machine::Core& core) {
    return engine == Engine::gpsimd
               ? cost::gpsimd(op.src_seeds, op.src_seeds, core.gpsimd_rates.stream, core)
               : cost::vector(op.src_seeds, op.src_seeds, core.vector_rates.other, core);
  }
  static Activity activity(const RandSetState& op) { return {.elements = op.src_seeds.elements()}; }
  static void execute(const RandSetState& op, Execution& e) {
    const Engine who = e.engine == Engine::vector ? Engine::vector : engine;
    for (int p = 0; p < op.src_seeds.partitions; ++p)
      load_patterns(op.src_seeds, e, p,
                    random::state(who, op.src_seeds.partition_start + p, e).data());
  }
};

}  // namespace trainyard::isa
