#include "cases.h"
#include "isa/instructions/dma_read_add_write.h"
#include "isa/instructions/nc_matmul_sparse.h"
#include "isa/instructions/nop.h"
#include "isa/instructions/notify.h"

namespace trainyard::isa {

namespace {

NcMatmulSparse product(Bench& b) {
  return {.dst = b.psum(DType::float32, 64, {256}),
          .stationary = b.sbuf(DType::bfloat16, 128, {64}),
          .tags = b.sbuf(DType::uint16, 128, {16}),
          .moving = b.sbuf(DType::bfloat16, 128, {4, 256}),
          .pattern = {{4, 16}, 2}};
}

void add_sparse_cases(Cases& cases) {
  using Op = NcMatmulSparse;
  cases.instruction<Op>(product)
      .allows([](Bench& b, Op& op) {
        op.pattern = {{1, 2}, 2};
        op.moving = b.sbuf(DType::float16, 128, {2, 256});
      })
      .breaks("nc_matmul_sparse.c1",
              [](Bench& b, Op&) { b.core.features.structured_sparsity = false; })
      .breaks("nc_matmul_sparse.c2",
              [](Bench& b, Op& op) { op.tags = b.psum(DType::uint16, 128, {16}); })
      .breaks("nc_matmul_sparse.c3",
              [](Bench&, Op& op) {
                op.pattern = {{3, 12}, 2};
              })
      .breaks("nc_matmul_sparse.c4",
              [](Bench& b, Op& op) { op.stationary = b.sbuf(DType::float8_e5m2, 128, {64}); })
      .breaks("nc_matmul_sparse.c5",
              [](Bench& b, Op& op) { op.stationary = b.sbuf(DType::tfloat32, 128, {64}); })
      .breaks("nc_matmul_sparse.c6",
              [](Bench& b, Op& op) {
                op.moving = b.sbuf(DType::bfloat16, 64, {4, 256});
              })
      .breaks("nc_matmul_sparse.c7",
              [](Bench& b, Op& op) { op.dst = b.psum(DType::float32, 32, {256}); })
      .breaks("nc_matmul_sparse.c8",
              [](Bench& b, Op& op) { op.tags = b.sbuf(DType::uint16, 128, {64}); })
      .breaks("nc_matmul_sparse.c9",
              [](Bench& b, Op& op) {
                op.moving = b.sbuf(DType::bfloat16, 128, {256, 4});
              })
      .breaks("nc_matmul_sparse.c10",
              [](Bench& b, Op& op) { op.dst = b.psum(DType::float32, 64, {128}); })
      .breaks("nc_matmul_sparse.c11",
              [](Bench& b, Op& op) { op.dst = b.psum(DType::float16, 64, {256}); });
}

void add_read_add_write_cases(Cases& cases) {
  using Op = DmaReadAddWrite;
  cases
      .instruction<Op>([](Bench& b) {
        return Op{b.sbuf(DType::bfloat16, 128, {512}), b.hbm(DType::bfloat16, {128, 512})};
      })
      .breaks("dma_read_add_write.c1",
              [](Bench& b, Op&) { b.core.features.dma_read_add_write = false; })
      .breaks("dma_read_add_write.c2",
              [](Bench& b, Op& op) {
                op.dst = b.hbm(DType::bfloat16, {128, 512});
              })
      .breaks("dma_read_add_write.c3",
              [](Bench& b, Op& op) {
                op.src = b.hbm(DType::bfloat16, {128, 256});
              })
      .breaks("dma_read_add_write.c4",
              [](Bench& b, Op& op) {
                op.src = b.hbm(DType::float32, {128, 512});
              })
      .breaks("dma_read_add_write.c5", [](Bench& b, Op& op) { op.src = b.by_register(op.src, 5); })
      .breaks("dma_read_add_write.c6", [](Bench&, Op& op) { op.dst.dims[0].step = 0; })
      .breaks("dma_read_add_write.c7", [](Bench&, Op& op) { op.priority = 4; });
}

void add_notify_cases(Cases& cases) {
  cases.instruction<Notify>([](Bench&) { return Notify{7}; })
      .allows([](Bench&, Notify& op) { op.code = 0xFFFF; })
      .breaks("notify.c1", [](Bench&, Notify& op) { op.code = -1; });
}

void add_nop_cases(Cases& cases) {
  cases.instruction<Nop>([](Bench&) { return Nop{}; })
      .allows([](Bench&, Nop& op) { op.tag = 7; })
      .breaks("nop.c1", [](Bench&, Nop& op) { op.tag = -1; });
}

}  // namespace

void add_experimental_cases(Cases& cases) {
  add_nop_cases(cases);
  add_notify_cases(cases);
  add_sparse_cases(cases);
  add_read_add_write_cases(cases);
}

}  // namespace trainyard::isa
