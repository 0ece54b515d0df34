#include "cases.h"
#include "isa/instructions/dma_compute.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_transpose.h"

namespace trainyard::isa {

namespace {

DmaCopy copy(Bench& b) {
  return {b.sbuf(DType::bfloat16, 128, {512}), b.hbm(DType::bfloat16, {128, 512})};
}

void add_copy_cases(Cases& cases) {
  cases.instruction<DmaCopy>(copy)
      .allows([](Bench& b, DmaCopy& op) {
        op.src = b.by_rows(b.hbm(DType::float32, {128, 512}), b.sbuf(DType::uint32, 128, {1}), 512);
      })
      .allows([](Bench& b, DmaCopy& op) { op.src = b.by_register(op.src, 5, 512); })
      .breaks("dma_copy.c1",
              [](Bench& b, DmaCopy& op) { op.dst = b.psum(DType::bfloat16, 128, {512}); })
      .breaks("dma_copy.c2",
              [](Bench& b, DmaCopy& op) { op.dst = b.sbuf(DType::bfloat16, 128, {256}); })
      .breaks("dma_copy.c3",
              [](Bench& b, DmaCopy& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 128, {512}); })
      .breaks("dma_copy.c4",
              [](Bench& b, DmaCopy& op) {
                op.dst = b.sbuf(DType::float32, 128, {512});
                op.dge_mode = DgeMode::hwdge;
              })
      .breaks("dma_copy.c5",
              [](Bench& b, DmaCopy& op) {
                b.core.features.hardware_dge = false;
                op.dge_mode = DgeMode::hwdge;
              })
      .breaks("dma_copy.c6",
              [](Bench& b, DmaCopy& op) {
                op.src = b.by_rows(op.src, b.sbuf(DType::int32, 128, {1}), 512);
                op.dge_mode = DgeMode::hwdge;
              })
      .breaks("dma_copy.c7",
              [](Bench& b, DmaCopy& op) {
                op.src = b.by_register(op.src, 5);
                op.dge_mode = DgeMode::none;
              })
      .breaks("dma_copy.c8",
              [](Bench& b, DmaCopy& op) {
                op.src = b.by_rows(op.src, b.sbuf(DType::int32, 64, {1}), 512);
              },
              {"tile.vector_offset"})
      .breaks("dma_copy.c9",
              [](Bench& b, DmaCopy& op) {
                b.core.features.dma_priority = false;
                op.priority = 0;
              })
      .breaks("dma_copy.c10", [](Bench&, DmaCopy& op) { op.priority = 4; })
      .breaks("dma_copy.c11", [](Bench& b, DmaCopy& op) {
        op.dge_mode = DgeMode::hwdge;
        b.engine = Engine::gpsimd;
      });
}

DmaTranspose transpose(Bench& b) {
  DmaTranspose op;
  op.src = b.hbm(DType::bfloat16, {256, 64});
  op.dst = b.sbuf(DType::bfloat16, 64, {256});
  return op;
}

DmaTranspose hardware(Bench& b) {
  DmaTranspose op;
  op.src = b.hbm(DType::bfloat16, {4, 8, 64});
  op.dst = b.sbuf(DType::bfloat16, 64, {8, 4});
  op.axes = {{2, 1, 0}, 3};
  op.dge_mode = DgeMode::hwdge;
  return op;
}

DmaTranspose gather(Bench& b) {
  DmaTranspose op = transpose(b);
  op.src = b.by_rows(op.src, b.sbuf(DType::uint32, 128, {2}), 64);
  op.oob_mode = OobMode::skip;
  return op;
}

// A gather of `rows` rows with an index tile of its own shape.
void gather_with(Bench& b, DmaTranspose& op, int rows, const Tile& index) {
  op.src = b.by_rows(b.hbm(DType::bfloat16, {rows, 64}), index, 64);
  op.dst = b.sbuf(DType::bfloat16, 64, {rows});
}

void add_transpose_cases(Cases& cases) {
  cases.instruction<DmaTranspose>(transpose)
      .allows([](Bench& b, DmaTranspose& op) {
        op.src = b.hbm(DType::int32, {100, 1, 1, 7});
        op.dst = b.sbuf(DType::int32, 7, {1, 1, 100});
        op.axes = {{3, 1, 2, 0}, 4};
      })
      .allows([](Bench& b, DmaTranspose& op) {  // the migration guide to NKI 0.4 does so
        op.src = b.hbm(DType::bfloat16, {256, 1, 1, 128});
        op.dst = b.hbm(DType::bfloat16, {128, 1, 1, 256});
        op.axes = {};
      })
      .allows([](Bench& b, DmaTranspose& op) {
        op.src = b.by_register(op.src, 5, 64, 256);
        op.dge_mode = DgeMode::swdge;
        op.oob_mode = OobMode::skip;
      })
      .breaks("dma_transpose.c1",
              [](Bench& b, DmaTranspose& op) { op.dst = b.psum(DType::bfloat16, 64, {256}); })
      .breaks("dma_transpose.c2",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.psum(DType::bfloat16, 128, {64});
                op.dst = b.sbuf(DType::bfloat16, 64, {128});
              })
      .breaks("dma_transpose.c3",
              [](Bench& b, DmaTranspose& op) { op.dst = b.sbuf(DType::float16, 64, {256}); })
      .breaks("dma_transpose.c4",
              [](Bench&, DmaTranspose& op) {
                op.axes = {{0, 1}, 2};
              })
      .breaks("dma_transpose.c5",
              [](Bench& b, DmaTranspose& op) {
                op.dst = b.sbuf(DType::bfloat16, 64, {1, 256});
              })
      .breaks("dma_transpose.c6",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.hbm(DType::int8, {256, 64});
                op.dst = b.sbuf(DType::int8, 64, {256});
              })
      .breaks("dma_transpose.c7", [](Bench&, DmaTranspose& op) { op.dge_mode = DgeMode::swdge; })
      .breaks("dma_transpose.c19", [](Bench&, DmaTranspose& op) { op.oob_mode = OobMode::skip; })
      .breaks("dma_transpose.c20",
              [](Bench& b, DmaTranspose& op) {
                b.core.features.dma_priority = false;
                op.priority = 1;
              })
      .breaks("dma_transpose.c21", [](Bench&, DmaTranspose& op) { op.priority = -2; });
  cases.instruction<DmaTranspose>(hardware)
      .breaks("dma_transpose.c8",
              [](Bench& b, DmaTranspose&) { b.core.features.hardware_dge = false; })
      .breaks("dma_transpose.c9",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.hbm(DType::bfloat16, {8, 64});
                op.dst = b.sbuf(DType::bfloat16, 64, {8});
                op.axes = {};
              })
      .breaks("dma_transpose.c10",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.hbm(DType::bfloat16, {4, 3, 64});
                op.dst = b.sbuf(DType::bfloat16, 64, {3, 4});
              })
      .breaks("dma_transpose.c12",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.hbm(DType::int32, {4, 8, 64});
                op.dst = b.sbuf(DType::int32, 64, {8, 4});
              })
      .breaks("dma_transpose.c22", [](Bench& b, DmaTranspose&) { b.engine = Engine::vector; });
}

void add_gather_transpose_cases(Cases& cases) {
  cases.instruction<DmaTranspose>(gather)
      .breaks("dma_transpose.c11",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.by_rows(b.hbm(DType::bfloat16, {16, 144}),
                                   b.sbuf(DType::uint32, 16, {1}), 144);
                op.dst = b.sbuf(DType::bfloat16, 144, {16});
              },
              {"tile.partitions"})
      .breaks("dma_transpose.c13",
              [](Bench& b, DmaTranspose&) { b.core.features.dma_gather_transpose = false; })
      .breaks("dma_transpose.c14",
              [](Bench& b, DmaTranspose& op) {
                gather_with(b, op, 24, b.sbuf(DType::uint32, 32, {1}));
              })
      .breaks("dma_transpose.c15",
              [](Bench& b, DmaTranspose& op) {
                op.src = b.by_rows(b.hbm(DType::bfloat16, {16, 2, 2, 64}),
                                   b.sbuf(DType::uint32, 16, {1}), 256);
                op.dst = b.sbuf(DType::bfloat16, 64, {2, 2, 16});
              })
      .breaks("dma_transpose.c16",
              [](Bench& b, DmaTranspose& op) {
                gather_with(b, op, 64, b.sbuf(DType::uint32, 32, {2}));
              })
      .breaks("dma_transpose.c17",
              [](Bench& b, DmaTranspose& op) {
                gather_with(b, op, 64, b.sbuf(DType::uint32, 32, {1}));
              },
              {"tile.vector_offset"})
      .breaks("dma_transpose.c18", [](Bench& b, DmaTranspose& op) {
        gather_with(b, op, 32, b.sbuf(DType::int32, 32, {1}));
      });
}

DmaCompute add(Bench& b) {
  DmaCompute op;
  op.dst = b.sbuf(DType::bfloat16, 128, {64});
  op.srcs.push_back(b.hbm(DType::float32, {128, 64}));
  op.srcs.push_back(b.sbuf(DType::int32, 128, {64}));
  return op;
}

DmaCompute scatter(Bench& b) {
  DmaCompute op;
  op.dst = b.by_rows(b.hbm(DType::float32, {128, 64}), b.sbuf(DType::int32, 128, {1}), 64);
  op.srcs.push_back(op.dst);
  op.srcs.push_back(b.sbuf(DType::float32, 128, {64}));
  return op;
}

void add_compute_cases(Cases& cases) {
  cases.instruction<DmaCompute>(add)
      .allows([](Bench&, DmaCompute& op) {
        op.scales = {{1.0, 1.0}, 2};
      })
      .breaks("dma_compute.c1",
              [](Bench& b, DmaCompute& op) { op.srcs.items[0] = b.psum(DType::int32, 128, {64}); })
      .breaks("dma_compute.c2", [](Bench&, DmaCompute& op) { op.srcs.count = 0; })
      .breaks("dma_compute.c3",
              [](Bench& b, DmaCompute& op) { op.srcs.items[1] = b.sbuf(DType::int32, 64, {64}); })
      .breaks("dma_compute.c4",
              [](Bench& b, DmaCompute& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 128, {64}); })
      .breaks("dma_compute.c5",
              [](Bench&, DmaCompute& op) { op.reduce_op = numerics::AluOp::maximum; })
      .breaks("dma_compute.c6",
              [](Bench&, DmaCompute& op) {
                op.scales = {{1.0, 0.5}, 2};
              })
      .breaks(
          "dma_compute.c10",
          [](Bench& b, DmaCompute& op) { op.srcs.items[0] = b.by_register(op.srcs.items[0], 1); })
      .breaks("dma_compute.c12", [](Bench&, DmaCompute& op) { op.oob_mode = OobMode::skip; });
  cases.instruction<DmaCompute>(scatter)
      .allows([](Bench& b, DmaCompute& op) {
        op = add(b);
        op.srcs.items[1] = op.dst;
        op.srcs.items[0] = b.by_rows(op.srcs.items[0], b.sbuf(DType::uint32, 128, {1}), 64);
      })
      .breaks("dma_compute.c7", [](Bench&, DmaCompute& op) { op.srcs.push_back(op.srcs.items[1]); })
      .breaks("dma_compute.c8",
              [](Bench& b, DmaCompute& op) { op.srcs.items[0] = b.sbuf(DType::int32, 128, {64}); })
      .breaks("dma_compute.c9", [](Bench&, DmaCompute& op) { op.unique_indices = false; })
      .breaks("dma_compute.c11",
              [](Bench& b, DmaCompute& op) {
                op.dst =
                    b.by_rows(b.hbm(DType::float32, {128, 64}), b.sbuf(DType::int16, 128, {1}), 64);
                op.srcs.items[0] = op.dst;
              })
      .allows([](Bench&, DmaCompute& op) { op.oob_mode = OobMode::skip; });
}

}  // namespace

void add_dma_cases(Cases& cases) {
  add_copy_cases(cases);
  add_transpose_cases(cases);
  add_gather_transpose_cases(cases);
  add_compute_cases(cases);
}

}  // namespace trainyard::isa
