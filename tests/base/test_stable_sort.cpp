// Is base::stable_sort the standard library's?
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/stable_sort.h"

namespace trainyard::base {
namespace {

struct Named {
  std::string name;
  std::size_t place = 0;
  friend bool operator==(const Named&, const Named&) = default;
};

TEST(StableSort, SortsAsTheStandardLibraryDoes) {
  Random random(7);
  for (std::size_t n = 0; n < 60; ++n) {
    std::vector<Named> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back({std::to_string(random.below(9)), i});
    std::vector<Named> expected = values, falling = values, expected_falling = values;
    std::ranges::stable_sort(expected, {}, &Named::name);
    base::stable_sort(values, {}, &Named::name);
    EXPECT_EQ(values, expected);
    std::ranges::stable_sort(expected_falling, std::ranges::greater{}, &Named::name);
    base::stable_sort(falling, std::ranges::greater{}, &Named::name);
    EXPECT_EQ(falling, expected_falling);
  }
}

}  // namespace
}  // namespace trainyard::base
