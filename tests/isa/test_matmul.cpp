// Does nc_matmul compute the product that its definition says, in every mode and layout?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "isa/instructions/nc_matmul.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAreArray;

// transpose(a) x b for a [K, M] and b [K, N], plus `old`.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int K,
                           const std::vector<float>& old = {}) {
  const std::size_t M = a.size() / static_cast<std::size_t>(K);
  const std::size_t N = b.size() / static_cast<std::size_t>(K);
  std::vector<float> c(M * N);
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(K); ++k)
        sum += double{a[k * M + m]} * double{b[k * N + n]};
      c[m * N + n] = static_cast<float>(sum + (old.empty() ? 0.0 : double{old[m * N + n]}));
    }
  }
  return c;
}

struct Dtypes {
  DType stationary, moving, dst;
};

class MatmulDtypes : public testing::TestWithParam<Dtypes> {};

TEST_P(MatmulDtypes, OverwritesThenAdds) {
  constexpr int K = 96, M = 40, N = 72;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(GetParam().stationary, K, {M});
  op.moving = b.sbuf(GetParam().moving, K, {N});
  op.dst = b.psum(GetParam().dst, M, {N});
  Runner run(b);
  const std::vector<float> left = small_integers(K * M, 1, 2), right = small_integers(K * N, 2, 2);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.write(op.dst, std::vector<float>(M * N, 77));
  op.accumulate = Accumulate::overwrite;
  run.run(op);
  const std::vector<float> once = product(left, right, K);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(once));
  op.accumulate = Accumulate::add;
  run.run(op);
  // Sums of 96 products of at most 4 stay below 256 times 2, which bfloat16 may round.
  std::vector<float> twice = product(left, right, K, once);
  for (float& v : twice)
    v = numerics::to_float(GetParam().dst, numerics::from_float(GetParam().dst, v));
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(twice));
}

constexpr DType fp32 = DType::float32, bf16 = DType::bfloat16;
INSTANTIATE_TEST_SUITE_P(Formats, MatmulDtypes,
                         testing::Values(Dtypes{bf16, bf16, fp32}, Dtypes{bf16, bf16, bf16},
                                         Dtypes{DType::float16, bf16, fp32},
                                         Dtypes{fp32, fp32, fp32},
                                         Dtypes{fp32, DType::tfloat32, bf16},
                                         Dtypes{DType::float8_e4m3, DType::float8_e5m2, fp32},
                                         Dtypes{DType::float8_e4m3fn, bf16, bf16}),
                         [](const auto& info) {
                           return std::string(numerics::name(info.param.stationary)) + "_" +
                                  std::string(numerics::name(info.param.moving)) + "_" +
                                  std::string(numerics::name(info.param.dst));
                         });

// The order of the sum is part of the definition: a chain of fused multiply-adds down the
// partitions, then one addition to what was there.
TEST(Matmul, RoundsAsAChainDownThePartitions) {
  constexpr int K = 128, M = 3, N = 5;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(fp32, K, {M});
  op.moving = b.sbuf(fp32, K, {N});
  op.dst = b.psum(fp32, M, {N});
  op.accumulate = Accumulate::add;
  Runner run(b);
  base::Random random(3);
  std::vector<float> left(K * M), right(K * N), old(M * N);
  for (auto* values : {&left, &right, &old}) {
    for (float& v : *values) v = static_cast<float>(random.uniform() - 0.5);
  }
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.write(op.dst, old);
  run.run(op);
  std::vector<float> expected(M * N);
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < K; ++k) sum = std::fma(left[k * M + m], right[k * N + n], sum);
      expected[m * N + n] = old[m * N + n] + sum;
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

// Operands and results that do not lie side by side give the same as ones that do.
TEST(Matmul, FollowsStridedPatterns) {
  constexpr int K = 32, M = 8, N = 12;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, K, {M, 3});
  op.moving = b.sbuf(bf16, K, {3, 4, 2});
  op.dst = b.psum(fp32, M, {N, 2});
  op.stationary.dims[1].count = 1;                  // every third element
  std::swap(op.moving.dims[0], op.moving.dims[1]);  // transposed within the partition
  op.moving.dims[2].count = 1;
  op.dst.dims[0] = {-2, N};  // backwards
  op.dst.dims[1].count = 1;
  op.dst.offset = 2 * (N - 1) * 4;
  Runner run(b);
  const std::vector<float> left = small_integers(K * M, 4), right = small_integers(K * N, 5);
  const std::vector<float> old = small_integers(M * N, 6);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.write(op.dst, old);
  op.accumulate = Accumulate::add;
  run.run(op);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(product(left, right, K, old)));
}

TEST(Matmul, DoubleRowSumsBothRowsOfAPartition) {
  constexpr int K = 64, M = 16, N = 24;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(DType::float8_e4m3, K, {2, M});
  op.moving = b.sbuf(DType::float8_e5m2, K, {2, N});
  op.dst = b.psum(fp32, M, {N});
  op.accumulate = Accumulate::overwrite;
  op.perf_mode = MatmulPerfMode::double_row;
  const std::vector<float> left = small_integers(K * 2 * M, 7),
                           right = small_integers(K * 2 * N, 8);
  // [K, 2, M] in memory is the matrix [2 K, M].
  const std::vector<float> expected = product(left, right, 2 * K);
  Runner run(b);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.run(op);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

TEST(Matmul, DoubleRowFollowsStridedPatterns) {
  constexpr int K = 32, M = 8, N = 8;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(DType::float8_e4m3, K, {2, M, 2});
  op.stationary.dims[2].count = 1;
  op.moving = b.sbuf(DType::float8_e4m3, K, {4, N});
  op.moving.dims[0] = {2 * N, 2};  // rows 0 and 2 of four
  op.dst = b.psum(bf16, M, {N});
  op.accumulate = Accumulate::overwrite;
  op.perf_mode = MatmulPerfMode::double_row;
  const std::vector<float> left = small_integers(K * 2 * M, 9, 1),
                           right = small_integers(K * 2 * N, 10, 1);
  Runner run(b);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.run(op);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(product(left, right, 2 * K)));
}

// Tiles of the array change where the product is computed, not what it is.
TEST(Matmul, TilesOfTheArrayGiveTheSameProduct) {
  constexpr int K = 32, M = 32, N = 16;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, K, {M});
  op.moving = b.sbuf(bf16, K, {N});
  op.dst = b.psum(fp32, 128, {N});
  op.dst.partition_start = 96;
  op.dst.partitions = M;
  op.accumulate = Accumulate::overwrite;
  op.tile_position = {{32, 96}, 2};
  op.tile_size = {{32, 32}, 2};
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  const std::vector<float> left = small_integers(K * M, 11), right = small_integers(K * N, 12);
  Runner run(b);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.run(op);
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(product(left, right, K)));
}

std::vector<std::byte> noise(std::int64_t bytes, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::byte> raw(static_cast<std::size_t>(bytes));
  for (std::byte& byte : raw) byte = static_cast<std::byte>(random.next());
  return raw;
}

std::vector<float> identity(std::size_t n) {
  std::vector<float> values(n * n);
  for (std::size_t i = 0; i < n; ++i) values[i * n + i] = 1;
  return values;
}

// [rows, columns] elements of `width` bytes, transposed.
std::vector<std::byte> transposed(const std::vector<std::byte>& raw, std::size_t rows,
                                  std::size_t width) {
  const std::size_t columns = raw.size() / rows / width;
  std::vector<std::byte> result(raw.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      std::memcpy(&result[(c * rows + r) * width], &raw[(r * columns + c) * width], width);
  }
  return result;
}

// NaN, infinity and subnormal patterns pass: the bits are noise.
TEST(Matmul, TransposeKeepsEveryBit) {
  for (const DType dtype : {bf16, DType::float16, fp32}) {
    constexpr int K = 48, M = 20;
    Bench b;
    NcMatmul op;
    op.stationary = b.sbuf(dtype, K, {M});
    op.moving = b.sbuf(dtype == fp32 ? fp32 : bf16, K, {K});
    op.dst = b.psum(dtype, M, {K});
    op.is_transpose = true;
    Runner run(b);
    const auto raw = noise(op.stationary.bytes(), 13);
    run.write_bits(op.stationary, raw);
    run.write(op.moving, identity(K));
    run.run(op);
    EXPECT_EQ(run.read_bits(op.dst),
              transposed(raw, K, static_cast<std::size_t>(op.dst.element_bytes())));
  }
}

// Trainium2 architecture guide: FP8 results occupy 16 bits, the upper 8 are zero.
TEST(Matmul, TransposeOfFp8FillsCellsWithAZeroUpperByte) {
  constexpr int K = 16, M = 8;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(DType::float8_e5m2, K, {M});
  op.moving = b.sbuf(bf16, K, {K});
  op.dst = b.psum(DType::uint16, M, {K});
  op.is_transpose = true;
  Runner run(b);
  const auto raw = noise(op.stationary.bytes(), 14);
  run.write_bits(op.stationary, raw);
  run.write(op.moving, identity(K));
  run.write_bits(op.dst, noise(op.dst.bytes(), 15));
  run.run(op);
  const auto narrow = transposed(raw, K, 1);
  const auto cells = run.read_bits(op.dst);
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    EXPECT_EQ(cells[2 * i], narrow[i]);
    EXPECT_EQ(cells[2 * i + 1], std::byte{0});
  }
}

TEST(Matmul, TransposeRefusesWhatIsNoIdentity) {
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, 4, {4});
  op.moving = b.sbuf(bf16, 4, {4});
  op.dst = b.psum(bf16, 4, {4});
  op.is_transpose = true;
  Runner run(b);
  for (const float wrong : {2.0F, 0.0F}) {
    std::vector<float> matrix = identity(4);
    matrix[5] = wrong;
    run.write(op.moving, matrix);
    EXPECT_THROW(run.run(op), base::Fault);
  }
  std::vector<float> matrix = identity(4);
  matrix[1] = 1;
  run.write(op.moving, matrix);
  EXPECT_THROW(run.run(op), base::Fault);
}

// Before v3 the flag is only a label: infinity times zero is NaN.
TEST(Matmul, TransposeSpreadsNanWithoutTheMode) {
  Bench b;
  b.core.features.tensor_transpose_exact = false;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, 2, {1});
  op.moving = b.sbuf(bf16, 2, {2});
  op.dst = b.psum(fp32, 1, {2});
  op.is_transpose = true;
  op.accumulate = Accumulate::overwrite;
  Runner run(b);
  run.write(op.stationary, {INFINITY, 3});
  run.write(op.moving, identity(2));
  run.run(op);
  const std::vector<float> out = run.read(op.dst);
  EXPECT_EQ(out[0], INFINITY);
  EXPECT_TRUE(std::isnan(out[1]));
}

// Element i comes from index[i mod 32, i div 32] of its group of 32 partitions.
TEST(Matmul, GathersMovingColumns) {
  constexpr int K = 64, M = 16, N = 40, wide = 100;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, K, {M});
  const Tile all = b.sbuf(bf16, K, {wide});
  const Tile index = b.sbuf(DType::uint16, K, {2});
  op.moving = b.indirect(all, index, N, 32);
  op.dst = b.psum(fp32, M, {N});
  op.accumulate = Accumulate::overwrite;
  Runner run(b);
  const std::vector<float> left = small_integers(K * M, 16), table = small_integers(K * wide, 17);
  std::vector<float> list(K * 2);
  base::Random random(18);
  for (float& v : list) v = static_cast<float>(random.below(wide));
  run.write(op.stationary, left);
  run.write(all, table);
  run.write(index, list);
  run.run(op);
  std::vector<float> right(K * N);
  for (std::size_t k = 0; k < K; ++k) {
    for (std::size_t i = 0; i < N; ++i) {
      const auto from = static_cast<std::size_t>(list[(k / 32 * 32 + i % 32) * 2 + i / 32]);
      right[k * N + i] = table[k * wide + from];
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(product(left, right, K)));
}

TEST(Matmul, ScattersResultColumns) {
  constexpr int K = 32, M = 32, N = 8, wide = 20;
  Bench b;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, K, {M});
  op.moving = b.sbuf(bf16, K, {N});
  const Tile all = b.psum(fp32, M, {wide});
  const Tile index = b.sbuf(DType::uint16, M, {1});
  op.dst = b.indirect(all, index, N, 32);
  op.accumulate = Accumulate::add;
  Runner run(b);
  const std::vector<float> left = small_integers(K * M, 19), right = small_integers(K * N, 20);
  const std::vector<float> old = small_integers(M * wide, 21);
  std::vector<float> list(M);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<float>(19 - i % 20);
  run.write(op.stationary, left);
  run.write(op.moving, right);
  run.write(all, old);
  run.write(index, list);
  run.run(op);
  const std::vector<float> sums = product(left, right, K);
  std::vector<float> expected = old;
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t i = 0; i < N; ++i) expected[m * wide + 19 - i] += sums[m * N + i];
  }
  EXPECT_THAT(run.read(all), ElementsAreArray(expected));
}

// The width of the running sum is a choice of the machine file (policy).
TEST(Matmul, UsesTheAccumulatorWidthOfTheMachine) {
  Bench b;
  b.core.policy.accumulator_mantissa_bits = 8;
  NcMatmul op;
  op.stationary = b.sbuf(bf16, 2, {1});
  op.moving = b.sbuf(bf16, 2, {1});
  op.dst = b.psum(fp32, 1, {1});
  op.accumulate = Accumulate::overwrite;
  Runner run(b);
  run.write(op.stationary, {1, 1});
  run.write(op.moving, {256, 1});  // 257 needs 9 bits
  run.run(op);
  EXPECT_THAT(run.read(op.dst), testing::ElementsAre(256.0F));
}

}  // namespace
}  // namespace trainyard::isa
