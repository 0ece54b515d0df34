// set_rng_seed: seeds Vector's random generators with one number.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"

namespace trainyard::isa {

struct SetRngSeed {
  Tile src_seeds;
};

template <>
struct Definition<SetRngSeed> {
  static constexpr std::string_view mnemonic = "set_rng_seed";
  static constexpr std::string_view summary =
      "seeds the random generators of all Vector lanes with one 32-bit value";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<SetRngSeed> traits{
      .hidden = HiddenState::vector_random,
  };
  static constexpr auto operands = std::tuple{
      reads("src_seeds", &SetRngSeed::src_seeds, "SBUF or PSUM tile of 32 bits, [1, 1]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<SetRngSeed>>({
      {"set_rng_seed.c1", "src_seeds is a [1, 1] on-chip tile",
       [](const auto& op, const auto&) { return rules::column(op.src_seeds, 1); },
       "pass one element of a tile: t[0:1, 0:1]"},
      {"set_rng_seed.c2", "src_seeds has 32 bits",
       [](const auto& op, const auto&) {
         return op.src_seeds.element_bytes() == sizeof(std::uint32_t);
       },
       "use an int32 or uint32 tile"},
  });
  static constexpr Source source = {"nki.isa.set_rng_seed, NKI 0.6; expansion: numerics/prng.h",
                                    Fidelity::assumed};

  static Timing cycles(const SetRngSeed& op, Engine, const machine::Core& core) {
    return cost::vector(op.src_seeds, op.src_seeds, core.vector_rates.other, core);
  }
  static Activity activity(const SetRngSeed&) { return {.elements = 1}; }
  static void execute(const SetRngSeed& op, Execution& e) {
    std::uint32_t seed = 0;
    load_patterns(op.src_seeds, e, 0, &seed);
    random::seed(seed, e);
  }
};

}  // namespace trainyard::isa
