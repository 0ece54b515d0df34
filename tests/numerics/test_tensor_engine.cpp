// Is every bit of the tensor engine's sums right? The definition is judged by MPFR, the fast paths
// by the definition.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "numerics/convert.h"
#include "numerics/tensor_engine.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> result;
  for (const float v : values) result.push_back(std::bit_cast<std::uint32_t>(v));
  return result;
}

enum class Data { normal, any_bits, near_overflow, subnormal };

std::vector<float> random_floats(std::size_t n, Data data, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& v : values) {
    const auto word = static_cast<std::uint32_t>(random());
    switch (data) {
      case Data::normal: v = normal(random); break;
      case Data::any_bits: v = std::bit_cast<float>(word); break;
      case Data::near_overflow: v = std::bit_cast<float>((word & 0x807FFFFF) | 0x5F000000); break;
      case Data::subnormal:
        v = std::bit_cast<float>((word & 0x800FFFFF) | ((word % 3) << 29));
        break;
    }
  }
  return values;
}

// The chain by MPFR: every step is exact in 700 bits and then rounded once, with fp32's exponent
// range.
float chain_by_mpfr(const std::vector<float>& s, const std::vector<float>& v,
                    int significand_bits) {
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_t sum, exact, factor;
  mpfr_init2(sum, significand_bits);
  mpfr_init2(exact, 700);
  mpfr_init2(factor, 24);
  mpfr_set_zero(sum, 1);
  for (std::size_t k = 0; k < s.size(); ++k) {
    mpfr_set_flt(exact, s[k], MPFR_RNDN);
    mpfr_set_flt(factor, v[k], MPFR_RNDN);
    mpfr_mul(exact, exact, factor, MPFR_RNDN);
    mpfr_add(exact, exact, sum, MPFR_RNDN);
    int ternary = mpfr_set(sum, exact, MPFR_RNDN);
    mpfr_set_emin(-125 -
                  (significand_bits - 1));  // the smallest subnormal is 2^-126 / 2^(bits - 1)
    mpfr_set_emax(128);
    ternary = mpfr_check_range(sum, ternary, MPFR_RNDN);
    mpfr_subnormalize(sum, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
  }
  const float result = mpfr_get_flt(sum, MPFR_RNDN);
  mpfr_clears(sum, exact, factor, static_cast<mpfr_ptr>(nullptr));
  return result;
}

TEST(TensorEngine, DefinitionRoundsOnceAStep) {
  std::mt19937 random(1);
  for (const Data data : {Data::normal, Data::subnormal}) {
    for (int trial = 0; trial < 200; ++trial) {
      const auto s = random_floats(17, data, random), v = random_floats(17, data, random);
      float out = 0;
      matmul_reference(s.data(), 1, v.data(), 1, &out, 1, s.size(), 1, 1, false);
      const float expected = chain_by_mpfr(s, v, 24);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(out), std::bit_cast<std::uint32_t>(expected));
    }
  }
}

TEST(TensorEngine, NarrowAccumulatorRoundsOnceAStep) {
  std::mt19937 random(2);
  for (const int width : {2, 8, 11, 23, 24}) {
    for (int trial = 0; trial < 100; ++trial) {
      const Data data = trial % 2 == 0 ? Data::normal : Data::subnormal;
      const auto s = random_floats(9, data, random), v = random_floats(9, data, random);
      float out = 0;
      matmul_narrow(s.data(), 1, v.data(), 1, &out, 1, s.size(), 1, 1, false, width);
      EXPECT_EQ(out, chain_by_mpfr(s, v, width)) << width;
    }
  }
}

TEST(TensorEngine, FastChainIsBitEqualToTheDefinition) {
  struct Size {
    std::size_t K, M, N;
  };
  for_each_simd_target([](const char* target) {
    std::mt19937 random(3);
    for (const Size z : {Size{128, 128, 65},
                         {1, 1, 1},
                         {3, 7, 15},
                         {5, 9, 33},
                         {128, 1, 48},
                         {64, 13, 17},
                         {0, 2, 20},
                         {2, 16, 100}}) {
      for (const Data data : {Data::normal, Data::any_bits, Data::near_overflow, Data::subnormal}) {
        for (const bool accumulate : {false, true}) {
          const std::size_t ld_s = z.M + 3, ld_v = z.N + 5, ld_out = z.N + 1;
          const auto s = random_floats(z.K * ld_s, data, random),
                     v = random_floats(z.K * ld_v, data, random);
          auto fast = random_floats(z.M * ld_out, Data::normal, random);
          auto plain = fast;
          matmul(s.data(), ld_s, v.data(), ld_v, fast.data(), ld_out, z.K, z.M, z.N, accumulate);
          matmul_reference(s.data(), ld_s, v.data(), ld_v, plain.data(), ld_out, z.K, z.M, z.N,
                           accumulate);
          ASSERT_EQ(bits(fast), bits(plain))
              << target << " K " << z.K << " M " << z.M << " N " << z.N;
        }
      }
    }
  });
}

TEST(TensorEngine, InvalidOperationsGiveTheCanonicalNan) {
  const float infinity = HUGE_VALF;
  const std::vector<float> s{1, 1}, v{infinity, -infinity};
  float out = 0;
  matmul(s.data(), 1, v.data(), 1, &out, 1, 2, 1, 1, false);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(out), tensor_engine_nan);
  out = std::bit_cast<float>(0xFFC12345u);
  matmul(s.data(), 1, s.data(), 1, &out, 1, 2, 1, 1, true);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(out), tensor_engine_nan);
}

TEST(TensorEngine, OldValueIsAddedAfterTheChain) {
  // 2^24 + 1 + 1: added one by one each 1 is lost; the chain's 2 is not.
  const std::vector<float> ones{1, 1};
  float out = 0x1p24F;
  matmul(ones.data(), 1, ones.data(), 1, &out, 1, 2, 1, 1, true);
  EXPECT_EQ(out, 0x1p24F + 2);
}

// Rows as SBUF and PSUM hold them: far apart, each starting at an odd place.
struct Stored {
  std::vector<std::byte> bytes;
  std::ptrdiff_t stride;
  DType dtype;

  Stored(std::size_t rows, std::size_t columns, DType format, std::mt19937& random)
      : stride(static_cast<std::ptrdiff_t>(columns * 4 + 68)), dtype(format) {
    bytes.resize(rows * static_cast<std::size_t>(stride));
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  }
  // Overwrites every element with a moderate random value.
  void fill(std::size_t rows, std::size_t columns, std::mt19937& random) {
    const auto values = random_floats(rows * columns, Data::normal, random);
    for (std::size_t r = 0; r < rows; ++r) narrow(dtype, &values[r * columns], row(r), columns);
  }
  std::byte* row(std::size_t r) { return bytes.data() + static_cast<std::ptrdiff_t>(r) * stride; }
  std::vector<float> floats(std::size_t rows, std::size_t columns) {
    std::vector<float> result(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) widen(dtype, row(r), &result[r * columns], columns);
    return result;
  }
  ConstRows in() const { return {bytes.data(), stride, dtype}; }
  Rows out() { return {bytes.data(), stride, dtype}; }
};

TEST(TensorEngine, StoredRowsGiveTheSumsOfTheirValues) {
  std::mt19937 random(4);
  MatmulScratch scratch;
  const std::size_t K = 37, M = 21, N = 530;
  for (const DType a : {DType::bfloat16, DType::float16, DType::float8_e4m3fn, DType::float8_e5m2,
                        DType::float8_e3m4, DType::float32, DType::tfloat32}) {
    for (const DType b : {DType::bfloat16, DType::float8_e4m3, a}) {
      for (const bool accumulate : {false, true}) {
        Stored s(K, M, a, random), v(K, N, b, random), out(M, N, DType::float32, random);
        if (accumulate) s.fill(K, M, random), v.fill(K, N, random);
        auto expected = out.floats(M, N);
        matmul_reference(s.floats(K, M).data(), M, v.floats(K, N).data(), N, expected.data(), N, K,
                         M, N, accumulate);
        matmul(s.in(), v.in(), out.out(), K, M, N, accumulate, scratch);
        ASSERT_EQ(bits(out.floats(M, N)), bits(expected)) << name(a) << " x " << name(b);
      }
    }
  }
}

TEST(TensorEngine, Bfloat16OutputIsRoundedOnceAfterTheFp32Addition) {
  std::mt19937 random(5);
  MatmulScratch scratch;
  const std::size_t K = 16, M = 3, N = 600;
  std::vector<std::uint32_t> words(M * N);
  for (auto& w : words) w = static_cast<std::uint32_t>(random());
  for (const bool accumulate : {false, true}) {
    for (const bool stochastic : {false, true}) {
      Stored s(K, M, DType::bfloat16, random), v(K, N, DType::bfloat16, random),
          out(M, N, DType::bfloat16, random);
      s.fill(K, M, random), v.fill(K, N, random), out.fill(M, N, random);
      auto sums = out.floats(M, N);
      matmul_reference(s.floats(K, M).data(), M, v.floats(K, N).data(), N, sums.data(), N, K, M, N,
                       accumulate);
      matmul(s.in(), v.in(), out.out(), K, M, N, accumulate, scratch,
             {stochastic ? words.data() : nullptr});
      const auto got = out.floats(M, N);
      for (std::size_t i = 0; i < M * N; ++i) {
        const Narrowing how{stochastic ? RoundingMode::stochastic : RoundingMode::nearest_even,
                            Overflow::format, words[i]};
        ASSERT_EQ(got[i], to_float(DType::bfloat16, from_float(DType::bfloat16, sums[i], how)))
            << i;
      }
    }
  }
}

TEST(TensorEngine, DoubleRowAddsTheTwoProductsExactly) {
  for_each_simd_target([](const char* target) {
    std::mt19937 random(6);
    MatmulScratch scratch;
    const std::size_t K = 24, M = 11, N = 40;
    for (const DType a : {DType::float8_e4m3, DType::float8_e5m2}) {
      for (const DType b : {DType::float8_e4m3, DType::float8_e5m2}) {
        // [K][2][M]: the second row of a partition follows its first.
        Stored s(K, 2 * M, a, random), v(K, 2 * N, b, random), out(M, N, DType::float32, random);
        s.fill(K, 2 * M, random);
        const auto sf = s.floats(K, 2 * M), vf = v.floats(K, 2 * N);
        auto expected = out.floats(M, N);
        for (std::size_t m = 0; m < M; ++m) {
          for (std::size_t n = 0; n < N; ++n) {
            float sum = 0;
            for (std::size_t k = 0; k < K; ++k) {
              const double pair =
                  static_cast<double>(sf[k * 2 * M + m]) * static_cast<double>(vf[k * 2 * N + n]) +
                  static_cast<double>(sf[k * 2 * M + M + m]) *
                      static_cast<double>(vf[k * 2 * N + N + n]);
              sum += static_cast<float>(pair);
            }
            float& e = expected[m * N + n];
            e += sum;
            if (std::isnan(e)) e = std::bit_cast<float>(tensor_engine_nan);
          }
        }
        matmul_double_row(s.in(), static_cast<std::ptrdiff_t>(M), v.in(),
                          static_cast<std::ptrdiff_t>(N), out.out(), K, M, N, true, scratch);
        ASSERT_EQ(bits(out.floats(M, N)), bits(expected))
            << target << " " << name(a) << " x " << name(b);
      }
    }
  });
}

}  // namespace
}  // namespace trainyard::numerics
