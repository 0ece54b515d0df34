#include "cases.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/psum_zero.h"

namespace trainyard::isa {

namespace {

// The cores before v4, as far as the matrix instructions see them.
void make_gen3(Bench& b) {
  b.core.features.psum_bf16 = b.core.features.float8_e4m3fn = b.core.features.mx = false;
  b.core.features.indirection = false;
  b.core.array.moving_free_max_fp32 = b.core.array.moving_free_max_bf16 = 512;
}

NcMatmul product(Bench& b) {
  return {b.psum(DType::float32, 64, {512}), b.sbuf(DType::bfloat16, 128, {64}),
          b.sbuf(DType::bfloat16, 128, {512})};
}

void operands_of(Bench& b, NcMatmul& op, DType stationary, DType moving) {
  op.stationary = b.sbuf(stationary, 128, {64});
  op.moving = b.sbuf(moving, 128, {512});
}

NcMatmul double_row(Bench& b) {
  return {.dst = b.psum(DType::float32, 64, {512}),
          .stationary = b.sbuf(DType::float8_e4m3, 128, {2, 64}),
          .moving = b.sbuf(DType::float8_e5m2, 128, {2, 512}),
          .perf_mode = MatmulPerfMode::double_row};
}

NcMatmul tiled(Bench& b) {
  NcMatmul op{b.psum(DType::float32, 64, {512}), b.sbuf(DType::bfloat16, 64, {64}),
              b.sbuf(DType::bfloat16, 64, {512})};
  op.tile_position = {{64, 64}, 2};
  op.tile_size = {{64, 64}, 2};
  return op;
}

NcMatmul transpose(Bench& b) {
  return {.dst = b.psum(DType::bfloat16, 64, {128}),
          .stationary = b.sbuf(DType::bfloat16, 128, {64}),
          .moving = b.sbuf(DType::bfloat16, 128, {128}),
          .is_transpose = true};
}

NcMatmul gather(Bench& b) {
  NcMatmul op = product(b);
  op.moving =
      b.indirect(b.sbuf(DType::bfloat16, 128, {2048}), b.sbuf(DType::uint16, 128, {16}), 512, 32);
  return op;
}

NcMatmul scatter(Bench& b) {
  NcMatmul op = product(b);
  op.dst = b.psum(DType::bfloat16, 64, {2048});
  op.dst = b.indirect(op.dst, b.sbuf(DType::uint16, 64, {16}), 512, 32);
  return op;
}

void add_product_cases(Cases& cases) {
  cases.instruction<NcMatmul>(product)
      .breaks("nc_matmul.c1",
              [](Bench& b, NcMatmul& op) { op.moving = b.psum(DType::bfloat16, 128, {512}); })
      .breaks("nc_matmul.c2",
              [](Bench& b, NcMatmul& op) { op.dst = b.sbuf(DType::float32, 64, {512}); })
      .breaks("nc_matmul.c3",
              [](Bench& b, NcMatmul& op) { operands_of(b, op, DType::bfloat16, DType::int8); })
      .breaks("nc_matmul.c4",
              [](Bench& b, NcMatmul& op) {
                make_gen3(b);
                operands_of(b, op, DType::bfloat16, DType::float8_e4m3fn);
              })
      .breaks("nc_matmul.c5",
              [](Bench& b, NcMatmul& op) { operands_of(b, op, DType::float32, DType::bfloat16); })
      .breaks("nc_matmul.c6",
              [](Bench& b, NcMatmul& op) {
                operands_of(b, op, DType::float8_e4m3, DType::float8_e4m3fn);
              })
      .breaks("nc_matmul.c7",
              [](Bench& b, NcMatmul& op) { op.moving = b.sbuf(DType::bfloat16, 64, {512}); })
      .breaks("nc_matmul.c9",
              [](Bench& b, NcMatmul& op) {
                op.stationary = b.sbuf(DType::bfloat16, 128, {256});
                op.dst = b.psum(DType::float32, 128, {512});
              },
              {"nc_matmul.c10"})
      .breaks("nc_matmul.c10",
              [](Bench& b, NcMatmul& op) { op.dst = b.psum(DType::float32, 128, {512}); })
      .breaks("nc_matmul.c11",
              [](Bench& b, NcMatmul& op) { op.dst = b.psum(DType::float32, 64, {256}); })
      .breaks("nc_matmul.c12",
              [](Bench& b, NcMatmul& op) {
                make_gen3(b);
                op.moving = b.sbuf(DType::bfloat16, 128, {1024});
                op.dst = b.psum(DType::float32, 64, {1024});
              },
              {"nc_matmul.c17"})
      .breaks("nc_matmul.c13",
              [](Bench& b, NcMatmul& op) { op.dst = b.psum(DType::float16, 64, {512}); })
      .breaks("nc_matmul.c17",
              [](Bench& b, NcMatmul& op) {
                make_gen3(b);
                op.dst = b.psum(DType::float32, 64, {1024});
                op.dst.dims[0].count = 512;
                op.dst.offset = 1024;
              })
      .allows([](Bench& b, NcMatmul& op) { operands_of(b, op, DType::float32, DType::tfloat32); })
      .allows([](Bench& b, NcMatmul& op) {
        op.moving = b.sbuf(DType::bfloat16, 128, {8192});
        op.dst = b.psum(DType::bfloat16, 64, {8192});
      });
}

void add_mode_cases(Cases& cases) {
  cases.instruction<NcMatmul>(double_row)
      .breaks("nc_matmul.c18", [](Bench& b, NcMatmul&) { b.core.features.double_row = false; })
      .breaks("nc_matmul.c19",
              [](Bench& b, NcMatmul& op) {
                op.moving = b.sbuf(DType::bfloat16, 128, {2, 512});
              })
      .breaks("nc_matmul.c20",
              [](Bench& b, NcMatmul& op) { op.moving = b.sbuf(DType::float8_e5m2, 128, {1024}); })
      .breaks("nc_matmul.c21",
              [](Bench&, NcMatmul& op) {
                op.tile_position = {{0, 0}, 2};
                op.tile_size = {{128, 64}, 2};
              })
      .breaks("nc_matmul.c22", [](Bench&, NcMatmul& op) { op.is_transpose = true; });
  cases.instruction<NcMatmul>(tiled)
      .breaks("nc_matmul.c8",
              [](Bench&, NcMatmul& op) {
                op.tile_position = {{32, 0}, 2};
                op.tile_size = {{32, 128}, 2};
              })
      .breaks("nc_matmul.c23", [](Bench&, NcMatmul& op) { op.tile_size = {}; })
      .breaks("nc_matmul.c24",
              [](Bench&, NcMatmul& op) {
                op.tile_position = {{0, 64}, 2};
                op.tile_size = {{96, 64}, 2};
              })
      .breaks("nc_matmul.c25", [](Bench& b, NcMatmul&) { b.core.features.column_tiling = false; })
      .breaks("nc_matmul.c26",
              [](Bench&, NcMatmul& op) {
                op.tile_position = {{32, 64}, 2};
              })
      .breaks("nc_matmul.c27",
              [](Bench&, NcMatmul& op) {
                op.tile_position = {{64, 128}, 2};
              })
      .allows([](Bench& b, NcMatmul& op) {
        op.stationary = b.sbuf(DType::bfloat16, 32, {64});
        op.moving = b.sbuf(DType::bfloat16, 32, {512});
        op.tile_position = {{32, 64}, 2};
        op.tile_size = {{32, 64}, 2};
      });
  cases.instruction<NcMatmul>(transpose)
      .breaks("nc_matmul.c14",
              [](Bench& b, NcMatmul& op) { op.dst = b.psum(DType::float16, 64, {128}); })
      .breaks("nc_matmul.c15",
              [](Bench& b, NcMatmul& op) {
                op.stationary = b.sbuf(DType::float8_e5m2, 128, {64});
                op.dst = b.psum(DType::float8_e5m2, 64, {128});
              })
      .breaks("nc_matmul.c16", [](Bench&, NcMatmul& op) { op.accumulate = Accumulate::add; })
      .breaks("nc_matmul.c29",
              [](Bench& b, NcMatmul& op) {
                op.moving = b.indirect(op.moving, b.sbuf(DType::uint16, 128, {4}), 128, 32);
              })
      .allows([](Bench& b, NcMatmul& op) {
        op.stationary = b.sbuf(DType::float8_e5m2, 128, {64});
        op.dst = b.psum(DType::uint16, 64, {128});
      });
}

void add_gather_cases(Cases& cases) {
  cases.instruction<NcMatmul>(gather)
      .breaks("nc_matmul.c28",
              [](Bench& b, NcMatmul& op) {
                op.stationary = b.sbuf(DType::float32, 128, {64});
                op.moving = b.indirect(b.sbuf(DType::float32, 128, {2048}),
                                       b.sbuf(DType::uint16, 128, {16}), 512, 32);
              })
      .breaks("nc_matmul.c30", [](Bench& b, NcMatmul& op) {
        op = tiled(b);
        op.moving = b.indirect(op.moving, b.sbuf(DType::uint16, 64, {16}), 512, 32);
      });
  cases.instruction<NcMatmul>(scatter).breaks("nc_matmul.c31", [](Bench& b, NcMatmul&) {
    b.program.dynamics[0].index.partition_start = 64;
    b.program.tensors[b.program.dynamics[0].index.tensor].shape[0] = 128;
  });
}

void add_transpose_cases(Cases& cases) {
  cases
      .instruction<NcTranspose>([](Bench& b) {
        return NcTranspose{b.psum(DType::bfloat16, 64, {128}), b.sbuf(DType::bfloat16, 128, {64})};
      })
      .breaks("nc_transpose.c2",
              [](Bench& b, NcTranspose& op) { op.dst = b.psum(DType::float32, 64, {128}); })
      .breaks("nc_transpose.c3",
              [](Bench& b, NcTranspose& op) { op.dst = b.psum(DType::bfloat16, 32, {128}); })
      .breaks("nc_transpose.c4",
              [](Bench& b, NcTranspose& op) { op.dst = b.psum(DType::bfloat16, 64, {64}); })
      .breaks("nc_transpose.c5",
              [](Bench& b, NcTranspose& op) {
                b.engine = Engine::tensor;
                op.dst = b.sbuf(DType::bfloat16, 64, {128});
              })
      .breaks("nc_transpose.c6", [](Bench& b, NcTranspose&) { b.engine = Engine::vector; })
      .breaks("nc_transpose.c7",
              [](Bench& b, NcTranspose& op) { op.dst = b.sbuf(DType::bfloat16, 64, {128}); })
      .breaks("nc_transpose.c8",
              [](Bench& b, NcTranspose& op) {
                op = {b.psum(DType::float8_e5m2, 64, {128}), b.sbuf(DType::float8_e5m2, 128, {64})};
              })
      .breaks("tile.indirect_operand", [](Bench& b, NcTranspose& op) {
        op.data = b.indirect(op.data, b.sbuf(DType::uint16, 128, {2}), 64, 32);
      });
  cases.instruction<PsumZero>([](Bench& b) { return PsumZero{b.psum(DType::float32, 64, {512})}; })
      .breaks("psum_zero.c1",
              [](Bench& b, PsumZero& op) { op.dst = b.sbuf(DType::float32, 64, {512}); })
      .breaks("psum_zero.c2",
              [](Bench& b, PsumZero& op) { op.dst = b.psum(DType::int32, 64, {512}); });
  cases
      .instruction<NcTranspose>([](Bench& b) {
        return NcTranspose{b.sbuf(DType::int8, 16, {32}), b.psum(DType::int8, 32, {16})};
      })
      .breaks("nc_transpose.c1", [](Bench& b, NcTranspose& op) {
        op.dst = b.hbm(DType::int8, {32, 16});
      });
}

}  // namespace

void add_matrix_cases(Cases& cases) {
  add_transpose_cases(cases);
  add_product_cases(cases);
  add_mode_cases(cases);
  add_gather_cases(cases);
}

}  // namespace trainyard::isa
