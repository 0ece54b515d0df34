// Do the generators produce the published sequences, and do states survive saving?
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "numerics/prng.h"

namespace trainyard::numerics {
namespace {

// Marsaglia, "Xorshift RNGs" (Journal of Statistical Software 8(14), 2003), section 3.1: the xorwow
// step and its initial state, written here as in the paper.
struct PaperXorwow {
  std::uint32_t x = 123456789, y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
  std::uint32_t operator()() {
    const std::uint32_t t = (x ^ (x >> 2));
    x = y;
    y = z;
    z = w;
    w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    return (d += 362437) + v;
  }
};

constexpr Xorwow paper_state{123456789, 362436069, 521288629, 88675123, 5783321, 6615241};

TEST(Xorwow, FollowsThePaper) {
  Xorwow state = paper_state;
  PaperXorwow paper;
  EXPECT_EQ(Xorwow(state).next(), 246875399u);  // computed by hand from the paper's recurrence
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(state.next(), paper());
}

TEST(Xorwow, StateSurvivesSaving) {
  Xorwow state = paper_state;
  state.next();
  const auto words = save(state);
  EXPECT_EQ(words[0], 362436069u);
  EXPECT_EQ(words[5], 6615241u + 362437u);
  EXPECT_EQ(load_xorwow(words), state);
  XorwowLane lane = seeded(42, 3);
  EXPECT_EQ(load_xorwow_lane(save(lane)), lane);
}

TEST(XorwowLane, TakesTurnsAmongItsFourStates) {
  XorwowLane lane = seeded(1, 0);
  std::array<Xorwow, 4> apart = lane.state;
  std::vector<std::uint32_t> words(12);
  fill(lane, words.data(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], apart[i % 4].next()) << i;
  EXPECT_EQ(lane.state, apart);
}

TEST(XorwowLane, AShortRowStillStepsAllFourStates) {
  XorwowLane whole = seeded(1, 0), part = whole;
  std::vector<std::uint32_t> words(8), few(5);
  fill(whole, words.data(), 8);
  fill(part, few.data(), 5);
  EXPECT_EQ(part, whole);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], words[i]);
}

TEST(Seeding, IsRepeatableAndDiffersBetweenSeedsAndLanes) {
  std::set<std::uint32_t> first_words;
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    for (std::uint32_t lane = 0; lane < 128; ++lane) {
      EXPECT_EQ(seeded(seed, lane), seeded(seed, lane));
      for (const Xorwow& state : seeded(seed, lane).state) first_words.insert(state.x);
    }
  }
  EXPECT_GE(first_words.size(),
            8u * 128 * 4 - 4);  // a few coincidences among 4096 words of 32 bits are chance
}

TEST(Lfsr, FollowsItsPolynomial) {
  // Taps 32, 22, 2, 1: every bit of the sequence is the exclusive or of the ones so many places
  // before, read off the register's lowest place one shift at a time.
  Lfsr state{0xDEADBEEFu};
  std::vector<std::uint32_t> sequence;
  std::uint32_t reg = state.register_bits;
  for (int i = 0; i < 3200; ++i) {
    sequence.push_back(reg & 1);
    reg = reg >> 1 ^ ((reg & 1) != 0 ? 0x80200003u : 0u);
  }
  for (std::size_t i = 32; i < sequence.size(); ++i) {
    ASSERT_EQ(sequence[i], sequence[i - 32] ^ sequence[i - 22] ^ sequence[i - 2] ^ sequence[i - 1])
        << i;
  }
  for (int i = 0; i < 100; ++i) state.next();
  EXPECT_EQ(state.register_bits, reg);
  EXPECT_NE(seeded_lfsr(0, 0).register_bits, 0u);
}

// rand2 in NKI 0.6: uniform in [min, max].
TEST(Uniform, StaysInItsRangeAndFillsIt) {
  EXPECT_EQ(uniform(0, -1.0f, 3.0f), -1.0f);
  EXPECT_EQ(uniform(0xFFFFFFFFu, -1.0f, 3.0f), 3.0f);
  EXPECT_EQ(uniform(0x80000000u, 0.0f, 1.0f), 0.5f);
  constexpr std::size_t n = 40000;
  std::vector<std::uint32_t> words(n);
  std::vector<float> values(n);
  XorwowLane lane = seeded(7, 9);
  fill(lane, words.data(), n);
  uniform(words.data(), 2.0f, 4.0f, values.data(), n);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(values[i], uniform(words[i], 2.0f, 4.0f));
    ASSERT_GE(values[i], 2.0f);
    ASSERT_LE(values[i], 4.0f);
    sum += values[i];
    squares += (values[i] - 3) * (values[i] - 3);
  }
  EXPECT_NEAR(sum / n, 3.0, 5 * std::sqrt(4.0 / 12 / n));
  EXPECT_NEAR(squares / n, 4.0 / 12, 0.01);
}

}  // namespace
}  // namespace trainyard::numerics
