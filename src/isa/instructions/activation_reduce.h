// activation_reduce: activation with a sum along each row that starts at 0 and is read out.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/activate.h"

namespace trainyard::isa {

struct ActivationReduce {
  Tile dst;
  numerics::ActivationFunction op = numerics::ActivationFunction::copy;
  Tile data;
  numerics::AluOp reduce_op = numerics::AluOp::add;
  Tile reduce_res;
  Scalar bias;
  Scalar scale{.constant = 1.0};
};

template <>
struct Definition<ActivationReduce> {
  static constexpr std::string_view mnemonic = "activation_reduce";
  static constexpr std::string_view summary =
      "dst = op(data * scale + bias), in fp32; reduce_res = the sum of dst along each row";
  static constexpr EngineSet engines{Engine::scalar};
  static constexpr Engine engine = Engine::scalar;
  static constexpr Traits<ActivationReduce> traits{
      .hidden = HiddenState::scalar_accumulator,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &ActivationReduce::dst, "SBUF or PSUM tile, [P, F]")),
      immediate("op", &ActivationReduce::op, "activation function"),
      as(Role::data,
         indirectable(reads("data", &ActivationReduce::data, "SBUF or PSUM tile, [P, F]"))),
      immediate("reduce_op", &ActivationReduce::reduce_op, "add"),
      as(Role::reduction_result,
         or_none(writes(
             "reduce_res", &ActivationReduce::reduce_res,
             "[P, 1] tile that receives the sums; None leaves them in the reduction registers"))),
      as(Role::bias, reads("bias", &ActivationReduce::bias,
                           "number or [P, 1] tile added after scaling", "None")),
      as(Role::scale, reads("scale", &ActivationReduce::scale,
                            "number or [P, 1] fp32 tile multiplied first", "1.0")),
  };
  static constexpr auto constraints = std::to_array<Constraint<ActivationReduce>>({
      {"activation_reduce.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"activation_reduce.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"activation_reduce.c3", "scale and bias are numbers or [P, 1] on-chip tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.scale, op.data.partitions) &&
                rules::scalar_or_column(op.bias, op.data.partitions);
       },
       fixes::number_or_column},
      {"activation_reduce.c4", "the reduction is add",
       [](const auto& op, const auto&) { return op.reduce_op == numerics::AluOp::add; },
       "use activate2 on gen4 for other reductions"},
      {"activation_reduce.c5", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) { return rules::column(op.reduce_res, op.data.partitions); },
       fixes::column},
      {"activation_reduce.c6", "a scale tile is float32, and a bias tile is not tfloat32",
       [](const auto& op, const auto&) {
         return rules::float32(op.scale.tile) && op.bias.tile.dtype != DType::tfloat32;
       },
       "cast the column with tensor_copy first"},
      {"activation_reduce.c7", "on gen2, bias is a [P, 1] tile and reciprocal takes none",
       [](const auto& op, const auto& core) {
         return core.features.activation_number_bias ||
                (op.bias.is_tile() ? op.op != numerics::ActivationFunction::reciprocal
                                   : op.bias.constant == 0);
       },
       "memset a [P, 1] tile and pass that"},
      {"activation_reduce.c8", "all tiles have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data, op.bias.tile, op.reduce_res);
       },
       fixes::computable},
      {"activation_reduce.c9",
       "op is not prelu: the slope that activation_reduce gives it is not published",
       [](const auto& op, const auto&) { return op.op != numerics::ActivationFunction::prelu; },
       "use activate2 with relu_param on gen4", true},
  });
  static constexpr Source source = {"nki.isa.activation_reduce, NKI 0.6"};

  static Timing cycles(const ActivationReduce& op, Engine, const machine::Core& core) {
    return cost::activation(op.dst, op.data, static_cast<bool>(op.reduce_res), core);
  }
  static Activity activity(const ActivationReduce& op) { return {.elements = op.dst.elements()}; }
  static void execute(const ActivationReduce& op, Execution& e) {
    activate::run({op.dst, op.data, op.op, activate::Before::scale_and_bias(op.scale, op.bias),
                   op.reduce_op, ReduceCmd::reset_reduce, op.reduce_res},
                  e);
  }
};

}  // namespace trainyard::isa
