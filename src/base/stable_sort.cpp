#include "base/stable_sort.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace trainyard::base {

std::vector<std::uint32_t> stable_order(
    std::size_t n, const std::function<bool(std::uint32_t, std::uint32_t)>& before) {
  check(n <= std::numeric_limits<std::uint32_t>::max(), "places have 32 bits");
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
  return order;
}

}  // namespace trainyard::base
