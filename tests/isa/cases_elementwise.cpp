#include "cases.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::isa {

namespace {

void add_copy_cases(Cases& cases) {
  cases
      .instruction<TensorCopy>([](Bench& b) {
        return TensorCopy{b.sbuf(DType::float32, 64, {16}), b.sbuf(DType::float32, 64, {16})};
      })
      .breaks("tensor_copy.c1",
              [](Bench& b, TensorCopy& op) {
                op.src = b.hbm(DType::float32, {64, 16});
              },
              {"tensor_copy.c2", "tensor_copy.c3"})
      .breaks("tensor_copy.c2",
              [](Bench& b, TensorCopy& op) { op.src = b.sbuf(DType::float32, 32, {16}); })
      .breaks("tensor_copy.c3",
              [](Bench& b, TensorCopy& op) { op.src = b.sbuf(DType::float32, 64, {8}); });
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
              },
              {"tensor_tensor.c2"})
      .breaks("tensor_tensor.c2",
              [](Bench& b, TensorTensor& op) { op.data2 = b.sbuf(DType::float32, 64, {1}); })
      .breaks("tensor_tensor.c3",
              [](Bench& b, TensorTensor& op) {
                op.data1 = op.data2 = b.psum(DType::float32, 64, {16});
              })
      .breaks("tensor_tensor.c4",
              [](Bench&, TensorTensor& op) { op.op = numerics::AluOp::bitwise_and; });
}

void add_activation_cases(Cases& cases) {
  cases
      .instruction<Activation>([](Bench& b) {
        const Tile tile = b.sbuf(DType::float32, 64, {16});
        Activation op;
        op.dst = op.data = tile;
        return op;
      })
      .breaks("activation.c1",
              [](Bench& b, Activation& op) {
                op.data = b.hbm(DType::float32, {64, 16});
              },
              {"activation.c2"})
      .breaks("activation.c2",
              [](Bench& b, Activation& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("activation.c3",
              [](Bench& b, Activation& op) { op.bias.tile = b.sbuf(DType::float32, 64, {2}); })
      .breaks("activation.c4",
              [](Bench&, Activation& op) { op.reduce_op = numerics::AluOp::maximum; })
      .breaks("activation.c5",
              [](Bench& b, Activation& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); });
}

}  // namespace

void add_elementwise_cases(Cases& cases) {
  add_copy_cases(cases);
  add_pair_cases(cases);
  add_activation_cases(cases);
}

}  // namespace trainyard::isa
