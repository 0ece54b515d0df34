// Does a collective take the steps and the bytes of its algorithm?
#include <gtest/gtest.h>

#include "fabric/collective_plan.h"

namespace trainyard::fabric {
namespace {

using isa::CollectiveKind;

const machine::Machine& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine;
}

Message message(CollectiveKind kind, std::int64_t ranks, std::int64_t bytes) {
  return {.kind = kind, .ranks = ranks, .bytes = {bytes}};
}

// The thresholds are those of the machine file: 1 MB and 56 MB.
TEST(CollectivePlan, TheAlgorithmFollowsFromTheSize) {
  const auto algorithm = [](std::int64_t bytes) {
    return plan_of(message(CollectiveKind::gather, 4, bytes), trn3()).algorithm;
  };
  EXPECT_EQ(algorithm(4096), Algorithm::mesh);
  EXPECT_EQ(algorithm(1'000'000), Algorithm::mesh);
  EXPECT_EQ(algorithm(1'000'004), Algorithm::halving);
  EXPECT_EQ(algorithm(56'000'000), Algorithm::halving);
  EXPECT_EQ(algorithm(56'000'004), Algorithm::ring);
}

TEST(CollectivePlan, StepsAreThoseOfTheAlgorithm) {
  const auto steps = [](CollectiveKind kind, std::int64_t ranks, std::int64_t bytes) {
    return plan_of(message(kind, ranks, bytes), trn3()).steps;
  };
  EXPECT_EQ(steps(CollectiveKind::gather, 8, 1024), 1);
  EXPECT_EQ(steps(CollectiveKind::reduce, 8, 1024), 2);
  EXPECT_EQ(steps(CollectiveKind::gather, 8, 8 << 20), 3);
  EXPECT_EQ(steps(CollectiveKind::reduce, 8, 8 << 20), 6);
  EXPECT_EQ(steps(CollectiveKind::scatter, 8, 64 << 20), 7);
  EXPECT_EQ(steps(CollectiveKind::reduce, 4, 64 << 20), 6);
  EXPECT_EQ(steps(CollectiveKind::permute, 4, 64 << 20), 1);
  EXPECT_EQ(steps(CollectiveKind::reduce, 1, 1024), 0);
}

TEST(CollectivePlan, LatencyIsTheStartAndTheSteps) {
  const machine::Collective& figures = trn3().collective;
  Message one = message(CollectiveKind::reduce, 4, 16'384);
  EXPECT_EQ(plan_of(one, trn3()).latency, figures.start + figures.step * 2);
  one.follows = true;
  EXPECT_EQ(plan_of(one, trn3()).latency.value, 0);
}

// Of 4 MB on each of four ranks.
CollectivePlan plan_for(CollectiveKind kind) {
  return plan_of(message(kind, 4, 4'000'000), trn3());
}

// (n - 1) / n of the message; twice as much where everybody gets the sum.
TEST(CollectivePlan, EachRankWritesAllPartsButItsOwn) {
  EXPECT_EQ(plan_for(CollectiveKind::gather).written.value, 3'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::scatter).written.value, 3'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::all_to_all).written.value, 3'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::reduce).written.value, 6'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::permute).written.value, 4'000'000);
}

// A sum reads both of its terms.
TEST(CollectivePlan, WhatIsReadIsWhatIsCopiedAndTheTermsOfSums) {
  EXPECT_EQ(plan_for(CollectiveKind::gather).read.value, 3'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::scatter).read.value, 6'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::reduce).read.value, 9'000'000);
  EXPECT_EQ(plan_for(CollectiveKind::permute).read.value, 4'000'000);
}

}  // namespace
}  // namespace trainyard::fabric
