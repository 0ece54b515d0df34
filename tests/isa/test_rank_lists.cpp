// Is a rank found where a walk through all groups finds it, and are its edges those of all pairs?
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "isa/core/program.h"
#include "isa/semantics/meeting.h"

namespace trainyard::isa {
namespace {

constexpr std::int32_t ranks = 24;

// Ranks in any order, cut into lists of up to five; some ranks are left out.
RankLists cut(base::Random& random) {
  std::vector<std::int32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  all.resize(all.size() - random.below(6));
  RankLists lists;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t size = std::min(all.size() - at, 1 + random.below(5));
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
    lists.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    at += size;
  }
  return lists;
}

TEST(RankLists, FindARankWhereItIs) {
  base::Random random(1);
  for (int turn = 0; turn < 50; ++turn) {
    const RankLists lists = cut(random);
    Program program;
    const RankGroups groups = program.groups_of(lists);
    EXPECT_EQ(program.groups_of(lists), groups);
    for (std::int32_t rank = -1; rank <= ranks; ++rank) {
      std::vector<std::int32_t> expected;
      for (const auto& list : lists)
        if (std::ranges::find(list, rank) != list.end()) expected = list;
      const auto found = program.group_with(groups, rank);
      EXPECT_EQ(std::vector(found.begin(), found.end()), expected) << rank;
    }
  }
}

TEST(RankLists, GiveTheEdgesOfPairsAndRings) {
  Program program;
  const RankGroups groups = program.groups_of({{4, 2, 7}, {1}}),
                   pairs = program.groups_of({{4, 7}, {2, 4}});
  const auto edges = [&](RankGroups of, std::int32_t rank) {
    const Edges found = edges_of(program, groups, of, rank);
    return std::pair(found.to, found.from);
  };
  EXPECT_EQ(edges(pairs, 4), std::pair(7, 2));
  EXPECT_EQ(edges(pairs, 2), std::pair(4, -1));
  EXPECT_EQ(edges(pairs, 7), std::pair(-1, 4));
  EXPECT_EQ(edges(pairs, 1), std::pair(-1, -1));
  EXPECT_EQ(edges({}, 4), std::pair(2, 7));
  EXPECT_EQ(edges({}, 7), std::pair(4, 2));
  EXPECT_EQ(edges({}, 1), std::pair(1, 1));
  EXPECT_EQ(edges({}, 3), std::pair(-1, -1));
}

TEST(RankLists, TellAProgramThatBreaksItsRulesWhatItSays) {
  Program program;
  const RankGroups twice = program.groups_of({{3, 5}, {5, 6}});
  EXPECT_EQ(program.group_with(twice, 5).front(), 3);  // the first one
  const RankGroups pairs = program.groups_of({{1, 2}, {1}, {1, 3}, {2, 2}});
  EXPECT_EQ(edges_of(program, twice, pairs, 1).to, 3);  // the last one
  EXPECT_EQ(edges_of(program, twice, pairs, 2).from, 2);
}

}  // namespace
}  // namespace trainyard::isa
