// tensor_scalar_reduce: one operator with a number or column, and a reduction along each row.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/accumulator.h"

namespace trainyard::isa {

struct TensorScalarReduce {
  Tile dst, data;
  numerics::AluOp op0 = numerics::AluOp::multiply;
  Scalar operand0;
  numerics::AluOp reduce_op = numerics::AluOp::add;
  Tile reduce_res;
  bool reverse0 = false;
  ReduceCmd reduce_cmd = ReduceCmd::reset_reduce;
  Scalar reduce_init{.constant = Scalar::absent};
  bool reduce_res_negate = false;
};

template <>
struct Definition<TensorScalarReduce> {
  using AluOp = numerics::AluOp;
  static constexpr std::string_view mnemonic = "tensor_scalar_reduce";
  static constexpr std::string_view summary =
      "dst = data op0 operand0; reduce_res = reduce_op along each row of the result, in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<TensorScalarReduce> traits{
      .hidden = HiddenState::vector_accumulator,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorScalarReduce::dst, "SBUF or PSUM tile, [P, F]")),
      as(Role::data,
         indirectable(reads("data", &TensorScalarReduce::data, "SBUF or PSUM tile, [P, F]"))),
      immediate("op0", &TensorScalarReduce::op0, "arithmetic operator"),
      taken_by(&TensorScalarReduce::op0,
               reads("operand0", &TensorScalarReduce::operand0,
                     "number or [P, 1] fp32 tile; None or 0 for a one-operand operator")),
      immediate("reduce_op", &TensorScalarReduce::reduce_op, "add, multiply, maximum or minimum"),
      as(Role::reduction_result, writes("reduce_res", &TensorScalarReduce::reduce_res,
                                        "[P, 1] tile that receives the accumulators", "None")),
      immediate("reverse0", &TensorScalarReduce::reverse0, "not supported by the hardware yet",
                "False"),
      immediate("reduce_cmd", &TensorScalarReduce::reduce_cmd, "what the accumulators start from",
                "reduce_cmd.reset_reduce"),
      reads("reduce_init", &TensorScalarReduce::reduce_init,
            "number or [P, 1] fp32 tile for load_reduce", "None"),
      immediate("reduce_res_negate", &TensorScalarReduce::reduce_res_negate,
                "write the negated accumulators", "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorScalarReduce>>({
      {"tensor_scalar_reduce.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"tensor_scalar_reduce.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"tensor_scalar_reduce.c3", "operand0 and reduce_init are numbers or [P, 1] float32 tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.operand0, op.data.partitions) &&
                rules::scalar_or_column(op.reduce_init, op.data.partitions) &&
                rules::float32(op.operand0.tile, op.reduce_init.tile);
       },
       "cast the column with tensor_copy first"},
      {"tensor_scalar_reduce.c4", "op0 is an arithmetic operator that Vector has",
       [](const auto& op, const auto& core) {
         return rules::arithmetic(op.op0) && rules::on_vector(op.op0, core);
       },
       "abs_max, abs_min, square and relu need gen4; bitwise operators need tensor_scalar"},
      {"tensor_scalar_reduce.c5", "the operand of a one-operand operator is None or 0",
       [](const auto& op, const auto&) { return rules::operand_fits(op.op0, op.operand0); },
       "pass 0"},
      {"tensor_scalar_reduce.c6", "the reduction is add, multiply, maximum or minimum",
       [](const auto& op, const auto&) {
         return rules::one_of(op.reduce_op,
                              {AluOp::add, AluOp::multiply, AluOp::maximum, AluOp::minimum});
       },
       fixes::operators},
      {"tensor_scalar_reduce.c7", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) { return rules::column(op.reduce_res, op.data.partitions); },
       fixes::column},
      {"tensor_scalar_reduce.c8", "reverse0 is not supported yet",
       [](const auto& op, const auto&) { return !op.reverse0; },
       "use tensor_scalar with reverse0, then tensor_reduce"},
      {"tensor_scalar_reduce.c9", "reduce_cmd is reset_reduce, reduce or load_reduce",
       [](const auto& op, const auto&) {
         return rules::one_of(op.reduce_cmd,
                              {ReduceCmd::reset_reduce, ReduceCmd::reduce, ReduceCmd::load_reduce});
       },
       "use tensor_scalar when nothing is reduced"},
      {"tensor_scalar_reduce.c10", "reduce_init is given with load_reduce, and only then",
       [](const auto& op, const auto&) {
         return op.reduce_init.is_absent() == (op.reduce_cmd != ReduceCmd::load_reduce);
       },
       "pass reduce_init with reduce_cmd.load_reduce, and leave it out otherwise"},
      {"tensor_scalar_reduce.c11", "dst, data and reduce_res have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data, op.reduce_res);
       },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.tensor_scalar_reduce, NKI 0.6"};

  static Timing cycles(const TensorScalarReduce& op, Engine, const machine::Core& core) {
    return cost::vector_reduce(op.dst, op.data, core.vector_rates.other, core);
  }
  static Activity activity(const TensorScalarReduce& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorScalarReduce& op, Execution& e) {
    const elementwise::Reduction reduction =
        accumulator::start(op.reduce_cmd, op.reduce_op, op.reduce_init, op.data, e);
    const std::array stages{elementwise::Stage{op.op0, &op.operand0, op.reverse0}};
    elementwise::map(op.dst, op.data, e, reduction,
                     [&](int p, const float* in, float* out, std::size_t n) {
                       elementwise::apply_stages(stages, e, p, in, out, n);
                     });
    if (!op.reduce_res) return;
    std::vector<float>& result = e.rows[4];
    result.assign(reduction.lanes.begin(), reduction.lanes.end());
    if (op.reduce_res_negate)
      numerics::apply_scalar(AluOp::multiply, result.data(), -1, false, result.data(),
                             result.size());
    store_column(op.reduce_res, e, result);
  }
};

}  // namespace trainyard::isa
