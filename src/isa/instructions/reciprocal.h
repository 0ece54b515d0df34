// reciprocal: the Vector engine's 1 / x, slower and more precise than the Scalar engine's.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct Reciprocal {
  Tile dst, data;
};

template <>
struct Definition<Reciprocal> {
  static constexpr std::string_view mnemonic = "reciprocal";
  static constexpr std::string_view summary = "dst = 1 / data, in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Reciprocal> traits{
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Reciprocal::dst, "SBUF or PSUM tile, [P, F]"),
      reads("data", &Reciprocal::data, "SBUF or PSUM tile, [P, F]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Reciprocal>>({
      {"reciprocal.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"reciprocal.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"reciprocal.c3", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.reciprocal, NKI 0.6"};

  static Timing cycles(const Reciprocal& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.data, core.vector_rates.reciprocal, core);
  }
  static Activity activity(const Reciprocal& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Reciprocal& op, Execution& e) {
    elementwise::map(op.dst, op.data, e, [](int, const float* in, float* out, std::size_t n) {
      numerics::apply_scalar(numerics::AluOp::reciprocal, in, 0, false, out, n);
    });
  }
};

}  // namespace trainyard::isa
