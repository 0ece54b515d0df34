// tensor_scalar_cumulative: an operator with a number or column, then a running reduction along
// each row, every step of which is stored.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/accumulator.h"

namespace trainyard::isa {

struct TensorScalarCumulative {
  Tile dst, src;
  numerics::AluOp op0 = numerics::AluOp::multiply, op1 = numerics::AluOp::add;
  Scalar imm0;
  Scalar imm1{.constant = Scalar::absent};
  ReduceCmd reduce_cmd = ReduceCmd::reset_reduce;
};

template <>
struct Definition<TensorScalarCumulative> {
  using AluOp = numerics::AluOp;
  static constexpr std::string_view mnemonic = "tensor_scalar_cumulative";
  static constexpr std::string_view summary =
      "acc = (src op0 imm0) op1 acc along each row, dst = every step, in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<TensorScalarCumulative> traits{
      .hidden = HiddenState::vector_accumulator,
      .spread = Spread::onward,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorScalarCumulative::dst, "SBUF or PSUM tile, [P, F]")),
      as(Role::data,
         indirectable(reads("src", &TensorScalarCumulative::src, "SBUF or PSUM tile, [P, F]"))),
      immediate("op0", &TensorScalarCumulative::op0, "arithmetic operator"),
      immediate("op1", &TensorScalarCumulative::op1, "add, subtract, multiply, maximum or minimum"),
      taken_by(&TensorScalarCumulative::op0,
               reads("imm0", &TensorScalarCumulative::imm0, "number or [P, 1] fp32 tile")),
      taken_by(&TensorScalarCumulative::op1,
               reads("imm1", &TensorScalarCumulative::imm1,
                     "number or [P, 1] fp32 tile for load_reduce", "None")),
      immediate("reduce_cmd", &TensorScalarCumulative::reduce_cmd,
                "what the accumulators start from", "reduce_cmd.reset_reduce"),
  };

 private:
  static bool takes(const Tile& tile) {
    return rules::computable(tile) && tile.dtype != DType::tfloat32 && !rules::words(tile);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<TensorScalarCumulative>>({
      {"tensor_scalar_cumulative.c1", "dst and src are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.src); },
       "load HBM data with dma_copy first"},
      {"tensor_scalar_cumulative.c2",
       "dst and src have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.src); },
       fixes::same_sizes},
      {"tensor_scalar_cumulative.c3",
       "dst and src are bfloat16, float16, float32, FP8, or integers of 8 or 16 bits",
       [](const auto& op, const auto&) { return takes(op.dst) && takes(op.src); },
       "cast to float32 with tensor_copy first"},
      {"tensor_scalar_cumulative.c4", "imm0 and imm1 are numbers or [P, 1] float32 tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.imm0, op.src.partitions) &&
                rules::scalar_or_column(op.imm1, op.src.partitions) &&
                rules::float32(op.imm0.tile, op.imm1.tile);
       },
       fixes::number_or_float32_column},
      {"tensor_scalar_cumulative.c5", "op0 is an arithmetic operator that Vector has",
       [](const auto& op, const auto& core) {
         return rules::arithmetic(op.op0) && rules::on_vector(op.op0, core) &&
                rules::operand_fits(op.op0, op.imm0);
       },
       "pass an arithmetic operator, such as nl.add"},
      {"tensor_scalar_cumulative.c6", "op1 is add, subtract, multiply, maximum or minimum",
       [](const auto& op, const auto&) {
         return rules::one_of(op.op1, {AluOp::add, AluOp::subtract, AluOp::multiply, AluOp::maximum,
                                       AluOp::minimum});
       },
       fixes::operators},
      {"tensor_scalar_cumulative.c7", "reduce_cmd is reset_reduce, reduce or load_reduce",
       [](const auto& op, const auto&) {
         return rules::one_of(op.reduce_cmd,
                              {ReduceCmd::reset_reduce, ReduceCmd::reduce, ReduceCmd::load_reduce});
       },
       fixes::commands},
      {"tensor_scalar_cumulative.c8", "load_reduce comes with imm1",
       [](const auto& op, const auto&) {
         return op.reduce_cmd != ReduceCmd::load_reduce || !op.imm1.is_absent();
       },
       "pass the starting value as imm1"},
  });
  static constexpr Source source = {"nki.isa.tensor_scalar_cumulative, NKI 0.6"};

  static Timing cycles(const TensorScalarCumulative& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.src, core.vector_rates.other, core);
  }
  static Activity activity(const TensorScalarCumulative& op) {
    return {.elements = op.dst.elements()};
  }
  static void execute(const TensorScalarCumulative& op, Execution& e) {
    const elementwise::Reduction start =
        accumulator::start(op.reduce_cmd, op.op1, op.imm1, op.src, e);
    const std::array stages{elementwise::Stage{op.op0, &op.imm0, false}};
    elementwise::map(op.dst, op.src, e, [&](int p, const float* in, float* out, std::size_t n) {
      elementwise::apply_stages(stages, e, p, in, out, n);
      float& running = start.lanes[static_cast<std::size_t>(p)];
      for (std::size_t i = 0; i < n; ++i)
        out[i] = running = numerics::apply(op.op1, out[i], running);
    });
  }
};

}  // namespace trainyard::isa
