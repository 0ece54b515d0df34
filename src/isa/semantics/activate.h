// What the Scalar engine's activation instructions share: operators before the function, the
// function, and the reduction registers after it.
#pragma once

#include "isa/core/accumulation.h"
#include "isa/semantics/elementwise.h"
#include "numerics/activation.h"

namespace trainyard::isa::activate {

// Up to two operators with broadcast operands.
struct Before {
  elementwise::Stage first{}, second{};

  // data * scale + bias; a number that changes nothing costs nothing (x + 0 would also turn -0 to
  // +0).
  static Before scale_and_bias(const Scalar& scale, const Scalar& bias);
};

struct Step {
  const Tile& dst;
  const Tile& data;
  numerics::ActivationFunction function;
  Before before;
  numerics::AluOp reduce_op;
  ReduceCmd reduce_cmd;
  const Tile& reduce_res;
  const Scalar* parameter = nullptr;  // of prelu
};

// Runs one instruction. reduce_res is written last: it may alias dst (release notes of NKI 0.6.0).
void run(const Step& step, Execution& execution);

}  // namespace trainyard::isa::activate
