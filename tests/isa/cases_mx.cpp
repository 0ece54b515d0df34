#include "cases.h"
#include "isa/instructions/nc_matmul_mx.h"
#include "isa/instructions/quantize_mx.h"

namespace trainyard::isa {

namespace {

QuantizeMx quantize(Bench& b) {
  return {b.sbuf(DType::float8_e4m3fn_x4, 128, {64}), b.sbuf(DType::bfloat16, 128, {64, 4}),
          b.sbuf(DType::uint8, 128, {64})};
}

// Scales packed behind another tensor's: rows 4.. of a tile that both share.
Tile packed_scale(Bench& b, int columns) {
  Tile scale = b.sbuf(DType::float8_e8m0fnu, 128, {columns});
  scale.partition_start = 4;
  scale.partitions = 124;
  return scale;
}

void add_quantize_cases(Cases& cases) {
  cases.instruction<QuantizeMx>(quantize)
      .allows([](Bench& b, QuantizeMx& op) { op.dst_scale = packed_scale(b, 64); })
      .allows([](Bench& b, QuantizeMx& op) {
        op = {b.sbuf(DType::float8_e5m2_x4, 32, {64}), b.sbuf(DType::float16, 32, {256}),
              b.sbuf(DType::uint8, 4, {64})};
      })
      .breaks("quantize_mx.c1", [](Bench& b, QuantizeMx&) { b.core.features.mx = false; })
      .breaks("quantize_mx.c2",
              [](Bench& b, QuantizeMx& op) { op.src = b.psum(DType::bfloat16, 128, {256}); })
      .breaks("quantize_mx.c3",
              [](Bench& b, QuantizeMx& op) { op.src = b.sbuf(DType::float32, 128, {256}); })
      .breaks("quantize_mx.c4",
              [](Bench& b, QuantizeMx& op) { op.dst = b.sbuf(DType::float4_e2m1fn_x4, 128, {64}); })
      .breaks("quantize_mx.c5",
              [](Bench& b, QuantizeMx& op) { op.dst_scale = b.sbuf(DType::int8, 128, {64}); })
      .breaks("quantize_mx.c6",
              [](Bench& b, QuantizeMx& op) {
                op.src = b.sbuf(DType::bfloat16, 48, {256});
                op.dst = b.sbuf(DType::float8_e4m3fn_x4, 48, {64});
              })
      .breaks("quantize_mx.c7",
              [](Bench& b, QuantizeMx& op) { op.src = b.sbuf(DType::bfloat16, 128, {258}); })
      .breaks(
          "quantize_mx.c8",
          [](Bench& b, QuantizeMx& op) { op.dst = b.sbuf(DType::float8_e4m3fn_x4, 128, {128}); })
      .breaks("quantize_mx.c9",
              [](Bench& b, QuantizeMx& op) { op.dst_scale = b.sbuf(DType::uint8, 16, {64}); })
      .breaks("quantize_mx.c10", [](Bench&, QuantizeMx& op) {
        op.dst_scale.partition_start = 2;
        op.dst_scale.partitions = 126;
      });
}

NcMatmulMx product(Bench& b) {
  NcMatmulMx op;
  op.dst = b.psum(DType::bfloat16, 128, {512});
  op.stationary = b.sbuf(DType::float8_e4m3fn_x4, 128, {128});
  op.moving = b.sbuf(DType::float4_e2m1fn_x4, 128, {512});
  op.stationary_scale = b.sbuf(DType::uint8, 128, {128});
  op.moving_scale = packed_scale(b, 512);
  return op;
}

NcMatmulMx tiled(Bench& b) {
  NcMatmulMx op;
  op.dst = b.psum(DType::float32, 128, {512});
  op.stationary = b.sbuf(DType::float8_e5m2_x4, 32, {128});
  op.moving = b.sbuf(DType::float8_e5m2_x4, 32, {512});
  op.stationary_scale = b.sbuf(DType::uint8, 4, {128});
  op.moving_scale = b.sbuf(DType::uint8, 32, {512});
  op.tile_position = {{64, 0}, 2};
  op.tile_size = {{32, 128}, 2};
  return op;
}

NcMatmulMx gathered(Bench& b) {
  NcMatmulMx op = product(b);
  const Tile index = b.sbuf(DType::uint16, 128, {16});
  op.moving = b.indirect(b.sbuf(DType::float8_e5m2_x4, 128, {2048}), index, 512, 32);
  op.moving_scale = b.indirect(b.sbuf(DType::uint8, 128, {2048}), index, 512, 32);
  return op;
}

void add_operand_cases(Cases& cases) {
  cases.instruction<NcMatmulMx>(product)
      .breaks("nc_matmul_mx.c1", [](Bench& b, NcMatmulMx&) { b.core.features.mx = false; })
      .breaks(
          "nc_matmul_mx.c2",
          [](Bench& b, NcMatmulMx& op) { op.moving = b.psum(DType::float8_e5m2_x4, 128, {512}); })
      .breaks("nc_matmul_mx.c3",
              [](Bench& b, NcMatmulMx& op) { op.dst = b.sbuf(DType::bfloat16, 128, {512}); })
      .breaks("nc_matmul_mx.c4",
              [](Bench& b, NcMatmulMx& op) { op.moving = b.sbuf(DType::float8_e5m2, 128, {512}); })
      .breaks(
          "nc_matmul_mx.c5",
          [](Bench& b, NcMatmulMx& op) { op.stationary_scale = b.sbuf(DType::int8, 128, {128}); })
      .breaks("nc_matmul_mx.c6",
              [](Bench& b, NcMatmulMx& op) { op.dst = b.psum(DType::float16, 128, {512}); })
      .breaks(
          "nc_matmul_mx.c7",
          [](Bench& b, NcMatmulMx& op) { op.moving = b.sbuf(DType::float8_e5m2_x4, 64, {512}); })
      .breaks("nc_matmul_mx.c8",
              [](Bench& b, NcMatmulMx& op) {
                op.stationary = b.sbuf(DType::float8_e5m2_x4, 48, {128});
                op.moving = b.sbuf(DType::float8_e5m2_x4, 48, {512});
              })
      .breaks("nc_matmul_mx.c9",
              [](Bench& b, NcMatmulMx& op) {
                op.stationary = b.sbuf(DType::float8_e5m2_x4, 128, {63});
                op.stationary_scale = b.sbuf(DType::uint8, 128, {63});
                op.dst = b.psum(DType::float32, 63, {512});
              })
      .breaks("nc_matmul_mx.c10",
              [](Bench& b, NcMatmulMx& op) { op.dst = b.psum(DType::float32, 64, {512}); })
      .breaks("nc_matmul_mx.c11",
              [](Bench& b, NcMatmulMx& op) { op.dst = b.psum(DType::float32, 128, {256}); })
      .breaks("nc_matmul_mx.c12",
              [](Bench& b, NcMatmulMx& op) {
                b.core.array.moving_free_max_fp32 = 512;
                op.moving = b.sbuf(DType::float8_e5m2_x4, 128, {1024});
                op.moving_scale = b.sbuf(DType::uint8, 128, {1024});
                op.dst = b.psum(DType::float32, 128, {1024});
              })
      .breaks(
          "nc_matmul_mx.c13",
          [](Bench& b, NcMatmulMx& op) { op.stationary_scale = b.sbuf(DType::uint8, 16, {128}); })
      .breaks("nc_matmul_mx.c14",
              [](Bench&, NcMatmulMx& op) { op.moving_scale.partition_start = 3; });
}

void add_array_cases(Cases& cases) {
  cases.instruction<NcMatmulMx>(tiled)
      .breaks("nc_matmul_mx.c15", [](Bench&, NcMatmulMx& op) { op.tile_position = {}; })
      .breaks("nc_matmul_mx.c16",
              [](Bench&, NcMatmulMx& op) {
                op.tile_size = {{32, 64}, 2};
              })
      .breaks("nc_matmul_mx.c17", [](Bench&, NcMatmulMx& op) {
        op.tile_position = {{48, 0}, 2};
      });
  cases.instruction<NcMatmulMx>(gathered)
      .breaks("nc_matmul_mx.c18",
              [](Bench& b, NcMatmulMx& op) { op.moving_scale = b.sbuf(DType::uint8, 128, {512}); })
      .breaks("nc_matmul_mx.c19",
              [](Bench&, NcMatmulMx& op) {
                op.tile_position = {{64, 0}, 2};
                op.tile_size = {{64, 128}, 2};
              },
              {"nc_matmul_mx.c8"});
  cases
      .instruction<NcMatmulMx>([](Bench& b) {
        NcMatmulMx op = product(b);
        op.dst = b.indirect(b.psum(DType::bfloat16, 128, {2048}), b.sbuf(DType::uint16, 128, {16}),
                            512, 32);
        return op;
      })
      .breaks("nc_matmul_mx.c20", [](Bench& b, NcMatmulMx&) {
        b.program.dynamics[0].index.partition_start = 32;
        b.program.tensors[b.program.dynamics[0].index.tensor].shape[0] = 160;
      });
}

}  // namespace

void add_mx_cases(Cases& cases) {
  add_quantize_cases(cases);
  add_operand_cases(cases);
  add_array_cases(cases);
}

}  // namespace trainyard::isa
