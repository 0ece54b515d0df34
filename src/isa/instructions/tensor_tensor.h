// tensor_tensor: an elementwise operator on two tiles.
#pragma once

#include "isa/cost.h"
#include "isa/definition.h"
#include "isa/elementwise.h"
#include "isa/execution.h"
#include "isa/rules.h"

namespace trainyard::isa {

struct TensorTensor {
  Tile dst, data1, data2;
  numerics::AluOp op = numerics::AluOp::add;
};

template <>
struct Definition<TensorTensor> : DefinitionDefaults {
  static constexpr std::string_view mnemonic = "tensor_tensor";
  static constexpr std::string_view summary = "dst = data1 op data2, in fp32 or on bit patterns";
  static constexpr EngineSet engines{Engine::vector, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      writes("dst", &TensorTensor::dst, "SBUF or PSUM tile, [P, F]"),
      reads("data1", &TensorTensor::data1, "SBUF or PSUM tile, [P, F]"),
      reads("data2", &TensorTensor::data2, "SBUF or PSUM tile, [P, F]"),
      immediate("op", &TensorTensor::op, "two-input operator"),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorTensor>>({
      {"tensor_tensor.c1", "dst, data1 and data2 are on chip",
       [](const auto& op, const auto&) {
         return op.dst.on_chip() && op.data1.on_chip() && op.data2.on_chip();
       },
       "load HBM data with dma_copy first"},
      {"tensor_tensor.c2",
       "dst, data1 and data2 have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) {
         return rules::same_shape(op.dst, op.data1) && rules::same_shape(op.dst, op.data2);
       },
       "broadcast a [P, 1] operand with tensor_scalar"},
      {"tensor_tensor.c3", "data1 and data2 are not both in PSUM",
       [](const auto& op, const auto&) { return !rules::both_psum(op.data1, op.data2); },
       "copy one operand to SBUF first"},
      {"tensor_tensor.c4", "a bitwise operator has integer operands",
       [](const auto& op, const auto&) {
         return !numerics::is_bitwise(op.op) ||
                (numerics::is_integer(op.dst.dtype) && numerics::is_integer(op.data1.dtype) &&
                 numerics::is_integer(op.data2.dtype));
       },
       "view the tiles as an integer dtype"},
  });
  static constexpr Source source = {"nki.isa.tensor_tensor, NKI 0.6"};

  static Timing cycles(const TensorTensor& op, Engine engine, const machine::Core& core) {
    return cost::pair(op.dst, op.data1, op.data2, engine, core);
  }
  static Activity activity(const TensorTensor& op) { return {.elements = op.dst.elements()}; }
  // GpSimd computes 32-bit integers natively; every other case is fp32 or bits.
  static void execute(const TensorTensor& op, Execution& e) {
    elementwise::binary(op.dst, op.data1, op.data2, op.op, e);
  }
};

}  // namespace trainyard::isa
