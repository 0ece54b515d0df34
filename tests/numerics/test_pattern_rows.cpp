// Do rows of patterns and of recurrences give what one element after the other gives?
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "numerics/alu.h"
#include "numerics/pattern_rows.h"
#include "numerics/scan.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

std::vector<std::uint32_t> words(base::Random& random, std::size_t n) {
  std::vector<std::uint32_t> result(n);
  for (std::uint32_t& word : result) word = random.below(3) == 0 ? 0 : random.next32();
  return result;
}

TEST(PatternRows, WidenNarrowAndFillEveryLength) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(21);
    for (std::size_t n = 0; n < 70; ++n) {
      for (const std::size_t width : {1u, 2u, 4u}) {
        const std::vector<std::uint32_t> source = words(random, n);
        std::vector<std::byte> row(n * width + 2, std::byte{0xA5});
        narrow_patterns(width, source.data(), row.data() + 1, n);
        EXPECT_EQ(row.front(), std::byte{0xA5});
        EXPECT_EQ(row.back(), std::byte{0xA5});
        const std::uint32_t kept = width == 4 ? 0xFFFFFFFFu : (1u << (8 * width)) - 1;
        std::vector<std::uint32_t> back(n);
        widen_patterns(width, row.data() + 1, back.data(), n);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(back[i], source[i] & kept);
        std::vector<std::uint32_t> filled(n + 1, 1);
        fill_words(0x87654321u, filled.data(), n);
        EXPECT_EQ(std::ranges::count(filled, 0x87654321u), static_cast<std::ptrdiff_t>(n));
        EXPECT_EQ(filled.back(), 1u);
      }
    }
  });
}

TEST(PatternRows, SelectByAMask) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(22);
    for (std::size_t n = 0; n < 70; ++n) {
      const std::vector<std::uint32_t> mask = words(random, n), yes = words(random, n);
      for (const std::size_t step : {0u, 1u}) {
        std::vector<std::uint32_t> no = words(random, n + 1), expected(n), found = yes;
        for (std::size_t i = 0; i < n; ++i) expected[i] = mask[i] != 0 ? yes[i] : no[i * step];
        select_words(mask.data(), found.data(), no.data(), step, found.data(), n);
        EXPECT_EQ(found, expected);
      }
    }
  });
}

TEST(PatternRows, SelectStoredElementsInPlace) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    base::Random random(24);
    const auto bytes = [&](std::size_t n) {
      std::vector<std::byte> result(n + 2);  // one more on either side, and no alignment
      for (std::byte& one : result) one = std::byte{static_cast<std::uint8_t>(random.below(256))};
      return result;
    };
    for (const auto& [width, mask_width] :
         {std::pair{1, 1}, {2, 1}, {2, 2}, {4, 1}, {4, 2}, {4, 4}}) {
      const auto w = static_cast<std::size_t>(width), m = static_cast<std::size_t>(mask_width);
      for (std::size_t n = 0; n < 140; ++n) {
        std::vector<std::byte> mask = bytes(n * m), yes = bytes(n * w), no = bytes(n * w);
        for (std::size_t i = 0; i < n; ++i) {
          if (random.below(2) == 0) std::memset(mask.data() + 1 + i * m, 0, m);
        }
        std::vector<std::byte> expected = no;
        for (std::size_t i = 0; i < n; ++i) {
          bool chosen = false;
          for (std::size_t k = 0; k < m; ++k) chosen |= mask[1 + i * m + k] != std::byte{0};
          if (chosen) std::memcpy(expected.data() + 1 + i * w, yes.data() + 1 + i * w, w);
        }
        std::vector<std::byte> found = no;
        select_patterns(w, m, mask.data() + 1, yes.data() + 1, found.data() + 1, found.data() + 1,
                        n);
        ASSERT_EQ(found, expected) << w << " " << m << " " << n;
      }
    }
  });
}

// Ordinary numbers, and now and then any pattern: infinities, NaN of any payload, subnormals.
std::vector<float> numbers(base::Random& random, std::size_t n) {
  std::vector<float> result(n);
  for (float& value : result) {
    value = random.below(50) == 0 ? std::bit_cast<float>(random.next32() | 0x7F000000u)
                                  : static_cast<float>(random.next32() >> 8) * 0x1p-23F - 1;
  }
  return result;
}

TEST(Scan, RowsEqualTheOperatorsOneByOne) {
  constexpr AluOp operators[] = {AluOp::add, AluOp::subtract, AluOp::multiply, AluOp::maximum,
                                 AluOp::less};
  base::Random random(23);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t rows = 1 + random.below(20), n = random.below(40), stride = n + 3;
    const Recurrence how{operators[random.below(5)], operators[random.below(5)],
                         random.below(2) == 0, random.below(2) == 0};
    const std::vector<float> a = numbers(random, rows * stride), b = numbers(random, rows * stride);
    const std::vector<float> states = numbers(random, rows);
    std::vector<float> found = a;
    scan_rows(how, found.data(), b.data(), found.data(), rows, stride, n, states.data());
    for (std::size_t r = 0; r < rows; ++r) {
      float state = states[r];
      for (std::size_t i = r * stride; i < r * stride + n; ++i) {
        state = how.reverse0 ? apply(how.op0, state, a[i]) : apply(how.op0, a[i], state);
        state = how.reverse1 ? apply(how.op1, b[i], state) : apply(how.op1, state, b[i]);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]), std::bit_cast<std::uint32_t>(state))
            << name(how.op0) << ' ' << name(how.op1) << ", row " << r << " of " << rows;
      }
    }
  }
}

}  // namespace
}  // namespace trainyard::numerics
