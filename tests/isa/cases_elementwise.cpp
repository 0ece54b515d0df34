#include "cases.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_copy_predicated.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::isa {

namespace {

using numerics::AluOp;

void add_copy_cases(Cases& cases) {
  cases
      .instruction<TensorCopy>([](Bench& b) {
        return TensorCopy{b.sbuf(DType::float32, 64, {16}), b.sbuf(DType::float32, 64, {16})};
      })
      .breaks("tensor_copy.c1",
              [](Bench& b, TensorCopy& op) {
                op.src = b.hbm(DType::float32, {64, 16});
              })
      .breaks("tensor_copy.c2",
              [](Bench& b, TensorCopy& op) { op.src = b.sbuf(DType::float32, 32, {16}); })
      .breaks("tensor_copy.c3",
              [](Bench& b, TensorCopy& op) { op.src = b.sbuf(DType::float32, 64, {8}); })
      .breaks("tensor_copy.c4",
              [](Bench& b, TensorCopy& op) { op.src = b.sbuf(DType::float8_e4m3fn_x4, 64, {16}); })
      .breaks("tensor_copy.c5",
              [](Bench& b, TensorCopy&) {
                b.engine = Engine::scalar;
                b.core.features.scalar_copy = false;
              })
      .breaks("tensor_copy.c6",
              [](Bench& b, TensorCopy& op) {
                b.engine = Engine::gpsimd;
                op.src = b.indirect(op.src, b.sbuf(DType::uint16, 64, {1}), 16, 16);
              })
      .allows([](Bench& b, TensorCopy& op) {
        op.dst = op.src = b.sbuf(DType::float8_e4m3fn_x4, 64, {16});
      });
}

void add_pair_cases(Cases& cases) {
  cases
      .instruction<TensorTensor>([](Bench& b) {
        const Tile tile = b.sbuf(DType::float32, 64, {16});
        return TensorTensor{tile, tile, tile};
      })
      .breaks("tensor_tensor.c1",
              [](Bench& b, TensorTensor& op) {
                op.data1 = b.hbm(DType::float32, {64, 16});
              })
      .breaks("tensor_tensor.c2",
              [](Bench& b, TensorTensor& op) { op.data2 = b.sbuf(DType::float32, 64, {1}); })
      .breaks("tensor_tensor.c3",
              [](Bench& b, TensorTensor& op) {
                op.data1 = op.data2 = b.psum(DType::float32, 64, {16});
              })
      .breaks("tensor_tensor.c4", [](Bench&, TensorTensor& op) { op.op = AluOp::bitwise_and; })
      .breaks("tensor_tensor.c5", [](Bench&, TensorTensor& op) { op.op = AluOp::divide; })
      .breaks("tensor_tensor.c6",
              [](Bench& b, TensorTensor& op) {
                b.engine = Engine::vector;
                op.op = AluOp::power;
              })
      .breaks("tensor_tensor.c7",
              [](Bench& b, TensorTensor& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .allows([](Bench&, TensorTensor& op) { op.op = AluOp::power; })
      .allows([](Bench& b, TensorTensor& op) {
        op.data2 = b.psum(DType::bfloat16, 64, {4, 4});
      });
}

void add_scalar_cases(Cases& cases) {
  cases
      .instruction<TensorScalar>([](Bench& b) {
        TensorScalar op;
        op.dst = b.sbuf(DType::float32, 64, {16});
        op.data = b.sbuf(DType::bfloat16, 64, {16});
        op.op0 = AluOp::multiply;
        op.operand0.tile = b.sbuf(DType::float32, 64, {1});
        op.op1 = AluOp::add;
        op.operand1.constant = 2;
        return op;
      })
      .breaks("tensor_scalar.c1",
              [](Bench& b, TensorScalar& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("tensor_scalar.c2",
              [](Bench& b, TensorScalar& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("tensor_scalar.c3",
              [](Bench& b, TensorScalar& op) { op.operand0.tile = b.sbuf(DType::float32, 1, {1}); })
      .breaks("tensor_scalar.c4",
              [](Bench& b, TensorScalar& op) {
                op.dst = op.data = b.sbuf(DType::int32, 64, {16});
                op.op1 = AluOp::bitwise_or;
              })
      .breaks("tensor_scalar.c5",
              [](Bench&, TensorScalar& op) {
                op.op0 = op.op1 = AluOp::bitwise_or;
                op.operand0 = {.constant = 1};
              })
      .breaks(
          "tensor_scalar.c6",
          [](Bench& b, TensorScalar& op) { op.operand0.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks("tensor_scalar.c7", [](Bench&, TensorScalar& op) { op.op0 = AluOp::abs; })
      .breaks("tensor_scalar.c8",
              [](Bench&, TensorScalar& op) { op.operand1 = {.constant = Scalar::absent}; })
      .breaks("tensor_scalar.c9", [](Bench&, TensorScalar& op) { op.op0 = AluOp::power; })
      .breaks("tensor_scalar.c10",
              [](Bench& b, TensorScalar& op) {
                b.core.features.vector_extended_operators = false;
                op.op0 = AluOp::abs_max;
              })
      .breaks("tensor_scalar.c11",
              [](Bench& b, TensorScalar& op) {
                op = TensorScalar{};
                op.dst = b.sbuf(DType::int8, 64, {16});
                op.data = b.sbuf(DType::uint8, 64, {16});
                op.op0 = AluOp::bitwise_and;
                b.engine = Engine::scalar;
              })
      .breaks("tensor_scalar.c12", [](Bench& b, TensorScalar&) { b.engine = Engine::gpsimd; })
      .breaks("tensor_scalar.c13",
              [](Bench& b, TensorScalar& op) {
                b.core.features.scalar_tensor_ops = false;
                b.engine = Engine::scalar;
                op.op0 = AluOp::subtract;
              })
      .breaks(
          "tensor_scalar.c14",
          [](Bench& b, TensorScalar& op) { op.data = b.sbuf(DType::float4_e2m1fn_x4, 64, {16}); })
      .breaks("tensor_scalar.c15",
              [](Bench& b, TensorScalar& op) {
                op.dst = b.sbuf(DType::int32, 64, {16});
                op.data = b.indirect(b.sbuf(DType::int32, 64, {64}), b.sbuf(DType::uint16, 64, {1}),
                                     16, 16);
              })
      .breaks("tensor_scalar.c16",
              [](Bench& b, TensorScalar& op) {
                op = TensorScalar{};
                op.dst = op.data = b.sbuf(DType::int32, 64, {16});
                op.op0 = AluOp::bitwise_and;
                op.operand0 = {.constant = 2.5};
              })
      .allows([](Bench& b, TensorScalar& op) {
        op = TensorScalar{};
        op.dst = op.data = b.sbuf(DType::uint32, 64, {16});
        op.op0 = op.op1 = AluOp::bitwise_xor;
        op.operand0 = {.constant = 0xFFFFFFFF};
        op.operand1 = {.constant = -1};
      })
      .allows([](Bench& b, TensorScalar&) {
        b.core.features.scalar_tensor_ops = false;
        b.engine = Engine::scalar;
      })
      .allows([](Bench&, TensorScalar& op) {
        op.op1 = AluOp::rsqrt;
        op.operand1 = {.constant = 0};
      });
}

void add_scalar_pair_cases(Cases& cases) {
  cases
      .instruction<ScalarTensorTensor>([](Bench& b) {
        ScalarTensorTensor op;
        op.dst = op.data = op.operand1 = b.sbuf(DType::bfloat16, 64, {16});
        op.operand0.tile = b.sbuf(DType::bfloat16, 64, {1});
        return op;
      })
      .breaks("scalar_tensor_tensor.c1",
              [](Bench& b, ScalarTensorTensor& op) {
                op.operand1 = b.hbm(DType::float32, {64, 16});
              })
      .breaks(
          "scalar_tensor_tensor.c2",
          [](Bench& b, ScalarTensorTensor& op) { op.operand1 = b.sbuf(DType::bfloat16, 64, {8}); })
      .breaks("scalar_tensor_tensor.c3",
              [](Bench& b, ScalarTensorTensor& op) {
                op.operand0.tile = b.sbuf(DType::bfloat16, 64, {2});
              })
      .breaks("scalar_tensor_tensor.c4",
              [](Bench& b, ScalarTensorTensor& op) {
                op.data = op.operand1 = b.psum(DType::float32, 64, {16});
              })
      .breaks("scalar_tensor_tensor.c5",
              [](Bench&, ScalarTensorTensor& op) { op.op1 = AluOp::power; })
      .breaks("scalar_tensor_tensor.c6",
              [](Bench&, ScalarTensorTensor& op) { op.op0 = AluOp::abs; })
      .breaks("scalar_tensor_tensor.c7", [](Bench& b, ScalarTensorTensor& op) {
        op.dst = b.sbuf(DType::float8_e4m3fn_x4, 64, {16});
      });
}

void add_constant_cases(Cases& cases) {
  cases.instruction<Memset>([](Bench& b) {
         return Memset{b.sbuf(DType::int16, 64, {16}), -3};
       })
      .breaks("memset.c1",
              [](Bench& b, Memset& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("memset.c2", [](Bench&, Memset& op) { op.value = 40000; })
      .breaks("memset.c3",
              [](Bench& b, Memset& op) { op.dst = b.sbuf(DType::float8_e4m3fn_x4, 64, {16}); })
      .allows([](Bench& b, Memset& op) {
        op = {b.psum(DType::float4_e2m1fn_x4, 64, {16}), 0};
      });
  cases
      .instruction<Reciprocal>([](Bench& b) {
        return Reciprocal{b.sbuf(DType::float32, 64, {16}), b.psum(DType::int8, 64, {16})};
      })
      .breaks("reciprocal.c1",
              [](Bench& b, Reciprocal& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("reciprocal.c2",
              [](Bench& b, Reciprocal& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("reciprocal.c3",
              [](Bench& b, Reciprocal& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); });
}

void add_predicated_cases(Cases& cases) {
  cases
      .instruction<TensorCopyPredicated>([](Bench& b) {
        TensorCopyPredicated op;
        op.dst = b.sbuf(DType::float32, 64, {4, 4});
        op.src.tile = b.psum(DType::float32, 64, {16});
        op.predicate = b.sbuf(DType::uint8, 64, {16});
        return op;
      })
      .breaks("tensor_copy_predicated.c1",
              [](Bench& b, TensorCopyPredicated& op) {
                op.src.tile = b.hbm(DType::float32, {64, 16});
              })
      .breaks(
          "tensor_copy_predicated.c2",
          [](Bench& b, TensorCopyPredicated& op) { op.src.tile = b.sbuf(DType::float32, 64, {1}); })
      .breaks(
          "tensor_copy_predicated.c3",
          [](Bench& b, TensorCopyPredicated& op) { op.predicate = b.sbuf(DType::int32, 64, {16}); })
      .breaks("tensor_copy_predicated.c4",
              [](Bench& b, TensorCopyPredicated& op) {
                op.src.tile = b.psum(DType::bfloat16, 64, {16});
              })
      .breaks("tensor_copy_predicated.c5",
              [](Bench& b, TensorCopyPredicated& op) {
                op.predicate = b.psum(DType::uint32, 64, {16});
              })
      .breaks("tensor_copy_predicated.c6",
              [](Bench& b, TensorCopyPredicated& op) {
                op.dst = b.sbuf(DType::float8_e4m3fn_x4, 64, {16});
                op.src = {.constant = 1};
              })
      .allows([](Bench&, TensorCopyPredicated& op) { op.src = {.constant = 1}; });
}

}  // namespace

void add_elementwise_cases(Cases& cases) {
  add_copy_cases(cases);
  add_pair_cases(cases);
  add_scalar_cases(cases);
  add_scalar_pair_cases(cases);
  add_constant_cases(cases);
  add_predicated_cases(cases);
}

}  // namespace trainyard::isa
