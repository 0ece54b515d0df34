// sequence_bounds: for each position, where the run of equal segment ids around it begins and ends.
#pragma once

#include <algorithm>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct SequenceBounds {
  Tile dst, segment_ids;
};

template <>
struct Definition<SequenceBounds> {
  static constexpr std::string_view mnemonic = "sequence_bounds";
  static constexpr std::string_view summary =
      "dst[0, 0] = start and dst[0, 1] = end (exclusive) of the run of equal ids around each "
      "position; (n, -1) where the id is 0";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<SequenceBounds> traits{
      .spread = Spread::rows,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &SequenceBounds::dst, "float32 or int32 SBUF tile, [1, 2, n]"),
      reads("segment_ids", &SequenceBounds::segment_ids, "float32 or int32 SBUF tile, [1, n]"),
  };
  static constexpr auto constraints = std::to_array<Constraint<SequenceBounds>>({
      {"sequence_bounds.c1", "dst and segment_ids are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.segment_ids); },
       fixes::to_sbuf},
      {"sequence_bounds.c2", "dst and segment_ids have one partition",
       [](const auto& op, const auto&) {
         return op.dst.partitions == 1 && op.segment_ids.partitions == 1;
       },
       "slice one partition: t[0:1, :]"},
      {"sequence_bounds.c3", "dst has two elements for each of segment_ids",
       [](const auto& op, const auto&) {
         return op.dst.free_elements() == 2 * op.segment_ids.free_elements();
       },
       "declare dst as [1, 2, n] for segment_ids of [1, n]"},
      {"sequence_bounds.c4", "dst and segment_ids are float32 or int32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.dst, {DType::float32, DType::int32}) &&
                rules::dtype_in(op.segment_ids, {DType::float32, DType::int32});
       },
       "cast with tensor_copy first"},
  });
  static constexpr Source source = {"nki.isa.sequence_bounds, NKI 0.6, and its NumPy test"};

  static Timing cycles(const SequenceBounds& op, Engine, const machine::Core& core) {
    return cost::gpsimd(op.dst, op.segment_ids, core.gpsimd_rates.stream, core);
  }
  static Activity activity(const SequenceBounds& op) { return {.elements = op.dst.elements()}; }
  static void execute(const SequenceBounds& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.segment_ids.free_elements());
    // Ids are compared as they are stored: fp32 does not tell large integers apart.
    std::uint32_t* id = elementwise::pattern_row(e.raw[0], n);
    load_patterns(op.segment_ids, e, 0, id);
    if (op.segment_ids.dtype == DType::float32)
      std::replace(id, id + n, 0x80000000u, 0u);  // minus zero
    std::vector<float>& out = e.rows[1];
    out.resize(2 * n);
    for (std::size_t first = 0, end = 0; first < n; first = end) {
      for (end = first + 1; end < n && id[end] == id[first];) ++end;
      const bool padding = id[first] == 0;
      std::fill(&out[first], out.data() + end, static_cast<float>(padding ? n : first));
      std::fill(&out[n + first], out.data() + n + end, padding ? -1.0f : static_cast<float>(end));
    }
    store_floats(op.dst, e, 0, out.data());
  }
};

}  // namespace trainyard::isa
