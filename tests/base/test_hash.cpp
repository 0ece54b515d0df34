#include "base/hash.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>

namespace trainyard::base {
namespace {

std::uint64_t of(std::initializer_list<std::uint64_t> words) {
  WordHash hash;
  for (const std::uint64_t word : words) hash.add(word);
  return hash.value();
}

TEST(WordHash, IsTheSameOnEveryHost) {
  EXPECT_EQ(of({}), hash_seed);
  EXPECT_EQ(of({1, 2, 3}), 0xC46096C093FDA361u);
}

TEST(WordHash, CountsZeros) {
  EXPECT_NE(of({0}), of({}));
  EXPECT_NE(of({0, 0}), of({0}));
}

TEST(WordHash, TellsNumbersApartThatDifferInOneBit) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t place = 0; place < 4; ++place) {
    for (int bit = 0; bit < 64; ++bit) {
      std::uint64_t words[4]{};
      words[place] = std::uint64_t{1} << bit;
      EXPECT_TRUE(seen.insert(of({words[0], words[1], words[2], words[3]})).second);
    }
  }
}

// As those of a program are, and in their high bits, which factors move least.
TEST(WordHash, TellsSmallNumbersApart) {
  for (const int shift : {0, 24, 56}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t a = 0; a < 64; ++a) {
      for (std::uint64_t b = 0; b < 64; ++b) {
        for (std::uint64_t c = 0; c < 64; ++c)
          EXPECT_TRUE(seen.insert(of({a << shift, b << shift, c << shift})).second);
      }
    }
  }
}

}  // namespace
}  // namespace trainyard::base
