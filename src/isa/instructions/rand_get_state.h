// rand_get_state: stores the random generators' states, lane by lane.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"
#include "numerics/prng.h"

namespace trainyard::isa {

struct RandGetState {
  Tile dst;
};

template <>
struct Definition<RandGetState> {
  static constexpr std::string_view mnemonic = "rand_get_state";
  static constexpr std::string_view summary =
      "stores the random generator of each lane: 24 words on Vector, 6 on GpSimd";
  static constexpr EngineSet engines{Engine::gpsimd, Engine::vector};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<RandGetState> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::vector_random | HiddenState::gpsimd_random,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &RandGetState::dst, "uint32 tile, [lanes, 24 or 6]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RandGetState>>({
      {"rand_get_state.c1", "dst is on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst); },
       "declare dst in SBUF, and copy it to HBM with dma_copy"},
      {"rand_get_state.c2", "dst is uint32",
       [](const auto& op, const auto&) { return rules::dtype_in(op.dst, {DType::uint32}); },
       fixes::uint32},
      {"rand_get_state.c3", "dst has 24 words per lane on Vector, 6 on GpSimd",
       [](const auto& op, const auto&, const Site& site) {
         const std::size_t words =
             site.engine == Engine::vector ? numerics::XorwowLane::words : numerics::Xorwow::words;
         return op.dst.free_elements() == static_cast<std::int64_t>(words);
       },
       "declare dst as [P, 24] for the Vector engine, as [P, 6] for GpSimd"},
      {"rand_get_state.c4", "GpSimd has generator states from gen3 on, Vector from gen4 on",
       [](const auto&, const auto& core, const Site& site) {
         return site.engine == Engine::vector ? core.features.vector_xorwow
                                              : core.features.gpsimd_random;
       },
       "run on such a machine, or leave the engine out"},
  });
  static constexpr Source source = {"nki.isa.rand_get_state, NKI 0.6; word order: numerics/prng.h"};

  static Timing cycles(const RandGetState& op, Engine engine, const machine::Core& core) {
    return engine == Engine::gpsimd ? cost::gpsimd(op.dst, op.dst, core.gpsimd_rates.stream, core)
                                    : cost::vector(op.dst, op.dst, core.vector_rates.other, core);
  }
  static Activity activity(const RandGetState& op) { return {.elements = op.dst.elements()}; }
  static void execute(const RandGetState& op, Execution& e) {
    const Engine who = e.engine == Engine::vector ? Engine::vector : engine;
    for (int p = 0; p < op.dst.partitions; ++p)
      store_patterns(op.dst, e, p, random::state(who, op.dst.partition_start + p, e).data());
  }
};

}  // namespace trainyard::isa
