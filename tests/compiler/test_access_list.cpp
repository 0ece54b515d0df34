// Does a list of many accesses give out, and drop, the same ones as a look at each of them?
#include "compiler/access_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace trainyard::compiler {
namespace {

RegionAccess random_access(base::Random& random, std::uint32_t instruction, std::int64_t extent) {
  const auto first = static_cast<std::int64_t>(random.below(10'000));
  isa::Region region{.space = isa::Space::hbm, .tensor = 0};
  region.first_byte = first;
  region.end_byte = first + extent;
  return {instruction, Actor{}, region};
}

TEST(AccessList, SiftsAsALookAtEachDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::Random random(seed);
    AccessList list;
    std::vector<RegionAccess> plain;
    for (std::uint32_t i = 0; i < 600; ++i) {
      const std::int64_t extent =
          random.below(50) == 0 ? 5000 : 1 + static_cast<std::int64_t>(seed) * 5;
      const RegionAccess now = random_access(random, i, extent);
      const auto drops = [&](const RegionAccess& one) { return (one.instruction + i) % 3 == 0; };
      std::vector<std::uint32_t> seen, wanted;
      list.sift(now.region, [&](const RegionAccess& one) {
        seen.push_back(one.instruction);
        return drops(one);
      });
      std::erase_if(plain, [&](const RegionAccess& one) {
        if (!one.region.overlaps(now.region)) return false;
        wanted.push_back(one.instruction);
        return drops(one);
      });
      std::ranges::sort(seen);
      ASSERT_EQ(seen, wanted) << "seed " << seed << ", access " << i;
      ASSERT_EQ(list.empty(), plain.empty());
      list.push(now);
      plain.push_back(now);
    }
  }
}

TEST(AccessList, IsEmptyWhenAllIsTakenOut) {
  base::Random random(1);
  AccessList list;
  for (std::uint32_t i = 0; i < 100; ++i) list.push(random_access(random, i, 10));
  isa::Region all{.space = isa::Space::hbm, .tensor = 0};
  all.end_byte = 20'000;
  list.sift(all, [](const RegionAccess&) { return true; });
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace trainyard::compiler
