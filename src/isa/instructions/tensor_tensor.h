// tensor_tensor: an elementwise operator on two tiles.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct TensorTensor {
  Tile dst, data1, data2;
  numerics::AluOp op = numerics::AluOp::add;
};

template <>
struct Definition<TensorTensor> {
  static constexpr std::string_view mnemonic = "tensor_tensor";
  static constexpr std::string_view summary =
      "dst = data1 op data2, in fp32, on bit patterns, or (GpSimd, all 32-bit integers) exactly";
  static constexpr EngineSet engines{Engine::vector, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorTensor::dst, "SBUF or PSUM tile, [P, F]")),
      taken_by(&TensorTensor::op,
               indirectable(reads("data1", &TensorTensor::data1, "SBUF or PSUM tile, [P, F]"))),
      taken_by(&TensorTensor::op,
               reads("data2", &TensorTensor::data2, "SBUF or PSUM tile, [P, F]")),
      immediate("op", &TensorTensor::op, "two-operand operator"),
  };
  static constexpr auto constraints = std::to_array<Constraint<TensorTensor>>({
      {"tensor_tensor.c1", "dst, data1 and data2 are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data1, op.data2); },
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
         return !numerics::is_bitwise(op.op) || rules::integers(op.dst, op.data1, op.data2);
       },
       "view the tiles as an integer dtype"},
      {"tensor_tensor.c5", "op is a two-operand operator that the machine has",
       [](const auto& op, const auto& core) {
         return rules::binary(op.op) && rules::exists(op.op, core) &&
                (!rules::needs_extended_operators(op.op) ||
                 core.features.vector_extended_operators);
       },
       "multiply by a reciprocal instead of dividing; abs_max and abs_min need gen4"},
      {"tensor_tensor.c6", "power runs on GpSimd, bitwise operators, abs_max and abs_min on Vector",
       [](const auto& op, const auto&, const Site& site) {
         const bool vector_only =
             numerics::is_bitwise(op.op) || rules::needs_extended_operators(op.op);
         return site.engine == Engine::any ||
                (site.engine == Engine::gpsimd ? !vector_only : op.op != numerics::AluOp::power);
       },
       "leave the engine open"},
      {"tensor_tensor.c7", "dst, data1 and data2 have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data1, op.data2); },
       "packed MX data must be multiplied by nc_matmul_mx"},
  });
  static constexpr Source source = {"nki.isa.tensor_tensor, NKI 0.6"};

  // Integers go to GpSimd, which has native 32-bit arithmetic but no way to PSUM.
  static Engine choose(const TensorTensor& op, const machine::Core&) {
    if (op.op == numerics::AluOp::power) return Engine::gpsimd;
    const bool exact = rules::words(op.dst, op.data1, op.data2) &&
                       rules::in_sbuf(op.dst, op.data1, op.data2) &&
                       numerics::has_integer_form(op.op) && !numerics::is_bitwise(op.op) &&
                       !rules::in_simulation_only(op.op) && !rules::needs_extended_operators(op.op);
    return exact ? Engine::gpsimd : Engine::vector;
  }

  static Spread spread(const TensorTensor& op) {
    return numerics::is_bitwise(op.op) ? Spread::moves : Spread::lanes;
  }
  static Timing cycles(const TensorTensor& op, Engine engine, const machine::Core& core) {
    return cost::pair(op.dst, op.data1, op.data2, engine, core);
  }
  static Activity activity(const TensorTensor& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorTensor& op, Execution& e) {
    if (numerics::is_bitwise(op.op))
      return elementwise::binary_bits(op.dst, op.data1, op.data2, op.op, e);
    const Engine engine = e.engine == Engine::any ? choose(op, e.machine) : e.engine;
    if (engine == Engine::gpsimd && rules::words(op.dst, op.data1, op.data2))
      return elementwise::binary_integers(op.dst, op.data1, op.data2, op.op, e);
    const std::array stages{elementwise::Stage{.op = op.op, .tile = &op.data2}};
    if (elementwise::stages_stored(op.dst, op.data1, stages, e)) return;
    elementwise::map2(op.dst, op.data1, op.data2, e,
                      [&](int, const float* a, const float* b, float* out, std::size_t n) {
                        numerics::apply(op.op, a, b, out, n);
                      });
  }

  static constexpr Traits<TensorTensor> traits{
      .spread = spread,
      .any_partitions = true,
      .choose = choose,
  };
};

}  // namespace trainyard::isa
