// Do pieces find the same places in turn as where one that is fixed is in nobody's way, and does
// what lives long leave room?
#include "compiler/place.h"

#include <gtest/gtest.h>

#include <random>

namespace trainyard::compiler {
namespace {

std::vector<Storage> pieces(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<Storage> all(40 + below(160));
  for (Storage& piece : all) {
    const std::uint32_t first = below(400);
    piece.life = {first, first + below(below(10) == 0 ? 200 : 12)};
    piece.size = 64 * (1 + std::int64_t{below(9)});
  }
  return all;
}

void expect_apart(const std::vector<Storage>& placed) {
  for (std::size_t i = 0; i < placed.size(); ++i) {
    for (std::size_t other = 0; other < i; ++other) {
      const Storage &a = placed[i], &b = placed[other];
      EXPECT_FALSE(a.life.meets(b.life) && a.address < b.address + b.size &&
                   b.address < a.address + a.size);
    }
  }
}

TEST(Place, InTurnIsWhatASearchThroughAllPiecesFinds) {
  std::mt19937 random(7);
  constexpr PlacementLimits limits{.capacity = 6'000, .alignment = 32, .partitions = 128};
  int placed = 0, refused = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Storage> in_turn = pieces(random), searched = in_turn;
    searched.push_back({.life = {1'000, 1'000}, .size = 64, .fixed = true});
    for (const Policy policy : {Policy::rotate, Policy::first_fit}) {
      const auto failed = place(in_turn, limits, policy);
      ASSERT_EQ(failed, place(searched, limits, policy));
      ++(failed ? refused : placed);
      for (std::size_t i = 0; i < in_turn.size() && !failed; ++i) {
        EXPECT_EQ(in_turn[i].address, searched[i].address);
      }
      if (!failed) expect_apart(in_turn);
    }
  }
  EXPECT_GT(placed, 20);
  EXPECT_GT(refused, 20);
}

// Some of the small pieces live on. Where they lie between the others, no room is left for
// the large one.
TEST(Place, WhatOutlivesARoundIsNotInTheWayOfLaterRounds) {
  constexpr PlacementLimits limits{.capacity = 6'400, .alignment = 32, .partitions = 128};
  std::vector<Storage> all;
  for (std::uint32_t i = 0; i < 200; ++i)
    all.push_back({.life = {i, i % 10 == 0 && i < 150 ? 1'000U : i + 2}, .size = 64});
  all.push_back({.life = {500, 500}, .size = 5'000});
  EXPECT_TRUE(place(all, limits, Policy::rotate));
  EXPECT_FALSE(place(all, limits, Policy::rotate_short));
  expect_apart(all);
  EXPECT_EQ(all[0].address, limits.capacity - 64);
  EXPECT_NE(all[1].address, all[5].address) << "the others go round";
}

}  // namespace
}  // namespace trainyard::compiler
