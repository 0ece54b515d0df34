// Do the searches for eight values, which look at blocks first, find what a plain search finds?
#include "isa/semantics/top8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/random.h"

namespace trainyard::isa::top8 {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Few different values, so that many are equal; now and then an odd one.
std::vector<float> draw(base::Random& random, std::size_t n) {
  std::vector<float> x(n);
  for (float& value : x) {
    value = static_cast<float>(random.below(40)) - 20.0F;
    const std::uint64_t odd = random.below(60);
    if (odd == 0) value = nan;
    if (odd == 1) value = infinity;
    if (odd == 2) value = -infinity;
    if (odd == 3) value = -0.0F;
  }
  return x;
}

// NaN before all, then descending; equal values in their order.
std::array<float, count> sorted_largest(std::vector<float> x) {
  std::stable_sort(x.begin(), x.end(),
                   [](float a, float b) { return a > b || (std::isnan(a) && !std::isnan(b)); });
  std::array<float, count> best{};
  std::copy_n(x.begin(), count, best.begin());
  return best;
}

// The slots in the order given, each with the first element nobody has taken.
std::array<std::uint32_t, count> each_in_turn(const std::vector<float>& x,
                                              const std::array<float, count>& values,
                                              Duplicates order) {
  std::array<std::uint32_t, count> index{};
  index.fill(absent);
  std::vector<bool> taken(x.size(), false);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t slot = order == Duplicates::ascending ? k : count - 1 - k;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (taken[i] || x[i] != values[slot]) continue;
      taken[i] = true;
      index[slot] = static_cast<std::uint32_t>(i);
      break;
    }
  }
  return index;
}

TEST(Top8, LargestAndFindAgreeWithPlainSearches) {
  base::Random random(5);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<float> x = draw(random, count + random.below(120));
    const std::array<float, count> best = largest(x.data(), x.size()), plain = sorted_largest(x);
    ASSERT_EQ(std::memcmp(best.data(), plain.data(), sizeof best), 0) << "round " << round;
    std::array<float, count> wanted = best;
    if (round % 2 == 1) std::copy_n(draw(random, count).begin(), count, wanted.begin());
    for (const Duplicates order : {Duplicates::ascending, Duplicates::descending}) {
      ASSERT_EQ(find(x.data(), x.size(), wanted.data(), order), each_in_turn(x, wanted, order))
          << "round " << round;
    }
  }
}

}  // namespace
}  // namespace trainyard::isa::top8
