// How do those who share a stack share its bandwidth, and what does it count?
#include "memory/hbm_stack.h"

#include <gtest/gtest.h>

#include "machine/machine.h"

namespace trainyard::memory {
namespace {

using base::Bytes;
using base::Ticks;

machine::Chip chip() {
  machine::Chip chip = machine::load("trn3").chip;
  chip.hbm.bandwidth.bytes_per_second = 4'000'000'000'000;  // 1,000 bytes a nanosecond a stack
  chip.hbm.stacks = 4;
  return chip;
}

TEST(HbmStack, MovesAtItsShareOfTheChipsRate) {
  HbmStack stack(chip());
  EXPECT_EQ(base::to_nanoseconds(stack.move(Ticks{0}, Bytes{50'000}, 0, 0).end), 50);
}

TEST(HbmStack, WhatComesWhileItIsBusyQueues) {
  HbmStack stack(chip());
  const Ticks first = stack.move(Ticks{0}, Bytes{50'000}, 0, 0).end;
  EXPECT_EQ(stack.move(Ticks{1}, Bytes{50'000}, 1, 0).end - first, first);
  const Ticks late = first * 10;
  EXPECT_EQ(stack.move(late, Bytes{50'000}, 2, 0).end, late + first);
}

// 100 ns are in line when 20 ns come in between: they take 40 ns, and the line 20 ns longer.
TEST(HbmStack, WhatMovesByTurnsSharesWithTheLine) {
  HbmStack stack(chip());
  const HbmStack::Place soon = stack.move(Ticks{0}, Bytes{10'000}, 0, 0);
  const HbmStack::Place late = stack.move(Ticks{0}, Bytes{90'000}, 1, 0);
  const HbmStack::Place between = stack.move_by_turns(Ticks{0}, Bytes{20'000}, 2, 0);
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(between)), 40);
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(soon)), 20);
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(late)), 120);
  EXPECT_EQ(base::to_nanoseconds(stack.move(Ticks{0}, Bytes{10'000}, 3, 0).end), 130);
  EXPECT_EQ(base::to_nanoseconds(stack.busy()), 130);
}

TEST(HbmStack, WhatMovesByTurnsWaitsForNothingWhereNothingIsInLine) {
  HbmStack stack(chip());
  const HbmStack::Place first = stack.move_by_turns(Ticks{0}, Bytes{20'000}, 0, 0);
  const HbmStack::Place behind = stack.move(Ticks{0}, Bytes{10'000}, 1, 0);
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(first)), 20);
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(behind)), 30);
}

TEST(HbmStack, NoBytesWaitForNothing) {
  HbmStack stack(chip());
  const HbmStack::Place line = stack.move(Ticks{0}, Bytes{50'000}, 0, 0);
  const HbmStack::Place nothing = stack.move(Ticks{1}, Bytes{0}, 1, 0);
  (void)stack.move_by_turns(Ticks{1}, Bytes{20'000}, 2, 0);
  EXPECT_EQ(stack.end_of(nothing), Ticks{1});
  EXPECT_EQ(base::to_nanoseconds(stack.end_of(line)), 70);
}

TEST(HbmStack, CountsBytesAndBusyTime) {
  HbmStack stack(chip());
  const Ticks first = stack.move(Ticks{0}, Bytes{50'000}, 0, 0).end;
  (void)stack.move(first * 7, Bytes{100'000}, 1, 0);
  EXPECT_EQ(stack.moved().value, 150'000);
  EXPECT_EQ(stack.busy(), first * 3);
}

}  // namespace
}  // namespace trainyard::memory
