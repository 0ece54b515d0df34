// nc_match_replace8: eight given values replaced in each row, and where they stood.
#pragma once

#include <cstring>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/top8.h"

namespace trainyard::isa {

struct NcMatchReplace8 {
  Tile dst, data, vals;
  double imm = 0;
  Tile dst_idx;
};

template <>
struct Definition<NcMatchReplace8> {
  static constexpr std::string_view mnemonic = "nc_match_replace8";
  static constexpr std::string_view summary =
      "dst = data with one occurrence of each of the 8 vals replaced by imm; dst_idx = where they "
      "were, equal values from the last slot down";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<NcMatchReplace8> traits{
      .spread = Spread::rows,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &NcMatchReplace8::dst, "SBUF or PSUM tile as large as data"),
      reads("data", &NcMatchReplace8::data, "SBUF or PSUM tile, 8 to 16384 elements per partition"),
      reads("vals", &NcMatchReplace8::vals, "SBUF or PSUM tile, [P, 8]"),
      immediate("imm", &NcMatchReplace8::imm, "the number that replaces matches"),
      writes("dst_idx", &NcMatchReplace8::dst_idx,
             "uint16 or uint32 tile, [P, 8]; all ones where a value was not found", "None"),
  };

 private:
  static bool is_eight(const Tile& tile, const NcMatchReplace8& op) {
    return !tile || (rules::same_partitions(tile, op.data) && tile.free_elements() == top8::count);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<NcMatchReplace8>>({
      {"nc_match_replace8.c1", "all tiles are on chip",
       [](const auto& op, const auto&) {
         return rules::on_chip(op.dst, op.data, op.vals, op.dst_idx);
       },
       "load HBM data with dma_copy first"},
      {"nc_match_replace8.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"nc_match_replace8.c3",
       "vals and dst_idx have as many partitions as data, and 8 elements in each",
       [](const auto& op, const auto&) {
         return is_eight(op.vals, op) && is_eight(op.dst_idx, op);
       },
       "declare vals and dst_idx as [P, 8], P being data's partitions"},
      {"nc_match_replace8.c4", "data has 8 to 16384 elements per partition",
       [](const auto& op, const auto& core) {
         return op.data.free_elements() >= core.access.max8_elements_min &&
                op.data.free_elements() <= core.access.max8_elements_max;
       },
       "work on pieces"},
      {"nc_match_replace8.c5", "dst_idx is uint16 or uint32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.dst_idx, {DType::uint16, DType::uint32});
       },
       fixes::dst_uint},
      {"nc_match_replace8.c6", "dst, data and vals have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data, op.vals); },
       fixes::computable},
  });
  static constexpr Source source = {
      "nki.isa.nc_match_replace8, NKI 0.6; an unmatched slot of dst_idx: assumed like "
      "nc_find_index8"};

  static Timing cycles(const NcMatchReplace8& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.data, core.vector_rates.max8, core);
  }
  static Activity activity(const NcMatchReplace8& op) { return {.elements = op.data.elements()}; }
  // Elements that no value matches keep their bits when the dtypes agree.
  static void execute(const NcMatchReplace8& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    const auto width = static_cast<std::size_t>(op.dst.element_bytes());
    const auto order = e.machine.policy.search_rule == machine::SearchRule::nki_0_6
                           ? top8::Duplicates::descending
                           : top8::Duplicates::ascending;
    const std::uint32_t imm = constant_bits(op.dst.dtype, op.imm);
    std::vector<std::byte>& out = e.raw[0];
    for (int p = 0; p < op.data.partitions; ++p) {
      const float* row = floats(op.data, e, p, e.rows[0]);
      const float* values = floats(op.vals, e, p, e.rows[1]);
      const auto index = top8::find(row, n, values, order);
      out.resize(n * width);
      convert_row(op.data.dtype, bits(op.data, e, p, e.raw[1]), op.dst.dtype, out.data(), n,
                  op.dst.partition_start + p, e);
      for (const std::uint32_t i : index) {
        if (i != top8::absent) std::memcpy(out.data() + i * width, &imm, width);
      }
      store_bits(op.dst, e, p, out.data());
      if (op.dst_idx) store_patterns(op.dst_idx, e, p, index.data());
    }
  }
};

}  // namespace trainyard::isa
