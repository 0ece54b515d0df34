// Is every bit of the product of MX operands right? The plain definition is judged by arithmetic
// done here another way, the fast product by the plain definition.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mx_tile_for_test.h"
#include "numerics/convert.h"
#include "numerics/mx.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> result;
  for (const float v : values) result.push_back(std::bit_cast<std::uint32_t>(v));
  return result;
}

// One output of matmul_mx by MPFR: sums exact in 900 bits, each rounded once with fp32's exponent
// range.
float output_by_mpfr(const Tile& s, const Tile& v, std::size_t m, std::size_t n) {
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_t exact, product, rounded, sum;
  mpfr_inits2(900, exact, product, static_cast<mpfr_ptr>(nullptr));
  mpfr_inits2(24, rounded, sum, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_zero(sum, 1);
  const auto round = [&](mpfr_t to) {
    int ternary = mpfr_set(to, exact, MPFR_RNDN);
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    ternary = mpfr_check_range(to, ternary, MPFR_RNDN);
    mpfr_subnormalize(to, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
  };
  for (std::size_t k = 0; k < s.K; ++k) {
    mpfr_set_zero(exact, 1);
    for (std::size_t q = 0; q < 4; ++q) {
      mpfr_set_flt(product, s.value(k, m, q), MPFR_RNDN);
      mpfr_mul_d(product, product, static_cast<double>(v.value(k, n, q)), MPFR_RNDN);
      mpfr_add(exact, exact, product, MPFR_RNDN);
    }
    const int scales[] = {s.rows[k / 8][m], v.rows[k / 8][n]};
    for (const int scale : scales) {
      if (scale == 255) mpfr_set_nan(exact);
      mpfr_mul_2si(exact, exact, scale - 127, MPFR_RNDN);
    }
    round(rounded);
    mpfr_add(exact, rounded, sum, MPFR_RNDN);
    round(sum);
  }
  const float result =
      mpfr_nan_p(sum) != 0 ? std::bit_cast<float>(tensor_engine_nan) : mpfr_get_flt(sum, MPFR_RNDN);
  mpfr_clears(exact, product, rounded, sum, static_cast<mpfr_ptr>(nullptr));
  return result;
}

TEST(MxMatmul, DefinitionRoundsTheExactScaledSumOnceThenTheChain) {
  std::mt19937 random(1);
  for (const DType a : formats) {
    for (const DType b : formats) {
      for (const Data data : all_data) {
        Tile s(16, 9, a), v(16, 11, b);
        s.fill(data, random), v.fill(data, random);
        std::vector<float> out(9 * 11), expected;
        matmul_mx_reference(s.operand(), v.operand(), out.data(), 11, 16, 9, 11, false);
        for (std::size_t m = 0; m < 9; ++m) {
          for (std::size_t n = 0; n < 11; ++n) expected.push_back(output_by_mpfr(s, v, m, n));
        }
        ASSERT_EQ(bits(out), bits(expected))
            << name(a) << " x " << name(b) << " data " << static_cast<int>(data);
      }
    }
  }
}

TEST(MxMatmul, FastProductIsBitEqualToTheDefinition) {
  struct Size {
    std::size_t K, M, N;
  };
  for_each_simd_target([](const char* target) {
    std::mt19937 random(2);
    MatmulScratch scratch;
    for (const Size z : {Size{32, 34, 70}, {64, 2, 1}, {8, 13, 16}, {32, 7, 530}}) {
      for (const DType a : formats) {
        for (const DType b : formats) {
          for (const Data data : all_data) {
            Tile s(z.K, z.M, a), v(z.K, z.N, b);
            s.fill(data, random), v.fill(data, random);
            std::vector<float> fast(z.M * z.N, 0.375F);
            auto plain = fast;
            const bool accumulate = random() % 2 != 0;
            const Rows out{reinterpret_cast<std::byte*>(fast.data()),
                           static_cast<std::ptrdiff_t>(z.N * 4), DType::float32};
            matmul_mx(s.operand(), v.operand(), out, z.K, z.M, z.N, accumulate, scratch);
            matmul_mx_reference(s.operand(), v.operand(), plain.data(), z.N, z.K, z.M, z.N,
                                accumulate);
            ASSERT_EQ(bits(fast), bits(plain))
                << target << " " << name(a) << " x " << name(b) << " data "
                << static_cast<int>(data) << " N " << z.N;
          }
        }
      }
    }
  });
}

// Operands of different kinds meet: low digits, narrow and wide, beside stationary digits with few
// places, and beside others.
TEST(MxMatmul, FastProductOfUnlikeOperandsIsBitEqualToTheDefinition) {
  constexpr std::size_t K = 32, M = 10, N = 40;
  for_each_simd_target([](const char* target) {
    std::mt19937 random(3);
    MatmulScratch scratch;
    const auto expect_equal = [&](DType a, DType b, Data stationary, Data moving) {
      Tile s(K, M, a), v(K, N, b);
      s.fill(stationary, random), v.fill(moving, random);
      std::vector<float> fast(M * N), plain(M * N);
      const Rows out{reinterpret_cast<std::byte*>(fast.data()), static_cast<std::ptrdiff_t>(N * 4),
                     DType::float32};
      matmul_mx(s.operand(), v.operand(), out, K, M, N, false, scratch);
      matmul_mx_reference(s.operand(), v.operand(), plain.data(), N, K, M, N, false);
      EXPECT_EQ(bits(fast), bits(plain))
          << target << " " << name(a) << " x " << name(b) << " data "
          << static_cast<int>(stationary) << " and " << static_cast<int>(moving);
    };
    for (const DType a : formats) {
      for (const DType b : {DType::float8_e4m3fn_x4, DType::float8_e5m2_x4}) {
        for (const Data stationary : all_data) {
          for (const Data moving : all_data) expect_equal(a, b, stationary, moving);
        }
      }
    }
  });
}

void expect_as_reference(const Tile& s, const Tile& v, std::size_t K, std::size_t M, std::size_t N,
                         const char* target) {
  MatmulScratch scratch;
  std::vector<float> fast(M * N), plain(M * N);
  const Rows out{reinterpret_cast<std::byte*>(fast.data()), static_cast<std::ptrdiff_t>(N * 4),
                 DType::float32};
  matmul_mx(s.operand(), v.operand(), out, K, M, N, false, scratch);
  matmul_mx_reference(s.operand(), v.operand(), plain.data(), N, K, M, N, false);
  EXPECT_EQ(bits(fast), bits(plain)) << target;
}

// Far blocks of either operand, or of both: operands change roles, sums wait for more steps, chunks
// of columns follow one another, and rows end within a panel.
TEST(MxMatmul, FarBlocksOfEitherOperandAreBitEqualToTheDefinition) {
  constexpr std::size_t K = 72, M = 19, N = 530;
  struct Case {
    Tile stationary, moving;
    bool accumulate;
    std::vector<float> expected;
    std::string name;
  };
  const std::vector<float> old(M * N, 0.375F);
  std::mt19937 random(4);
  std::vector<Case> cases;
  for (const DType a : formats) {
    for (const DType b : formats) {
      for (const auto& [stationary, moving] : {std::pair{Data::far, Data::normal},
                                               {Data::normal, Data::far},
                                               {Data::far_ocp, Data::normal},
                                               {Data::normal, Data::far_ocp},
                                               {Data::far, Data::far_ocp}}) {
        Case c{Tile(K, M, a), Tile(K, N, b), random() % 2 != 0, old, std::string(name(a))};
        c.name += " x " + std::string(name(b)) + ", data " +
                  std::to_string(static_cast<int>(stationary)) + " and " +
                  std::to_string(static_cast<int>(moving));
        c.stationary.fill(stationary, random), c.moving.fill(moving, random);
        matmul_mx_reference(c.stationary.operand(), c.moving.operand(), c.expected.data(), N, K, M,
                            N, c.accumulate);
        cases.push_back(std::move(c));
      }
    }
  }
  for_each_simd_target([&](const char* target) {
    MatmulScratch scratch;
    for (const Case& c : cases) {
      auto fast = old;
      const Rows out{reinterpret_cast<std::byte*>(fast.data()), static_cast<std::ptrdiff_t>(N * 4),
                     DType::float32};
      matmul_mx(c.stationary.operand(), c.moving.operand(), out, K, M, N, c.accumulate, scratch);
      ASSERT_EQ(bits(fast), bits(c.expected)) << target << " " << c.name;
    }
  });
}

// How far the exponents of blocks lie apart is judged by their first columns: others differ.
TEST(MxMatmul, LaterColumnsUnlikeTheFirstAreBitEqualToTheDefinition) {
  constexpr std::size_t K = 32, M = 6, N = 80, first = 33;
  for_each_simd_target([](const char* target) {
    std::mt19937 random(5);
    for (const DType format : {DType::float8_e4m3fn_x4, DType::float8_e5m2_x4}) {
      Tile s(K, M, DType::float8_e4m3fn_x4), v(K, N, format), other(K, N, format);
      s.fill(Data::normal, random), v.fill(Data::normal, random), other.fill(Data::far_ocp, random);
      for (std::size_t k = 0; k < K; ++k) {
        const auto at = static_cast<std::ptrdiff_t>(k) * v.stride;
        std::copy_n(other.bytes.begin() + at + first * 4, (N - first) * 4,
                    v.bytes.begin() + at + first * 4);
        std::copy_n(other.rows[k / 8] + first, N - first, v.rows[k / 8] + first);
      }
      expect_as_reference(s, v, K, M, N, target);
      expect_as_reference(v, s, K, N, M, target);
    }
  });
}

// Products of two e5m2 values span 66 bits: a sum that is a tie of fp32 but for one tiny product
// must not round twice.
TEST(MxMatmul, TinyProductsBreakTiesOfWideSums) {
  for_each_simd_target([](const char* target) {
    std::mt19937 random(7);
    const std::size_t K = 8, M = 4, N = 32;
    Tile s(K, M, DType::float8_e5m2_x4), v(K, N, DType::float8_e5m2_x4);
    for (std::uint8_t& scale : s.scale_bytes) scale = 127;
    for (std::uint8_t& scale : v.scale_bytes) scale = 127;
    // s: 2^15, 2^3, 2^-16, 0. v: (4..7) / 4 * 2^15, +-2^4 or 2^3 or 0, +-2^-16 or 0, anything: 2^6
    // is half a unit of 2^30.
    for (std::size_t m = 0; m < M; ++m) {
      const std::uint8_t codes[] = {0x78, 0x48, 0x01, 0x00};
      std::memcpy(&s.bytes[m * 4], codes, 4);
    }
    for (std::size_t n = 0; n < N; ++n) {
      const auto sign = [&] { return static_cast<std::uint8_t>(random() % 2 * 0x80); };
      const std::uint8_t codes[] = {
          static_cast<std::uint8_t>((0x78 | random() % 4) ^ sign()),
          static_cast<std::uint8_t>((random() % 4 == 0 ? 0x00 : 0x48 + 4 * (random() % 2)) ^
                                    sign()),
          static_cast<std::uint8_t>((random() % 2) ^ sign()), 0x7B};
      std::memcpy(&v.bytes[n * 4], codes, 4);
    }
    expect_as_reference(s, v, K, M, N, target);
  });
}

// The smallest values of an e5m2 block, 31 bits below its largest, times scales near fp32's
// smallest: each sum of products is rounded to a multiple of 2^-149 before it joins the chain.
TEST(MxMatmul, SmallValuesBesideLargeOnesUnderflowBeforeTheyAreAdded) {
  for_each_simd_target([](const char* target) {
    std::mt19937 random(8);
    const std::size_t K = 8, M = 4, N = 32;
    Tile s(K, M, DType::float4_e2m1fn_x4), v(K, N, DType::float8_e5m2_x4);
    for (std::uint8_t& scale : s.scale_bytes) scale = 62;
    for (std::uint8_t& scale : v.scale_bytes) scale = 58;
    for (std::size_t k = 0; k < K; ++k) {
      const auto row = [&](Tile& t) { return &t.bytes[k * static_cast<std::size_t>(t.stride)]; };
      // The last row of s is zero, and that of v holds the blocks' largest values, 2^14.
      for (std::size_t i = 0; i < M * 2; ++i)
        row(s)[i] = static_cast<std::byte>(k + 1 < K ? random() : 0);
      for (std::size_t i = 0; i < N * 4; ++i)
        row(v)[i] = static_cast<std::byte>(k + 1 < K ? random() & 0x83 : 0x74);
    }
    expect_as_reference(s, v, K, M, N, target);
  });
}

TEST(MxMatmul, InternalWidthParametersNarrowTheSums) {
  // Products 2^16, 1, 1, 1 in one element: exact sum 65539.
  Tile s(8, 1, DType::float8_e4m3fn_x4), v(8, 1, DType::float8_e4m3fn_x4);
  const std::uint8_t ones[] = {0x78, 0x38, 0x38, 0x38};  // 256, 1, 1, 1
  std::memcpy(s.bytes.data(), ones, 4);
  std::memcpy(v.bytes.data(), ones, 4);
  s.rows[0][0] = v.rows[0][0] = 127;
  const auto product = [&](MxInternalWidth width) {
    float out = 0;
    matmul_mx_reference(s.operand(), v.operand(), &out, 1, 8, 1, 1, false, width);
    return out;
  };
  EXPECT_EQ(product({}), 65539);
  EXPECT_EQ(product({24, 17}), 65539);
  EXPECT_EQ(product({24, 16}), 65536);  // a window of 16 bits under 2^16 ends at 2^1
  EXPECT_EQ(product({16, 0}), 65540);   // 17 bits to 16, to even
}
}  // namespace
}  // namespace trainyard::numerics
