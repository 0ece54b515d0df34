// Is every bit of the MX formats right? The plain definitions are judged by arithmetic done here
// another way, the fast paths by the plain definitions.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "numerics/convert.h"
#include "numerics/mx.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

constexpr DType formats[] = {DType::float8_e4m3fn_x4, DType::float8_e5m2_x4,
                             DType::float4_e2m1fn_x4};

enum class Data {
  normal,    // Gaussian values quantised
  any_code,  // every code and every scale is as likely: NaN, infinities, subnormals, overflow
  any_near,  // every finite code, scales around 1: digits lost in most blocks
  extreme,   // scales at the ends of the range
  small,     // finite codes, scales whose products lie around fp32's smallest numbers
  large,     // and around its largest
};
constexpr Data all_data[] = {Data::normal,  Data::any_code, Data::any_near,
                             Data::extreme, Data::small,    Data::large};

// An MX operand in memory as SBUF holds it: rows far apart at odd places, scale rows scattered.
struct Tile {
  std::size_t K, columns;
  std::ptrdiff_t stride;
  DType dtype;
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> scale_bytes;
  std::vector<std::uint8_t*> rows;
  std::vector<const std::uint8_t*> const_rows;

  Tile(std::size_t partitions, std::size_t width, DType format)
      : K(partitions),
        columns(width),
        stride(static_cast<std::ptrdiff_t>(width * 4 + 13)),
        dtype(format) {
    bytes.resize(K * static_cast<std::size_t>(stride));
    scale_bytes.resize((mx_scale_partition(K / 8) + 1) * width + 1);
    for (std::size_t i = 0; i < K / 8; ++i)
      rows.push_back(&scale_bytes[mx_scale_partition(i) * width]);
    const_rows.assign(rows.begin(), rows.end());
  }
  void fill(Data data, std::mt19937& random) {
    if (data == Data::normal) {
      std::normal_distribution<float> normal;
      std::vector<float> values(K * columns * 4);
      for (float& v : values) v = normal(random);
      const ConstRows source{reinterpret_cast<const std::byte*>(values.data()),
                             static_cast<std::ptrdiff_t>(columns * 16), DType::float32};
      quantize_mx_reference(source, K, columns * 4, {bytes.data(), stride, dtype}, rows);
      return;
    }
    for (std::byte& b : bytes) {
      b = static_cast<std::byte>(random());
      // Exponents below the top one: finite in every format.
      if (data != Data::any_code && dtype == DType::float8_e5m2_x4) b &= std::byte{0xBF};
      if (data != Data::any_code && dtype == DType::float8_e4m3fn_x4 &&
          (b | std::byte{0x80}) == std::byte{0xFF})
        b = {};
    }
    for (std::uint8_t& s : scale_bytes) {
      const auto word = static_cast<std::uint32_t>(random());
      s = static_cast<std::uint8_t>(data == Data::any_near ? 120 + word % 16 : word);
      if (data == Data::small) s = static_cast<std::uint8_t>(50 + word % 24);
      if (data == Data::large) s = static_cast<std::uint8_t>(165 + word % 24);
      if (data == Data::extreme)
        s = static_cast<std::uint8_t>(word % 2 == 0 ? word / 2 % 70 : 254 - word / 2 % 70);
    }
  }
  MxOperand operand() const { return {{bytes.data(), stride, dtype}, const_rows}; }
  // Value q of packed element c in partition k, without its scale.
  float value(std::size_t k, std::size_t c, std::size_t q) const {
    const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < width; ++b) {
      word |= std::to_integer<std::uint32_t>(
                  bytes[k * static_cast<std::size_t>(stride) + c * width + b])
              << (8 * b);
    }
    return unpack(dtype, word)[q];
  }
};

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

// Operands of different kinds meet: low digits beside stationary digits that are multiples of 8,
// and beside others.
TEST(MxMatmul, FastProductOfUnlikeOperandsIsBitEqualToTheDefinition) {
  constexpr std::size_t K = 24, M = 10, N = 40;
  for_each_simd_target([](const char* target) {
    std::mt19937 random(3);
    MatmulScratch scratch;
    for (const DType a : formats) {
      for (const Data stationary : all_data) {
        for (const Data moving : all_data) {
          Tile s(K, M, a), v(K, N, DType::float8_e4m3fn_x4);
          s.fill(stationary, random), v.fill(moving, random);
          std::vector<float> fast(M * N), plain(M * N);
          const Rows out{reinterpret_cast<std::byte*>(fast.data()),
                         static_cast<std::ptrdiff_t>(N * 4), DType::float32};
          matmul_mx(s.operand(), v.operand(), out, K, M, N, false, scratch);
          matmul_mx_reference(s.operand(), v.operand(), plain.data(), N, K, M, N, false);
          ASSERT_EQ(bits(fast), bits(plain))
              << target << " " << name(a) << " data " << static_cast<int>(stationary) << " and "
              << static_cast<int>(moving);
        }
      }
    }
  });
}

// Products of two e5m2 values span 66 bits: a sum that is a tie of fp32 but for one tiny product
// must not round twice.
TEST(MxMatmul, TinyProductsBreakTiesOfWideSums) {
  for_each_simd_target([](const char* target) {
    std::mt19937 random(7);
    MatmulScratch scratch;
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
    std::vector<float> fast(M * N), plain(M * N);
    const Rows out{reinterpret_cast<std::byte*>(fast.data()), N * 4, DType::float32};
    matmul_mx(s.operand(), v.operand(), out, K, M, N, false, scratch);
    matmul_mx_reference(s.operand(), v.operand(), plain.data(), N, K, M, N, false);
    EXPECT_EQ(bits(fast), bits(plain)) << target;
  });
}

// A host tensor of P x F values of one format, and room for its quantised form.
struct Quantised {
  std::size_t P, F;
  DType source_dtype, dtype;
  std::vector<std::byte> source, data;
  std::vector<std::uint8_t> scales;
  std::vector<std::uint8_t*> rows;

  Quantised(std::size_t partitions, std::size_t width, DType from, DType to)
      : P(partitions),
        F(width),
        source_dtype(from),
        dtype(to),
        source(P * F * element()),
        data(P * F),
        scales(P / 8 * F / 4) {
    for (std::size_t i = 0; i < P / 8; ++i) rows.push_back(&scales[i * F / 4]);
  }
  std::size_t element() const { return static_cast<std::size_t>(size_in_bytes(source_dtype)); }
  ConstRows in() const {
    return {source.data(), static_cast<std::ptrdiff_t>(F * element()), source_dtype};
  }
  Rows out() { return {data.data(), static_cast<std::ptrdiff_t>(F), dtype}; }
  void set(std::size_t p, std::size_t f, std::uint32_t bits) {
    std::memcpy(&source[(p * F + f) * element()], &bits, element());
  }
  float get(std::size_t p, std::size_t f) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &source[(p * F + f) * element()], element());
    return to_float(source_dtype, bits);
  }
  std::uint32_t code(std::size_t p, std::size_t f) const {
    const auto byte = std::to_integer<std::uint32_t>(
        data[p * F + (dtype == DType::float4_e2m1fn_x4 ? f / 2 : f)]);
    return dtype == DType::float4_e2m1fn_x4 ? byte >> (f % 2 * 4) & 15 : byte;
  }
  std::uint8_t scale(std::size_t p, std::size_t f) const { return scales[p / 8 * (F / 4) + f / 4]; }
};

// The code nearest to a finite quotient by trying all: ties to the even code, beyond the largest to
// the largest.
std::uint32_t nearest_code(double quotient, DType element) {
  const std::uint32_t sign = element == DType::float4_e2m1fn ? 8 : 128;
  std::uint32_t best = 0;
  for (std::uint32_t code = 0; code < sign; ++code) {
    const auto value = static_cast<double>(to_float(element, code));
    if (!std::isfinite(value)) break;
    const double distance = std::abs(value - std::abs(quotient));
    const double best_distance =
        std::abs(static_cast<double>(to_float(element, best)) - std::abs(quotient));
    if (distance < best_distance || (distance == best_distance && code % 2 == 0)) best = code;
  }
  return best | (std::signbit(quotient) ? sign : 0);
}

int expected_scale(double largest, DType element, MxScaleRule rule) {
  if (largest == 0) return 0;
  const int offset = mx_max_exponent(element) - (rule == MxScaleRule::doubled ? 1 : 0);
  return std::max(std::ilogb(largest) - offset + 127, 0);
}

constexpr DType sources[] = {DType::bfloat16, DType::float16, DType::float32};

TEST(MxQuantize, DefinitionTakesTheNearestCodeOfTheScaledValue) {
  std::mt19937 random(3);
  for (const DType from : sources) {
    for (const DType to : formats) {
      for (const MxScaleRule rule : {MxScaleRule::doubled, MxScaleRule::ocp}) {
        Quantised t(8, 4, from, to);
        for (int trial = 0; trial < 300; ++trial) {
          // Blocks whose values lie within a few, many, or any number of powers of two; some zeros;
          // finite only.
          const auto base = static_cast<std::uint32_t>(random());
          double largest = 0;
          for (std::size_t i = 0; i < 32; ++i) {
            auto word = static_cast<std::uint32_t>(random());
            if (trial % 3 != 2)
              word = (base & 0x7FFFFFFF) ^ (word & (trial % 3 == 0 ? 0x80FFFFFF : 0x87FFFFFF));
            if (trial % 10 == 0) word &= 0x807FFFFF;
            if (random() % 16 == 0) word = 0;
            std::uint32_t bits = t.element() == 2 ? word >> 16 : word;
            if (!std::isfinite(to_float(from, bits))) bits = 0;
            t.set(i / 4, i % 4, bits);
            largest = std::max(largest, std::abs(static_cast<double>(t.get(i / 4, i % 4))));
          }
          quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {rule, true});
          ASSERT_EQ(t.scales[0], expected_scale(largest, element_of(to), rule)) << largest;
          for (std::size_t i = 0; i < 32; ++i) {
            const double quotient =
                std::ldexp(static_cast<double>(t.get(i / 4, i % 4)), 127 - t.scales[0]);
            ASSERT_EQ(t.code(i / 4, i % 4), nearest_code(quotient, element_of(to))) << quotient;
          }
        }
      }
    }
  }
}

TEST(MxQuantize, DoubledRuleNeverSaturates) {
  // 1.9921875 is the largest bfloat16 below 2: the quotient 255 rounds to 256 in e4m3fn, 32640 to
  // 32768 in e5m2.
  for (const DType to : {DType::float8_e4m3fn_x4, DType::float8_e5m2_x4}) {
    Quantised t(8, 4, DType::bfloat16, to);
    t.set(3, 2, 0x3FFF);
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScaleRule::doubled, false});
    EXPECT_EQ(to_float(element_of(to), t.code(3, 2)), std::ldexp(1.0F, mx_max_exponent(to)));
    // The OCP rule's quotient 510 (or 65280) is beyond the largest finite value.
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScaleRule::ocp, true});
    EXPECT_EQ(to_float(element_of(to), t.code(3, 2)), mx_max_finite(to));
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScaleRule::ocp, false});
    EXPECT_FALSE(std::isfinite(to_float(element_of(to), t.code(3, 2))));
  }
}

TEST(MxQuantize, BlocksWithNanOrInfinityFollowTheDocumentedDefaults) {
  struct Case {
    DType to;
    MxScaleRule rule;
    int scale;
    std::uint32_t of_infinity, of_nan, of_one;
  };
  for (const Case c : {Case{DType::float8_e4m3fn_x4, MxScaleRule::doubled, 254, 0x7F, 0x7F, 0},
                       {DType::float8_e5m2_x4, MxScaleRule::doubled, 254, 0x7E, 0x7E, 0},
                       {DType::float8_e4m3fn_x4, MxScaleRule::ocp, 247, 0x7E, 0x7F, 0},
                       {DType::float8_e5m2_x4, MxScaleRule::ocp, 240, 0x7B, 0x7E, 0},
                       {DType::float4_e2m1fn_x4, MxScaleRule::doubled, 255, 0, 0, 0},
                       {DType::float4_e2m1fn_x4, MxScaleRule::ocp, 255, 0, 0, 0}}) {
    Quantised t(8, 4, DType::bfloat16, c.to);
    t.set(0, 1, 0x7F80), t.set(1, 0, 0x7FC1), t.set(2, 2, 0x3F80);
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {c.rule, true});
    EXPECT_EQ(t.scales[0], c.scale);
    EXPECT_EQ(t.code(0, 1), c.of_infinity);
    EXPECT_EQ(t.code(1, 0), c.of_nan);
    EXPECT_EQ(t.code(2, 2), c.of_one);
  }
}

// Every 16-bit pattern meets block maxima of several sizes; wider sources and the rest of the
// patterns are random.
TEST(MxQuantize, FastPathIsBitEqualToTheDefinition) {
  for_each_simd_target([](const char* target) {
    std::mt19937 random(4);
    for (const DType from : sources) {
      for (const DType to : formats) {
        for (const MxScaleRule scale : {MxScaleRule::doubled, MxScaleRule::ocp}) {
          for (const bool saturate : {true, false}) {
            const std::size_t P = 16, F = 4196;
            Quantised plain(P, F, from, to), fast(P, F, from, to);
            for (std::size_t i = 0; i < P * F; ++i) {
              auto bits = from == DType::float32 ? static_cast<std::uint32_t>(random())
                                                 : static_cast<std::uint32_t>(i);
              // Limiting the exponents of a block makes its small values matter.
              const std::size_t block = i % F / 4;
              if (block % 3 != 0) bits &= from == DType::float32 ? 0x81FFFFFF : 0x83FF;
              if (block % 3 == 1) bits |= from == DType::float32 ? 0x3E000000 : 0x3C00;
              plain.set(i / F, i % F, bits);
            }
            fast.source = plain.source;
            quantize_mx_reference(plain.in(), P, F, plain.out(), plain.rows, {scale, saturate});
            quantize_mx(fast.in(), P, F, fast.out(), fast.rows, {scale, saturate});
            ASSERT_EQ(fast.scales, plain.scales) << target << name(from) << name(to);
            ASSERT_EQ(fast.data, plain.data) << target << name(from) << name(to);
          }
        }
      }
    }
  });
}

TEST(MxDequantize, GivesTheValueTimesTheScaleRoundedOnce) {
  std::mt19937 random(5);
  for (const DType format : formats) {
    Tile t(16, 64, format);
    t.fill(Data::any_code, random);
    std::vector<float> out(16 * 256);
    dequantize_mx(t.operand().data, t.operand().scales, 16, 256, out.data(), 256);
    for (std::size_t p = 0; p < 16; ++p) {
      for (std::size_t f = 0; f < 256; ++f) {
        const int scale = t.rows[p / 8][f / 4];
        const double value = static_cast<double>(t.value(p, f / 4, f % 4));
        auto expected = static_cast<float>(std::ldexp(value, scale - 127));
        if (scale == 255 || std::isnan(value)) expected = std::bit_cast<float>(tensor_engine_nan);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(out[p * 256 + f]),
                  std::bit_cast<std::uint32_t>(expected))
            << scale;
      }
    }
  }
}

TEST(MxDequantize, UndoesTheQuantisationOfValuesThatFit) {
  std::mt19937 random(6);
  for (const DType format : formats) {
    for (const MxScaleRule rule : {MxScaleRule::doubled, MxScaleRule::ocp}) {
      Quantised t(8, 64, DType::float32, format);
      for (std::size_t i = 0; i < 8 * 64; ++i) {
        constexpr float fit[] = {0, 1, -1.5F, 2, -3};
        t.set(i / 64, i % 64, std::bit_cast<std::uint32_t>(fit[random() % 5]));
      }
      quantize_mx(t.in(), 8, 64, t.out(), t.rows, {rule, true});
      std::vector<float> back(8 * 64);
      const std::vector<const std::uint8_t*> rows(t.rows.begin(), t.rows.end());
      const Rows data = t.out();
      dequantize_mx({data.data, data.stride, data.dtype}, rows, 8, 64, back.data(), 64);
      for (std::size_t i = 0; i < 8 * 64; ++i) ASSERT_EQ(back[i], t.get(i / 64, i % 64));
    }
  }
}

TEST(Mx, ScaleRowsLieInTheQuadrantOfTheirBlock) {
  EXPECT_EQ(mx_scale_partition(3), 3u);
  EXPECT_EQ(mx_scale_partition(4), 32u);
  EXPECT_EQ(mx_scale_partition(15, 12), 96u + 3 + 12);
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
