#include "isa/semantics/top8.h"

#include <algorithm>
#include <limits>

namespace trainyard::isa::top8 {

namespace {

bool greater(float a, float b) { return a > b || (a != a && b == b); }

// Elements that are looked at together, without a branch, before any of them is on its own.
constexpr std::size_t block = 16;

// Whether any of a block may be greater than `least`; NaN counts.
bool any_greater(const float* x, float least) {
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < block; ++i) any |= static_cast<std::uint32_t>(!(x[i] <= least));
  return any != 0;
}

bool any_within(const float* x, float low, float high) {
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < block; ++i)
    any |= static_cast<std::uint32_t>(x[i] >= low) & static_cast<std::uint32_t>(x[i] <= high);
  return any != 0;
}

}  // namespace

std::array<float, count> largest(const float* x, std::size_t n) {
  std::array<float, count> best;
  best.fill(-std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < n; ++i) {
    if (i % block == 0 && i > 0) {
      while (i + block <= n && !any_greater(x + i, best[count - 1])) i += block;
      if (i == n) break;
    }
    if (i >= count && !greater(x[i], best[count - 1])) continue;
    // Behind every value that is not smaller: equal values keep their order.
    std::size_t place = i < count ? i : count - 1;
    for (; place > 0 && greater(x[i], best[place - 1]); --place) best[place] = best[place - 1];
    best[place] = x[i];
  }
  return best;
}

std::array<std::uint32_t, count> find(const float* x, std::size_t n, const float* values,
                                      Duplicates order) {
  std::array<std::uint32_t, count> index;
  index.fill(absent);
  std::array<float, count> wanted;
  for (std::size_t slot = 0; slot < count; ++slot)
    wanted[slot] = values[order == Duplicates::ascending ? slot : count - 1 - slot];
  // NaN is never found; minmax of the others.
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float value : wanted) {
    low = std::min(low, value);  // keeps `low` where value is NaN
    high = std::max(high, value);
  }
  std::size_t missing = count;
  for (std::size_t i = 0; i < n && missing > 0; ++i) {
    if (i % block == 0) {
      while (i + block <= n && !any_within(x + i, low, high)) i += block;
      if (i == n) break;
    }
    for (std::size_t slot = 0; slot < count; ++slot) {
      const std::size_t out = order == Duplicates::ascending ? slot : count - 1 - slot;
      if (x[i] != wanted[slot] || index[out] != absent) continue;
      index[out] = static_cast<std::uint32_t>(i);
      --missing;
      break;
    }
  }
  return index;
}

std::array<std::uint32_t, count> find_first_or_zero(const float* x, std::size_t n,
                                                    const float* values) {
  std::array<std::uint32_t, count> index{};
  for (std::size_t slot = 0; slot < count; ++slot) {
    const float* found = std::find(x, x + n, values[slot]);
    if (found != x + n) index[slot] = static_cast<std::uint32_t>(found - x);
  }
  return index;
}

}  // namespace trainyard::isa::top8
