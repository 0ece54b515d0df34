// Does the quick exp give the bits of the definition, whichever instruction set computes it?
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "numerics/activation.h"
#include "numerics/convert.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

constexpr std::size_t together = 1 << 16;

std::vector<float> patterns(std::uint64_t first, std::uint64_t step) {
  std::vector<float> x(together);
  for (std::size_t i = 0; i < together; ++i)
    x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(first + i * step));
  return x;
}

// Every `step`-th pattern from `first` up to `end`, by every instruction set: the slower ones
// compute the definition. A step of 1 takes all of them.
void expect_same_bits(std::uint64_t first, std::uint64_t end, std::uint64_t step) {
  for (; first < end; first += together * step) {
    const std::vector<float> x = patterns(first, step);
    std::vector<float> expected;
    for_each_simd_target([&](const char* target) {
      std::vector<float> found(x.size());
      activate(ActivationFunction::exp, x.data(), found.data(), x.size());
      if (expected.empty()) expected = found;
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]), std::bit_cast<std::uint32_t>(expected[i]))
            << target << ": " << std::hexfloat << x[i];
      }
    });
  }
}

TEST(QuickExp, IsTheDefinitionEverywhere) { expect_same_bits(0, std::uint64_t{1} << 32, 1021); }

// Where results become subnormal and then 0, and where they become infinite.
TEST(QuickExp, IsTheDefinitionAtTheEnds) {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  expect_same_bits(bits(-87), bits(-105), 13);
  expect_same_bits(bits(88), bits(91), 13);
}

// Rows of every `step`-th pattern: what is narrowed in one pass is what exp gives, narrowed.
void expect_same_bfloat16(std::uint64_t first, std::uint64_t end, std::uint64_t step) {
  for (; first < end; first += together * step) {
    const std::vector<float> x = patterns(first, step);
    std::vector<float> wide(x.size());
    scaled_exp(x.data(), 1, 0, wide.data(), x.size());
    std::vector<std::uint16_t> expected(x.size()), found(x.size());
    const auto bytes = [](auto& row) { return reinterpret_cast<std::byte*>(row.data()); };
    narrow(DType::bfloat16, wide.data(), bytes(expected), x.size(), {});
    scaled_exp_to_bfloat16(DType::float32, reinterpret_cast<const std::byte*>(x.data()), 1, 0,
                           bytes(found), x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(found[i], expected[i]) << std::hexfloat << x[i];
  }
}

TEST(ExpToBfloat16, IsExpNarrowed) {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  expect_same_bfloat16(0, std::uint64_t{1} << 32, 251);
  expect_same_bfloat16(bits(1), bits(91), 7);
  expect_same_bfloat16(bits(-0.01F), bits(-106), 7);
}

// All bfloat16, with scales and biases, in rows that fill no vector or many, over themselves.
TEST(ExpToBfloat16, IsExpNarrowedInPlace) {
  struct Case {
    float scale, bias;
  };
  const float nan = std::bit_cast<float>(0x7FC12345U), infinity = HUGE_VALF;
  const Case cases[] = {{0.0884F, -3.7F}, {1, -3.7F}, {1, 0},   {-1, 80},      {1e-3F, 1e-9F},
                        {1e30F, 5},       {nan, 1},   {1, nan}, {1, infinity}, {1, -1e30F}};
  for_each_simd_target([&](const char* target) {
    for (const Case& c : cases) {
      for (const std::size_t n : std::initializer_list<std::size_t>{1, 15, 64, 100, 65536}) {
        std::vector<std::uint16_t> row(n);
        for (std::size_t i = 0; i < n; ++i) row[i] = static_cast<std::uint16_t>(i * 40503 + n);
        auto* bytes = reinterpret_cast<std::byte*>(row.data());
        std::vector<float> wide(n);
        widen(DType::bfloat16, bytes, wide.data(), n);
        scaled_exp(wide.data(), c.scale, c.bias, wide.data(), n);
        std::vector<std::uint16_t> expected(n);
        narrow(DType::bfloat16, wide.data(), reinterpret_cast<std::byte*>(expected.data()), n, {});
        scaled_exp_to_bfloat16(DType::bfloat16, bytes, c.scale, c.bias, bytes, n);
        ASSERT_EQ(row, expected) << target << ", " << n << ", " << c.scale << ", " << c.bias;
      }
    }
  });
}

}  // namespace
}  // namespace trainyard::numerics
