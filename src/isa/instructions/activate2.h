// activate2: the Scalar engine's function after a choice of two operators, with more reductions
// than activation.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/activate.h"

namespace trainyard::isa {

struct Activate2 {
  Tile dst;
  numerics::ActivationFunction op = numerics::ActivationFunction::copy;
  Tile data;
  Scalar imm0, imm1;
  numerics::AluOp op0 = numerics::AluOp::bypass, op1 = numerics::AluOp::bypass;
  Scalar relu_param;
  bool reverse0 = false, reverse1 = false;
  numerics::AluOp reduce_op = numerics::AluOp::bypass;  // bypass: no reduction
  Tile reduce_res;
  ReduceCmd reduce_cmd = ReduceCmd::idle;
};

template <>
struct Definition<Activate2> {
  using AluOp = numerics::AluOp;
  static constexpr std::string_view mnemonic = "activate2";
  static constexpr std::string_view summary =
      "dst = op((data op0 imm0) op1 imm1), in fp32, with an optional reduction along each row";
  static constexpr EngineSet engines{Engine::scalar};
  static constexpr Engine engine = Engine::scalar;
  static constexpr Traits<Activate2> traits{
      .engine_parameter = EngineParameter::preset,
      .hidden = HiddenState::scalar_accumulator,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &Activate2::dst, "SBUF or PSUM tile, [P, F]")),
      immediate("op", &Activate2::op, "activation function"),
      as(Role::data, indirectable(reads("data", &Activate2::data, "SBUF or PSUM tile, [P, F]"))),
      taken_by(&Activate2::op0, reads("imm0", &Activate2::imm0, "number or [P, 1] tile")),
      taken_by(&Activate2::op1, reads("imm1", &Activate2::imm1, "number or [P, 1] tile")),
      immediate("op0", &Activate2::op0, "multiply, add, subtract or bypass"),
      immediate("op1", &Activate2::op1, "add, subtract or bypass"),
      reads("relu_param", &Activate2::relu_param, "number or [P, 1] tile: the slope of prelu",
            "0.0"),
      immediate("reverse0", &Activate2::reverse0, "imm0 op0 data", "False"),
      immediate("reverse1", &Activate2::reverse1, "imm1 op1 (result of op0)", "False"),
      immediate("reduce_op", &Activate2::reduce_op,
                "add, maximum, minimum, abs_max or abs_min; None for no reduction", "None"),
      as(Role::reduction_result,
         writes("reduce_res", &Activate2::reduce_res,
                "[P, 1] tile that receives the reduction registers", "None")),
      immediate("reduce_cmd", &Activate2::reduce_cmd, "what happens to the reduction registers",
                "reduce_cmd.idle"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Activate2>>({
      {"activate2.c1", "the machine has activate2",
       [](const auto&, const auto& core) { return core.features.activate2; },
       "use tensor_scalar and activation before gen4"},
      {"activate2.c2", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"activate2.c3", "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"activate2.c4", "imm0, imm1 and relu_param are numbers or [P, 1] on-chip tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.imm0, op.data.partitions) &&
                rules::scalar_or_column(op.imm1, op.data.partitions) &&
                rules::scalar_or_column(op.relu_param, op.data.partitions);
       },
       fixes::number_or_column},
      {"activate2.c5", "imm0 and imm1 have the same dtype when both are tiles",
       [](const auto& op, const auto&) {
         return !op.imm0.is_tile() || !op.imm1.is_tile() ||
                op.imm0.tile.dtype == op.imm1.tile.dtype;
       },
       "cast one of them with tensor_copy first"},
      {"activate2.c6",
       "(op0, op1) is (multiply, add), (multiply, subtract), (multiply, bypass), (add, bypass), "
       "(subtract, bypass) or (bypass, bypass)",
       [](const auto& op, const auto&) {
         if (op.op1 == AluOp::bypass)
           return rules::one_of(op.op0,
                                {AluOp::multiply, AluOp::add, AluOp::subtract, AluOp::bypass});
         return op.op0 == AluOp::multiply && rules::one_of(op.op1, {AluOp::add, AluOp::subtract});
       },
       "use tensor_scalar first"},
      {"activate2.c7", "reverse0 comes with an op0, and reverse1 with an op1",
       [](const auto& op, const auto&) {
         return !(op.reverse0 && op.op0 == AluOp::bypass) &&
                !(op.reverse1 && op.op1 == AluOp::bypass);
       },
       "drop the reversal"},
      {"activate2.c8", "the reduction is add, maximum, minimum, abs_max or abs_min",
       [](const auto& op, const auto&) {
         return rules::one_of(op.reduce_op, {AluOp::bypass, AluOp::add, AluOp::maximum,
                                             AluOp::minimum, AluOp::abs_max, AluOp::abs_min});
       },
       fixes::operators},
      {"activate2.c9", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) { return rules::column(op.reduce_res, op.data.partitions); },
       fixes::column},
      {"activate2.c10", "reduce_cmd is idle, reset, reduce or reset_reduce",
       [](const auto& op, const auto&) { return op.reduce_cmd != ReduceCmd::load_reduce; },
       fixes::commands},
      {"activate2.c11", "a reduce_cmd other than idle comes with a reduce_op",
       [](const auto& op, const auto&) {
         return op.reduce_cmd == ReduceCmd::idle || op.reduce_op != AluOp::bypass;
       },
       "name the reduction: its start value follows from it"},
      {"activate2.c12", "all tiles have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data, op.imm0.tile, op.imm1.tile, op.relu_param.tile,
                                  op.reduce_res);
       },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.activate2, NKI 0.6"};

  static Timing cycles(const Activate2& op, Engine, const machine::Core& core) {
    return cost::activation(op.dst, op.data, static_cast<bool>(op.reduce_res), core);
  }
  static Activity activity(const Activate2& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Activate2& op, Execution& e) {
    activate::run({op.dst,
                   op.data,
                   op.op,
                   {{op.op0, &op.imm0, op.reverse0}, {op.op1, &op.imm1, op.reverse1}},
                   op.reduce_op,
                   op.reduce_cmd,
                   op.reduce_res,
                   &op.relu_param},
                  e);
  }
};

}  // namespace trainyard::isa
