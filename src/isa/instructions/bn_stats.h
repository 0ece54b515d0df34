// bn_stats: count, mean and variance * count of the even and of the odd elements of each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/statistics.h"

namespace trainyard::isa {

struct BnStats {
  Tile dst, data;
};

template <>
struct Definition<BnStats> {
  static constexpr std::string_view mnemonic = "bn_stats";
  static constexpr std::string_view summary =
      "dst = (count, mean, variance * count) of the even elements of each row, then of the odd "
      "ones, in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<BnStats> traits{
      .spread = Spread::rows,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &BnStats::dst, "SBUF or PSUM tile, [P, 6]"),
      reads("data", &BnStats::data, "SBUF or PSUM tile, [P, F], F at most 512"),
  };
  static constexpr auto constraints = std::to_array<Constraint<BnStats>>({
      {"bn_stats.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"bn_stats.c2", "dst has as many partitions as data, and 6 elements in each",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.data) && op.dst.free_elements() == 6;
       },
       "declare dst as [P, 6], P being data's partitions"},
      {"bn_stats.c3", "data has at most nl.tile_size.bn_stats_fmax elements per partition",
       [](const auto& op, const auto& core) {
         return op.data.free_elements() <= core.access.bn_stats_elements_max;
       },
       "run bn_stats on pieces and aggregate them with one bn_aggr"},
      {"bn_stats.c4", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
  });
  static constexpr Source source = {
      "nki.isa.bn_stats, NKI 0.6; order of the sums and statistics of no elements: assumed"};

  static Timing cycles(const BnStats& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.data, core.vector_rates.bn_stats, core);
  }
  static Activity activity(const BnStats& op) { return {.elements = op.data.elements()}; }
  static void execute(const BnStats& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    for (int p = 0; p < op.data.partitions; ++p) {
      const float* row = floats(op.data, e, p, e.rows[0]);
      std::array<float, 6> result{};
      statistics::store(statistics::of(row, 2, (n + 1) / 2), result.data());
      statistics::store(statistics::of(row + 1, 2, n / 2), result.data() + 3);
      store_floats(op.dst, e, p, result.data());
    }
  }
};

}  // namespace trainyard::isa
