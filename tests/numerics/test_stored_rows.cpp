// Are the stored forms bit-equal to widen, apply and narrow one after the other?
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "numerics/alu.h"
#include "numerics/convert.h"
#include "numerics/stored_rows.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

constexpr DType formats[] = {DType::float32,     DType::bfloat16,      DType::float16,
                             DType::float8_e4m3, DType::float8_e4m3fn, DType::float8_e5m2};

std::vector<AluOp> operators() {
  std::vector<AluOp> list;
  for (int i = 0; i < alu_op_count; ++i) {
    if (has_stored_form(static_cast<AluOp>(i))) list.push_back(static_cast<AluOp>(i));
  }
  return list;
}

// Uniform bit patterns: every eighth has an exponent of all ones or all zeros in some format.
std::vector<std::byte> patterns(base::Random& random, DType dtype, std::size_t n) {
  std::vector<std::byte> row;
  for (std::size_t i = 0; i < n * static_cast<std::size_t>(size_in_bytes(dtype)); ++i) {
    const std::uint32_t word = random.next32();
    row.push_back(static_cast<std::byte>(word % 8 == 0 ? (word & 256 ? 0xFF : 0x80) : word >> 9));
  }
  return row;
}

std::vector<float> widened(DType dtype, const std::vector<std::byte>& row, std::size_t n) {
  std::vector<float> result(n);
  widen(dtype, row.data(), result.data(), n);
  return result;
}

// One operator with a number or a row.
struct Trial {
  AluOp op = AluOp::bypass;
  bool reversed = false;
  DType dtype = DType::bfloat16;
  std::vector<std::byte> row{};  // empty: a number
  float number = 0;
};

Trial draw(base::Random& random, const std::vector<AluOp>& list, DType dtype, std::size_t n) {
  Trial trial{.op = list[random.below(list.size())], .reversed = random.below(2) == 0};
  trial.dtype = dtype;
  if (random.below(2) == 0) trial.row = patterns(random, dtype, n);
  widen(DType::bfloat16, patterns(random, DType::bfloat16, 1).data(), &trial.number, 1);
  return trial;
}

void apply_one(const Trial& trial, std::vector<float>& x) {
  const std::size_t n = x.size();
  if (trial.row.empty())
    return apply_scalar(trial.op, x.data(), trial.number, trial.reversed, x.data(), n);
  const std::vector<float> y = widened(trial.dtype, trial.row, n);
  if (trial.reversed && !is_unary(trial.op))
    return apply(trial.op, y.data(), x.data(), x.data(), n);
  apply(trial.op, x.data(), y.data(), x.data(), n);
}

void expect_steps_one_by_one(base::Random& random, const std::vector<AluOp>& list, DType from,
                             DType other, DType to, std::size_t n) {
  const std::vector<std::byte> a = patterns(random, from, n);
  std::vector<float> x = widened(from, a, n);
  std::vector<Trial> trials(1 + random.below(3));
  std::vector<StoredStep> steps;
  for (Trial& trial : trials) {
    trial = draw(random, list, other, n);
    apply_one(trial, x);
    steps.push_back({trial.op, trial.reversed, {}, nullptr, trial.number});
    if (!trial.row.empty()) steps.back().rows = {other, trial.row.data()};
  }
  const std::size_t bytes = n * static_cast<std::size_t>(size_in_bytes(to));
  std::vector<std::byte> expected(bytes), got(bytes);
  narrow(to, x.data(), expected.data(), n);
  apply_stored({from, a.data()}, steps, {to, got.data()}, 1, n);
  ASSERT_EQ(got, expected) << name(from) << ' ' << name(trials.front().op) << ' ' << name(other)
                           << ", " << trials.size() << " steps, to " << name(to) << ", " << n;
}

TEST(StoredRows, EqualTheStepsOneByOne) {
  const std::vector<AluOp> list = operators();
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(7);
    for (int trial = 0; trial < 4000; ++trial) {
      const DType from = formats[random.below(6)], other = formats[random.below(6)];
      const DType to = formats[random.below(6)];
      expect_steps_one_by_one(random, list, from, other, to, 1 + random.below(200));
    }
  });
}

// The format and operators that have loops of their own.
TEST(StoredRows, EqualTheStepsOneByOneInBfloat16) {
  const std::vector<AluOp> list = {AluOp::bypass, AluOp::add,     AluOp::subtract, AluOp::multiply,
                                   AluOp::square, AluOp::maximum, AluOp::minimum};
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(9);
    for (int trial = 0; trial < 4000; ++trial) {
      constexpr DType all = DType::bfloat16;
      expect_steps_one_by_one(random, list, all, all, all, 1 + random.below(300));
    }
  });
}

// Numbers of one binade, which narrow without a rule but rounding.
TEST(StoredRows, RoundOrdinaryNumbers) {
  constexpr std::size_t n = 1000;
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(10);
    for (const DType to : formats) {
      std::vector<float> x(n), sum(n);
      for (float& value : x) value = static_cast<float>(random.next32() >> 8) * 0x1p-23F - 1;
      apply_scalar(AluOp::add, x.data(), 0.375F, false, sum.data(), n);
      std::vector<std::byte> expected(n * static_cast<std::size_t>(size_in_bytes(to)));
      std::vector<std::byte> got(expected.size());
      narrow(to, sum.data(), expected.data(), n);
      const StoredStep steps[] = {{AluOp::add, false, {}, nullptr, 0.375F}};
      apply_stored({DType::float32, reinterpret_cast<const std::byte*>(x.data())}, steps,
                   {to, got.data()}, 1, n);
      EXPECT_EQ(got, expected) << name(to);
    }
  });
}

// Rows apart from each other, with numbers of their own, give what each one alone gives.
void expect_rows_one_by_one(base::Random& random, DType from, DType to, std::size_t n) {
  constexpr std::size_t rows = 5, gap = 24;
  const auto stride_of = [n](DType dtype) {
    return n * static_cast<std::size_t>(size_in_bytes(dtype)) + gap;
  };
  const auto at = [](auto& bytes, std::size_t stride, std::size_t r) {
    return bytes.data() + r * stride;
  };
  const std::size_t stride = stride_of(from), out_stride = stride_of(to);
  const std::vector<std::byte> a = patterns(random, DType::uint8, rows * stride);
  const std::vector<std::byte> b = patterns(random, DType::uint8, rows * stride);
  const float numbers[rows] = {1.5F, -2, 0, 3e38F, 0.1F};
  const auto step = static_cast<std::ptrdiff_t>(stride);
  const StoredStep together[] = {{AluOp::multiply, false, {}, numbers},
                                 {AluOp::add, false, {from, b.data(), step}}};
  std::vector<std::byte> got(rows * out_stride, std::byte{0xA5}), expected = got;
  apply_stored({from, a.data(), step}, together,
               {to, got.data(), static_cast<std::ptrdiff_t>(out_stride)}, rows, n);
  for (std::size_t r = 0; r < rows; ++r) {
    const StoredStep alone[] = {{AluOp::multiply, false, {}, nullptr, numbers[r]},
                                {AluOp::add, false, {from, at(b, stride, r)}}};
    apply_stored({from, at(a, stride, r)}, alone, {to, at(expected, out_stride, r)}, 1, n);
  }
  EXPECT_EQ(got, expected) << name(from) << " to " << name(to) << ", " << n;
}

TEST(StoredRows, ServeRowsAsOneByOne) {
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(11);
    for (const DType from : {DType::bfloat16, DType::float32}) {
      for (const DType to : {DType::bfloat16, DType::float32, DType::float8_e4m3}) {
        for (const std::size_t n : {1u, 64u, 128u, 160u, 200u})
          expect_rows_one_by_one(random, from, to, n);
      }
    }
  });
}

TEST(StoredRows, MayWriteOverWhatTheyRead) {
  base::Random random(8);
  const std::size_t n = 333;
  std::vector<std::byte> a = patterns(random, DType::bfloat16, n);
  const std::vector<std::byte> before = a;
  std::vector<std::byte> expected(a.size());
  const StoredStep twice[] = {{AluOp::add, false, {DType::bfloat16, before.data()}}};
  apply_stored({DType::bfloat16, before.data()}, twice, {DType::bfloat16, expected.data()}, 1, n);
  const StoredStep over[] = {{AluOp::add, false, {DType::bfloat16, a.data()}}};
  apply_stored({DType::bfloat16, a.data()}, over, {DType::bfloat16, a.data()}, 1, n);
  EXPECT_EQ(a, expected);
}

}  // namespace
}  // namespace trainyard::numerics
