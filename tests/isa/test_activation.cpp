// Do the activation instructions scale, apply, reduce and keep their registers as documented?
#include <limits>

#include "isa/instructions/activate2.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/activation_reduce.h"
#include "isa/instructions/exponential.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

using numerics::ActivationFunction;
using numerics::AluOp;

TEST(Activation, ScalesThenAddsThenApplies) {
  Lab lab;
  Activation op;
  op.dst = lab.sbuf(DType::bfloat16, 64, {40});
  op.data = lab.psum(DType::float32, 64, {40});
  op.scale.tile = lab.sbuf(DType::float32, 64, {1});
  op.bias.tile = lab.sbuf(DType::bfloat16, 64, {1});
  op.op = ActivationFunction::square;
  for (const Tile& tile : {op.data, op.scale.tile, op.bias.tile}) lab.fill(tile, -2, 2);
  lab.run(op);
  lab.expect(op.dst, [&](int p, std::int64_t i) {
    const float scaled = lab.get(op.data, p, i) * lab.get(op.scale.tile, p, 0);
    const float x = scaled + lab.get(op.bias.tile, p, 0);
    return x * x;
  });
}

TEST(Activation, CopyKeepsNegativeZero) {
  Lab lab;
  Activation op;
  op.dst = op.data = lab.sbuf(DType::float32, 1, {2});
  lab.set_row(op.data, 0, {-0.0F, 3});
  lab.run(op);
  EXPECT_EQ(lab.bits(op.dst, 0, 0), 0x80000000u);
}

TEST(Activation, SumsInOrderAcrossInstructions) {
  Lab lab;
  Activation op;
  op.dst = lab.sbuf(DType::bfloat16, 40, {100});
  op.data = lab.sbuf(DType::float32, 40, {100});
  op.reduce_op = AluOp::add;
  std::vector<float> sums(40, 0);
  const Tile total = lab.sbuf(DType::float32, 40, {1});
  for (int step = 0; step < 3; ++step) {
    lab.fill(op.data, -1, 1);
    op.reduce_cmd = step == 0 ? ReduceCmd::reset_reduce : ReduceCmd::reduce;
    op.reduce_res = step == 2 ? total : Tile{};
    lab.run(op);
    for (int p = 0; p < 40; ++p) {
      for (const float x : lab.row(op.data, p))
        sums[static_cast<std::size_t>(p)] += x;  // not of the bf16 in dst
    }
  }
  lab.expect(total, [&](int p, std::int64_t) { return sums[static_cast<std::size_t>(p)]; });
}

TEST(Activation, ReadsTheRegistersOutLast) {
  Lab lab;
  Activation op;
  op.dst = op.data = lab.sbuf(DType::float32, 2, {4});
  op.reduce_op = AluOp::add;
  op.reduce_cmd = ReduceCmd::reset_reduce;
  op.reduce_res = op.dst;  // its first column
  op.reduce_res.dims[0].count = 1;
  lab.set_row(op.data, 1, {1, 2, 3, 4});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(10, 2, 3, 4));
}

TEST(Activation, IdleKeepsTheRegistersAndResetClearsThem) {
  Lab lab;
  Activation op;
  op.dst = op.data = lab.sbuf(DType::float32, 2, {4});
  op.reduce_op = AluOp::add;
  op.reduce_cmd = ReduceCmd::reset_reduce;
  lab.set_row(op.data, 0, {1, 2, 3, 4});
  lab.run(op);
  op.reduce_cmd = ReduceCmd::idle;
  op.reduce_res = lab.sbuf(DType::float32, 2, {1});
  lab.run(op);
  EXPECT_EQ(lab.get(op.reduce_res, 0, 0), 10);
  op.reduce_cmd = ReduceCmd::reset;
  lab.run(op);
  EXPECT_EQ(lab.get(op.reduce_res, 0, 0), 0);
}

TEST(ActivationReduce, StartsAtZeroAndReadsOut) {
  Lab lab;
  ActivationReduce op;
  op.dst = op.data = lab.sbuf(DType::float32, 3, {5});
  op.op = ActivationFunction::abs;
  op.reduce_res = lab.psum(DType::bfloat16, 3, {1});
  lab.fill(op.data, -1, 1);
  for (int run = 0; run < 2; ++run) {
    std::vector<float> sums(3, 0);
    for (int p = 0; p < 3; ++p) {
      for (const float x : lab.row(op.data, p)) sums[static_cast<std::size_t>(p)] += std::fabs(x);
    }
    lab.run(op);
    lab.expect(op.reduce_res,
               [&](int p, std::int64_t) { return sums[static_cast<std::size_t>(p)]; });
  }
}

TEST(Activate2, AppliesTheOperatorsReversedAndReduces) {
  Lab lab;
  Activate2 op;
  op.dst = lab.sbuf(DType::float32, 20, {9});
  op.data = lab.sbuf(DType::float32, 20, {9});
  op.op = ActivationFunction::prelu;
  op.op0 = AluOp::multiply;
  op.op1 = AluOp::subtract;
  op.imm0.constant = 3;
  op.imm1.tile = lab.sbuf(DType::float32, 20, {1});
  op.reverse1 = true;
  op.relu_param.tile = lab.sbuf(DType::float32, 20, {1});
  op.reduce_op = AluOp::abs_max;
  op.reduce_cmd = ReduceCmd::reset_reduce;
  op.reduce_res = lab.sbuf(DType::float32, 20, {1});
  for (const Tile& tile : {op.data, op.imm1.tile, op.relu_param.tile}) lab.fill(tile, -2, 2);
  lab.run(op);
  const auto result = [&](int p, std::int64_t i) {
    const float x = lab.get(op.imm1.tile, p, 0) - lab.get(op.data, p, i) * 3;
    return x > 0 ? x : lab.get(op.relu_param.tile, p, 0) * x;
  };
  lab.expect(op.dst, result);
  lab.expect(op.reduce_res, [&](int p, std::int64_t) {
    float most = 0;
    for (int i = 0; i < 9; ++i) {
      if (std::fabs(result(p, i)) >= std::fabs(most)) most = result(p, i);
    }
    return most;
  });
}

TEST(Activate2, ReductionsStartAtTheirIdentity) {
  Lab lab;
  Activate2 op;
  op.dst = op.data = lab.sbuf(DType::float32, 1, {2});
  op.reduce_res = lab.sbuf(DType::float32, 1, {1});
  op.reduce_cmd = ReduceCmd::reset;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::pair<AluOp, float> identities[] = {{AluOp::add, 0.0F},
                                                {AluOp::maximum, -infinity},
                                                {AluOp::minimum, infinity},
                                                {AluOp::abs_max, 0.0F},
                                                {AluOp::abs_min, infinity}};
  for (const auto& [reduction, identity] : identities) {
    op.reduce_op = reduction;
    lab.run(op);
    EXPECT_EQ(lab.get(op.reduce_res, 0, 0), identity) << numerics::name(reduction);
  }
}

TEST(Exponential, SubtractsTheMaximumAndSums) {
  Lab lab;
  Exponential op;
  op.dst = lab.sbuf(DType::bfloat16, 128, {300});
  op.src = lab.psum(DType::float32, 128, {300});
  op.max_value.tile = lab.sbuf(DType::float32, 128, {1});
  op.reduce_res = lab.sbuf(DType::float32, 128, {1});
  op.reduce_cmd = ReduceCmd::load_reduce;
  op.reduce_init.tile = lab.sbuf(DType::float32, 128, {1});
  for (const Tile& tile : {op.src, op.max_value.tile, op.reduce_init.tile}) lab.fill(tile, -2, 2);
  lab.run(op);
  for (int p = 0; p < 128; ++p) {
    float sum = lab.get(op.reduce_init.tile, p, 0);
    for (int i = 0; i < 300; ++i) {
      const float x = lab.get(op.src, p, i) - lab.get(op.max_value.tile, p, 0);
      const auto e = static_cast<float>(std::exp(static_cast<double>(x)));
      ASSERT_NEAR(lab.get(op.dst, p, i), e, 0.004 * e);
      sum += e;
    }
    ASSERT_NEAR(lab.get(op.reduce_res, p, 0), sum, 1e-5 * sum);
  }
}

TEST(Exponential, IdleLeavesTheAccumulatorUndefined) {
  Lab lab;
  Exponential op;
  op.dst = op.src = lab.sbuf(DType::float32, 1, {2});
  lab.run(op);
  op.reduce_cmd = ReduceCmd::reduce;
  op.reduce_res = lab.sbuf(DType::float32, 1, {1});
  lab.run(op);
  EXPECT_TRUE(std::isnan(lab.get(op.reduce_res, 0, 0)));
}

}  // namespace
}  // namespace trainyard::isa
