// Are the stored forms bit-equal to widen, apply and narrow one after the other?
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "numerics/alu.h"
#include "numerics/convert.h"
#include "numerics/stored_rows.h"

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

TEST(StoredRows, EqualTheStepsOneByOne) {
  base::Random random(7);
  const std::vector<AluOp> list = operators();
  for (int trial = 0; trial < 4000; ++trial) {
    const std::size_t n = 1 + random.below(200);
    const DType from = formats[random.below(6)], other = formats[random.below(6)];
    const DType to = formats[random.below(6)];
    const AluOp first = list[random.below(list.size())], second = list[random.below(list.size())];
    const bool reversed[] = {random.below(2) == 0, random.below(2) == 0};
    const std::vector<std::byte> a = patterns(random, from, n), b = patterns(random, other, n);
    float number = 0;
    widen(DType::bfloat16, patterns(random, DType::bfloat16, 1).data(), &number, 1);

    std::vector<float> x = widened(from, a, n);
    const std::vector<float> y = widened(other, b, n);
    apply_scalar(first, x.data(), number, reversed[0], x.data(), n);
    if (reversed[1] && !is_unary(second)) {
      apply(second, y.data(), x.data(), x.data(), n);
    } else {
      apply(second, x.data(), y.data(), x.data(), n);
    }
    const std::size_t bytes = n * static_cast<std::size_t>(size_in_bytes(to));
    std::vector<std::byte> expected(bytes), got(bytes);
    narrow(to, x.data(), expected.data(), n);

    const StoredStep steps[] = {{first, reversed[0], {}, number},
                                {second, reversed[1], {other, b.data()}}};
    apply_stored({from, a.data()}, steps, to, got.data(), n);
    ASSERT_EQ(got, expected) << name(from) << ' ' << name(first) << ' ' << name(second) << ' '
                             << name(other) << " to " << name(to) << ", " << n;
  }
}

TEST(StoredRows, MayWriteOverWhatTheyRead) {
  base::Random random(8);
  const std::size_t n = 333;
  std::vector<std::byte> a = patterns(random, DType::bfloat16, n);
  const std::vector<std::byte> before = a;
  std::vector<std::byte> expected(a.size());
  const StoredStep twice[] = {{AluOp::add, false, {DType::bfloat16, before.data()}}};
  apply_stored({DType::bfloat16, before.data()}, twice, DType::bfloat16, expected.data(), n);
  const StoredStep over[] = {{AluOp::add, false, {DType::bfloat16, a.data()}}};
  apply_stored({DType::bfloat16, a.data()}, over, DType::bfloat16, a.data(), n);
  EXPECT_EQ(a, expected);
}

}  // namespace
}  // namespace trainyard::numerics
