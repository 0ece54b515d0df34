// Do the copies and the one- and two-tile operators compute what a plain loop computes?
#include <limits>

#include "isa/instructions/memset.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_copy_predicated.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

using numerics::AluOp;

TEST(TensorCopy, MovesBitsBetweenEqualDtypes) {
  Lab lab;
  const Tile src = lab.strided(Space::sbuf, DType::int32, 40, {{9, 3}, {-2, 4}});
  const Tile dst = lab.psum(DType::int32, 40, {12});
  lab.fill_bits(src);
  lab.run(TensorCopy{dst, src});
  for (int p = 0; p < 40; ++p) {
    for (int i = 0; i < 12; ++i) EXPECT_EQ(lab.bits(dst, p, i), lab.bits(src, p, i));
  }
}

TEST(TensorCopy, TransposesTheFreeDimensions) {
  Lab lab;
  const Tile src = lab.strided(Space::sbuf, DType::uint16, 3, {{1, 4}, {4, 5}});
  const Tile dst = lab.strided(Space::sbuf, DType::uint16, 3, {{1, 5}, {5, 4}});
  lab.fill_bits(src);
  lab.run(TensorCopy{dst, src});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(lab.bits(dst, 2, i), lab.bits(src, 2, i));
}

TEST(TensorCopy, CastsThroughFloat32) {
  Lab lab;
  const Tile src = lab.sbuf(DType::int32, 1, {4});
  const Tile dst = lab.sbuf(DType::int16, 1, {4});
  const std::int32_t values[] = {70000, -70000, 12345, 16777217};
  for (int i = 0; i < 4; ++i) lab.set_bits(src, 0, i, static_cast<std::uint32_t>(values[i]));
  lab.run(TensorCopy{dst, src});
  EXPECT_THAT(lab.row(dst, 0), testing::ElementsAre(32767, -32768, 12345, 32767));
}

TEST(TensorCopy, RoundsToNearestEvenIntoIntegers) {
  Lab lab;
  const Tile src = lab.sbuf(DType::float32, 1, {6});
  const Tile dst = lab.sbuf(DType::int8, 1, {6});
  lab.set_row(src, 0, {0.5F, 1.5F, -2.5F, 300, -1e9F, std::nanf("")});
  lab.run(TensorCopy{dst, src});
  EXPECT_THAT(lab.row(dst, 0), testing::ElementsAre(0, 2, -2, 127, -128, 0));
}

TEST(TensorCopy, RoundsStochasticallyByTheFraction) {
  Lab lab;
  lab.machine.core.policy.cast_rounding = machine::Rounding::stochastic;
  const Tile src = lab.sbuf(DType::float32, 128, {256});
  const Tile dst = lab.sbuf(DType::bfloat16, 128, {256});
  const float low = 1, high = 1 + 0x1p-7F, x = low + 0.25F * (high - low);
  for (int p = 0; p < 128; ++p) lab.set_row(src, p, std::vector<float>(256, p == 0 ? low : x));
  lab.run(TensorCopy{dst, src});
  int up = 0;
  for (int p = 0; p < 128; ++p) {
    for (const float y : lab.row(dst, p)) {
      EXPECT_TRUE(y == low || (y == high && p > 0));  // what is exact is not rounded
      up += y == high ? 1 : 0;
    }
  }
  EXPECT_NEAR(up / (127.0 * 256), 0.25, 0.01);
  EXPECT_NE(lab.row(dst, 1), lab.row(dst, 2));  // every lane has its own random bits
  Lab again;
  again.machine.core.policy.cast_rounding = machine::Rounding::stochastic;
  const Tile from = again.sbuf(DType::float32, 128, {256});
  const Tile to = again.sbuf(DType::bfloat16, 128, {256});
  again.set_row(from, 1, std::vector<float>(256, x));
  again.run(TensorCopy{to, from});
  EXPECT_EQ(again.row(to, 1), lab.row(dst, 1));  // and the same ones in every run
}

TEST(TensorCopy, SaturatesLegacyFp8WhereThePolicySaysSo) {
  Lab lab;
  const Tile src = lab.sbuf(DType::float32, 1, {2}), dst = lab.sbuf(DType::float8_e4m3, 1, {2});
  lab.set_row(src, 0, {1000, -3});
  lab.run(TensorCopy{dst, src});
  EXPECT_EQ(lab.get(dst, 0, 0), std::numeric_limits<float>::infinity());
  lab.machine.core.policy.cast_overflow = machine::Saturation::saturate;
  lab.run(TensorCopy{dst, src});
  EXPECT_THAT(lab.row(dst, 0), testing::ElementsAre(240, -3));
}

TEST(TensorCopy, ReadsARowBeforeItWritesIt) {
  Lab lab;
  for (const DType dtype : {DType::float32, DType::bfloat16}) {
    Tile whole = lab.sbuf(dtype, 2, {101});
    for (int i = 0; i < 101; ++i) lab.set(whole, 1, i, static_cast<float>(i));
    Tile src = whole, dst = whole;
    src.dims[0].count = dst.dims[0].count = 100;
    dst.offset += dst.element_bytes();
    lab.run(TensorCopy{dst, src});
    for (int i = 0; i < 100; ++i) EXPECT_EQ(lab.get(whole, 1, i + 1), static_cast<float>(i));
  }
}

TEST(TensorTensor, ComputesInFloat32AndRoundsOnce) {
  Lab lab;
  const Tile a = lab.sbuf(DType::bfloat16, 100, {3, 7});
  const Tile b = lab.psum(DType::float32, 100, {21});
  lab.fill(a, -4, 4);
  lab.fill(b, -4, 4);
  for (const DType dtype : {DType::float32, DType::bfloat16, DType::float8_e4m3, DType::int8}) {
    const Tile dst = lab.strided(Space::sbuf, dtype, 100, {{22, 7}, {2, 3}});
    lab.run(TensorTensor{dst, a, b, AluOp::multiply});
    lab.expect(dst, [&](int p, std::int64_t i) { return lab.get(a, p, i) * lab.get(b, p, i); });
    lab.run(TensorTensor{dst, a, b, AluOp::subtract});
    lab.expect(dst, [&](int p, std::int64_t i) { return lab.get(a, p, i) - lab.get(b, p, i); });
    lab.run(TensorTensor{dst, a, b, AluOp::greater});
    lab.expect(dst, [&](int p, std::int64_t i) {
      return lab.get(a, p, i) > lab.get(b, p, i) ? 1.0F : 0.0F;
    });
  }
}

TEST(TensorTensor, WorksInPlaceAndOverAShiftedRow) {
  Lab lab;
  const Tile whole = lab.sbuf(DType::float32, 3, {65});
  lab.fill(whole, -1, 1);
  std::vector<float> old = lab.row(whole, 2);
  Tile low = whole, high = whole;
  low.dims[0].count = high.dims[0].count = 64;
  high.offset += high.element_bytes();
  lab.run(TensorTensor{high, low, high, AluOp::add});
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(lab.get(whole, 2, static_cast<int>(i) + 1), old[i] + old[i + 1]);
  old = lab.row(whole, 1);
  lab.run(TensorTensor{low, low, low, AluOp::multiply});
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(lab.get(low, 1, static_cast<int>(i)), old[i] * old[i]);
}

TEST(TensorTensor, TakesLongContiguousRowsOfMixedFormats) {
  Lab lab;
  const Tile a = lab.sbuf(DType::bfloat16, 3, {1000}), b = lab.psum(DType::float32, 3, {1000});
  lab.fill(a, -4, 4);
  lab.fill(b, -4, 4);
  for (const DType dtype : {DType::bfloat16, DType::float16, DType::float8_e5m2}) {
    const Tile dst = lab.sbuf(dtype, 3, {1000});
    lab.run(TensorTensor{dst, a, b, AluOp::subtract});
    lab.expect(dst, [&](int p, std::int64_t i) { return lab.get(a, p, i) - lab.get(b, p, i); });
    lab.run(TensorTensor{dst, a, a, AluOp::multiply});
    lab.expect(dst, [&](int p, std::int64_t i) { return lab.get(a, p, i) * lab.get(a, p, i); });
  }
}

TEST(TensorTensor, ReadsANarrowRowBeforeItWritesOverItsNeighbours) {
  Lab lab;
  const Tile whole = lab.sbuf(DType::bfloat16, 1, {501});
  lab.fill(whole, -1, 1);
  const std::vector<float> old = lab.row(whole, 0);
  Tile low = whole, high = whole;
  low.dims[0].count = high.dims[0].count = 500;
  high.offset += high.element_bytes();
  lab.run(TensorTensor{high, low, low, AluOp::maximum});
  for (std::size_t i = 0; i < 500; ++i)
    EXPECT_EQ(lab.get(whole, 0, static_cast<int>(i) + 1), old[i]);
}

TEST(TensorTensor, IsExactForWordsOnGpSimdOnly) {
  Lab lab;
  const Tile a = lab.sbuf(DType::int32, 2, {3}), b = lab.sbuf(DType::int32, 2, {3});
  const Tile dst = lab.sbuf(DType::int32, 2, {3});
  const std::uint32_t left[] = {16777217, 0x7FFFFFFF, 3}, right[] = {2, 1, 0xFFFFFFFB};
  for (int i = 0; i < 3; ++i) {
    lab.set_bits(a, 0, i, left[i]);
    lab.set_bits(b, 0, i, right[i]);
  }
  TensorTensor op{dst, a, b, AluOp::add};
  EXPECT_EQ(info_of<TensorTensor>().choose(&op, lab.machine.core), Engine::gpsimd);
  lab.run(op);
  EXPECT_EQ(lab.bits(dst, 0, 0), 16777219u);
  EXPECT_EQ(lab.bits(dst, 0, 1), 0x80000000u);
  EXPECT_EQ(lab.bits(dst, 0, 2), 0xFFFFFFFEu);
  lab.run(op, Engine::vector);  // through fp32
  EXPECT_EQ(lab.bits(dst, 0, 0), 16777218u);
  EXPECT_EQ(lab.bits(dst, 0, 1), 0x7FFFFFFFu);
  op.op = AluOp::maximum;
  lab.run(op);
  EXPECT_EQ(lab.bits(dst, 0, 2), 3u);
  op.data1 = lab.psum(DType::int32, 2, {3});
  EXPECT_EQ(info_of<TensorTensor>().choose(&op, lab.machine.core), Engine::vector);
}

TEST(TensorTensor, BitwiseOperatorsKeepTheWidth) {
  Lab lab;
  const Tile a = lab.sbuf(DType::int8, 4, {16}), b = lab.sbuf(DType::uint8, 4, {16});
  const Tile dst = lab.sbuf(DType::uint8, 4, {16});
  lab.fill_bits(a);
  lab.fill(b, 0, 8);
  lab.run(TensorTensor{dst, a, b, AluOp::right_shift});
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(lab.bits(dst, 3, i), lab.bits(a, 3, i) >> lab.bits(b, 3, i));
  lab.run(TensorTensor{dst, a, b, AluOp::left_shift});
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(lab.bits(dst, 3, i), (lab.bits(a, 3, i) << lab.bits(b, 3, i)) & 0xFF);
}

TEST(TensorScalar, AppliesBothOperatorsWithReversal) {
  Lab lab;
  TensorScalar op;
  op.dst = lab.sbuf(DType::bfloat16, 64, {50});
  op.data = lab.psum(DType::float16, 64, {50});
  op.op0 = AluOp::subtract;
  op.operand0.tile = lab.sbuf(DType::float32, 64, {1});
  op.reverse0 = true;
  op.op1 = AluOp::maximum;
  op.operand1.constant = 0.25;
  lab.fill(op.data, -2, 2);
  lab.fill(op.operand0.tile, -1, 1);
  lab.run(op);
  lab.expect(op.dst, [&](int p, std::int64_t i) {
    return std::max(lab.get(op.operand0.tile, p, 0) - lab.get(op.data, p, i), 0.25F);
  });
}

TEST(TensorScalar, ReadsItsOperandsBeforeItOverwritesThem) {
  Lab lab;
  TensorScalar op;
  op.dst = op.data = lab.sbuf(DType::float32, 2, {8});
  op.op0 = AluOp::add;
  op.operand0.constant = 1;
  op.op1 = AluOp::multiply;
  op.operand1.tile = op.data;  // the first element of each row
  op.operand1.tile.dims[0].count = 1;
  lab.set_row(op.data, 1, {3, 1, 2, 3, 4, 5, 6, 7});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), testing::ElementsAre(12, 6, 9, 12, 15, 18, 21, 24));
}

TEST(TensorScalar, BitwiseOperatorsTakeColumns) {
  Lab lab;
  TensorScalar op;
  op.dst = op.data = lab.sbuf(DType::uint16, 2, {4});
  op.op0 = AluOp::bitwise_and;
  op.operand0.tile = lab.sbuf(DType::int16, 2, {1});
  op.op1 = AluOp::invert;
  op.operand1.constant = 0;
  lab.fill_bits(op.data);
  lab.fill_bits(op.operand0.tile);
  std::vector<std::uint32_t> wanted;
  for (int i = 0; i < 4; ++i)
    wanted.push_back(~(lab.bits(op.data, 1, i) & lab.bits(op.operand0.tile, 1, 0)) & 0xFFFF);
  lab.run(op);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(lab.bits(op.dst, 1, i), wanted[static_cast<std::size_t>(i)]);
}

TEST(TensorScalar, ChoosesGpSimdForRsqrtOnly) {
  Lab lab;
  TensorScalar op;
  EXPECT_EQ(info_of<TensorScalar>().choose(&op, lab.machine.core), Engine::vector);
  op.op1 = AluOp::rsqrt;
  EXPECT_EQ(info_of<TensorScalar>().choose(&op, lab.machine.core), Engine::gpsimd);
  op.dst = op.data = lab.psum(DType::float32, 2, {4});  // which GpSimd cannot reach
  op.operand1.constant = 0;
  const auto found =
      violations(info_of<TensorScalar>(), &op, Engine::any, lab.program, lab.machine.core);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].label, "engine.psum");
}

TEST(ScalarTensorTensor, KeepsTheOrderOfOperands) {
  Lab lab;
  ScalarTensorTensor op;
  op.dst = lab.psum(DType::float32, 64, {33});
  op.data = lab.sbuf(DType::bfloat16, 64, {33});
  op.op0 = AluOp::multiply;
  op.operand0.tile = lab.sbuf(DType::bfloat16, 64, {1});
  op.op1 = AluOp::subtract;
  op.operand1 = lab.sbuf(DType::float32, 64, {33});
  for (const Tile& tile : {op.data, op.operand0.tile, op.operand1}) lab.fill(tile, -3, 3);
  for (const bool reverse : {false, true}) {
    op.reverse1 = reverse;
    lab.run(op);
    lab.expect(op.dst, [&](int p, std::int64_t i) {
      const float middle = lab.get(op.data, p, i) * lab.get(op.operand0.tile, p, 0);
      const float right = lab.get(op.operand1, p, i);
      return reverse ? right - middle : middle - right;
    });
  }
}

TEST(TensorCopyPredicated, LeavesTheOthersAlone) {
  Lab lab;
  TensorCopyPredicated op;
  op.dst = lab.strided(Space::sbuf, DType::float32, 33, {{8, 4}, {1, 4}});
  op.src.tile = lab.psum(DType::float32, 33, {16});
  op.predicate = lab.sbuf(DType::uint16, 33, {2, 8});
  for (const bool reverse : {false, true}) {
    lab.fill_bits(op.dst);
    lab.fill_bits(op.src.tile);
    lab.fill(op.predicate, 0, 2);
    op.reverse_pred = reverse;
    std::vector<std::uint32_t> wanted;
    for (int i = 0; i < 16; ++i) {
      const bool copies = (lab.bits(op.predicate, 32, i) != 0) != reverse;
      wanted.push_back(lab.bits(copies ? op.src.tile : op.dst, 32, i));
    }
    lab.run(op);
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(lab.bits(op.dst, 32, i), wanted[static_cast<std::size_t>(i)]);
  }
}

TEST(TensorCopyPredicated, CopiesANumberExactly) {
  Lab lab;
  TensorCopyPredicated op;
  op.dst = lab.sbuf(DType::int32, 1, {2});
  op.src.constant = 16777217;
  op.predicate = lab.sbuf(DType::uint8, 1, {2});
  lab.set_bits(op.predicate, 0, 1, 1);
  lab.run(op);
  EXPECT_EQ(lab.bits(op.dst, 0, 0), 0u);
  EXPECT_EQ(lab.bits(op.dst, 0, 1), 16777217u);
}

TEST(Memset, FillsEveryDtypeExactly) {
  Lab lab;
  const auto filled = [&](DType dtype, double value) {
    const Tile dst = lab.strided(Space::sbuf, dtype, 2, {{3, 5}});
    lab.run(Memset{dst, value});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(lab.bits(dst, 1, i), lab.bits(dst, 0, 0));
    return lab.bits(dst, 1, 4);
  };
  EXPECT_EQ(filled(DType::int32, -2147483647), 0x80000001u);
  EXPECT_EQ(filled(DType::uint32, 4294967295), 0xFFFFFFFFu);
  EXPECT_EQ(filled(DType::int8, -1), 0xFFu);
  EXPECT_EQ(filled(DType::bfloat16, 1.5), 0x3FC0u);
  EXPECT_EQ(filled(DType::float32, -std::numeric_limits<double>::infinity()), 0xFF800000u);
  EXPECT_EQ(filled(DType::float8_e4m3fn_x4, 0), 0u);
}

TEST(Reciprocal, IsCorrectlyRounded) {
  Lab lab;
  const Reciprocal op{lab.sbuf(DType::float32, 5, {30}), lab.sbuf(DType::bfloat16, 5, {30})};
  lab.fill(op.data, -10, 10);
  lab.set(op.data, 0, 0, 0);
  lab.run(op);
  EXPECT_EQ(lab.get(op.dst, 0, 0), std::numeric_limits<float>::infinity());
  lab.expect(op.dst, [&](int p, std::int64_t i) { return 1.0F / lab.get(op.data, p, i); });
}

TEST(Indirect, GathersByGroupsOfSixteenAndScatters) {
  Lab lab;
  const Tile data = lab.sbuf(DType::float32, 32, {64});
  const Tile index = lab.sbuf(DType::uint16, 32, {2});
  Tile view = data;
  view.rank = 1;
  view.dims[0] = {1, 20};
  lab.program.dynamics.push_back({.kind = DynamicAddress::Kind::indirect,
                                  .index = index,
                                  .stride = lab.machine.core.access.indirect_group,
                                  .limit = 64});
  view.dynamic = 1;
  lab.fill(data, -1, 1);
  for (int p = 0; p < 32; ++p) {
    for (int i = 0; i < 2; ++i)
      lab.set_bits(index, p, i, (7u * static_cast<unsigned>(p + 16 * i)) % 64);
  }
  const auto where = [&](int p, std::int64_t i) {
    return lab.bits(index, p / 16 * 16 + static_cast<int>(i % 16), i / 16);
  };
  const Tile gathered = lab.sbuf(DType::float32, 32, {20});
  lab.run(TensorCopy{gathered, view});
  lab.expect(gathered, [&](int p, std::int64_t i) { return lab.get(data, p, where(p, i)); });
  lab.fill(gathered, 2, 3);
  lab.run(TensorCopy{view, gathered});
  for (int p = 0; p < 32; ++p) {
    for (int i = 0; i < 20; ++i) EXPECT_EQ(lab.get(data, p, where(p, i)), lab.get(gathered, p, i));
  }
}

}  // namespace
}  // namespace trainyard::isa
