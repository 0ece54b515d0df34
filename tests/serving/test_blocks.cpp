// Does the cache share what is equal, and forget what was free for longest?
#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>

#include "base/random.h"
#include "serving/blocks.h"

namespace trainyard::serving {
namespace {

BlockKey key_of(std::uint64_t word) { return extend({}, word); }

TEST(Blocks, AKeyNamesAllTokensBeforeItInOrder) {
  EXPECT_EQ(extend(key_of(1), 2), extend(key_of(1), 2));
  EXPECT_NE(extend(key_of(1), 2), extend(key_of(2), 1));
  EXPECT_NE(extend(key_of(0), 0), key_of(0));
  EXPECT_FALSE(key_of(0).is_none());
}

TEST(Blocks, AFreeBlockIsFoundUntilItIsNeeded) {
  BlockPool pool(2);
  const std::int32_t first = pool.allocate();
  pool.name(first, key_of(7));
  pool.release(first);
  EXPECT_EQ(pool.free(), 2);
  EXPECT_EQ(pool.find(key_of(7)), first);
  EXPECT_NE(pool.allocate(), first) << "a block without content is taken first";
  EXPECT_EQ(pool.find(key_of(7)), first);
  EXPECT_EQ(pool.allocate(), first);
  EXPECT_FALSE(pool.find(key_of(7)));
}

TEST(Blocks, TheBlockThatWasFreeForLongestIsForgottenFirst) {
  BlockPool pool(3);
  for (std::uint64_t i = 0; i < 3; ++i) pool.name(pool.allocate(), key_of(i));
  for (const std::uint64_t i : {1u, 0u, 2u}) pool.release(*pool.find(key_of(i)));
  pool.acquire(*pool.find(key_of(1)));  // used again, and free again: now the latest
  pool.release(*pool.find(key_of(1)));
  (void)pool.allocate();
  EXPECT_FALSE(pool.find(key_of(0)));
  EXPECT_TRUE(pool.find(key_of(1)) && pool.find(key_of(2)));
}

TEST(Blocks, ASharedBlockIsFreeWhenItsLastUserGoes) {
  BlockPool pool(1);
  const std::int32_t block = pool.allocate();
  pool.acquire(block);
  pool.release(block);
  EXPECT_EQ(pool.free(), 0);
  pool.release(block);
  EXPECT_EQ(pool.free(), 1);
  EXPECT_THROW(pool.release(block), std::logic_error);
}

TEST(Blocks, TheSecondBlockOfAKeyIsNotFound) {
  BlockPool pool(2);
  const std::int32_t first = pool.allocate(), second = pool.allocate();
  pool.name(first, key_of(1));
  pool.name(second, key_of(1));
  EXPECT_EQ(pool.find(key_of(1)), first);
  pool.release(second);
  EXPECT_EQ(pool.allocate(), second);
  EXPECT_EQ(pool.find(key_of(1)), first);
}

// Against the plainest model: a list of uses.
TEST(Blocks, AnyOrderOfCallsKeepsCount) {
  base::Random random(3);
  BlockPool pool(17);
  std::vector<std::int32_t> held;
  for (int call = 0; call < 20'000; ++call) {
    const std::uint64_t choice = random.below(4);
    if (choice == 0 && pool.free() > 0) {
      held.push_back(pool.allocate());
    } else if (choice == 1 && !held.empty()) {
      const std::size_t which = random.below(held.size());
      pool.release(held[which]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (choice == 2 && !held.empty()) {
      pool.name(held[random.below(held.size())], key_of(random.below(40)));
    } else if (const auto found = pool.find(key_of(random.below(40)))) {
      pool.acquire(*found);
      held.push_back(*found);
    }
    for (std::int32_t block = 0; block < pool.size(); ++block)
      ASSERT_EQ(pool.uses(block), std::ranges::count(held, block));
    const auto free =
        std::ranges::count_if(std::views::iota(0, pool.size()),
                              [&](std::int32_t block) { return pool.uses(block) == 0; });
    ASSERT_EQ(pool.free(), free);
  }
}

}  // namespace
}  // namespace trainyard::serving
