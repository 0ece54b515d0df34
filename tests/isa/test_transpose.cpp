// Do nc_transpose and dma_transpose put every element where it belongs, bit for bit?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/nc_transpose.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAreArray;

std::vector<std::byte> noise(std::int64_t bytes, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::byte> raw(static_cast<std::size_t>(bytes));
  for (std::byte& byte : raw) byte = static_cast<std::byte>(random.next());
  return raw;
}

std::vector<std::byte> element(const std::vector<std::byte>& raw, std::size_t i,
                               std::size_t width) {
  return {raw.begin() + static_cast<std::ptrdiff_t>(i * width),
          raw.begin() + static_cast<std::ptrdiff_t>((i + 1) * width)};
}

class TransposeWidths : public testing::TestWithParam<DType> {};

TEST_P(TransposeWidths, TensorEngine) {
  constexpr int P = 100, F = 64;
  Bench b;
  NcTranspose op;
  op.data = b.sbuf(GetParam(), P, {8, 8});
  op.dst = b.psum(GetParam(), F, {P, 2});  // every second cell, as 8-bit results need
  op.dst.dims[1].count = 1;
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  Runner run(b);
  const auto raw = noise(op.data.bytes(), 1);
  run.write_bits(op.data, raw);
  run.run(op, Engine::tensor);
  const auto out = run.read_bits(op.dst);
  const auto width = static_cast<std::size_t>(op.data.element_bytes());
  for (std::size_t p = 0; p < P; ++p) {
    for (std::size_t f = 0; f < F; ++f)
      ASSERT_EQ(element(out, f * P + p, width), element(raw, p * F + f, width));
  }
}

TEST_P(TransposeWidths, VectorEngine) {
  constexpr int P = 32, F = 5;
  Bench b;
  NcTranspose op;
  op.data = b.psum(GetParam(), P, {F});
  op.dst = b.sbuf(GetParam(), F, {P});
  Runner run(b);
  const auto raw = noise(op.data.bytes(), 2);
  run.write_bits(op.data, raw);
  run.run(op, Engine::vector);
  const auto out = run.read_bits(op.dst);
  const auto width = static_cast<std::size_t>(op.data.element_bytes());
  for (std::size_t p = 0; p < P; ++p) {
    for (std::size_t f = 0; f < F; ++f)
      ASSERT_EQ(element(out, f * P + p, width), element(raw, p * F + f, width));
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, TransposeWidths,
                         testing::Values(DType::uint8, DType::bfloat16, DType::int32,
                                         DType::float8_e4m3fn_x4),
                         [](const auto& info) { return std::string(numerics::name(info.param)); });

TEST(Transpose, SpreadsNanOnTheTensorEngineBeforeV3) {
  Bench b;
  b.core.features.tensor_transpose_exact = false;
  NcTranspose op;
  op.data = b.sbuf(DType::bfloat16, 2, {2});
  op.dst = b.psum(DType::bfloat16, 2, {2});
  Runner run(b);
  run.write(op.data, {1, NAN, 3, 4});
  run.run(op, Engine::tensor);
  const std::vector<float> out = run.read(op.dst);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 3);
  EXPECT_TRUE(std::isnan(out[2]) && std::isnan(out[3]));
}

TEST(Transpose, ChoosesTheEngineThatReachesTheTiles) {
  Bench b;
  const auto& info = info_of<NcTranspose>();
  NcTranspose op{b.psum(DType::bfloat16, 64, {128}), b.sbuf(DType::bfloat16, 128, {64})};
  EXPECT_EQ(info.choose(&op, b.core), Engine::tensor);
  op = {b.sbuf(DType::bfloat16, 32, {32}), b.sbuf(DType::bfloat16, 32, {32})};
  EXPECT_EQ(info.choose(&op, b.core), Engine::vector);
}

TEST(DmaTranspose, ReversesThreeDimensions) {
  constexpr int A = 5, B = 3, C = 7;
  Bench b;
  DmaTranspose op;
  op.src = b.hbm(DType::bfloat16, {A, B, C});
  op.dst = b.sbuf(DType::bfloat16, C, {B, A});
  Runner run(b);
  const std::vector<float> values = small_integers(A * B * C, 3, 100);
  run.write(op.src, values);
  run.run(op);
  std::vector<float> expected;
  for (std::size_t c = 0; c < C; ++c) {
    for (std::size_t j = 0; j < B; ++j) {
      for (std::size_t a = 0; a < A; ++a) expected.push_back(values[(a * B + j) * C + c]);
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

TEST(DmaTranspose, SwapsFirstAndLastOfFourDimensions) {
  constexpr int A = 3, B = 2, C = 4, D = 5;
  Bench b;
  DmaTranspose op;
  op.src = b.sbuf(DType::int32, A, {B, C, D});
  op.dst = b.sbuf(DType::int32, D, {B, C, A});
  Runner run(b);
  const std::vector<float> values = small_integers(A * B * C * D, 4, 1000);
  run.write(op.src, values);
  run.run(op);
  std::vector<float> expected;
  for (std::size_t d = 0; d < D; ++d) {
    for (std::size_t j = 0; j < B; ++j) {
      for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t a = 0; a < A; ++a)
          expected.push_back(values[((a * B + j) * C + c) * D + d]);
      }
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

// flat = index.T.flatten(); dst = src[flat].T
TEST(DmaTranspose, GathersRowsDownTheColumnsOfTheIndex) {
  constexpr int rows = 160, columns = 8, table = 50;
  Bench b;
  const Tile all = b.hbm(DType::bfloat16, {table, columns});
  const Tile index = b.sbuf(DType::uint32, 128, {2});
  DmaTranspose op;
  op.src = all;
  op.src.dims[0].count = rows;
  op.src = b.by_rows(op.src, index, columns, table);
  op.dst = b.sbuf(DType::bfloat16, columns, {rows});
  ASSERT_THAT(b.broken(op), testing::IsEmpty());
  Runner run(b);
  const std::vector<float> values = small_integers(table * columns, 5, 100);
  std::vector<float> list(256);
  base::Random random(6);
  for (float& v : list) v = static_cast<float>(random.below(table));
  run.write(all, values);
  run.write(index, list);
  run.run(op);
  std::vector<float> expected;
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r) {
      const auto from = static_cast<std::size_t>(list[(r % 128) * 2 + r / 128]);
      expected.push_back(values[from * columns + c]);
    }
  }
  EXPECT_THAT(run.read(op.dst), ElementsAreArray(expected));
}

TEST(DmaTranspose, SkipsRowsOutOfBounds) {
  constexpr int rows = 16, columns = 4;
  Bench b;
  const Tile all = b.hbm(DType::bfloat16, {rows, columns});
  const Tile index = b.sbuf(DType::uint32, rows, {1});
  DmaTranspose op;
  op.src = b.by_rows(all, index, columns, rows);
  op.dst = b.sbuf(DType::bfloat16, columns, {rows});
  Runner run(b);
  const std::vector<float> values = small_integers(rows * columns, 7);
  std::vector<float> list(rows);
  for (std::size_t r = 0; r < rows; ++r) list[r] = r == 3 ? 99 : static_cast<float>(r);
  run.write(all, values);
  run.write(index, list);
  run.write(op.dst, std::vector<float>(rows * columns, 55));
  EXPECT_THROW(run.run(op), base::Fault);
  op.oob_mode = OobMode::skip;
  run.run(op);
  const std::vector<float> out = run.read(op.dst);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r)
      EXPECT_EQ(out[c * rows + r], r == 3 ? 55 : values[r * columns + c]);
  }
}

}  // namespace
}  // namespace trainyard::isa
