// nonzero_with_count: the positions of a row's elements that are not zero, and how many there are.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"
#include "isa/semantics/gather.h"

namespace trainyard::isa {

struct NonzeroWithCount {
  Tile dst, src;
  std::int32_t index_offset = 0;
  std::int32_t padding_val = -1;
};

template <>
struct Definition<NonzeroWithCount> {
  static constexpr std::string_view mnemonic = "nonzero_with_count";
  static constexpr std::string_view summary =
      "dst = the positions of the nonzero elements plus index_offset, then padding_val, last the "
      "count; in partitions 0, 16, ... only";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr auto operands = std::tuple{
      writes("dst", &NonzeroWithCount::dst, "int32 SBUF tile, [P, T + 1]"),
      reads("src", &NonzeroWithCount::src, "float32 or int32 SBUF tile, [P, T]"),
      immediate("index_offset", &NonzeroWithCount::index_offset, "added to every position", "0"),
      immediate("padding_val", &NonzeroWithCount::padding_val, "fills the unused places", "-1"),
  };
  static constexpr auto constraints = std::to_array<Constraint<NonzeroWithCount>>({
      {"nonzero_with_count.c1", "the machine has nonzero_with_count",
       [](const auto&, const auto& core) { return core.features.nonzero_with_count; },
       "run on a machine that has it"},
      {"nonzero_with_count.c2", "dst and src are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.src); },
       "copy PSUM data to SBUF with tensor_copy first"},
      {"nonzero_with_count.c3", "src is float32 or int32, dst is int32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.src, {DType::float32, DType::int32}) &&
                rules::dtype_in(op.dst, {DType::int32});
       },
       "cast src with tensor_copy first, and declare dst as int32"},
      {"nonzero_with_count.c4", "dst has as many partitions as src, and one element more in each",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.src) &&
                op.dst.free_elements() == op.src.free_elements() + 1;
       },
       "declare dst as [P, F + 1] for src of [P, F]"},
  });
  static constexpr Source source = {"nki.isa.nonzero_with_count, NKI 0.6"};
  static constexpr int partitions_of_a_processor = 16;  // the source: 0, 16, ... 112

  static Timing cycles(const NonzeroWithCount& op, Engine, const machine::Core& core) {
    return cost::gpsimd(op.src, op.src, core.gpsimd_rates.nonzero, core);
  }
  static Activity activity(const NonzeroWithCount& op) { return {.elements = op.src.elements()}; }
  // Every processor reads and writes the first of its 16 partitions.
  static int parts(const NonzeroWithCount& op, std::size_t operand,
                   std::span<Tile, parts_max> out) {
    if (operand > 1) return 0;
    const Tile& whole = operand == 0 ? op.dst : op.src;
    int count = 0;
    for (int p = 0; p < whole.partitions && count < static_cast<int>(parts_max);
         p += partitions_of_a_processor) {
      Tile& part = out[static_cast<std::size_t>(count++)] = whole;
      part.partition_start = static_cast<std::uint16_t>(whole.partition_start + p);
      part.partitions = 1;
    }
    return count;
  }
  static void execute(const NonzeroWithCount& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.src.free_elements());
    std::uint32_t* row = elementwise::pattern_row(e.raw[0], n);
    std::uint32_t* out = elementwise::pattern_row(e.raw[1], n + 1);
    // A float is zero with either sign.
    const std::uint32_t mask = op.src.dtype == DType::float32 ? 0x7FFFFFFFu : 0xFFFFFFFFu;
    base::check(gather::group(e.machine) == partitions_of_a_processor, "parts() has no machine");
    for (int p = 0; p < op.src.partitions; p += partitions_of_a_processor) {
      load_patterns(op.src, e, p, row);
      std::uint32_t count = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if ((row[i] & mask) != 0)
          out[count++] =
              static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(op.index_offset);
      }
      std::fill(out + count, out + n, static_cast<std::uint32_t>(op.padding_val));
      out[n] = count;
      store_patterns(op.dst, e, p, out);
    }
  }

  static constexpr Traits<NonzeroWithCount> traits{
      .spread = Spread::rows,
      .parts = parts,
  };
};

}  // namespace trainyard::isa
