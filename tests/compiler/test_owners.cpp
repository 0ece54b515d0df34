#include "compiler/owners.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace trainyard::compiler {
namespace {

isa::Region bytes(std::int64_t first, std::int64_t end, isa::Space space = isa::Space::sbuf) {
  isa::Region region;
  region.space = space;
  region.first_byte = first;
  region.end_byte = end;
  return region;
}

using Ids = std::vector<isa::TensorId>;
Ids overlapping(Owners& owners, const isa::Region& part) {
  Ids found;
  for (const Owners::Owner& one : owners.overlapping(part)) found.push_back(one.tensor);
  std::ranges::sort(found);
  return found;
}

TEST(Owners, AreFoundByAnyOfTheirBytes) {
  Owners owners;
  owners.add({7, bytes(0, 100'000)});
  owners.add({3, bytes(99'999, 100'001)});
  owners.add({5, bytes(99'999, 100'001, isa::Space::psum)});
  EXPECT_EQ(overlapping(owners, bytes(50'000, 50'001)), Ids{7});
  EXPECT_EQ(overlapping(owners, bytes(0, 100'001)), (Ids{3, 7}));
  EXPECT_EQ(overlapping(owners, bytes(100'000, 100'001)), Ids{3});
  EXPECT_EQ(overlapping(owners, bytes(99'999, 100'000, isa::Space::psum)), Ids{5});
  owners.remove({7, bytes(0, 100'000)});
  EXPECT_EQ(overlapping(owners, bytes(0, 100'001)), Ids{3});
}

// What an author wrote is checked by a later pass.
TEST(Owners, MayLieOutsideOfEveryMemory) {
  constexpr std::int64_t far = std::int64_t{1} << 48;
  Owners owners;
  owners.add({1, bytes(-8, 4)});
  owners.add({2, bytes(far, far + 4)});
  EXPECT_EQ(overlapping(owners, bytes(-4, 4)), Ids{1});
  EXPECT_EQ(overlapping(owners, bytes(far + 2, far + 3)), Ids{2});
  EXPECT_EQ(overlapping(owners, bytes(far + 4, far + 5)), Ids{});
}

}  // namespace
}  // namespace trainyard::compiler
