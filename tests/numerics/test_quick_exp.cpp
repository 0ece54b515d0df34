// Does the quick exp give the bits of the definition, whichever instruction set computes it?
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "numerics/activation.h"
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

}  // namespace
}  // namespace trainyard::numerics
