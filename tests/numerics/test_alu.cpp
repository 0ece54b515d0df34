// Does every ALU operator compute what alu.h says, on values, on rows and in reductions?
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "mpfr_real.h"
#include "numerics/alu.h"
#include "numerics/convert.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

std::vector<AluOp> float_operators() {
  std::vector<AluOp> operators;
  for (int i = 0; i < alu_op_count; ++i) {
    const AluOp op = static_cast<AluOp>(i);
    if (!is_bitwise(op) && op != AluOp::average) operators.push_back(op);
  }
  return operators;
}

const std::vector<float> special_values{
    0.0f,     -0.0f,     1.0f,  -1.0f, 2.0f,        -2.0f,           3.0f,
    -3.0f,    0.5f,      -0.5f, 2.5f,  -7.75f,      0x1p-149f,       -0x1p-149f,
    infinity, -infinity, nan,   -nan,  16777217.0f, 0x1.FFFFFEp127f, -0x1.FFFFFEp127f,
    1e-30f};

std::vector<float> random_values(std::uint64_t seed, std::size_t n) {
  base::Random random(seed);
  std::vector<float> values(n);
  for (float& x : values) {
    x = random.below(2) == 0 ? std::bit_cast<float>(random.next32())
                             : static_cast<float>(random.uniform() * 20 - 10);
    if (random.below(20) == 0) x = special_values[random.below(special_values.size())];
  }
  return values;
}

TEST(Alu, ArithmeticIsRoundedOnce) {
  const std::vector<float> a = random_values(1, 100000), b = random_values(2, 100000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Rounding a float64 result again is harmless: 53 >= 2 * 24 + 2.
    const double x = a[i], y = b[i];
    const auto expect = [&](AluOp op, double wanted) {
      const float found = apply(op, a[i], b[i]), expected = static_cast<float>(wanted);
      if (std::isnan(expected)) {
        EXPECT_EQ(bits(found), 0x7FC00000u);
      } else {
        EXPECT_EQ(bits(found), bits(expected)) << name(op) << " " << x << " " << y;
      }
    };
    expect(AluOp::add, x + y);
    expect(AluOp::subtract, x - y);
    expect(AluOp::multiply, x * y);
    expect(AluOp::divide, x / y);
    expect(AluOp::reciprocal, 1 / x);
    expect(AluOp::square, x * x);
    expect(AluOp::abs, std::fabs(x));
    expect(AluOp::fmod, std::fmod(x, y));
    expect(AluOp::relu, std::isnan(x) ? x : std::fmax(x, 0.0) + 0.0);
  }
}

TEST(Alu, MaximumAndMinimumPropagateNanAndOrderZeros) {
  EXPECT_EQ(apply(AluOp::maximum, 1.0f, 2.0f), 2.0f);
  EXPECT_EQ(apply(AluOp::minimum, 1.0f, 2.0f), 1.0f);
  for (const AluOp op : {AluOp::maximum, AluOp::minimum, AluOp::abs_max, AluOp::abs_min}) {
    EXPECT_EQ(bits(apply(op, -nan, 1.0f)), 0x7FC00000u) << name(op);
    EXPECT_EQ(bits(apply(op, 1.0f, -nan)), 0x7FC00000u) << name(op);
  }
  for (const auto& [a, b] : {std::pair(0.0f, -0.0f), std::pair(-0.0f, 0.0f)}) {
    EXPECT_EQ(bits(apply(AluOp::maximum, a, b)), bits(0.0f));
    EXPECT_EQ(bits(apply(AluOp::minimum, a, b)), bits(-0.0f));
  }
}

// The examples of nl.abs_max and nl.abs_min in the NKI 0.6 documentation.
TEST(Alu, AbsoluteMaximumReturnsTheSignedOperandAndTheSecondOfATie) {
  EXPECT_EQ(apply(AluOp::abs_max, -5.0f, 3.0f), -5.0f);
  EXPECT_EQ(apply(AluOp::abs_max, 1.0f, -1.0f), -1.0f);
  EXPECT_EQ(apply(AluOp::abs_max, -1.0f, 1.0f), 1.0f);
  EXPECT_EQ(apply(AluOp::abs_min, -5.0f, 3.0f), 3.0f);
  EXPECT_EQ(apply(AluOp::abs_min, -3.0f, 5.0f), -3.0f);
  EXPECT_EQ(apply(AluOp::abs_min, 1.0f, -1.0f), -1.0f);
}

// NKI 0.4.0 release notes: nl.logical_and was wrong in AWS's simulator.
TEST(Alu, ComparisonsAndLogicGiveOneOrZero) {
  for (const float a : special_values) {
    for (const float b : special_values) {
      EXPECT_EQ(apply(AluOp::equal, a, b), a == b ? 1.0f : 0.0f);
      EXPECT_EQ(apply(AluOp::not_equal, a, b), a == b ? 0.0f : 1.0f);
      EXPECT_EQ(apply(AluOp::less, a, b), a < b ? 1.0f : 0.0f);
      EXPECT_EQ(apply(AluOp::greater_equal, a, b), a >= b ? 1.0f : 0.0f);
      EXPECT_EQ(apply(AluOp::greater, a, b), apply(AluOp::less, b, a));
      EXPECT_EQ(apply(AluOp::less_equal, a, b), apply(AluOp::greater_equal, b, a));
      const bool x = !(a == 0), y = !(b == 0);
      EXPECT_EQ(apply(AluOp::logical_and, a, b), x && y ? 1.0f : 0.0f);
      EXPECT_EQ(apply(AluOp::logical_or, a, b), x || y ? 1.0f : 0.0f);
      EXPECT_EQ(apply(AluOp::logical_xor, a, b), x != y ? 1.0f : 0.0f);
    }
  }
}

TEST(Alu, PowerFollowsCAtSpecialValues) {
  for (const float a : special_values) {
    for (const float b : special_values) {
      const double expected = std::pow(static_cast<double>(a), static_cast<double>(b));
      const float found = apply(AluOp::power, a, b);
      if (std::isnan(expected)) {
        EXPECT_EQ(bits(found), 0x7FC00000u) << a << " " << b;
      } else {
        EXPECT_EQ(bits(found), bits(static_cast<float>(expected))) << a << " " << b;
      }
    }
  }
}

TEST(Alu, PowerIsWithinOneUlpAndExactForSmallIntegerExponents) {
  base::Random random(3);
  std::size_t otherwise = 0, total = 0;
  for (int i = 0; i < 20000; ++i) {
    const float a = i % 2 == 0 ? std::bit_cast<float>(random.next32() & 0x7FFFFFFFu)
                               : static_cast<float>(random.uniform() * 10);
    const float b = i % 3 == 0 ? static_cast<float>(random.below(16))
                               : static_cast<float>(random.uniform() * 40 - 20);
    if (!std::isfinite(a)) continue;
    const float found = apply(AluOp::power, a, b), expected = power(Real(a), Real(b)).to_float();
    ++total;
    if (found == expected) continue;
    ++otherwise;
    EXPECT_EQ(std::abs(static_cast<std::int64_t>(bits(found)) -
                       static_cast<std::int64_t>(bits(expected))),
              1)
        << a << " to the power " << b;
  }
  EXPECT_LE(static_cast<double>(otherwise), 1e-4 * static_cast<double>(total));
  EXPECT_EQ(apply(AluOp::power, 4097.0f, 2.0f),
            16785408.0f);  // halfway between two floats: to the even one
  EXPECT_EQ(apply(AluOp::power, 3.0f, 2.0f), 9.0f);
}

TEST(Alu, RsqrtIsCorrectlyRounded) {
  base::Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const float a = std::bit_cast<float>(random.next32() & 0x7FFFFFFFu);
    if (!std::isfinite(a) || a == 0) continue;
    EXPECT_EQ(apply(AluOp::rsqrt, a, 0), (1.0 / sqrt(Real(a))).to_float()) << a;
  }
}

TEST(Alu, ModHasTheSignOfTheDivisor) {
  EXPECT_EQ(apply(AluOp::mod, 7.0f, 3.0f), 1.0f);
  EXPECT_EQ(apply(AluOp::mod, -7.0f, 3.0f), 2.0f);
  EXPECT_EQ(apply(AluOp::mod, 7.0f, -3.0f), -2.0f);
  EXPECT_EQ(apply(AluOp::fmod, -7.0f, 3.0f), -1.0f);
  EXPECT_EQ(bits(apply(AluOp::mod, 6.0f, -3.0f)), bits(-0.0f));
  EXPECT_TRUE(std::isnan(apply(AluOp::mod, 1.0f, 0.0f)));
  EXPECT_EQ(apply(AluOp::fmod, 0x1.FFFFFEp127f, 0x1.8p-149f),
            std::fmod(0x1.FFFFFEp127f, 0x1p-148f));
}

void expect_same(float found, float expected, AluOp op, float a, float b) {
  ASSERT_EQ(bits(found), bits(expected)) << name(op) << " " << std::hexfloat << a << " " << b;
}

TEST(AluRows, MatchTheDefinitionOnEveryInstructionSet) {
  std::vector<float> a = random_values(5, 3000), b = random_values(6, 3000);
  for (const float x : special_values) {
    for (const float y : special_values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const AluOp op : float_operators()) {
      std::vector<float> out(a.size());
      apply(op, a.data(), b.data(), out.data(), a.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        expect_same(out[i], apply(op, a[i], b[i]), op, a[i], b[i]);
      for (const float scalar : {2.0f, -0.0f, nan, -infinity}) {
        apply_scalar(op, a.data(), scalar, false, out.data(), a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          expect_same(out[i], apply(op, a[i], scalar), op, a[i], scalar);
        apply_scalar(op, a.data(), scalar, true, out.data(), a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          expect_same(out[i], is_unary(op) ? apply(op, a[i], 0) : apply(op, scalar, a[i]), op,
                      scalar, a[i]);
        }
      }
    }
  });
}

TEST(AluRows, WorkInPlaceAndTouchExactlyTheRow) {
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (std::size_t n = 0; n < 40; ++n) {
      for (const AluOp op : {AluOp::add, AluOp::power}) {
        std::vector<float> a(n + 1, 3.0f);
        apply(op, a.data(), a.data(), a.data(), n);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(a[i], op == AluOp::add ? 6.0f : 27.0f);
        EXPECT_EQ(a[n], 3.0f);
      }
    }
  });
}

TEST(AluReduce, RunsInIndexOrder) {
  // In float32 the order shows: 2^24 swallows single ones.
  const std::vector<float> x{0x1p24f, 1.0f, 1.0f, -0x1p24f};
  EXPECT_EQ(reduce(AluOp::add, x.data(), x.size(), 0.0f), 0.0f);
  const std::vector<float> y{1.0f, 1.0f, 0x1p24f, -0x1p24f};
  EXPECT_EQ(reduce(AluOp::add, y.data(), y.size(), 0.0f), 2.0f);
  EXPECT_EQ(reduce(AluOp::subtract, y.data(), 2, 10.0f), 8.0f);
  EXPECT_EQ(reduce(AluOp::abs_max, std::vector{1.0f, -2.0f, 2.0f}.data(), 3, 0.0f), 2.0f);
}

TEST(AluReduce, EveryFormMatchesOneStepAfterAnother) {
  constexpr std::size_t rows = 19, stride = 330;
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const std::size_t n : {0U, 1U, 5U, 64U, 317U}) {
      std::vector<float> x = random_values(7 + n, rows * stride);
      for (std::size_t r = 0; r < rows; ++r) {  // rows with and without NaN and infinities
        for (std::size_t i = 0; i < stride && r % 3 != 0; ++i) {
          if (!(std::fabs(x[r * stride + i]) < 100)) x[r * stride + i] = static_cast<float>(i);
        }
      }
      for (const AluOp op : float_operators()) {
        if (!is_float_reduction(op)) continue;
        std::vector<float> together(rows, reduction_identity(op));
        reduce_rows(op, x.data(), rows, stride, n, together.data());
        for (std::size_t r = 0; r < rows; ++r) {
          float expected = reduction_identity(op);
          for (std::size_t i = 0; i < n; ++i) expected = apply(op, expected, x[r * stride + i]);
          EXPECT_EQ(bits(together[r]), bits(expected)) << name(op) << " " << n;
          EXPECT_EQ(bits(reduce(op, x.data() + r * stride, n, reduction_identity(op))),
                    bits(expected))
              << name(op);
        }
      }
    }
  });
}

// Stored rows, also those of two groups of sixteen and of odd lengths, are reduced as if widened.
TEST(AluReduce, StoredRowsMatchWidenedOnes) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(31);
    for (const DType dtype : {DType::bfloat16, DType::float16, DType::float8_e4m3, DType::int32}) {
      const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
      for (const std::size_t rows : {1u, 16u, 31u, 33u, 70u}) {
        for (const std::size_t n : {0u, 1u, 15u, 32u, 33u, 300u}) {
          const std::size_t stride = n * width + 6;
          std::vector<std::byte> stored(rows * stride);
          for (std::byte& b : stored) b = static_cast<std::byte>(random.below(256));
          for (const AluOp op : {AluOp::add, AluOp::subtract, AluOp::multiply, AluOp::maximum,
                                 AluOp::minimum, AluOp::abs_max}) {
            std::vector<float> sums(rows, reduction_identity(op));
            reduce_rows(op, dtype, stored.data(), rows, static_cast<std::ptrdiff_t>(stride), n,
                        sums.data());
            std::vector<float> row(n);
            for (std::size_t r = 0; r < rows; ++r) {
              widen(dtype, stored.data() + r * stride, row.data(), n);
              float expected = reduction_identity(op);
              for (const float x : row) expected = apply(op, expected, x);
              ASSERT_EQ(bits(sums[r]), bits(expected)) << name(dtype) << name(op) << r << " " << n;
            }
          }
        }
      }
    }
  });
}

// Zeros of both signs, infinities and NaN at each place of a row that has several vectors.
TEST(AluReduce, ExtremesOfSpecialValues) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    for (const AluOp op : {AluOp::maximum, AluOp::minimum}) {
      for (const float most : {0.0F, -0.0F, -infinity, infinity, -3.0F, 3.0F}) {
        for (const float other : special_values) {
          for (const std::size_t place : {0u, 1u, 17u, 63u, 64u, 99u, 140u}) {
            std::vector<float> x(141, most);
            x[place] = other;
            float expected = reduction_identity(op);
            for (const float value : x) expected = apply(op, expected, value);
            ASSERT_EQ(bits(reduce(op, x.data(), x.size(), reduction_identity(op))), bits(expected));
            ASSERT_EQ(bits(reduce(op, x.data(), x.size(), other)),
                      bits(apply(op, expected, other)));
          }
        }
      }
    }
  });
}

TEST(AluBits, WorkOnPatterns) {
  EXPECT_EQ(apply_bits(AluOp::bitwise_and, 0xF0F0u, 0xFF00u), 0xF000u);
  EXPECT_EQ(apply_bits(AluOp::bitwise_or, 0xF0F0u, 0x0F00u), 0xFFF0u);
  EXPECT_EQ(apply_bits(AluOp::bitwise_xor, 0xFFFFu, 0x0FF0u), 0xF00Fu);
  EXPECT_EQ(apply_bits(AluOp::invert, 0u, 123u), 0xFFFFFFFFu);
  EXPECT_EQ(apply_bits(AluOp::left_shift, 0x80000001u, 1), 2u);
  EXPECT_EQ(apply_bits(AluOp::right_shift, 0x80000000u, 31), 1u);
  EXPECT_EQ(apply_bits(AluOp::left_shift, 1u, 32), 0u);
  EXPECT_EQ(apply_bits(AluOp::right_shift, 0xFFFFFFFFu, 0xFFFFFFFFu), 0u);
}

TEST(AluBits, RowsMatchTheDefinition) {
  base::Random random(8);
  std::vector<std::uint32_t> a(301), b(301), out(301);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = random.next32();
    b[i] = random.below(3) == 0 ? random.next32() : static_cast<std::uint32_t>(random.below(34));
  }
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const AluOp op : {AluOp::bypass, AluOp::bitwise_and, AluOp::bitwise_or, AluOp::bitwise_xor,
                           AluOp::invert, AluOp::left_shift, AluOp::right_shift}) {
      apply_bits(op, a.data(), b.data(), out.data(), a.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(out[i], apply_bits(op, a[i], b[i])) << name(op);
      for (const std::uint32_t scalar : {3u, 31u, 40u}) {
        apply_bits_scalar(op, a.data(), scalar, false, out.data(), a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          EXPECT_EQ(out[i], apply_bits(op, a[i], scalar)) << name(op);
        apply_bits_scalar(op, b.data(), a[0], true, out.data(), a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          EXPECT_EQ(out[i], is_unary(op) ? apply_bits(op, b[i], 0) : apply_bits(op, a[0], b[i]))
              << name(op);
        }
      }
      if (op == AluOp::bitwise_and || op == AluOp::bitwise_or || op == AluOp::bitwise_xor) {
        std::uint32_t expected = 0x0FF0FF0Fu;
        for (const std::uint32_t x : a) expected = apply_bits(op, expected, x);
        EXPECT_EQ(reduce_bits(op, a.data(), a.size(), 0x0FF0FF0Fu), expected);
      }
    }
  });
}

// tensor_tensor in NKI 0.6: native integer arithmetic on GpSimd ensures exact results for all
// 32-bit values.
TEST(AluIntegers, AreExactAndWrapAround) {
  EXPECT_EQ(apply_int32(AluOp::add, (1 << 24) + 1, 1), (1 << 24) + 2);
  EXPECT_EQ(apply_int32(AluOp::add, std::numeric_limits<std::int32_t>::max(), 1),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(apply_uint32(AluOp::subtract, 0u, 1u), 0xFFFFFFFFu);
  EXPECT_EQ(apply_int32(AluOp::multiply, 65537, 65537), 131073);
  EXPECT_EQ(apply_int32(AluOp::power, -3, 3), -27);
  EXPECT_EQ(apply_int32(AluOp::power, -1, -3), -1);
  EXPECT_EQ(apply_int32(AluOp::power, 2, -1), 0);
  EXPECT_EQ(apply_int32(AluOp::abs_max, -5, 5), 5);
  EXPECT_EQ(apply_int32(AluOp::abs_max, std::numeric_limits<std::int32_t>::min(), 5),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(apply_int32(AluOp::mod, -7, 3), 2);
  EXPECT_EQ(apply_int32(AluOp::fmod, -7, 3), -1);
  EXPECT_EQ(apply_int32(AluOp::mod, std::numeric_limits<std::int32_t>::min(), -1), 0);
  EXPECT_EQ(apply_int32(AluOp::mod, 7, 0), 0);
  EXPECT_EQ(apply_uint32(AluOp::maximum, 0x80000000u, 1u), 0x80000000u);
  EXPECT_EQ(apply_int32(AluOp::less, -1, 1), 1);
  EXPECT_EQ(apply_uint32(AluOp::less, 0xFFFFFFFFu, 1u), 0u);
}

TEST(AluIntegers, RowsMatchTheDefinition) {
  base::Random random(9);
  std::vector<std::int32_t> a(301), b(301), out(301);
  std::vector<std::uint32_t> ua(301), ub(301), uout(301);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::int32_t>(random.next32()) >> random.below(32);
    b[i] = i % 7 == 0 ? a[i] : static_cast<std::int32_t>(random.next32()) >> random.below(32);
    ua[i] = static_cast<std::uint32_t>(a[i]);
    ub[i] = static_cast<std::uint32_t>(b[i]);
  }
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (int index = 0; index < alu_op_count; ++index) {
      const AluOp op = static_cast<AluOp>(index);
      if (!has_integer_form(op)) continue;
      apply_int32(op, a.data(), b.data(), out.data(), a.size());
      apply_uint32(op, ua.data(), ub.data(), uout.data(), a.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(out[i], apply_int32(op, a[i], b[i])) << name(op);
        EXPECT_EQ(uout[i], apply_uint32(op, ua[i], ub[i])) << name(op);
      }
    }
  });
}

}  // namespace
}  // namespace trainyard::numerics
