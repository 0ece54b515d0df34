#include "cases.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::isa {

namespace {

// The rules of every tile, shown with tensor_copy.
void add_tile_cases(Cases& cases) {
  cases
      .instruction<TensorCopy>([](Bench& b) {
        return TensorCopy{b.sbuf(DType::float32, 64, {8, 16}), b.psum(DType::float32, 64, {8, 16})};
      })
      .breaks("tile.tensor", [](Bench&, TensorCopy& op) { op.src.tensor = 7; })
      .breaks("tile.given", [](Bench&, TensorCopy& op) { op.src = {}; })
      .breaks("tile.partitions",
              [](Bench& b, TensorCopy& op) { op.src = op.dst = b.sbuf(DType::float32, 129, {8}); })
      .breaks("tile.partition_start",
              [](Bench& b, TensorCopy& op) {
                op.dst = b.sbuf(DType::float32, 128, {8, 16});
                op.dst.partitions = 64;
                op.dst.partition_start = 32;
              })
      .breaks("tile.bounds", [](Bench&, TensorCopy& op) { op.src.offset = 4; })
      .breaks("tile.rank",
              [](Bench& b, TensorCopy& op) {
                op.dst = op.src = b.sbuf(DType::float32, 64, {4, 4, 4, 4, 4});
                for (Dim& dim : op.dst.dims) dim = {2 * dim.step, 2};
                op.src = op.dst;
              })
      .breaks("tile.step",
              [](Bench& b, TensorCopy& op) {
                op.src = op.dst = b.sbuf(DType::int8, 64, {40000});
                op.src.dims[0] = op.dst.dims[0] = {32768, 2};
              })
      .breaks("tile.elements",
              [](Bench& b, TensorCopy& op) {
                op.dst = b.sbuf(DType::int8, 64, {65537});
                op.src = b.sbuf(DType::int8, 64, {65537});
              })
      .allows([](Bench& b, TensorCopy& op) {  // 192 elements of PSUM, 48 times each
        op.dst = b.sbuf(DType::float32, 64, {192, 48});
        op.src = b.psum(DType::float32, 64, {192, 1});
        op.src.dims[1] = {0, 48};
      })
      .allows([](Bench& b, TensorCopy& op) { op.dst = op.src = b.sbuf(DType::int8, 64, {65536}); })
      .allows([](Bench& b, TensorCopy& op) {  // as many dimensions as the hardware walks
        op.dst = op.src = b.sbuf(DType::int8, 64, {4, 4, 4, 1000});
        for (std::size_t d = 0; d < 3; ++d) op.dst.dims[d] = {2 * op.dst.dims[d].step, 2};
        op.dst.dims[3].count = 900;
        op.src = op.dst;
      })
      .breaks("tile.count",
              [](Bench&, TensorCopy& op) { op.src.dims[0].count = op.dst.dims[0].count = 0; })
      .breaks("engine.kind", [](Bench& b, TensorCopy&) { b.engine = Engine::tensor; })
      .breaks("engine.psum", [](Bench& b, TensorCopy&) { b.engine = Engine::gpsimd; })
      .breaks("tile.dynamic",
              [](Bench& b, TensorCopy& op) {
                op.src = b.by_tile(op.src, b.sbuf(DType::float32, 1, {1}));
              })
      .breaks("tile.vector_offset", [](Bench& b, TensorCopy& op) {
        op.src = b.by_rows(op.src, b.sbuf(DType::int32, 64, {1}), 1);
      });
}

NcMatmul gathering(Bench& b) {
  NcMatmul op{b.psum(DType::float32, 128, {512}), b.sbuf(DType::bfloat16, 128, {128}),
              b.sbuf(DType::bfloat16, 128, {2048})};
  op.moving = b.indirect(op.moving, b.sbuf(DType::uint16, 128, {16}), 512, 32);
  return op;
}

void add_indirection_cases(Cases& cases) {
  cases.instruction<NcMatmul>(gathering)
      .breaks("tile.indirect_machine",
              [](Bench& b, NcMatmul&) { b.core.features.indirection = false; })
      .breaks("tile.indirect_index",
              [](Bench& b, NcMatmul&) {
                Tile& index = b.program.dynamics[0].index;
                index.partitions = 64;
              })
      .breaks("tile.indirect_count",
              [](Bench& b, NcMatmul&) { b.program.dynamics[0].index.dims[0].count = 15; })
      .breaks("tile.indirect_start", [](Bench& b, NcMatmul& op) {
        op.stationary.partitions = op.moving.partitions = 32;
        Tile& index = b.program.dynamics[0].index;
        index.partitions = 32;
        index.partition_start = 64;
      });
}

// A scatter on the Scalar engine; everything starts at partition 32.
Activation scattering(Bench& b) {
  Activation op;
  op.data = b.sbuf(DType::float32, 32, {16});
  b.program.tensors.back().partition_start = 32;
  const Tile dst = b.sbuf(DType::float32, 32, {64}), index = b.sbuf(DType::uint16, 32, {1});
  b.program.tensors.back().partition_start = 32;
  op.dst = b.indirect(dst, index, 16, 16);
  return op;
}

void add_scatter_cases(Cases& cases) {
  cases.instruction<Activation>(scattering)
      .breaks(
          "tile.scatter_start",
          [](Bench& b, Activation& op) { b.program.tensors[op.data.tensor].partition_start = 64; })
      .breaks("tile.scatter_psum",
              [](Bench& b, Activation& op) {
                const Tile dst = b.psum(DType::float32, 32, {64});
                op.dst = b.indirect(dst, b.program.dynamics[0].index, 16, 16);
              })
      .allows([](Bench& b, Activation& op) {  // a plain source in PSUM may start anywhere
        op.data = b.psum(DType::float32, 32, {16});
      });
}

}  // namespace

void add_general_cases(Cases& cases) {
  add_tile_cases(cases);
  add_indirection_cases(cases);
  add_scatter_cases(cases);
}

}  // namespace trainyard::isa
