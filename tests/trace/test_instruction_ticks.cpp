// Do sixteen bytes an instruction hold any ticks?
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "trace/bytes.h"
#include "trace/instruction_ticks.h"

namespace trainyard::trace {
namespace {

using Expected = std::map<std::tuple<std::uint32_t, Side, Reason>, std::int64_t>;

// Adds random ticks: many or few reasons an instruction, short and long.
void add_randomly(InstructionTicks& ticks, Expected& expected, std::uint64_t seed) {
  base::Random random(seed);
  for (int i = 0; i < 20000; ++i) {
    const auto instruction = static_cast<std::uint32_t>(random.below(ticks.size()));
    const auto side = static_cast<Side>(random.below(side_count));
    const auto reason = static_cast<Reason>(random.below(1 + instruction % reason_count));
    const auto amount = static_cast<std::int64_t>(random.next() >> (20 + random.below(44)));
    ticks.add(instruction, side, reason, amount);
    expected[{instruction, side, reason}] += amount;
  }
}

void expect_equal(const InstructionTicks& ticks, const Expected& expected) {
  for (std::uint32_t i = 0; i < ticks.size(); ++i) {
    for (const Side side : {Side::engine, Side::service}) {
      for (const Reason reason : all_reasons()) {
        const auto found = expected.find({i, side, reason});
        ASSERT_EQ(ticks.get(i, side, reason).value, found == expected.end() ? 0 : found->second)
            << i << " " << name(reason);
      }
    }
  }
}

TEST(InstructionTicks, HoldAnySumOfAnyReasons) {
  InstructionTicks ticks(100);
  Expected expected;
  add_randomly(ticks, expected, 3);
  expect_equal(ticks, expected);
}

TEST(InstructionTicks, ReadBackEqualHoweverTheyWereKept) {
  InstructionTicks ticks(100);
  Expected expected;
  add_randomly(ticks, expected, 4);
  std::string bytes;
  ticks.encode(bytes);
  ByteReader reader(bytes, "test");
  const InstructionTicks again = InstructionTicks::decode(reader, 100);
  reader.expect_end();
  expect_equal(again, expected);
  EXPECT_TRUE(again == ticks);
  InstructionTicks other = again;
  other.add(99, Side::service, Reason::idle, 1);
  EXPECT_FALSE(other == ticks);
}

TEST(InstructionTicks, AnInstructionBeyondTheProgramIsMalformed) {
  InstructionTicks ticks(100);
  ticks.add(99, Side::engine, Reason::working, 1);
  std::string bytes;
  ticks.encode(bytes);
  ByteReader reader(bytes, "test");
  EXPECT_THROW(static_cast<void>(InstructionTicks::decode(reader, 99)), base::InputError);
}

}  // namespace
}  // namespace trainyard::trace
