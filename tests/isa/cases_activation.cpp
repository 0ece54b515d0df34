#include "cases.h"
#include "isa/instructions/activate2.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/activation_reduce.h"
#include "isa/instructions/exponential.h"

namespace trainyard::isa {

namespace {

using numerics::AluOp;

template <typename Record>
Record with_tiles(Bench& b) {
  Record op;
  op.dst = b.sbuf(DType::bfloat16, 64, {16});
  op.data = b.psum(DType::float32, 64, {16});
  return op;
}

void add_activation_cases(Cases& cases) {
  cases.instruction<Activation>([](Bench& b) { return with_tiles<Activation>(b); })
      .breaks("activation.c1",
              [](Bench& b, Activation& op) {
                op.data = b.hbm(DType::float32, {64, 16});
              })
      .breaks("activation.c2",
              [](Bench& b, Activation& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("activation.c3",
              [](Bench& b, Activation& op) { op.bias.tile = b.sbuf(DType::float32, 64, {2}); })
      .breaks("activation.c4", [](Bench&, Activation& op) { op.reduce_op = AluOp::maximum; })
      .breaks("activation.c5",
              [](Bench& b, Activation& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); })
      .breaks("activation.c6",
              [](Bench&, Activation& op) {
                op.reduce_cmd = ReduceCmd::load_reduce;
                op.reduce_op = AluOp::add;
              })
      .breaks("activation.c7",
              [](Bench&, Activation& op) { op.reduce_cmd = ReduceCmd::reset_reduce; })
      .breaks("activation.c8",
              [](Bench& b, Activation& op) { op.scale.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks("activation.c9",
              [](Bench& b, Activation& op) {
                b.core.features.activation_number_bias = false;
                op.bias.constant = 1;
              })
      .breaks("activation.c10",
              [](Bench& b, Activation& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("activation.c11",
              [](Bench&, Activation& op) { op.op = numerics::ActivationFunction::prelu; })
      .allows([](Bench& b, Activation& op) {  // the accumulated sum may be read at any time
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
      })
      .allows([](Bench&, Activation& op) { op.reduce_cmd = ReduceCmd::reset; });
  cases
      .instruction<ActivationReduce>([](Bench& b) {
        auto op = with_tiles<ActivationReduce>(b);
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        return op;
      })
      .breaks("activation_reduce.c1",
              [](Bench& b, ActivationReduce& op) {
                op.data = b.hbm(DType::float32, {64, 16});
              })
      .breaks("activation_reduce.c2",
              [](Bench& b, ActivationReduce& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks(
          "activation_reduce.c3",
          [](Bench& b, ActivationReduce& op) { op.scale.tile = b.sbuf(DType::float32, 32, {1}); })
      .breaks("activation_reduce.c4",
              [](Bench&, ActivationReduce& op) { op.reduce_op = AluOp::maximum; })
      .breaks(
          "activation_reduce.c5",
          [](Bench& b, ActivationReduce& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); })
      .breaks(
          "activation_reduce.c6",
          [](Bench& b, ActivationReduce& op) { op.bias.tile = b.sbuf(DType::tfloat32, 64, {1}); })
      .breaks("activation_reduce.c7",
              [](Bench& b, ActivationReduce& op) {
                b.core.features.activation_number_bias = false;
                op.bias.tile = b.sbuf(DType::float32, 64, {1});
                op.op = numerics::ActivationFunction::reciprocal;
              })
      .breaks(
          "activation_reduce.c8",
          [](Bench& b, ActivationReduce& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("activation_reduce.c9",
              [](Bench&, ActivationReduce& op) { op.op = numerics::ActivationFunction::prelu; });
}

void add_activate2_cases(Cases& cases) {
  cases
      .instruction<Activate2>([](Bench& b) {
        auto op = with_tiles<Activate2>(b);
        op.op0 = AluOp::multiply;
        op.op1 = AluOp::subtract;
        op.imm0.tile = b.sbuf(DType::float32, 64, {1});
        op.reverse1 = true;
        op.reduce_op = AluOp::abs_max;
        op.reduce_cmd = ReduceCmd::reduce;
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        return op;
      })
      .breaks("activate2.c1", [](Bench& b, Activate2&) { b.core.features.activate2 = false; })
      .breaks("activate2.c2",
              [](Bench& b, Activate2& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("activate2.c3",
              [](Bench& b, Activate2& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("activate2.c4",
              [](Bench& b, Activate2& op) { op.relu_param.tile = b.sbuf(DType::float32, 64, {3}); })
      .breaks("activate2.c5",
              [](Bench& b, Activate2& op) { op.imm1.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks("activate2.c6", [](Bench&, Activate2& op) { op.op0 = AluOp::add; })
      .breaks("activate2.c7", [](Bench&, Activate2& op) { op.op1 = AluOp::bypass; })
      .breaks("activate2.c8", [](Bench&, Activate2& op) { op.reduce_op = AluOp::multiply; })
      .breaks("activate2.c9",
              [](Bench& b, Activate2& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); })
      .breaks("activate2.c10",
              [](Bench&, Activate2& op) { op.reduce_cmd = ReduceCmd::load_reduce; })
      .breaks("activate2.c11", [](Bench&, Activate2& op) { op.reduce_op = AluOp::bypass; })
      .breaks("activate2.c12",
              [](Bench& b, Activate2& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); });
}

void add_exponential_cases(Cases& cases) {
  cases
      .instruction<Exponential>([](Bench& b) {
        Exponential op;
        op.dst = b.sbuf(DType::bfloat16, 64, {16});
        op.src = b.psum(DType::float32, 64, {16});
        op.max_value.tile = b.sbuf(DType::float32, 64, {1});
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        op.reduce_cmd = ReduceCmd::reset_reduce;
        return op;
      })
      .breaks("exponential.c1", [](Bench& b, Exponential&) { b.core.features.exponential = false; })
      .breaks("exponential.c2",
              [](Bench& b, Exponential& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("exponential.c3",
              [](Bench& b, Exponential& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("exponential.c4",
              [](Bench& b, Exponential& op) { op.dst = b.sbuf(DType::uint32, 64, {16}); })
      .breaks("exponential.c5",
              [](Bench& b, Exponential& op) { op.src = b.sbuf(DType::tfloat32, 64, {16}); })
      .breaks(
          "exponential.c6",
          [](Bench& b, Exponential& op) { op.max_value.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks("exponential.c7",
              [](Bench& b, Exponential& op) { op.reduce_res = b.sbuf(DType::int32, 64, {1}); })
      .breaks("exponential.c8", [](Bench&, Exponential& op) { op.reduce_cmd = ReduceCmd::reset; })
      .breaks("exponential.c9", [](Bench&, Exponential& op) { op.reduce_init.constant = 1; })
      .breaks("exponential.c10", [](Bench&, Exponential& op) { op.reduce_cmd = ReduceCmd::idle; })
      .breaks("exponential.c11",
              [](Bench& b, Exponential& op) {
                op.src = b.sbuf(DType::float32, 64, {2, 4, 4, 4});
                for (std::size_t d = 1; d < 4; ++d) op.src.dims[d].count = 2;
              })
      .allows([](Bench&, Exponential& op) {
        op.reduce_cmd = ReduceCmd::load_reduce;
        op.reduce_init.constant = 1;
      });
}

}  // namespace

void add_scalar_engine_cases(Cases& cases) {
  add_activation_cases(cases);
  add_activate2_cases(cases);
  add_exponential_cases(cases);
}

}  // namespace trainyard::isa
