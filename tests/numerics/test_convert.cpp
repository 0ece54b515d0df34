// Is every bit of a conversion right? Formats up to 16 bits are tested exhaustively against a table
// of their values, which is searched for the nearest one: an independent definition of rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.h"
#include "numerics/convert.h"

namespace trainyard::numerics {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// The published parameters of a format: value = (-1)^s * 2^(max(e,1) - bias) * (implicit + m /
// 2^M).
struct Layout {
  DType dtype;
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity, has_nan;
  double largest;
};

const Layout layouts[] = {
    {DType::bfloat16, 8, 7, 127, true, true, 0x1.FEp127},
    {DType::float16, 5, 10, 15, true, true, 65504},
    {DType::float8_e3m4, 3, 4, 3, true, true, 15.5},
    {DType::float8_e4m3, 4, 3, 7, true, true, 240},
    {DType::float8_e4m3fn, 4, 3, 7, false, true, 448},
    {DType::float8_e5m2, 5, 2, 15, true, true, 57344},
    {DType::float4_e2m1fn, 2, 1, 1, false, false, 6},
};

class Formats : public testing::TestWithParam<Layout> {
 protected:
  const Layout& layout() const { return GetParam(); }
  DType dtype() const { return layout().dtype; }
  std::uint32_t sign() const { return 1u << (layout().exponent_bits + layout().mantissa_bits); }

  // By the formula of the format, in exact float64.
  double value(std::uint32_t magnitude) const {
    const int exponent = static_cast<int>(magnitude >> layout().mantissa_bits);
    const int mantissa = static_cast<int>(magnitude) & ((1 << layout().mantissa_bits) - 1);
    const int significand = exponent == 0 ? mantissa : mantissa + (1 << layout().mantissa_bits);
    return std::ldexp(significand, std::max(exponent, 1) - layout().bias - layout().mantissa_bits);
  }

  // The patterns of all finite magnitudes are 0 ... last(), in the order of their values.
  std::uint32_t last() const { return last_; }

  void SetUp() override {
    while (last_ + 1 < sign() && value(last_ + 1) <= layout().largest) ++last_;
  }

  // Nearest even by comparing distances in exact float64; beyond the largest a hypothetical next
  // value takes part.
  std::uint32_t nearest(double x, Overflow overflow) const {
    std::uint32_t low = 0, high = last() + 1;  // value(low) <= x < value(high), but for overflow
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (value(middle) <= x ? low : high) = middle;
    }
    const double below = x - value(low), above = value(high) - x;
    const std::uint32_t chosen = below < above || (below == above && low % 2 == 0) ? low : high;
    if (chosen <= last()) return chosen;
    if (overflow == Overflow::saturate || !layout().has_nan) return last();
    return layout().has_infinity ? last() + 1 : sign() - 1;
  }

  void expect_nearest(float x) {
    for (const Overflow overflow : {Overflow::format, Overflow::saturate}) {
      const std::uint32_t expected = nearest(x, overflow);
      EXPECT_EQ(from_float(dtype(), x, {.overflow = overflow}), expected) << x;
      EXPECT_EQ(from_float(dtype(), -x, {.overflow = overflow}), expected | sign()) << -x;
    }
  }

 private:
  std::uint32_t last_ = 0;
};

TEST_P(Formats, EveryPatternHasItsValue) {
  EXPECT_EQ(value(last()), layout().largest);
  for (std::uint32_t bits = 0; bits <= last(); ++bits) {
    EXPECT_EQ(to_float(dtype(), bits), value(bits));
    EXPECT_EQ(to_float(dtype(), bits | sign()), -value(bits));
    EXPECT_EQ(std::signbit(to_float(dtype(), bits | sign())), true);
  }
  for (std::uint32_t bits = last() + 1; bits < sign(); ++bits) {
    const bool is_infinity = layout().has_infinity && bits == last() + 1;
    const float found = to_float(dtype(), bits), negative = to_float(dtype(), bits | sign());
    EXPECT_TRUE(is_infinity ? found == infinity && negative == -infinity
                            : std::bit_cast<std::uint32_t>(found) == 0x7FC00000u &&
                                  std::bit_cast<std::uint32_t>(negative) == 0xFFC00000u);
  }
}

TEST_P(Formats, EveryFiniteValueComesBack) {
  for (std::uint32_t bits = 0; bits <= last(); ++bits) {
    EXPECT_EQ(from_float(dtype(), to_float(dtype(), bits)), bits);
    EXPECT_EQ(from_float(dtype(), to_float(dtype(), bits | sign())), bits | sign());
  }
}

TEST_P(Formats, RoundsToNearestEvenAroundEveryMidpoint) {
  for (std::uint32_t bits = 0; bits <= last(); ++bits) {
    const double midpoint = (value(bits) + value(bits + 1)) / 2;
    const float middle = static_cast<float>(midpoint);
    ASSERT_TRUE(std::isinf(middle) || middle == midpoint);
    if (std::isinf(middle)) continue;
    expect_nearest(middle);
    expect_nearest(std::nextafter(middle, 0.0f));
    if (std::nextafter(middle, infinity) != infinity)
      expect_nearest(std::nextafter(middle, infinity));
  }
}

TEST_P(Formats, RoundsAnyPatternToNearestEven) {
  base::Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const float x = std::bit_cast<float>(random.next32() & 0x7FFFFFFFu);
    if (std::isfinite(x)) expect_nearest(x);
  }
}

TEST_P(Formats, NanKeepsItsSignAndInfinityFollowsTheOverflowMode) {
  if (!layout().has_nan) {
    EXPECT_EQ(from_float(dtype(), nan), 0u);
    EXPECT_EQ(from_float(dtype(), -nan), 0u);
  } else {
    EXPECT_TRUE(std::isnan(to_float(dtype(), from_float(dtype(), nan))));
    EXPECT_EQ(from_float(dtype(), -nan), from_float(dtype(), nan) | sign());
  }
  EXPECT_EQ(from_float(dtype(), infinity, {.overflow = Overflow::saturate}), last());
  EXPECT_EQ(from_float(dtype(), -infinity, {.overflow = Overflow::saturate}), last() | sign());
  const float kept = to_float(dtype(), from_float(dtype(), -infinity));
  if (layout().has_infinity) {
    EXPECT_EQ(kept, -infinity);
  } else if (layout().has_nan) {
    EXPECT_TRUE(std::isnan(kept));
  } else {
    EXPECT_EQ(kept, -layout().largest);
  }
}

// The number of random words that round up, counted at the carry's edges, equals the discarded
// fraction exactly.
TEST_P(Formats, StochasticRoundingGoesUpAsOftenAsTheDistanceSays) {
  base::Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t low = static_cast<std::uint32_t>(random.below(last()));
    const float x =
        static_cast<float>(value(low) + random.uniform() * (value(low + 1) - value(low)));
    if (x < value(low) || x >= value(low + 1)) continue;
    const double fraction = (x - value(low)) / (value(low + 1) - value(low));
    const auto up_words = static_cast<std::uint64_t>(std::floor(fraction * 0x1p32));
    const auto rounded = [&](std::uint64_t word) {
      return from_float(
          dtype(), x,
          {RoundingMode::stochastic, Overflow::format, static_cast<std::uint32_t>(word)});
    };
    if (up_words > 0) {
      EXPECT_EQ(rounded(0x100000000u - up_words), low + 1);
    }
    EXPECT_EQ(rounded(0xFFFFFFFFu - up_words), low);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Formats, testing::ValuesIn(layouts),
                         [](const auto& info) { return std::string(name(info.param.dtype)); });

TEST(Convert, Tfloat32KeepsTenMantissaBits) {
  base::Random random(3);
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t bits = random.next32();
    if ((bits & 0x7F800000u) == 0x7F800000u) continue;
    // Nearest even on the integer pattern: ordering of patterns is the ordering of magnitudes.
    const std::uint32_t down = bits & ~0x1FFFu, rest = bits & 0x1FFFu;
    const bool up = rest > 0x1000u || (rest == 0x1000u && (down & 0x2000u) != 0);
    EXPECT_EQ(from_float(DType::tfloat32, std::bit_cast<float>(bits)), up ? down + 0x2000u : down);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(to_float(DType::tfloat32, bits)), down);
  }
  EXPECT_TRUE(std::isnan(to_float(DType::tfloat32, 0x7F802000u)));
  EXPECT_EQ(from_float(DType::tfloat32, std::bit_cast<float>(0xFF800001u)), 0xFFC00000u);
  EXPECT_EQ(from_float(DType::tfloat32, std::numeric_limits<float>::max()), 0x7F800000u);
  EXPECT_EQ(from_float(DType::tfloat32, std::numeric_limits<float>::max(),
                       {.overflow = Overflow::saturate}),
            0x7F7FE000u);
}

TEST(Convert, E8m0HoldsPowersOfTwoOnly) {
  constexpr DType e8m0 = DType::float8_e8m0fnu;
  for (std::uint32_t bits = 0; bits < 0xFF; ++bits) {
    const float value = to_float(e8m0, bits);
    EXPECT_EQ(value, std::ldexp(1.0f, static_cast<int>(bits) - 127));
    EXPECT_EQ(from_float(e8m0, value), bits);
    if (bits == 0) continue;
    const float middle = 0.75f * value;  // between this power and the one below: halfway goes up
    EXPECT_EQ(from_float(e8m0, middle), bits);
    EXPECT_EQ(from_float(e8m0, std::nextafter(middle, 0.0f)), bits - 1);
  }
  EXPECT_TRUE(std::isnan(to_float(e8m0, 0xFF)));
  for (const float x :
       {0.0f, -0.0f, -1.0f, infinity, -infinity, nan, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(from_float(e8m0, x), 0xFFu) << x;
  }
  EXPECT_EQ(from_float(e8m0, std::numeric_limits<float>::denorm_min()), 0u);
  EXPECT_EQ(from_float(e8m0, infinity, {.overflow = Overflow::saturate}), 0xFEu);
}

// NKI 0.6.0 release notes: fp32-to-integer casts round to nearest even and saturate, where the AWS
// simulator once truncated.
template <typename T>
T narrowed(DType dtype, float value) {
  T result{};
  narrow(dtype, &value, reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

TEST(Convert, FloatToIntegerRoundsToEvenAndSaturates) {
  EXPECT_EQ(from_float(DType::int32, 2.5f), 2u);
  EXPECT_EQ(from_float(DType::int32, 3.5f), 4u);
  EXPECT_EQ(from_float(DType::int32, -2.5f), 0xFFFFFFFEu);
  EXPECT_EQ(from_float(DType::int32, 2.75f), 3u);
  EXPECT_EQ(from_float(DType::int32, 3e9f), 0x7FFFFFFFu);
  EXPECT_EQ(from_float(DType::int32, -3e9f), 0x80000000u);
  EXPECT_EQ(from_float(DType::int32, -infinity), 0x80000000u);
  EXPECT_EQ(from_float(DType::int32, nan), 0u);
  EXPECT_EQ(from_float(DType::uint32, -0.75f), 0u);
  EXPECT_EQ(from_float(DType::uint32, 5e9f), 0xFFFFFFFFu);
  EXPECT_EQ(from_float(DType::int8, 127.5f), 127u);
  EXPECT_EQ(from_float(DType::int8, -128.5f), 0x80u);
  EXPECT_EQ(from_float(DType::uint8, 254.5f), 254u);
  EXPECT_EQ(from_float(DType::uint8, 300.0f), 255u);
  EXPECT_EQ(from_float(DType::int16, -40000.0f), 0x8000u);
  EXPECT_EQ(from_float(DType::uint16, 65535.5f), 65535u);
  EXPECT_EQ(narrowed<std::int64_t>(DType::int64, -0x1p63f),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(narrowed<std::int64_t>(DType::int64, 0x1p63f),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(narrowed<std::uint64_t>(DType::uint64, 0x1.FFFFFEp63f), 0xFFFFFF0000000000u);
  EXPECT_EQ(narrowed<std::uint64_t>(DType::uint64, infinity),
            std::numeric_limits<std::uint64_t>::max());
}

template <typename T>
void expect_integer_casts(DType dtype) {
  base::Random random(4);
  for (int i = 0; i < 200000; ++i) {
    const float x = std::bit_cast<float>(random.next32());
    if (std::isnan(x)) continue;
    const double clamped =
        std::clamp(static_cast<double>(x), static_cast<double>(std::numeric_limits<T>::min()),
                   static_cast<double>(std::numeric_limits<T>::max()));
    EXPECT_EQ(static_cast<T>(from_float(dtype, x)), static_cast<T>(std::nearbyint(clamped))) << x;
  }
}

TEST(Convert, IntegerCastsMatchClampedNearestEven) {
  expect_integer_casts<std::int8_t>(DType::int8);
  expect_integer_casts<std::uint8_t>(DType::uint8);
  expect_integer_casts<std::int16_t>(DType::int16);
  expect_integer_casts<std::uint16_t>(DType::uint16);
  expect_integer_casts<std::int32_t>(DType::int32);
  expect_integer_casts<std::uint32_t>(DType::uint32);
}

TEST(Convert, IntegersUpToSixteenBitsComeBack) {
  for (const DType dtype : {DType::int8, DType::uint8, DType::int16, DType::uint16}) {
    const std::uint32_t count = 1u << (8 * size_in_bytes(dtype));
    for (std::uint32_t bits = 0; bits < count; ++bits)
      EXPECT_EQ(from_float(dtype, to_float(dtype, bits)), bits);
  }
}

TEST(Convert, BoolIsOneForEverythingButZero) {
  for (const float x : {1.0f, -0.25f, infinity, nan, 0x1p-149f})
    EXPECT_EQ(from_float(DType::bool_, x), 1u);
  EXPECT_EQ(from_float(DType::bool_, -0.0f), 0u);
  EXPECT_EQ(to_float(DType::bool_, 2), 1.0f);
}

TEST(Convert, SameFormatIsACopyAndAnotherGoesThroughFloat32) {
  const std::uint32_t exact = (1u << 24) + 1;
  std::uint32_t out = 0;
  convert(DType::int32, reinterpret_cast<const std::byte*>(&exact), DType::int32,
          reinterpret_cast<std::byte*>(&out), 1);
  EXPECT_EQ(out, exact);
  convert(DType::int32, reinterpret_cast<const std::byte*>(&exact), DType::uint32,
          reinterpret_cast<std::byte*>(&out), 1);
  EXPECT_EQ(out, 1u << 24);
  const std::uint32_t signalling = 0x7F800001u;
  convert(DType::float32, reinterpret_cast<const std::byte*>(&signalling), DType::float32,
          reinterpret_cast<std::byte*>(&out), 1);
  EXPECT_EQ(out, signalling);
}

TEST(Convert, PackedWordsHoldElementZeroLowest) {
  EXPECT_EQ(unpack(DType::float4_e2m1fn_x4, 0x7A31), (std::array{0.5f, 1.5f, -1.0f, 6.0f}));
  EXPECT_EQ(pack(DType::float4_e2m1fn_x4, {0.5f, 1.5f, -1.0f, 6.0f}), 0x7A31u);
  EXPECT_EQ(pack(DType::float8_e4m3fn_x4, {1.0f, -1.0f, 448.0f, 0.0f}), 0x007EB838u);
  EXPECT_EQ(unpack(DType::float8_e5m2_x4, 0x7BBC3C00), (std::array{0.0f, 1.0f, -1.0f, 57344.0f}));
  const std::uint16_t words[] = {0x7A31, 0x0F08};
  std::byte elements[8];
  std::uint16_t back[2];
  unpack(DType::float4_e2m1fn_x4, reinterpret_cast<const std::byte*>(words), elements, 2);
  EXPECT_EQ(elements[3], std::byte{7});
  EXPECT_EQ(elements[6], std::byte{15});
  pack(DType::float4_e2m1fn_x4, elements, reinterpret_cast<std::byte*>(back), 2);
  EXPECT_EQ(std::memcmp(words, back, sizeof words), 0);
}

}  // namespace
}  // namespace trainyard::numerics
