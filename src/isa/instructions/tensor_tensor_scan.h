// tensor_tensor_scan: a recurrence along each row with two tiles of coefficients.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct TensorTensorScan {
  Tile dst, data0, data1;
  Scalar initial;
  numerics::AluOp op0 = numerics::AluOp::multiply, op1 = numerics::AluOp::add;
  bool reverse0 = false, reverse1 = false;
};

template <>
struct Definition<TensorTensorScan> {
  static constexpr std::string_view mnemonic = "tensor_tensor_scan";
  static constexpr std::string_view summary =
      "dst[i] = (data0[i] op0 dst[i-1]) op1 data1[i] along each row, in fp32; dst[-1] = initial";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<TensorTensorScan> traits{
      .spread = Spread::onward,
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &TensorTensorScan::dst, "SBUF or PSUM tile, [P, F]"),
      reads("data0", &TensorTensorScan::data0, "SBUF or PSUM tile, [P, F]"),
      reads("data1", &TensorTensorScan::data1, "SBUF or PSUM tile, [P, F]"),
      reads("initial", &TensorTensorScan::initial, "number or [P, 1] tile: the state before i = 0"),
      immediate("op0", &TensorTensorScan::op0, "two-operand arithmetic operator"),
      immediate("op1", &TensorTensorScan::op1, "two-operand arithmetic operator"),
      immediate("reverse0", &TensorTensorScan::reverse0, "dst[i-1] op0 data0[i]", "False"),
      immediate("reverse1", &TensorTensorScan::reverse1, "data1[i] op1 (result of op0)", "False"),
  };

 private:
  static bool takes(numerics::AluOp op, const machine::Core& core) {
    return rules::binary(op) && rules::arithmetic(op) && rules::on_vector(op, core);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<TensorTensorScan>>({
      {"tensor_tensor_scan.c1", "dst, data0 and data1 are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data0, op.data1); },
       "load HBM data with dma_copy first"},
      {"tensor_tensor_scan.c2",
       "dst, data0 and data1 have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) {
         return rules::same_shape(op.dst, op.data0) && rules::same_shape(op.dst, op.data1);
       },
       fixes::same_sizes},
      {"tensor_tensor_scan.c3", "initial is a number or a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.initial, op.data0.partitions);
       },
       fixes::number_or_column},
      {"tensor_tensor_scan.c4", "data0 and data1 are not both in PSUM",
       [](const auto& op, const auto&) { return !rules::both_psum(op.data0, op.data1); },
       "copy one of them to SBUF first"},
      {"tensor_tensor_scan.c5", "op0 and op1 are two-operand arithmetic operators of Vector",
       [](const auto& op, const auto& core) { return takes(op.op0, core) && takes(op.op1, core); },
       "pass an arithmetic operator of two operands, such as nl.add"},
      {"tensor_tensor_scan.c6", "all tiles have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data0, op.data1, op.initial.tile);
       },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.tensor_tensor_scan, NKI 0.6"};

  static Timing cycles(const TensorTensorScan& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.data0, core.vector_rates.scan, core);
  }
  static Activity activity(const TensorTensorScan& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorTensorScan& op, Execution& e) {
    elementwise::scan(op.dst, op.data0, op.data1, op.initial,
                      {op.op0, op.op1, op.reverse0, op.reverse1}, e);
  }
};

}  // namespace trainyard::isa
