// max8: the eight largest values of each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/top8.h"

namespace trainyard::isa {

struct Max8 {
  Tile dst, src;
};

template <>
struct Definition<Max8> {
  static constexpr std::string_view mnemonic = "max8";
  static constexpr std::string_view summary =
      "dst = the 8 largest values of each row of src, descending, compared in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Max8> traits{
      .spread = Spread::rows,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Max8::dst, "SBUF or PSUM tile, [P, 8]"),
      reads("src", &Max8::src, "SBUF or PSUM tile, 8 to 16384 elements per partition"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Max8>>({
      {"max8.c1", "dst and src are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.src); },
       "load HBM data with dma_copy first"},
      {"max8.c2", "dst has as many partitions as src, and 8 elements in each",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.src) && op.dst.free_elements() == top8::count;
       },
       "declare dst as [P, 8], P being src's partitions"},
      {"max8.c3", "src has 8 to 16384 elements per partition",
       [](const auto& op, const auto& core) {
         return op.src.free_elements() >= core.access.max8_elements_min &&
                op.src.free_elements() <= core.access.max8_elements_max;
       },
       "work on pieces and merge their results"},
      {"max8.c4", "dst and src have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.src); },
       fixes::computable},
      {"max8.c5", "src has at most 3 dimensions and dst 2, the partitions included",
       [](const auto& op, const auto&) {
         return rules::dimensions_at_most(op.src, 2) && rules::dimensions_at_most(op.dst, 1);
       },
       "copy the operand to a tile of two dimensions"},
  });
  static constexpr Source source = {"nki.isa.max8, NKI 0.6; NaN: assumed"};

  static Timing cycles(const Max8& op, Engine, const machine::Core& core) {
    return cost::vector(op.src, op.src, core.vector_rates.max8, core);
  }
  static Activity activity(const Max8& op) { return {.elements = op.src.elements()}; }
  static void execute(const Max8& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.src.free_elements());
    for (int p = 0; p < op.src.partitions; ++p) {
      const auto best = top8::largest(floats(op.src, e, p, e.rows[0]), n);
      store_floats(op.dst, e, p, best.data());
    }
  }
};

}  // namespace trainyard::isa
