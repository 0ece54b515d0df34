// scalar_tensor_tensor: an operator with a number or [P, 1] column, then one with a second tile.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct ScalarTensorTensor {
  Tile dst, data;
  numerics::AluOp op0 = numerics::AluOp::multiply;
  Scalar operand0;
  numerics::AluOp op1 = numerics::AluOp::add;
  Tile operand1;
  bool reverse0 = false, reverse1 = false;
};

template <>
struct Definition<ScalarTensorTensor> {
  static constexpr std::string_view mnemonic = "scalar_tensor_tensor";
  static constexpr std::string_view summary =
      "dst = (data op0 operand0) op1 operand1, operand0 broadcast, operand1 a tile, in fp32";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<ScalarTensorTensor> traits{
      .any_partitions = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &ScalarTensorTensor::dst, "SBUF or PSUM tile, [P, F]"),
      reads("data", &ScalarTensorTensor::data, "SBUF or PSUM tile, [P, F]"),
      immediate("op0", &ScalarTensorTensor::op0, "first operator"),
      taken_by(&ScalarTensorTensor::op0,
               reads("operand0", &ScalarTensorTensor::operand0, "number or [P, 1] tile")),
      immediate("op1", &ScalarTensorTensor::op1, "second operator"),
      reads("operand1", &ScalarTensorTensor::operand1, "SBUF or PSUM tile, [P, F]"),
      immediate("reverse0", &ScalarTensorTensor::reverse0, "operand0 op0 data", "False"),
      immediate("reverse1", &ScalarTensorTensor::reverse1, "operand1 op1 (result of op0)", "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<ScalarTensorTensor>>({
      {"scalar_tensor_tensor.c1", "dst, data and operand1 are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data, op.operand1); },
       "load HBM data with dma_copy first"},
      {"scalar_tensor_tensor.c2",
       "dst, data and operand1 have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) {
         return rules::same_shape(op.dst, op.data) && rules::same_shape(op.dst, op.operand1);
       },
       fixes::same_sizes},
      {"scalar_tensor_tensor.c3", "operand0 is a number or a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.operand0, op.data.partitions);
       },
       fixes::number_or_column},
      {"scalar_tensor_tensor.c4", "data and operand1 are not both in PSUM",
       [](const auto& op, const auto&) { return !rules::both_psum(op.data, op.operand1); },
       "copy one of them to SBUF first"},
      {"scalar_tensor_tensor.c5", "op0 and op1 are arithmetic operators that Vector has",
       [](const auto& op, const auto& core) {
         return rules::arithmetic(op.op0) && rules::on_vector(op.op0, core) &&
                rules::binary(op.op1) && rules::arithmetic(op.op1) &&
                rules::on_vector(op.op1, core);
       },
       "use tensor_scalar for bitwise operators"},
      {"scalar_tensor_tensor.c6", "the operand of a one-operand operator is None or 0",
       [](const auto& op, const auto&) { return rules::operand_fits(op.op0, op.operand0); },
       "pass 0"},
      {"scalar_tensor_tensor.c7", "all tiles have dtypes that engines compute on",
       [](const auto& op, const auto&) {
         return rules::computable(op.dst, op.data, op.operand1, op.operand0.tile);
       },
       fixes::computable},
  });
  static constexpr Source source = {"nki.isa.scalar_tensor_tensor, NKI 0.6"};

  static Timing cycles(const ScalarTensorTensor& op, Engine, const machine::Core& core) {
    const bool fast = op.op0 == numerics::AluOp::subtract && op.op1 == numerics::AluOp::multiply;
    return cost::scalar_pair(op.dst, op.data, op.operand1, fast, op.operand0.is_tile(), core);
  }
  static Activity activity(const ScalarTensorTensor& op) { return {.elements = op.dst.elements()}; }
  static void execute(const ScalarTensorTensor& op, Execution& e) {
    const std::array stages{
        elementwise::Stage{op.op0, &op.operand0, op.reverse0},
        elementwise::Stage{.op = op.op1, .reverse = op.reverse1, .tile = &op.operand1}};
    if (elementwise::stages_stored(op.dst, op.data, stages, e)) return;
    std::vector<float>& middle = e.rows[3];
    middle.resize(static_cast<std::size_t>(op.dst.free_elements()));
    elementwise::map2(op.dst, op.data, op.operand1, e,
                      [&](int p, const float* a, const float* b, float* out, std::size_t n) {
                        elementwise::apply_stages(std::span(stages).first(1), e, p, a,
                                                  middle.data(), n);
                        const float* left = op.reverse1 ? b : middle.data();
                        numerics::apply(op.op1, left, op.reverse1 ? middle.data() : b, out, n);
                      });
  }
};

}  // namespace trainyard::isa
