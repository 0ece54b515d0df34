// activation: the Scalar engine's function of a scaled and shifted tile, with an optional running
// sum along each row.
#pragma once

#include "isa/cost.h"
#include "isa/definition.h"
#include "isa/execution.h"
#include "isa/rules.h"
#include "numerics/activation.h"
#include "numerics/alu.h"

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
struct Definition<Activation> : DefinitionDefaults {
  static constexpr std::string_view mnemonic = "activation";
  static constexpr std::string_view summary = "dst = op(data * scale + bias), in fp32";
  static constexpr EngineSet engines{Engine::scalar};
  static constexpr Engine engine = Engine::scalar;
  static constexpr auto operands = std::tuple{
      writes("dst", &Activation::dst, "SBUF or PSUM tile, [P, F]"),
      immediate("op", &Activation::op, "activation function"),
      reads("data", &Activation::data, "SBUF or PSUM tile, [P, F]"),
      reads("bias", &Activation::bias, "number or [P, 1] tile added after scaling", "None"),
      reads("scale", &Activation::scale, "number or [P, 1] fp32 tile multiplied first", "1.0"),
      immediate("reduce_op", &Activation::reduce_op, "add, or None for no reduction", "None"),
      writes("reduce_res", &Activation::reduce_res,
             "[P, 1] tile that receives the reduction registers", "None"),
      immediate("reduce_cmd", &Activation::reduce_cmd, "what happens to the reduction registers",
                "reduce_cmd.idle"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Activation>>({
      {"activation.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return op.dst.on_chip() && op.data.on_chip(); },
       "load HBM data with dma_copy first"},
      {"activation.c2",
       "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); }},
      {"activation.c3", "scale and bias are numbers or [P, 1] tiles",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.scale, op.data.partitions) &&
                rules::scalar_or_column(op.bias, op.data.partitions);
       }},
      {"activation.c4", "the reduction is add",
       [](const auto& op, const auto&) {
         return op.reduce_op == numerics::AluOp::bypass || op.reduce_op == numerics::AluOp::add;
       },
       "use activate2 on gen4 for other reductions"},
      {"activation.c5", "reduce_res is a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return !op.reduce_res || (op.reduce_res.on_chip() && op.reduce_res.free_elements() == 1 &&
                                   rules::same_partitions(op.reduce_res, op.data));
       }},
  });
  static constexpr Source source = {"nki.isa.activation, NKI 0.6"};

  static Timing cycles(const Activation& op, Engine, const machine::Core& core) {
    return cost::activation(op.dst, op.data, static_cast<bool>(op.reduce_res), core);
  }
  static Activity activity(const Activation& op) { return {.elements = op.dst.elements()}; }

  static void execute(const Activation& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.dst.free_elements());
    for (int p = 0; p < op.dst.partitions; ++p) {
      const float* in = floats(op.data, e, p, e.rows[0]);
      const float scale = value(op.scale, e, p);
      const float bias = value(op.bias, e, p);
      e.rows[1].resize(n);
      float* x = e.rows[1].data();
      for (std::size_t i = 0; i < n; ++i) x[i] = in[i] * scale + bias;
      float* out = result_row(op.dst, e, p, e.rows[2]);
      numerics::activate(op.op, x, out, n);
      reduce(op, e, p, out, n);
      store_floats(op.dst, e, p, out);
    }
  }

 private:
  static void reduce(const Activation& op, Execution& e, int p, const float* row, std::size_t n) {
    float& sum = e.core.scalar_accumulator[static_cast<std::size_t>(op.data.partition_start + p)];
    if (op.reduce_cmd == ReduceCmd::reset || op.reduce_cmd == ReduceCmd::reset_reduce) sum = 0;
    if (op.reduce_cmd == ReduceCmd::reduce || op.reduce_cmd == ReduceCmd::reset_reduce) {
      sum = numerics::reduce(numerics::AluOp::add, row, n, sum);
    }
    if (op.reduce_res) store_floats(op.reduce_res, e, p, &sum);
  }
};

}  // namespace trainyard::isa
