// How much more the busiest holder of experts has to do than the mean, beside tokens that choose
// experts by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "planner/expert_layout.h"

namespace trainyard::planner {
namespace {

struct Drawn {
  double experts = 0, rows = 0;  // of the busiest holder, on average
};

Drawn drawn(int experts, int chosen, int tokens, int holders) {
  std::mt19937 random(7);
  std::vector<int> order(static_cast<std::size_t>(experts));
  std::iota(order.begin(), order.end(), 0);
  constexpr int tries = 2000;
  Drawn sum;
  const int own = experts / holders;
  for (int round = 0; round < tries; ++round) {
    std::vector<int> rows(static_cast<std::size_t>(experts), 0);
    for (int token = 0; token < tokens; ++token) {
      for (int i = 0; i < chosen; ++i) {
        const int j = i + static_cast<int>(random() % static_cast<unsigned>(experts - i));
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
        ++rows[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
      }
    }
    int most_experts = 0, most_rows = 0;
    for (auto at = rows.begin(); at != rows.end(); at += own) {
      most_experts = std::max(
          most_experts, static_cast<int>(std::count_if(at, at + own, [](int n) { return n > 0; })));
      most_rows = std::max(most_rows, std::accumulate(at, at + own, 0));
    }
    sum.experts += most_experts;
    sum.rows += most_rows;
  }
  return {sum.experts / tries, sum.rows / tries};
}

class Busiest : public ::testing::TestWithParam<std::array<int, 4>> {};

TEST_P(Busiest, HolderIsThatOfTokensThatChooseByChance) {
  const auto [experts, chosen, tokens, holders] = GetParam();
  const Model model{.experts = experts, .experts_per_token = chosen};
  const Crowd crowd = busiest_holder(model, tokens, holders);
  const Drawn wanted = drawn(experts, chosen, tokens, holders);
  const double touched = experts_touched(model, tokens) / holders;
  EXPECT_NEAR(crowd.experts * touched, wanted.experts, 0.08 * wanted.experts);
  EXPECT_NEAR(crowd.rows * tokens * chosen / holders, wanted.rows, 0.12 * wanted.rows);
}

INSTANTIATE_TEST_SUITE_P(All, Busiest,
                         ::testing::Values(std::array{128, 8, 1, 32}, std::array{128, 8, 16, 32},
                                           std::array{128, 8, 256, 16}, std::array{8, 2, 64, 8},
                                           std::array{256, 8, 512, 64}, std::array{64, 4, 8, 4}));

TEST(ExpertLayout, WhoHasPartsOfEachExpertHasTheMean) {
  const Model model{.experts = 128, .experts_per_token = 8};
  const Plan divided{.tp = 4, .experts = ExpertLayout::divided};
  const Plan whole{.tp = 4, .dp = 2, .experts = ExpertLayout::whole};
  EXPECT_EQ(expert_holders(model, divided, 8), 1);
  EXPECT_EQ(busiest_holder(model, 16, 1).experts, 1);
  EXPECT_EQ(busiest_holder(model, 16, 1).rows, 1);
  EXPECT_EQ(expert_holders(model, whole, 8), 64);
}

TEST(ExpertLayout, TheLargestOfManyIsBetweenTheMeanAndAll) {
  EXPECT_NEAR(largest_of(1, 1000, 0.25), 250, 1e-6);
  EXPECT_EQ(largest_of(64, 4, 1), 4);
  EXPECT_GT(largest_of(64, 1e6, 1.0 / 64), 1e6 / 64);
  EXPECT_LT(largest_of(64, 1e6, 1.0 / 64), 1.05 * 1e6 / 64);
}

}  // namespace
}  // namespace trainyard::planner
