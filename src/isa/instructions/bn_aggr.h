// bn_aggr: mean and variance of a row from the statistics of its parts.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/statistics.h"

namespace trainyard::isa {

struct BnAggr {
  Tile dst, data;
};

template <>
struct Definition<BnAggr> {
  static constexpr std::string_view mnemonic = "bn_aggr";
  static constexpr std::string_view summary =
      "dst = (mean, variance) of all the elements behind (count, mean, variance * count) triples";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<BnAggr> traits{
      .spread = Spread::rows,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &BnAggr::dst, "SBUF or PSUM tile, [P, 2]"),
      reads("data", &BnAggr::data, "SBUF or PSUM tile, [P, 3 k]: results of bn_stats"),
  };
  static constexpr auto constraints = std::to_array<Constraint<BnAggr>>({
      {"bn_aggr.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"bn_aggr.c2", "dst has as many partitions as data, and 2 elements in each",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.data) && op.dst.free_elements() == 2;
       },
       "declare dst as [P, 2], P being data's partitions"},
      {"bn_aggr.c3", "the number of elements per partition of data is a multiple of 3",
       [](const auto& op, const auto&) { return op.data.free_elements() % 3 == 0; },
       "pass whole results of bn_stats"},
      {"bn_aggr.c4", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.bn_aggr, NKI 0.6; order of the sums: assumed"};

  static Timing cycles(const BnAggr& op, Engine, const machine::Core& core) {
    return cost::vector(op.data, op.data, core.vector_rates.bn_aggr, core);
  }
  static Activity activity(const BnAggr& op) { return {.elements = op.data.elements()}; }
  static void execute(const BnAggr& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    for (int p = 0; p < op.data.partitions; ++p) {
      const std::array<float, 2> result =
          statistics::aggregate(floats(op.data, e, p, e.rows[0]), n / 3);
      store_floats(op.dst, e, p, result.data());
    }
  }
};

}  // namespace trainyard::isa
