// rand2: uniformly distributed numbers.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"
#include "numerics/prng.h"

namespace trainyard::isa {

struct Rand2 {
  Tile dst;
  Scalar min;
  Scalar max{.constant = 1.0};
};

template <>
struct Definition<Rand2> {
  static constexpr std::string_view mnemonic = "rand2";
  static constexpr std::string_view summary =
      "dst = fp32 numbers distributed uniformly over [min, max], then cast";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Rand2> traits{
      .hidden = HiddenState::vector_random,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Rand2::dst, "SBUF or PSUM tile"),
      reads("min", &Rand2::min, "number or [P, 1] fp32 tile"),
      reads("max", &Rand2::max, "number or [P, 1] fp32 tile"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Rand2>>({
      {"rand2.c1", "the machine has rand2",
       [](const auto&, const auto& core) { return core.features.rand2; },
       "use rng and scale the integers before gen4"},
      {"rand2.c2", "dst is on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst); },
       "store to HBM with dma_copy"},
      {"rand2.c3",
       "dst is float8_e4m3, float8_e5m2, float16, bfloat16, float32, tfloat32 or an integer of up "
       "to 32 bits",
       [](const auto& op, const auto&) {
         return rules::dtype_in(
             op.dst, {DType::float8_e4m3, DType::float8_e5m2, DType::float16, DType::bfloat16,
                      DType::float32, DType::tfloat32, DType::int8, DType::int16, DType::int32,
                      DType::uint8, DType::uint16, DType::uint32});
       },
       fixes::dst_dtype},
      {"rand2.c4", "min and max are numbers or [P, 1] float32 tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.min, op.dst.partitions) &&
                rules::scalar_or_column(op.max, op.dst.partitions) &&
                rules::float32(op.min.tile, op.max.tile);
       },
       fixes::number_or_float32_column},
      {"rand2.c5", "min is less than max",
       [](const auto& op, const auto&) {
         return op.min.is_tile() || op.max.is_tile() || op.min.constant < op.max.constant;
       },
       "pass the smaller number as min"},
  });
  static constexpr Source source = {"nki.isa.rand2, NKI 0.6; mapping to floats: numerics/prng.h",
                                    Fidelity::assumed};

  static Timing cycles(const Rand2& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.dst, core.vector_rates.rand2, core);
  }
  static Activity activity(const Rand2& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Rand2& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.dst.free_elements());
    std::vector<std::uint32_t> words(n);
    std::vector<float>& row = e.rows[0];
    for (int p = 0; p < op.dst.partitions; ++p) {
      random::fill(Engine::vector, op.dst.partition_start + p, words, e);
      row.resize(n);
      numerics::uniform(words.data(), value(op.min, e, p), value(op.max, e, p), row.data(), n);
      store_floats(op.dst, e, p, row.data());
    }
  }
};

}  // namespace trainyard::isa
