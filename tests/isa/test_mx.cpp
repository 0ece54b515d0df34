// Do quantize_mx and nc_matmul_mx find their scales where the layout rules put them, and compute
// what numerics defines?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "isa/instructions/nc_matmul_mx.h"
#include "isa/instructions/quantize_mx.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAreArray;

// The partition, counted from the scale tile's first, that holds the scale of data partition p.
std::size_t scale_row(std::size_t p, int partitions) {
  const std::size_t block = p / 8;
  return partitions <= 32 ? block : 32 * (block / 4) + block % 4;
}

// An MX operand with random small values and its meaning as numbers: [P][columns][4].
struct Operand {
  std::vector<std::byte> words;
  std::vector<float> scales;   // scale bytes for the whole scale tile
  std::vector<double> values;  // dequantised
};

Operand random_operand(DType packed, int P, int columns, int scale_partitions, std::uint64_t seed) {
  base::Random random(seed);
  Operand result;
  const auto count = static_cast<std::size_t>(P * columns);
  result.scales.assign(static_cast<std::size_t>(scale_partitions * columns), 99);
  for (std::size_t p = 0; p < static_cast<std::size_t>(P); ++p) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
      float& scale = result.scales[scale_row(p, P) * static_cast<std::size_t>(columns) + c];
      if (p % 8 == 0) scale = static_cast<float>(126 + random.below(4));
    }
  }
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(packed));
  result.words.resize(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 4> quad{};
    for (float& v : quad) v = static_cast<float>(random.below(5)) - 2;
    const std::uint32_t word = numerics::pack(packed, quad);
    std::memcpy(&result.words[i * width], &word, width);
    const std::size_t p = i / static_cast<std::size_t>(columns);
    const std::size_t c = i % static_cast<std::size_t>(columns);
    const float scale = result.scales[scale_row(p, P) * static_cast<std::size_t>(columns) + c];
    for (const float v : quad)
      result.values.push_back(std::ldexp(v, static_cast<int>(scale) - 127));
  }
  return result;
}

std::vector<float> product(const Operand& a, const Operand& b, int P) {
  const std::size_t M = a.values.size() / static_cast<std::size_t>(4 * P);
  const std::size_t N = b.values.size() / static_cast<std::size_t>(4 * P);
  std::vector<float> c(M * N);
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      double sum = 0;
      for (std::size_t p = 0; p < static_cast<std::size_t>(P); ++p) {
        for (std::size_t q = 0; q < 4; ++q)
          sum += a.values[(p * M + m) * 4 + q] * b.values[(p * N + n) * 4 + q];
      }
      c[m * N + n] = static_cast<float>(sum);
    }
  }
  return c;
}

class MxPartitions : public testing::TestWithParam<int> {};

TEST_P(MxPartitions, MultipliesWithTheScalesOfEachQuadrant) {
  const int P = GetParam();
  constexpr int M = 6, N = 10;
  Bench b;
  NcMatmulMx op;
  op.stationary = b.sbuf(DType::float8_e4m3fn_x4, P, {M});
  op.moving = b.sbuf(DType::float4_e2m1fn_x4, P, {N});
  const int rows = P <= 32 ? P / 8 : P;
  op.stationary_scale = b.sbuf(DType::uint8, rows, {M});
  op.moving_scale = b.sbuf(DType::float8_e8m0fnu, 128, {N});
  op.moving_scale.partition_start = 8;  // packed behind the scales of two others
  op.moving_scale.partitions = 120;
  op.dst = b.psum(DType::float32, M, {N});
  op.accumulate = Accumulate::overwrite;
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  const Operand left = random_operand(DType::float8_e4m3fn_x4, P, M, rows, 1);
  const Operand right = random_operand(DType::float4_e2m1fn_x4, P, N, 120, 2);
  Runner run(b);
  run.write_bits(op.stationary, left.words);
  run.write_bits(op.moving, right.words);
  run.write(op.stationary_scale, left.scales);
  Tile bytes = op.moving_scale;
  bytes.dtype = DType::uint8;
  run.write(bytes, right.scales);
  run.run(op);
  std::vector<float> expected = product(left, right, P);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
  op.accumulate = Accumulate::add;
  run.run(op);
  for (float& v : expected) v *= 2;
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

// The scales that quantize_mx writes are the ones nc_matmul_mx reads, and nothing else is touched.
TEST_P(MxPartitions, QuantisesIntoTheSameLayout) {
  const int P = GetParam();
  constexpr int F = 16;
  Bench b;
  QuantizeMx op;
  op.src = b.sbuf(DType::bfloat16, P, {F});
  op.dst = b.sbuf(DType::float8_e5m2_x4, P, {F / 4});
  const Tile all = b.sbuf(DType::uint8, 128, {F / 4});
  op.dst_scale = all;
  op.dst_scale.partition_start = 4;
  op.dst_scale.partitions = 124;
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  Runner run(b);
  const std::vector<float> values = small_integers(P * F, 3, 100);
  run.write(op.src, values);
  run.write(all, std::vector<float>(128 * F / 4, 77));
  run.run(op);
  const std::vector<float> scales = run.read(all);
  std::vector<bool> used(128);
  for (std::size_t p = 0; p < static_cast<std::size_t>(P); p += 8) {
    const std::size_t row = 4 + scale_row(p, P);
    used[row] = true;
    for (std::size_t c = 0; c < F / 4; ++c) {
      float largest = 0;
      for (std::size_t i = 0; i < 32; ++i)
        largest = std::max(largest, std::abs(values[(p + i / 4) * F + c * 4 + i % 4]));
      // NKI 0.6: 2^(floor(log2 a) - (15 - 1)) for float8_e5m2.
      const float expected =
          largest == 0 ? 0.0F : static_cast<float>(std::ilogb(largest) - 14 + 127);
      EXPECT_EQ(scales[row * (F / 4) + c], expected);
    }
  }
  for (std::size_t row = 0; row < 128; ++row) {
    if (!used[row]) {
      EXPECT_EQ(scales[row * (F / 4)], 77) << row;
    }
  }
  // The parts that the instruction declares are the rows it wrote.
  std::array<Tile, parts_max> parts;
  const int count = info_of<QuantizeMx>().parts(&op, 2, parts);
  std::vector<bool> declared(128);
  for (int i = 0; i < count; ++i) {
    const Tile& part = parts[static_cast<std::size_t>(i)];
    for (std::size_t p = 0; p < part.partitions; ++p) declared[part.partition_start + p] = true;
  }
  EXPECT_EQ(declared, used);
}

INSTANTIATE_TEST_SUITE_P(Quadrants, MxPartitions, testing::Values(32, 64, 96, 128));

// NKI before 0.5 chose half the scale (policy.mx_scale_rule).
TEST(Mx, OlderRuleHalvesTheScale) {
  Bench b;
  QuantizeMx op{b.sbuf(DType::float8_e4m3fn_x4, 32, {1}), b.sbuf(DType::bfloat16, 32, {4}),
                b.sbuf(DType::uint8, 4, {1})};
  Runner run(b);
  run.write(op.src, std::vector<float>(128, 1.0F));
  run.run(op);
  EXPECT_THAT(run.read(op.dst_scale), testing::Each(127 - 7));
  b.core.policy.mx_scale_rule = machine::MxScaleRule::ocp;
  run.run(op);
  EXPECT_THAT(run.read(op.dst_scale), testing::Each(127 - 8));
}

TEST(Mx, GathersOperandAndScaleWithOneIndex) {
  constexpr int P = 32, M = 4, N = 8, wide = 20;
  Bench b;
  NcMatmulMx op;
  op.stationary = b.sbuf(DType::float8_e4m3fn_x4, P, {M});
  op.stationary_scale = b.sbuf(DType::uint8, P / 8, {M});
  const Tile words = b.sbuf(DType::float8_e4m3fn_x4, P, {wide});
  const Tile scales = b.sbuf(DType::uint8, P, {wide});
  const Tile index = b.sbuf(DType::uint16, P, {1});
  op.moving = b.indirect(words, index, N, 32);
  op.moving_scale = b.indirect(scales, index, N, 32);
  op.dst = b.psum(DType::float32, M, {N});
  op.accumulate = Accumulate::overwrite;
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  const Operand left = random_operand(DType::float8_e4m3fn_x4, P, M, P / 8, 5);
  const Operand table = random_operand(DType::float8_e4m3fn_x4, P, wide, P, 6);
  Runner run(b);
  run.write_bits(op.stationary, left.words);
  run.write(op.stationary_scale, left.scales);
  run.write_bits(words, table.words);
  run.write(scales, table.scales);
  std::vector<float> list(P);
  for (std::size_t i = 0; i < P; ++i) list[i] = static_cast<float>((7 * i + 3) % wide);
  run.write(index, list);
  run.run(op);
  Operand picked;
  for (std::size_t p = 0; p < P; ++p) {
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t q = 0; q < 4; ++q)
        picked.values.push_back(
            table.values[(p * wide + static_cast<std::size_t>(list[n])) * 4 + q]);
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(product(left, picked, P)));
}

}  // namespace
}  // namespace trainyard::isa
