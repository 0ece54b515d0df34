#include "isa/semantics/activate.h"

#include <algorithm>
#include <array>

namespace trainyard::isa::activate {

using numerics::AluOp;

Before Before::scale_and_bias(const Scalar& scale, const Scalar& bias) {
  const bool scales = scale.is_tile() || scale.constant != 1;
  const bool adds = bias.is_tile() || bias.constant != 0;
  return {{scales ? AluOp::multiply : AluOp::bypass, &scale, false},
          {adds ? AluOp::add : AluOp::bypass, &bias, false}};
}

namespace {

bool is_or_bypass(const elementwise::Stage& stage, AluOp op) {
  return stage.op == AluOp::bypass ||
         (stage.op == op && stage.operand != nullptr && stage.tile == nullptr);
}

// exp(data * scale + bias), the commonest form, takes one pass.
bool is_scaled_exp(const Step& step) {
  return step.function == numerics::ActivationFunction::exp &&
         is_or_bypass(step.before.first, AluOp::multiply) &&
         is_or_bypass(step.before.second, AluOp::add);
}

void scaled_exp(const Step& step, Execution& e, int p, const float* in, float* out, std::size_t n) {
  const auto operand = [&](const elementwise::Stage& stage, float without) {
    return stage.op == AluOp::bypass ? without : value(*stage.operand, e, p);
  };
  // Times 1 changes nothing, and exp(-0) is exp(+0).
  numerics::scaled_exp(in, operand(step.before.first, 1), operand(step.before.second, 0), out, n);
}

}  // namespace

void run(const Step& step, Execution& e) {
  const std::span<float> registers = lanes(e.core.scalar_accumulator, step.data);
  if (resets(step.reduce_cmd)) {
    const float start =
        numerics::reduction_identity(step.reduce_op == AluOp::bypass ? AluOp::add : step.reduce_op);
    std::fill(registers.begin(), registers.end(), start);
  }
  elementwise::Reduction reduction{reduces(step.reduce_cmd) ? step.reduce_op : AluOp::bypass,
                                   registers};
  const std::array stages{step.before.first, step.before.second};
  const bool copies = step.function == numerics::ActivationFunction::copy;
  const bool only_copies = copies && stages[0].op == AluOp::bypass && stages[1].op == AluOp::bypass;
  const auto finish = [&] {
    if (step.reduce_res) store_column(step.reduce_res, e, registers);
  };
  // Integers go through fp32, as in all arithmetic of the engine.
  if (only_copies && reduction.op == AluOp::bypass && step.dst.dtype == step.data.dtype &&
      numerics::is_float(step.dst.dtype)) {
    elementwise::copy_bits(step.dst, step.data, e);
    return finish();
  }
  if (only_copies && elementwise::rows_meet_their_own(step.dst, step.data)) {
    elementwise::reduce(step.data, e, reduction);
    reduction.op = AluOp::bypass;
  }
  if (copies && reduction.op == AluOp::bypass &&
      elementwise::stages_stored(step.dst, step.data, stages, e)) {
    return finish();
  }
  const bool scales_exp = is_scaled_exp(step);
  if (scales_exp && reduction.op == AluOp::bypass &&
      elementwise::scaled_exp_stored(step.dst, step.data, stages, e)) {
    return finish();
  }
  elementwise::map(
      step.dst, step.data, e, reduction, [&](int p, const float* in, float* out, std::size_t n) {
        if (scales_exp) return scaled_exp(step, e, p, in, out, n);
        const float parameter = step.parameter == nullptr ? 0 : value(*step.parameter, e, p);
        const float* x = elementwise::apply_stages(stages, e, p, in, out, n);
        numerics::activate(step.function, x, out, n, parameter);
      });
  finish();
}

}  // namespace trainyard::isa::activate
