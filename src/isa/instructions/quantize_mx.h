// quantize_mx: blocks of 32 16-bit floats to MXFP8, with the scale that each block shares.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/mx.h"

namespace trainyard::isa {

struct QuantizeMx {
  Tile dst{}, src{}, dst_scale{};
};

template <>
struct Definition<QuantizeMx> {
  static constexpr std::string_view mnemonic = "quantize_mx";
  static constexpr std::string_view summary =
      "dst = src / scale as MXFP8; one power-of-two scale for 8 partitions x 4 elements";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      writes("dst", &QuantizeMx::dst, "SBUF tile of a packed FP8 dtype, [P, F/4]"),
      reads("src", &QuantizeMx::src, "SBUF tile of bfloat16 or float16, [P, F]"),
      with_own_start_rule(writes("dst_scale", &QuantizeMx::dst_scale,
                                 "SBUF tile of float8_e8m0fnu or uint8: [P/8, F/4], or spread over "
                                 "the quadrants of [P, F/4]")),
  };
  static constexpr auto constraints = std::to_array<Constraint<QuantizeMx>>({
      {"quantize_mx.c1", "the core has the MX formats (gen4)",
       [](const auto&, const auto& core) { return core.features.mx; },
       "run on a gen4 machine, or use FP8 operands, which nc_matmul takes"},
      {"quantize_mx.c2", "src, dst and dst_scale are in SBUF",
       [](const auto& op, const auto&) {
         return op.src.space == Space::sbuf && op.dst.space == Space::sbuf &&
                op.dst_scale.space == Space::sbuf;
       },
       "copy a PSUM tile to SBUF first"},
      {"quantize_mx.c3", "src is bfloat16 or float16",
       [](const auto& op, const auto&) {
         return op.src.dtype == DType::bfloat16 || op.src.dtype == DType::float16;
       },
       "cast to bfloat16 with tensor_copy"},
      {"quantize_mx.c4", "dst is float8_e4m3fn_x4 or float8_e5m2_x4",
       [](const auto& op, const auto&) {
         return op.dst.dtype == DType::float8_e4m3fn_x4 || op.dst.dtype == DType::float8_e5m2_x4;
       },
       "quantise to FP4 on the host"},
      {"quantize_mx.c5", "dst_scale is float8_e8m0fnu or uint8",
       [](const auto& op, const auto&) { return mx::is_scale_dtype(op.dst_scale.dtype); },
       "declare dst_scale with one of these dtypes"},
      {"quantize_mx.c6", "the partitions of src are a multiple of 32, at most 128",
       [](const auto& op, const auto& core) { return mx::whole_quadrants(op.src, core); },
       "pad the tile to whole quadrants"},
      {"quantize_mx.c7", "the free elements of src are a multiple of 4",
       [](const auto& op, const auto&) { return op.src.free_elements() % 4 == 0; },
       "pad src to such a size"},
      {"quantize_mx.c8", "dst has src's partitions and a quarter of its free elements",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.src) &&
                op.dst.free_elements() == op.src.free_elements() / 4;
       },
       "declare dst as [P, F / 4] for src of [P, F]"},
      {"quantize_mx.c9",
       "dst_scale has a quarter of src's free elements, and its partitions hold src's blocks: P/8 "
       "up "
       "to 32 partitions, else 4 in every quadrant",
       [](const auto& op, const auto&) {
         return op.dst_scale.free_elements() == op.src.free_elements() / 4 &&
                mx::holds_scales(op.dst_scale, op.src.partitions);
       },
       "allocate [P, F/4] when P > 32"},
      {"quantize_mx.c10", "dst_scale starts 0, 4, 8 or 12 partitions into src's first quadrant",
       [](const auto& op, const auto& core, const Site& site) {
         return mx::starts_well(op.dst_scale, op.src, core, site);
       },
       "slice the scale tile from partition 0, 4, 8 or 12"},
  });
  static constexpr Source source = {"nki.isa.quantize_mx, NKI 0.6; MX deep dive"};

  static Timing cycles(const QuantizeMx& op, Engine, const machine::Core& core) {
    return cost::quantize_mx(op.src, core);
  }
  static Activity activity(const QuantizeMx& op) { return {.elements = op.src.elements()}; }
  static int parts(const QuantizeMx& op, std::size_t operand, std::span<Tile, parts_max> out) {
    return operand == 2 ? mx::scale_parts(op.dst_scale, op.src.partitions, out) : 0;
  }
  static void execute(const QuantizeMx& op, Execution& e) {
    mx::quantize(op.dst, op.src, op.dst_scale, e);
  }

  static constexpr Traits<QuantizeMx> traits{
      .spread = Spread::moves,
      .parts = parts,
  };
};

}  // namespace trainyard::isa
