// affine_select: a tile where an affine expression of the position passes a test, else a number.
// Causal masks are made with it.
#pragma once

#include <cstring>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/affine.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct AffineSelect {
  Tile dst;
  Pattern pattern;
  std::int32_t channel_multiplier = 0;
  Tile on_true_tile;
  double on_false_value = 0;
  numerics::AluOp cmp_op = numerics::AluOp::equal;
  RegisterOrInt offset{};
};

template <>
struct Definition<AffineSelect> {
  static constexpr std::string_view mnemonic = "affine_select";
  static constexpr std::string_view summary =
      "dst[p, i] = on_true_tile where (offset + p * channel_multiplier + pattern[i]) cmp_op 0, "
      "else on_false_value";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<AffineSelect> traits{
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &AffineSelect::dst, "SBUF tile, [P, F]"),
      immediate("pattern", &AffineSelect::pattern, "up to four [step, count], slowest first"),
      immediate("channel_multiplier", &AffineSelect::channel_multiplier,
                "times the partition index"),
      reads("on_true_tile", &AffineSelect::on_true_tile, "SBUF tile, [P, F]"),
      immediate("on_false_value", &AffineSelect::on_false_value, "float32 number"),
      immediate("cmp_op", &AffineSelect::cmp_op, "comparison with 0", "equal"),
      immediate("offset", &AffineSelect::offset, "added to every value: an integer or a register",
                "0"),
  };
  static constexpr auto constraints = std::to_array<Constraint<AffineSelect>>({
      {"affine_select.c1", "dst and on_true_tile are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.on_true_tile); },
       "copy PSUM data to SBUF with tensor_copy first, or use range_select"},
      {"affine_select.c2",
       "dst and on_true_tile have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.on_true_tile); },
       fixes::same_sizes},
      {"affine_select.c3", "the pattern has as many elements as a partition of dst",
       [](const auto& op, const auto&) {
         return affine::elements(op.pattern) == op.dst.free_elements();
       },
       "make the product of the counts equal to the free size of dst"},
      {"affine_select.c4", "cmp_op is a comparison",
       [](const auto& op, const auto&) { return numerics::is_comparison(op.cmp_op); },
       fixes::comparison},
      {"affine_select.c5", "dst and on_true_tile have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.on_true_tile); },
       fixes::computable},
      {"affine_select.c6", "offset is a 32-bit integer or a register of the sequencer",
       [](const auto& op, const auto& core) { return rules::is_register_or_int(op.offset, core); },
       fixes::integer_or_register},
  });
  static constexpr Source source = {"nki.isa.affine_select, NKI 0.6"};

  static Timing cycles(const AffineSelect& op, Engine, const machine::Core& core) {
    return cost::gpsimd(op.dst, op.on_true_tile, core.gpsimd_rates.stream, core);
  }
  static Activity activity(const AffineSelect& op) { return {.elements = op.dst.elements()}; }
  static void execute(const AffineSelect& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.dst.free_elements());
    const auto width = static_cast<std::size_t>(op.dst.element_bytes());
    std::vector<std::byte>& others = e.raw[2];
    fill_row(op.dst.dtype, constant_bits(op.dst.dtype, static_cast<float>(op.on_false_value)), n,
             others);
    const bool in_place = op.dst.dtype == op.on_true_tile.dtype && dense(op.dst) &&
                          elementwise::apart_or_same(op.dst, op.on_true_tile);
    affine::Places where_false(op.pattern, op.cmp_op);
    std::int32_t offset = read(op.offset, e);
    for (int p = 0; p < op.dst.partitions; ++p) {
      const std::byte* from = bits(op.on_true_tile, e, p, e.raw[1]);
      e.raw[0].resize(in_place ? 0 : n * width);
      std::byte* row = in_place ? place(op.dst, e, p) : e.raw[0].data();
      if (from != row)
        convert_row(op.on_true_tile.dtype, from, op.dst.dtype, row, n, op.dst.partition_start + p,
                    e);
      for (const affine::Run& run : where_false.of(offset))
        std::memcpy(&row[run.begin * width], others.data(), (run.end - run.begin) * width);
      if (!in_place) store_bits(op.dst, e, p, row);
      offset = affine::add(offset, op.channel_multiplier);
    }
  }
};

}  // namespace trainyard::isa
