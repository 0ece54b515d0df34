#include "base/flat_index.h"

#include <gtest/gtest.h>

namespace trainyard::base {
namespace {

struct Low {
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key); }
};
struct AllAlike {
  std::size_t operator()(int) const { return 7; }
};

template <typename Hash>
void find_what_was_added(int count) {
  FlatIndex<int, Hash> index;
  EXPECT_EQ(index.find(3), index.none);
  for (int i = 0; i < count; ++i) index.add(5 * i, static_cast<std::uint32_t>(i));
  for (int key = 0; key < 5 * count; ++key)
    EXPECT_EQ(index.find(key), key % 5 == 0 ? static_cast<std::uint32_t>(key / 5) : index.none);
}

TEST(FlatIndex, FindsWhatWasAdded) { find_what_was_added<Low>(1000); }

TEST(FlatIndex, FindsKeysOfOneHash) { find_what_was_added<AllAlike>(100); }

}  // namespace
}  // namespace trainyard::base
