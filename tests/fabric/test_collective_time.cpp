// Does a collective take the steps and the bytes of its algorithm, at the machine's figures?
#include <gtest/gtest.h>

#include "fabric/collective_time.h"

namespace trainyard::fabric {
namespace {

using isa::CollectiveKind;

const machine::Machine& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine;
}

Message message(CollectiveKind kind, std::int64_t ranks, std::int64_t bytes) {
  return {.kind = kind, .ranks = ranks, .cores = 2, .bytes = {bytes}};
}

// The thresholds are those of the machine file: 1 MB and 56 MB.
TEST(CollectiveTime, TheAlgorithmFollowsFromTheSize) {
  const auto algorithm = [](std::int64_t bytes) {
    return time_of(message(CollectiveKind::gather, 4, bytes), trn3()).algorithm;
  };
  EXPECT_EQ(algorithm(4096), Algorithm::mesh);
  EXPECT_EQ(algorithm(1'000'000), Algorithm::mesh);
  EXPECT_EQ(algorithm(1'000'004), Algorithm::halving);
  EXPECT_EQ(algorithm(56'000'000), Algorithm::halving);
  EXPECT_EQ(algorithm(56'000'004), Algorithm::ring);
}

TEST(CollectiveTime, StepsAreThoseOfTheAlgorithm) {
  const auto steps = [](CollectiveKind kind, std::int64_t ranks, std::int64_t bytes) {
    return time_of(message(kind, ranks, bytes), trn3()).steps;
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

TEST(CollectiveTime, LatencyIsTheStartAndTheSteps) {
  const machine::Collective& figures = trn3().collective;
  Message one = message(CollectiveKind::reduce, 4, 16'384);
  EXPECT_EQ(time_of(one, trn3()).latency, figures.start + figures.step * 2);
  one.follows = true;
  EXPECT_EQ(time_of(one, trn3()).latency.value, 0);
}

// Public profiles of four ranks on one Trainium3: 7 us for 16 KB, 9.15 us for 4 KiB, 7 us for an
// all-gather. What is assumed lies within a fifth of the middle one.
TEST(CollectiveTime, AllReduceOfAChipIsNearWhatWasMeasured) {
  const base::Ticks time = time_of(message(CollectiveKind::reduce, 4, 16'384), trn3()).total();
  EXPECT_NEAR(base::to_nanoseconds(time), 7000, 1400);
}

// (n - 1) / n of the message; twice as much where everybody gets the sum.
TEST(CollectiveTime, EachRankWritesAllPartsButItsOwn) {
  const auto moved = [](CollectiveKind kind) {
    return time_of(message(kind, 4, 4'000'000), trn3()).moved.value;
  };
  EXPECT_EQ(moved(CollectiveKind::gather), 3'000'000);
  EXPECT_EQ(moved(CollectiveKind::scatter), 3'000'000);
  EXPECT_EQ(moved(CollectiveKind::all_to_all), 3'000'000);
  EXPECT_EQ(moved(CollectiveKind::reduce), 6'000'000);
  EXPECT_EQ(moved(CollectiveKind::permute), 4'000'000);
}

// Each of two cores has a share of an eighth of the chip's HBM, which reads and writes every byte.
TEST(CollectiveTime, BytesMoveAtTheRateOfHbmOrOfTheDmaEngines) {
  Message one = message(CollectiveKind::permute, 4, 100'000'000);
  const double hbm = 2 * 100e6 / (4.7e12 / 4) * 1e9;
  EXPECT_NEAR(base::to_nanoseconds(time_of(one, trn3()).moving), hbm, 1);
  one.in_hbm = false;
  const auto& dma = trn3().core.dma;
  const double engines =
      100e6 / static_cast<double>(2 * dma.engines * dma.packet_rate.bytes_per_second) * 1e9;
  EXPECT_NEAR(base::to_nanoseconds(time_of(one, trn3()).moving), engines, 1);
  one.channels = 2;
  EXPECT_NEAR(base::to_nanoseconds(time_of(one, trn3()).moving), 2 * engines, 2);
}

}  // namespace
}  // namespace trainyard::fabric
