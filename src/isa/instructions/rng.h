// rng: random bits.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"

namespace trainyard::isa {

struct Rng {
  Tile dst;
};

template <>
struct Definition<Rng> {
  static constexpr std::string_view mnemonic = "rng";
  static constexpr std::string_view summary =
      "dst = 32 random bits per element, the lowest ones of them in narrower integers";
  static constexpr EngineSet engines{Engine::vector, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Rng> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::vector_random | HiddenState::gpsimd_random,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Rng::dst, "SBUF or PSUM tile of an integer dtype"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Rng>>({
      {"rng.c1", "dst is on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst); },
       "store to HBM with dma_copy"},
      {"rng.c2", "dst is an integer of 8, 16 or 32 bits",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.dst, {DType::int8, DType::uint8, DType::int16, DType::uint16,
                                         DType::int32, DType::uint32});
       },
       "use rand2 on gen4 for floats, or scale the integers"},
      {"rng.c3", "GpSimd has random numbers from gen3 on",
       [](const auto&, const auto& core, const Site& site) {
         return site.engine != Engine::gpsimd || core.features.gpsimd_random;
       },
       "use the Vector engine"},
  });
  static constexpr Source source = {"nki.isa.rng, NKI 0.6; generators: numerics/prng.h"};

  static Timing cycles(const Rng& op, Engine engine, const machine::Core& core) {
    return engine == Engine::gpsimd ? cost::gpsimd(op.dst, op.dst, core.gpsimd_rates.stream, core)
                                    : cost::vector(op.dst, op.dst, core.vector_rates.other, core);
  }
  static Activity activity(const Rng& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Rng& op, Execution& e) {
    const Engine who = e.engine == Engine::gpsimd ? Engine::gpsimd : Engine::vector;
    std::vector<std::uint32_t> words(static_cast<std::size_t>(op.dst.free_elements()));
    for (int p = 0; p < op.dst.partitions; ++p) {
      random::fill(who, op.dst.partition_start + p, words, e);
      store_patterns(op.dst, e, p, words.data());
    }
  }
};

}  // namespace trainyard::isa
