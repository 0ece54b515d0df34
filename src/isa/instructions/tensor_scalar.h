// tensor_scalar: one or two operators between a tile and numbers or [P, 1] columns.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/elementwise.h"

namespace trainyard::isa {

struct TensorScalar {
  Tile dst, data;
  numerics::AluOp op0 = numerics::AluOp::add;
  Scalar operand0;
  bool reverse0 = false;
  numerics::AluOp op1 = numerics::AluOp::bypass;  // bypass: no second operator
  Scalar operand1{.constant = Scalar::absent};
  bool reverse1 = false;
};

template <>
struct Definition<TensorScalar> {
  using AluOp = numerics::AluOp;
  static constexpr std::string_view mnemonic = "tensor_scalar";
  static constexpr std::string_view summary =
      "dst = (data op0 operand0) op1 operand1, in fp32 or on bit patterns";
  static constexpr EngineSet engines{Engine::vector, Engine::scalar, Engine::gpsimd};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      indirectable(writes("dst", &TensorScalar::dst, "SBUF or PSUM tile, [P, F]")),
      taken_by(&TensorScalar::op0,
               indirectable(reads("data", &TensorScalar::data, "SBUF or PSUM tile, [P, F]"))),
      immediate("op0", &TensorScalar::op0, "first operator"),
      taken_by(&TensorScalar::op0,
               reads("operand0", &TensorScalar::operand0,
                     "number or [P, 1] tile; None or 0 for a one-operand operator")),
      immediate("reverse0", &TensorScalar::reverse0, "operand0 op0 data", "False"),
      immediate("op1", &TensorScalar::op1, "second operator, of the same class", "None"),
      taken_by(&TensorScalar::op1,
               reads("operand1", &TensorScalar::operand1, "number or [P, 1] tile", "None")),
      immediate("reverse1", &TensorScalar::reverse1, "operand1 op1 (result of op0)", "False"),
  };

 private:
  static bool used(AluOp op) { return op != AluOp::bypass; }
  static bool has(AluOp op, const machine::Core& core) {
    return numerics::is_bitwise(op) ||
           (rules::arithmetic(op) && op != AluOp::power && rules::exists(op, core));
  }
  static bool takes_rsqrt(const TensorScalar& op) {
    return op.op0 == AluOp::rsqrt || op.op1 == AluOp::rsqrt;
  }
  static bool is_scale_and_add(const TensorScalar& op) {
    return (op.op0 == AluOp::multiply && (op.op1 == AluOp::add || !used(op.op1))) ||
           (op.op0 == AluOp::add && !used(op.op1));
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<TensorScalar>>({
      {"tensor_scalar.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"tensor_scalar.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"tensor_scalar.c3", "operand0 and operand1 are numbers or [P, 1] on-chip tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.operand0, op.data.partitions) &&
                rules::scalar_or_column(op.operand1, op.data.partitions);
       },
       "use tensor_tensor or scalar_tensor_tensor for an operand as large as data"},
      {"tensor_scalar.c4", "op0 and op1 are both bitwise or both arithmetic",
       [](const auto& op, const auto&) {
         return op.op1 == AluOp::bypass ||
                numerics::is_bitwise(op.op0) == numerics::is_bitwise(op.op1);
       },
       "use two instructions"},
      {"tensor_scalar.c5", "bitwise operators have integer dst, data and operands",
       [](const auto& op, const auto&) {
         return !numerics::is_bitwise(op.op0) ||
                rules::integers(op.dst, op.data, op.operand0.tile, op.operand1.tile);
       },
       "view the tiles as an integer dtype"},
      {"tensor_scalar.c6", "the [P, 1] operands of arithmetic operators are float32",
       [](const auto& op, const auto&) {
         return numerics::is_bitwise(op.op0) || rules::float32(op.operand0.tile, op.operand1.tile);
       },
       "cast the operand with tensor_copy first"},
      {"tensor_scalar.c7", "the operand of a one-operand operator is None or 0",
       [](const auto& op, const auto&) {
         return rules::operand_fits(op.op0, op.operand0) &&
                rules::operand_fits(op.op1, op.operand1);
       },
       "pass 0"},
      {"tensor_scalar.c8", "op1 and operand1 are given together",
       [](const auto& op, const auto&) {
         return numerics::is_unary(op.op1) || !op.operand1.is_absent();
       },
       "pass both or neither"},
      {"tensor_scalar.c9", "op0 and op1 are operators that tensor_scalar has",
       [](const auto& op, const auto& core) {
         return has(op.op0, core) && (has(op.op1, core) || !used(op.op1));
       },
       "multiply by a reciprocal instead of dividing; power needs tensor_tensor"},
      {"tensor_scalar.c10", "abs_max, abs_min, square and relu are gen4's, in the place of op0",
       [](const auto& op, const auto& core) {
         return !rules::needs_extended_operators(op.op1) &&
                (!rules::needs_extended_operators(op.op0) ||
                 core.features.vector_extended_operators);
       },
       "use activation, or make it op0 on gen4"},
      {"tensor_scalar.c11", "bitwise operators run on Vector",
       [](const auto& op, const auto&, const Site& site) {
         return !numerics::is_bitwise(op.op0) || site.engine == Engine::vector ||
                site.engine == Engine::any;
       },
       "leave the engine open"},
      {"tensor_scalar.c12", "rsqrt runs on GpSimd, and nothing without rsqrt does",
       [](const auto& op, const auto&, const Site& site) {
         return site.engine == Engine::any || (site.engine == Engine::gpsimd) == takes_rsqrt(op);
       },
       "leave the engine open, or use activation with op=rsqrt"},
      {"tensor_scalar.c13",
       "the Scalar engine of gen3 has multiply then add, multiply, and add; that of gen2 nothing",
       [](const auto& op, const auto& core, const Site& site) {
         return site.engine != Engine::scalar || core.features.scalar_tensor_ops ||
                (core.features.scalar_copy && is_scale_and_add(op));
       },
       "use the Vector engine"},
      {"tensor_scalar.c14", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       "view packed MX data as an integer dtype"},
      {"tensor_scalar.c15", "arithmetic on 32-bit integers takes no .indirect() view",
       [](const auto& op, const auto&, const Site& site) {
         return numerics::is_bitwise(op.op0) || !rules::words(op.dst, op.data) ||
                !(rules::indirect(op.dst, site) || rules::indirect(op.data, site));
       },
       "copy the view to a tile first"},
      {"tensor_scalar.c16", "the constants of bitwise operators are integers of 32 bits",
       [](const auto& op, const auto&) {
         return rules::has_bits(op.op0, op.operand0) && rules::has_bits(op.op1, op.operand1);
       },
       "pass an integer; bit patterns of floats are written as integers, 0x3F800000 for 1.0"},
  });
  static constexpr Source source = {"nki.isa.tensor_scalar, NKI 0.6"};

  static Engine choose(const TensorScalar& op, const machine::Core&) {
    return takes_rsqrt(op) ? Engine::gpsimd : Engine::vector;
  }
  static Spread spread(const TensorScalar& op) {
    return numerics::is_bitwise(op.op0) ? Spread::moves : Spread::lanes;
  }
  static Timing cycles(const TensorScalar& op, Engine engine, const machine::Core& core) {
    const bool columns = op.operand0.is_tile() || op.operand1.is_tile();
    return cost::with_numbers(cost::copy(op.dst, op.data, engine, core), columns, engine, core);
  }
  static Activity activity(const TensorScalar& op) { return {.elements = op.dst.elements()}; }
  static void execute(const TensorScalar& op, Execution& e) {
    const std::array stages{elementwise::Stage{op.op0, &op.operand0, op.reverse0},
                            elementwise::Stage{op.op1, &op.operand1, op.reverse1}};
    if (numerics::is_bitwise(op.op0)) return elementwise::stages_bits(op.dst, op.data, stages, e);
    if (elementwise::stages_stored(op.dst, op.data, stages, e)) return;
    elementwise::map(op.dst, op.data, e, [&](int p, const float* in, float* out, std::size_t n) {
      elementwise::apply_stages(stages, e, p, in, out, n);
    });
  }

  static constexpr Traits<TensorScalar> traits{
      .spread = spread,
      .any_partitions = true,
      .choose = choose,
  };
};

}  // namespace trainyard::isa
