// activation: the Scalar engine's function of a scaled and shifted tile, with an optional running
// sum along each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/activate.h"

namespace trainyard::isa {

struct Activation {
  Tile dst;
  numerics::ActivationFunction op = numerics::ActivationFunction::copy;
  Tile data;
  Scalar bias;
  Scalar scale{.constant = 1.0};
  numerics::AluOp reduce_op = numerics::AluOp::bypass;  // bypass: no reduction
  Tile reduce_res;
  ReduceCmd reduce_cmd = ReduceCmd::idle;
};

template <>
struct Definition<Activation> {
  static constexpr std::string_view mnemonic = "activation";
  static constexpr std::string_view summary = "dst = op(data * scale + bias), in fp32";
  static constexpr EngineSet engines{Engine::scalar};
  static constexpr Engine engine = Engine::scalar;
  static constexpr Traits<Activation> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::scalar_accumulator,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &Activation::dst, "SBUF or PSUM tile, [P, F]")),
      immediate("op", &Activation::op, "activation function"),
      as(Role::data, indirectable(reads("data", &Activation::data, "SBUF or PSUM tile, [P, F]"))),
      as(Role::bias,
         reads("bias", &Activation::bias, "number or [P, 1] tile added after scaling", "None")),
      as(Role::scale,
         reads("scale", &Activation::scale, "number or [P, 1] fp32 tile multiplied first", "1.0")),
      immediate("reduce_op", &Activation::reduce_op, "add, or None for no reduction", "None"),
      as(Role::reduction_result,
         writes("reduce_res", &Activation::reduce_res,
                "[P, 1] tile that receives the reduction registers", "None")),
      immediate("reduce_cmd", &Activation::reduce_cmd, "what happens to the reduction registers",
                "reduce_cmd.idle"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Activation>>({
      {"activation.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"activation.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"activation.c3", "scale and bias are numbers or [P, 1] on-chip tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.scale, op.data.partitions) &&
                rules::scalar_or_column(op.bias, op.data.partitions);
       },
       fixes::number_or_column},
      {"activation.c4", "the reduction is add",
       [](const auto& op, const auto&) {
         return op.reduce_op == numerics::AluOp::bypass || op.reduce_op == numerics::AluOp::add;
       },
       "use activate2 on gen4 for other reductions"},
      {"activation.c5", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) { return rules::column(op.reduce_res, op.data.partitions); },
       fixes::column},
      {"activation.c6", "reduce_cmd is idle, reset, reduce or reset_reduce",
       [](const auto& op, const auto&) { return op.reduce_cmd != ReduceCmd::load_reduce; },
       "reset, then add the start value to the result"},
      {"activation.c7", "a reduce_cmd that reduces comes with a reduce_op",
       [](const auto& op, const auto&) {
         return !reduces(op.reduce_cmd) || op.reduce_op != numerics::AluOp::bypass;
       },
       "pass reduce_op=add"},
      {"activation.c8", "a scale tile is float32, and a bias tile is not tfloat32",
       [](const auto& op, const auto&) {
         return rules::float32(op.scale.tile) && op.bias.tile.dtype != DType::tfloat32;
       },
       "cast the column with tensor_copy first"},
      {"activation.c9", "on gen2, bias is a [P, 1] tile and reciprocal takes none",
       [](const auto& op, const auto& core) {
         return core.features.activation_number_bias ||
                (op.bias.is_tile() ? op.op != numerics::ActivationFunction::reciprocal
                                   : op.bias.constant == 0);
       },
       "memset a [P, 1] tile and pass that"},
      {"activation.c10", "all tiles have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data, op.bias.tile, op.reduce_res);
       },
       fixes::computable},
      {"activation.c11", "op is not prelu: the slope that activation gives it is not published",
       [](const auto& op, const auto&) { return op.op != numerics::ActivationFunction::prelu; },
       "use activate2 with relu_param on gen4", true},
  });
  static constexpr Source source = {"nki.isa.activation, NKI 0.6"};

  static Timing cycles(const Activation& op, Engine, const machine::Core& core) {
    return cost::activation(op.dst, op.data, static_cast<bool>(op.reduce_res), core);
  }
  static Activity activity(const Activation& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Activation& op, Execution& e) {
    activate::run({op.dst, op.data, op.op, activate::Before::scale_and_bias(op.scale, op.bias),
                   op.reduce_op, op.reduce_cmd, op.reduce_res},
                  e);
  }
};

}  // namespace trainyard::isa
