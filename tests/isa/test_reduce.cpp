// Do reductions, running reductions and statistics follow the documented order and start values?
#include <limits>

#include "isa/instructions/bn_aggr.h"
#include "isa/instructions/bn_stats.h"
#include "isa/instructions/tensor_partition_reduce.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar_cumulative.h"
#include "isa/instructions/tensor_scalar_reduce.h"
#include "isa/instructions/tensor_tensor_scan.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

using numerics::AluOp;

TensorReduce last_axes(Tile dst, AluOp op, Tile data, int count) {
  TensorReduce reduce;
  reduce.dst = dst;
  reduce.op = op;
  reduce.data = data;
  for (int axis = data.rank - count + 1; axis <= data.rank; ++axis) reduce.axis.push_back(axis);
  return reduce;
}

TEST(TensorReduce, AddsTheLastDimensionsInOrder) {
  Lab lab;
  const Tile data = lab.psum(DType::float32, 70, {3, 4, 5});
  lab.fill(data, -1, 1);
  for (const int axes : {1, 2, 3}) {
    const int group = axes == 1 ? 5 : axes == 2 ? 20 : 60;
    const Tile dst = lab.sbuf(DType::float32, 70, {60 / group});
    TensorReduce op = last_axes(dst, AluOp::add, data, axes);
    op.negate = axes == 2;
    lab.run(op);
    lab.expect(dst, [&](int p, std::int64_t g) {
      float sum = 0;
      for (int i = 0; i < group; ++i) sum += lab.get(data, p, g * group + i);
      return op.negate ? -sum : sum;
    });
  }
}

TEST(TensorReduce, ReadsStridedNarrowRows) {
  Lab lab;
  const Tile data = lab.strided(Space::sbuf, DType::bfloat16, 128, {{1, 4}, {4, 30}});
  const Tile dst = lab.sbuf(DType::bfloat16, 128, {4});
  lab.fill(data, -100, 100);
  lab.run(last_axes(dst, AluOp::maximum, data, 1));
  lab.expect(dst, [&](int p, std::int64_t g) {
    float most = -std::numeric_limits<float>::infinity();
    for (int i = 0; i < 30; ++i) most = std::max(most, lab.get(data, p, g * 30 + i));
    return most;
  });
}

TEST(TensorReduce, SubtractsFromTheFirstElement) {
  Lab lab;
  const Tile data = lab.sbuf(DType::float32, 2, {4}), dst = lab.sbuf(DType::float32, 2, {1});
  lab.set_row(data, 1, {10, 1, 2, 3});
  lab.run(last_axes(dst, AluOp::subtract, data, 1));
  EXPECT_EQ(lab.get(dst, 1, 0), 4);
}

TEST(TensorReduce, CombinesBits) {
  Lab lab;
  const Tile data = lab.sbuf(DType::uint16, 2, {2, 5}), dst = lab.sbuf(DType::uint32, 2, {2});
  lab.fill_bits(data);
  lab.run(last_axes(dst, AluOp::bitwise_and, data, 1));
  for (int g = 0; g < 2; ++g) {
    std::uint32_t all = 0xFFFF;
    for (int i = 0; i < 5; ++i) all &= lab.bits(data, 1, g * 5 + i);
    EXPECT_EQ(lab.bits(dst, 1, g), all);
  }
}

TEST(TensorPartitionReduce, WalksThePartitionsInOrder) {
  Lab lab;
  const Tile data = lab.sbuf(DType::bfloat16, 100, {6}), dst = lab.sbuf(DType::float32, 1, {2, 3});
  lab.fill(data, -1, 1);
  const auto sum = [&](int, std::int64_t i) {
    float s = lab.get(data, 0, i);
    for (int p = 1; p < 100; ++p) s += lab.get(data, p, i);
    return s;
  };
  lab.run(TensorPartitionReduce{dst, AluOp::add, data});
  lab.expect(dst, sum);
  lab.run(TensorPartitionReduce{dst, AluOp::average, data});
  lab.expect(dst, [&](int p, std::int64_t i) { return sum(p, i) / 100; });
  lab.run(TensorPartitionReduce{dst, AluOp::maximum, data});
  lab.expect(dst, [&](int, std::int64_t i) {
    float most = lab.get(data, 0, i);
    for (int p = 1; p < 100; ++p) most = std::max(most, lab.get(data, p, i));
    return most;
  });
}

TEST(TensorScalarReduce, NegatesWhatItWritesNotTheAccumulator) {
  Lab lab;
  TensorScalarReduce op;
  op.dst = lab.sbuf(DType::bfloat16, 64, {20});
  op.data = lab.psum(DType::float32, 64, {20});
  op.operand0.constant = 0.5;
  op.reduce_op = AluOp::maximum;
  op.reduce_res = lab.sbuf(DType::float32, 64, {1});
  op.reduce_res_negate = true;
  lab.fill(op.data, -1, 1);
  const auto most = [&](int p, std::int64_t) {
    float result = -std::numeric_limits<float>::infinity();
    for (const float x : lab.row(op.data, p)) result = std::max(result, x * 0.5F);
    return result;
  };
  lab.run(op);
  lab.expect(op.reduce_res, [&](int p, std::int64_t i) { return -most(p, i); });
  lab.expect(op.dst, [&](int p, std::int64_t i) { return lab.get(op.data, p, i) * 0.5F; });
  op.reduce_cmd = ReduceCmd::reduce;
  op.reduce_res_negate = false;
  lab.run(op);
  lab.expect(op.reduce_res, most);
}

TEST(TensorScalarReduce, StartsWhereItIsTold) {
  Lab lab;
  TensorScalarReduce op;
  op.dst = op.data = lab.sbuf(DType::float32, 2, {3});
  op.operand0.constant = 1;
  op.reduce_op = AluOp::multiply;
  op.reduce_res = lab.sbuf(DType::float32, 2, {1});
  lab.set_row(op.data, 1, {2, 3, 4});
  lab.run(op);
  EXPECT_EQ(lab.get(op.reduce_res, 1, 0), 24);
  op.reduce_cmd = ReduceCmd::load_reduce;
  op.reduce_init.tile = lab.sbuf(DType::float32, 2, {1});
  op.reduce_init.constant = 0;
  lab.set(op.reduce_init.tile, 1, 0, 10);
  lab.run(op);
  EXPECT_EQ(lab.get(op.reduce_res, 1, 0), 240);
}

TEST(TensorScalarCumulative, StoresEveryStep) {
  Lab lab;
  TensorScalarCumulative op;
  op.dst = lab.sbuf(DType::float32, 2, {5});
  op.src = lab.sbuf(DType::bfloat16, 2, {5});
  op.op0 = AluOp::add;
  op.imm0.constant = 1;
  lab.set_row(op.src, 1, {0, 1, 2, 3, 4});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(1, 3, 6, 10, 15));
  op.reduce_cmd = ReduceCmd::reduce;
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(16, 18, 21, 25, 30));
  op.op1 = AluOp::subtract;  // (src + 1) - accumulator
  op.reduce_cmd = ReduceCmd::reset_reduce;
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(1, 1, 2, 2, 3));
  op.op1 = AluOp::minimum;
  op.reduce_cmd = ReduceCmd::load_reduce;
  op.imm1.constant = 2.5;
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(1, 1, 1, 1, 1));
}

TEST(TensorTensorScan, KeepsItsStateInFloat32) {
  Lab lab;
  TensorTensorScan op;
  op.dst = lab.sbuf(DType::bfloat16, 128, {50});
  op.data0 = lab.sbuf(DType::bfloat16, 128, {50});
  op.data1 = lab.psum(DType::float32, 128, {50});
  op.initial.tile = lab.sbuf(DType::float32, 128, {1});
  for (const Tile& tile : {op.data0, op.data1, op.initial.tile}) lab.fill(tile, -1, 1);
  lab.run(op);
  lab.expect(op.dst, [&](int p, std::int64_t n) {
    float state = lab.get(op.initial.tile, p, 0);
    for (std::int64_t i = 0; i <= n; ++i)
      state = lab.get(op.data0, p, i) * state + lab.get(op.data1, p, i);
    return state;
  });
}

TEST(TensorTensorScan, ReversesEachOperator) {
  Lab lab;
  TensorTensorScan op;
  op.dst = lab.sbuf(DType::float32, 1, {2});
  op.data0 = lab.sbuf(DType::float32, 1, {2});
  op.data1 = lab.sbuf(DType::float32, 1, {2});
  op.initial.constant = 100;
  op.op0 = op.op1 = AluOp::subtract;
  lab.set_row(op.data0, 0, {1, 2});
  lab.set_row(op.data1, 0, {10, 20});
  const auto run = [&](bool reverse0, bool reverse1) {
    op.reverse0 = reverse0;
    op.reverse1 = reverse1;
    lab.run(op);
    return lab.row(op.dst, 0);
  };
  EXPECT_THAT(run(false, false), testing::ElementsAre(1 - 100 - 10, 2 - (1 - 100 - 10) - 20));
  EXPECT_THAT(run(true, false), testing::ElementsAre(100 - 1 - 10, 100 - 1 - 10 - 2 - 20));
  EXPECT_THAT(run(false, true), testing::ElementsAre(10 - (1 - 100), 20 - (2 - (10 - (1 - 100)))));
}

TEST(BnStats, SplitsEvenAndOddElements) {
  Lab lab;
  const BnStats op{lab.sbuf(DType::float32, 1, {6}), lab.sbuf(DType::bfloat16, 1, {5})};
  lab.set_row(op.data, 0, {1, 10, 3, 30, 8});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 0), testing::ElementsAre(3, 4, 26, 2, 20, 200));
}

TEST(BnStats, OfOneElementHasNoOddPart) {
  Lab lab;
  const BnStats op{lab.sbuf(DType::float32, 1, {6}), lab.sbuf(DType::float32, 1, {1})};
  lab.set_row(op.data, 0, {7});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 0), testing::ElementsAre(1, 7, 0, 0, 0, 0));
}

TEST(BnAggr, GivesTheMomentsOfAllPieces) {
  Lab lab;
  const Tile data = lab.sbuf(DType::float32, 128, {700});
  lab.fill(data, -50, 100);
  const Tile stats = lab.sbuf(DType::float32, 128, {12});
  for (int piece = 0; piece < 2; ++piece) {
    Tile part = data, result = stats;
    part.dims[0].count = piece == 0 ? 512 : 188;
    part.offset += 512 * 4 * piece;
    result.dims[0].count = 6;
    result.offset += 6 * 4 * piece;
    lab.run(BnStats{result, part});
  }
  const Tile moments = lab.sbuf(DType::float32, 128, {2});
  lab.run(BnAggr{moments, stats});
  for (int p = 0; p < 128; ++p) {
    double sum = 0, squares = 0;
    for (const float x : lab.row(data, p)) sum += x;
    for (const float x : lab.row(data, p)) squares += (x - sum / 700) * (x - sum / 700);
    ASSERT_NEAR(lab.get(moments, p, 0), sum / 700, 1e-3);
    ASSERT_NEAR(lab.get(moments, p, 1), squares / 700, 1e-2);
  }
}

}  // namespace
}  // namespace trainyard::isa
