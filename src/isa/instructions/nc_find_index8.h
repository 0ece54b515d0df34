// nc_find_index8: where eight given values stand in each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/top8.h"

namespace trainyard::isa {

struct NcFindIndex8 {
  Tile dst, data, vals;
};

template <>
struct Definition<NcFindIndex8> {
  static constexpr std::string_view mnemonic = "nc_find_index8";
  static constexpr std::string_view summary =
      "dst[j] = the index of the first vals[j] in each row of data, all ones where there is none; "
      "equal values take successive occurrences";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<NcFindIndex8> traits{
      .spread = Spread::rows,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &NcFindIndex8::dst, "uint16 or uint32 tile, [P, 8]"),
      reads("data", &NcFindIndex8::data, "SBUF or PSUM tile, 8 to 16384 elements per partition"),
      reads("vals", &NcFindIndex8::vals, "SBUF or PSUM tile, [P, 8]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<NcFindIndex8>>({
      {"nc_find_index8.c1", "dst, data and vals are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data, op.vals); },
       "load HBM data with dma_copy first"},
      {"nc_find_index8.c2", "dst and vals have as many partitions as data, and 8 elements in each",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.data) &&
                rules::same_partitions(op.vals, op.data) && op.dst.free_elements() == top8::count &&
                op.vals.free_elements() == top8::count;
       },
       "declare dst and vals as [P, 8], P being data's partitions"},
      {"nc_find_index8.c3", "data has 8 to 16384 elements per partition",
       [](const auto& op, const auto& core) {
         return op.data.free_elements() >= core.access.max8_elements_min &&
                op.data.free_elements() <= core.access.max8_elements_max;
       },
       "work on pieces"},
      {"nc_find_index8.c4", "dst is uint16 or uint32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.dst, {DType::uint16, DType::uint32});
       },
       fixes::dst_uint},
      {"nc_find_index8.c5", "data and vals have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.data, op.vals); },
       fixes::computable},
      {"nc_find_index8.c6",
       "data and vals have at most 3 dimensions and dst 2, the partitions included",
       [](const auto& op, const auto&) {
         return rules::dimensions_at_most(op.data, 2) && rules::dimensions_at_most(op.vals, 2) &&
                rules::dimensions_at_most(op.dst, 1);
       },
       "copy the operand to a tile of two dimensions"},
  });
  static constexpr Source source = {
      "nki.isa.nc_find_index8, NKI 0.6; absent values and duplicates: release notes 0.6.0"};

  static Timing cycles(const NcFindIndex8& op, Engine, const machine::Core& core) {
    return cost::vector(op.data, op.data, core.vector_rates.max8, core);
  }
  static Activity activity(const NcFindIndex8& op) { return {.elements = op.data.elements()}; }
  static void execute(const NcFindIndex8& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    for (int p = 0; p < op.data.partitions; ++p) {
      const float* row = floats(op.data, e, p, e.rows[0]);
      const float* values = floats(op.vals, e, p, e.rows[1]);
      const auto index = e.machine.policy.search_rule == machine::SearchRule::nki_0_6
                             ? top8::find(row, n, values, top8::Duplicates::ascending)
                             : top8::find_first_or_zero(row, n, values);
      store_patterns(op.dst, e, p, index.data());
    }
  }
};

}  // namespace trainyard::isa
