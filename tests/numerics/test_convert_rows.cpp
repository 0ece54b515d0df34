// Do rows of conversions give the bits of the one-value definitions, on every instruction set this
// host has?
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "numerics/beside.h"
#include "numerics/convert.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

std::vector<DType> row_formats() {
  std::vector<DType> formats;
  for (int i = 0; i < dtype_count; ++i) {
    const DType dtype = static_cast<DType>(i);
    if (!is_packed(dtype) && size_in_bytes(dtype) <= 4) formats.push_back(dtype);
  }
  return formats;
}

// Patterns of float32: every exponent, edges of mantissas, halfway points of every format, and
// random ones.
std::vector<float> interesting_floats() {
  std::vector<float> values;
  base::Random random(11);
  for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      for (int bit = 0; bit < 23; ++bit) {
        const std::uint32_t halfway = random.next32() & (0x007FFFFFu << (bit + 1) & 0x007FFFFFu);
        for (const std::uint32_t offset : {~0u, 0u, 1u}) {
          values.push_back(
              std::bit_cast<float>((sign | exponent << 23 | halfway | 1u << bit) + offset));
        }
      }
      for (const std::uint32_t mantissa : {0u, 1u, 0x7FFFFFu, 0x400000u, 0x3FFFFFu}) {
        values.push_back(std::bit_cast<float>(sign | exponent << 23 | mantissa));
      }
    }
  }
  for (int i = 0; i < 300000; ++i) values.push_back(std::bit_cast<float>(random.next32()));
  for (int i = 0; i < 100000; ++i) {
    values.push_back(
        static_cast<float>(static_cast<std::int32_t>(random.next32()) >> random.below(32)) +
        0.5f * static_cast<float>(random.below(3)));
  }
  return values;
}

std::uint32_t pattern(DType dtype, const std::vector<std::byte>& row, std::size_t i) {
  const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
  std::uint32_t bits = 0;
  std::memcpy(&bits, row.data() + i * bytes, bytes);
  return bits;
}

void expect_narrow_matches(DType dtype, const std::vector<float>& values, Narrowing narrowing,
                           const std::vector<std::uint32_t>& random) {
  std::vector<std::byte> row(values.size() * static_cast<std::size_t>(size_in_bytes(dtype)));
  narrow(dtype, values.data(), row.data(), values.size(), narrowing, random);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size() && wrong < 5; ++i) {
    narrowing.random_bits = random[i];
    const std::uint32_t expected = from_float(dtype, values[i], narrowing),
                        found = pattern(dtype, row, i);
    if (expected == found) continue;
    ++wrong;
    ADD_FAILURE() << name(dtype) << " of " << std::hexfloat << values[i] << " random " << std::hex
                  << random[i] << ": " << found << " instead of " << expected;
  }
}

TEST(ConvertRows, NarrowMatchesTheDefinition) {
  const std::vector<float> values = interesting_floats();
  base::Random generator(12);
  std::vector<std::uint32_t> random(values.size());
  for (std::uint32_t& word : random)
    word = generator.below(8) == 0 ? 0xFFFFFFFFu : generator.next32();
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : row_formats()) {
      for (const Overflow overflow : {Overflow::format, Overflow::saturate}) {
        for (const RoundingMode rounding : {RoundingMode::nearest_even, RoundingMode::stochastic}) {
          expect_narrow_matches(dtype, values, {rounding, overflow}, random);
        }
      }
    }
  });
}

// Numbers that need no rule but rounding, many in a row: each one of a format, the halfway point to
// the next and what lies beside it.
TEST(ConvertRows, NarrowRoundsBetweenAllNeighbours) {
  for (const DType dtype : row_formats()) {
    if (is_integer(dtype) || size_in_bytes(dtype) > 2) continue;
    std::vector<float> values;
    for (std::uint32_t bits = 0; bits + 1 < 1u << (8 * size_in_bytes(dtype)); ++bits) {
      const float low = to_float(dtype, bits), high = to_float(dtype, bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const float middle = low / 2 + high / 2;
      for (const float value :
           {low, middle, std::nextafterf(middle, low), std::nextafterf(middle, high)})
        values.push_back(value);
    }
    const std::vector<std::uint32_t> random(values.size());
    for_each_simd_target([&](const char* target) {
      SCOPED_TRACE(target);
      for (const Overflow overflow : {Overflow::format, Overflow::saturate})
        expect_narrow_matches(dtype, values, {RoundingMode::nearest_even, overflow}, random);
    });
  }
}

TEST(ConvertRows, WidenMatchesTheDefinitionForEveryPattern) {
  base::Random random(13);
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : row_formats()) {
      const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
      const std::size_t n = bytes == 4 ? 200000 : std::size_t{1} << (8 * bytes);
      std::vector<std::byte> row(n * bytes);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t bits =
            bytes == 4 ? random.next32() >> random.below(16) : static_cast<std::uint32_t>(i);
        std::memcpy(row.data() + i * bytes, &bits, bytes);
      }
      std::vector<float> values(n);
      widen(dtype, row.data(), values.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]),
                  std::bit_cast<std::uint32_t>(to_float(dtype, pattern(dtype, row, i))))
            << name(dtype) << " " << std::hex << pattern(dtype, row, i);
      }
    }
  });
}

// Rows of every short length at odd addresses: nothing outside the row is written, nothing inside
// is left out.
TEST(ConvertRows, TouchExactlyTheRow) {
  constexpr std::size_t longest = 140;
  constexpr std::byte untouched{0xA5};
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : row_formats()) {
      const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
      for (std::size_t n = 0; n <= longest; ++n) {
        std::vector<float> values(n, 1.0f);
        std::vector<std::byte> row(n * bytes + 2, untouched);
        narrow(dtype, values.data(), row.data() + 1, n);
        EXPECT_EQ(row.front(), untouched);
        EXPECT_EQ(row.back(), untouched);
        std::vector<std::byte> back((n + 2) * sizeof(float), untouched);
        widen(dtype, row.data() + 1, reinterpret_cast<float*>(back.data() + sizeof(float)), n);
        for (std::size_t i = 0; i < n; ++i) {
          float value;
          std::memcpy(&value, back.data() + (i + 1) * sizeof(float), sizeof value);
          EXPECT_EQ(value, 1.0f) << name(dtype) << " " << i << " of " << n;
        }
        EXPECT_EQ(back[sizeof(float) - 1], untouched);
        EXPECT_EQ(back[(n + 1) * sizeof(float)], untouched);
      }
    }
  });
}

// Many rows at once: each as if it were alone, and nothing between them, with numbers that need
// rules here and there.
TEST(ConvertRows, NarrowRowsAsOneByOne) {
  constexpr std::size_t gap = 5;
  constexpr std::byte untouched{0xA5};
  const std::vector<float> values = interesting_floats();
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : row_formats()) {
      const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
      for (const std::size_t n : {1u, 64u, 128u, 131u, 640u}) {
        const std::size_t rows = n == 1 ? 131 : 3;
        const std::size_t stride = n * bytes + gap, source_stride = (n + 7) * sizeof(float);
        std::vector<std::byte> got(rows * stride, untouched), expected = got;
        narrow_rows(dtype, {reinterpret_cast<const std::byte*>(values.data()),
                            static_cast<std::ptrdiff_t>(source_stride), got.data(),
                            static_cast<std::ptrdiff_t>(stride), rows, n});
        for (std::size_t r = 0; r < rows; ++r)
          narrow(dtype, values.data() + r * (n + 7), expected.data() + r * stride, n);
        EXPECT_EQ(got, expected) << name(dtype) << ' ' << n;
      }
    }
  });
}

// Of values beside stored elements those count that narrow to them, in rows of every length.
TEST(ConvertRows, ValuesBesideCountWhereTheyNarrowToWhatIsStored) {
  const std::vector<float> values = interesting_floats();
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : {DType::bfloat16, DType::float8_e3m4, DType::float8_e4m3,
                              DType::float8_e4m3fn, DType::float8_e5m2}) {
      const auto bytes = static_cast<std::size_t>(size_in_bytes(dtype));
      for (const Overflow overflow : {Overflow::format, Overflow::saturate}) {
        std::vector<std::byte> stored(values.size() * bytes);
        narrow(dtype, values.data(), stored.data(), values.size(), {.overflow = overflow});
        for (std::size_t i = 0; i < values.size(); i += 3) stored[i * bytes] ^= std::byte{1};
        std::vector<float> expected(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::uint32_t bits = pattern(dtype, stored, i);
          const bool counts = from_float(dtype, values[i], {.overflow = overflow}) == bits;
          expected[i] = counts ? values[i] : to_float(dtype, bits);
        }
        std::size_t at = 0;
        for (std::size_t n = 0; at + n <= values.size(); at += n, n = (n + 1) % 4000) {
          const auto* from = stored.data() + at * bytes;
          std::vector<float> found(n);
          const bool has = widen_beside(dtype, from, values.data() + at, found.data(), n, overflow);
          EXPECT_EQ(has, has_nan(expected.data() + at, n));
          ASSERT_TRUE(n == 0 ||
                      std::memcmp(found.data(), expected.data() + at, n * sizeof(float)) == 0)
              << name(dtype) << ' ' << n;
        }
      }
    }
  });
}

TEST(ConvertRows, ValuesAreStoredAsTheyAreWhereNoneIsRounded) {
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    for (const DType dtype : {DType::bfloat16, DType::float8_e4m3}) {
      for (std::size_t n = 1; n < 70; ++n) {
        std::vector<float> values(n, 1.5F);
        std::vector<std::byte> stored(n * static_cast<std::size_t>(size_in_bytes(dtype)));
        narrow(dtype, values.data(), stored.data(), n);
        EXPECT_TRUE(is_stored_as(dtype, stored.data(), values.data(), n));
        EXPECT_FALSE(has_nan(values.data(), n));
        for (std::size_t i = 0; i < n; ++i) {
          values[i] = std::nextafterf(1.5F, 2);
          EXPECT_FALSE(is_stored_as(dtype, stored.data(), values.data(), n)) << i;
          values[i] = std::nanf("");
          EXPECT_TRUE(has_nan(values.data(), n)) << i;
          values[i] = 1.5F;
        }
      }
    }
  });
}

TEST(ConvertRows, ConvertEqualsWidenThenNarrow) {
  constexpr std::size_t n = 5000;
  base::Random random(14);
  std::vector<std::byte> source(n * 8);
  for (std::byte& byte : source) byte = static_cast<std::byte>(random.next());
  std::vector<float> values(n);
  std::vector<std::byte> expected(n * 8), found(n * 8);
  for (int from = 0; from <= static_cast<int>(DType::float4_e2m1fn); ++from) {
    for (int to = 0; to <= static_cast<int>(DType::float4_e2m1fn); ++to) {
      const DType a = static_cast<DType>(from), b = static_cast<DType>(to);
      const std::size_t bytes = n * static_cast<std::size_t>(size_in_bytes(b));
      widen(a, source.data(), values.data(), n);
      narrow(b, values.data(), expected.data(), n);
      convert(a, source.data(), b, found.data(), n);
      const std::byte* wanted = a == b ? source.data() : expected.data();
      EXPECT_EQ(std::memcmp(found.data(), wanted, bytes), 0) << name(a) << " -> " << name(b);
    }
  }
}

}  // namespace
}  // namespace trainyard::numerics
