// Is every bit of the MX formats right? Quantising and dequantising: the plain definitions are
// judged by arithmetic done here another way, the fast paths by the plain definitions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "mx_tile_for_test.h"
#include "numerics/convert.h"
#include "numerics/mx.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

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

int expected_scale(double largest, DType element, MxScale rule) {
  if (largest == 0) return 0;
  const int offset = mx_max_exponent(element) - (rule == MxScale::doubled ? 1 : 0);
  return std::max(std::ilogb(largest) - offset + 127, 0);
}

constexpr DType sources[] = {DType::bfloat16, DType::float16, DType::float32};

TEST(MxQuantize, DefinitionTakesTheNearestCodeOfTheScaledValue) {
  std::mt19937 random(3);
  for (const DType from : sources) {
    for (const DType to : formats) {
      for (const MxScale rule : {MxScale::doubled, MxScale::ocp}) {
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
  for (const auto& [to, largest] :
       {std::pair(DType::float8_e4m3fn_x4, 448.0F), std::pair(DType::float8_e5m2_x4, 57344.0F)}) {
    Quantised t(8, 4, DType::bfloat16, to);
    t.set(3, 2, 0x3FFF);
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScale::doubled, false});
    EXPECT_EQ(to_float(element_of(to), t.code(3, 2)), std::ldexp(1.0F, mx_max_exponent(to)));
    // The OCP rule's quotient 510 (or 65280) is beyond the largest finite value.
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScale::ocp, true});
    EXPECT_EQ(to_float(element_of(to), t.code(3, 2)), largest);
    quantize_mx_reference(t.in(), 8, 4, t.out(), t.rows, {MxScale::ocp, false});
    EXPECT_FALSE(std::isfinite(to_float(element_of(to), t.code(3, 2))));
  }
}

TEST(MxQuantize, BlocksWithNanOrInfinityFollowTheDocumentedDefaults) {
  struct Case {
    DType to;
    MxScale rule;
    int scale;
    std::uint32_t of_infinity, of_nan, of_one;
  };
  for (const Case c : {Case{DType::float8_e4m3fn_x4, MxScale::doubled, 254, 0x7F, 0x7F, 0},
                       {DType::float8_e5m2_x4, MxScale::doubled, 254, 0x7E, 0x7E, 0},
                       {DType::float8_e4m3fn_x4, MxScale::ocp, 247, 0x7E, 0x7F, 0},
                       {DType::float8_e5m2_x4, MxScale::ocp, 240, 0x7B, 0x7E, 0},
                       {DType::float4_e2m1fn_x4, MxScale::doubled, 255, 0, 0, 0},
                       {DType::float4_e2m1fn_x4, MxScale::ocp, 255, 0, 0, 0}}) {
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
        for (const MxScale scale : {MxScale::doubled, MxScale::ocp}) {
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
    for (const MxScale rule : {MxScale::doubled, MxScale::ocp}) {
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

}  // namespace
}  // namespace trainyard::numerics
