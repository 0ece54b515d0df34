// exponential: the Vector engine's fast exp of a shifted tile, with an optional running sum.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/accumulator.h"
#include "numerics/activation.h"

namespace trainyard::isa {

struct Exponential {
  Tile dst, src;
  Scalar max_value;
  Tile reduce_res;
  ReduceCmd reduce_cmd = ReduceCmd::idle;
  Scalar reduce_init;
};

template <>
struct Definition<Exponential> {
  static constexpr std::string_view mnemonic = "exponential";
  static constexpr std::string_view summary =
      "dst = exp(src - max_value), in fp32; reduce_res = the running sum along each row";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Exponential> traits{
      .hidden = HiddenState::vector_accumulator,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &Exponential::dst, "SBUF or PSUM tile, [P, F]")),
      as(Role::data, indirectable(reads("src", &Exponential::src, "SBUF or PSUM tile, [P, F]"))),
      reads("max_value", &Exponential::max_value, "number or [P, 1] fp32 tile", "0.0"),
      as(Role::reduction_result, writes("reduce_res", &Exponential::reduce_res,
                                        "[P, 1] tile that receives the accumulators", "None")),
      immediate("reduce_cmd", &Exponential::reduce_cmd, "what the accumulators start from",
                "reduce_cmd.idle"),
      reads("reduce_init", &Exponential::reduce_init, "number or [P, 1] fp32 tile for load_reduce",
            "0.0"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Exponential>>({
      {"exponential.c1", "the machine has exponential",
       [](const auto&, const auto& core) { return core.features.exponential; },
       "use activation with op=exp before gen4"},
      {"exponential.c2", "dst and src are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.src); },
       "load HBM data with dma_copy first"},
      {"exponential.c3",
       "dst and src have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.src); },
       fixes::same_sizes},
      {"exponential.c4",
       "dst is float8_e4m3, float8_e5m2, float16, bfloat16, float32, tfloat32, int8, int16, int32, "
       "uint8 or uint16",
       [](const auto& op, const auto&) {
         return rules::dtype_in(
             op.dst, {DType::float8_e4m3, DType::float8_e5m2, DType::float16, DType::bfloat16,
                      DType::float32, DType::tfloat32, DType::int8, DType::int16, DType::int32,
                      DType::uint8, DType::uint16});
       },
       fixes::dst_dtype},
      {"exponential.c5",
       "src is float8_e4m3, float8_e5m2, float16, bfloat16, float32 or an integer of up to 32 bits",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.src, {DType::float8_e4m3, DType::float8_e5m2, DType::float16,
                                         DType::bfloat16, DType::float32, DType::int8, DType::int16,
                                         DType::int32, DType::uint8, DType::uint16, DType::uint32});
       },
       "cast src with tensor_copy first"},
      {"exponential.c6", "max_value and reduce_init are numbers or [P, 1] float32 tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.max_value, op.src.partitions) &&
                rules::scalar_or_column(op.reduce_init, op.src.partitions) &&
                rules::float32(op.max_value.tile, op.reduce_init.tile);
       },
       fixes::number_or_float32_column},
      {"exponential.c7", "reduce_res is a [P, 1] on-chip tile of a float dtype",
       [](const auto& op, const auto&) {
         return rules::column(op.reduce_res, op.src.partitions) &&
                rules::dtype_in(op.reduce_res,
                                {DType::float8_e4m3, DType::float8_e5m2, DType::float16,
                                 DType::bfloat16, DType::float32, DType::tfloat32});
       },
       fixes::float_column},
      {"exponential.c8", "reduce_cmd is idle, reset_reduce, reduce or load_reduce",
       [](const auto& op, const auto&) { return op.reduce_cmd != ReduceCmd::reset; },
       fixes::commands},
      {"exponential.c9", "reduce_init is 0.0 unless reduce_cmd is load_reduce",
       [](const auto& op, const auto&) {
         return op.reduce_cmd == ReduceCmd::load_reduce ||
                (!op.reduce_init.is_tile() && op.reduce_init.constant == 0);
       },
       "pass reduce_cmd=load_reduce"},
      {"exponential.c10", "reduce_res comes with a reduce_cmd that reduces",
       [](const auto& op, const auto&) {
         return !op.reduce_res || op.reduce_cmd != ReduceCmd::idle;
       },
       "pass reduce_cmd=reset_reduce: idle leaves the accumulators undefined"},
      {"exponential.c11", "dst and src have at most 4 dimensions, the partitions included",
       [](const auto& op, const auto&) {
         return rules::dimensions_at_most(op.dst, 3) && rules::dimensions_at_most(op.src, 3);
       },
       "copy the operand to a tile of fewer dimensions"},
  });
  static constexpr Source source = {"nki.isa.exponential, NKI 0.6"};

  static Timing cycles(const Exponential& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.src, core.vector_rates.exponential, core);
  }
  static Activity activity(const Exponential& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Exponential& op, Execution& e) {
    const elementwise::Reduction reduction =
        accumulator::start(op.reduce_cmd, numerics::AluOp::add, op.reduce_init, op.src, e);
    const bool reduces = reduction.op != numerics::AluOp::bypass;
    if (reduces || !elementwise::exp_stored(op.dst, op.src, op.max_value, e)) {
      elementwise::map(op.dst, op.src, e, reduction,
                       [&](int p, const float* in, float* out, std::size_t n) {
                         numerics::exponential(in, value(op.max_value, e, p), out, n);
                       });
    }
    if (op.reduce_res) store_column(op.reduce_res, e, reduction.lanes);
  }
};

}  // namespace trainyard::isa
