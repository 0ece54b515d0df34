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
  EXPECT_EQ(base::to_nanoseconds(stack.move(Ticks{0}, Bytes{50'000}, 0, 0)), 50);
}

TEST(HbmStack, WhatComesWhileItIsBusyQueues) {
  HbmStack stack(chip());
  const Ticks first = stack.move(Ticks{0}, Bytes{50'000}, 0, 0);
  EXPECT_EQ(stack.move(Ticks{1}, Bytes{50'000}, 1, 0) - first, first);
  const Ticks late = first * 10;
  EXPECT_EQ(stack.move(late, Bytes{50'000}, 2, 0), late + first);
}

TEST(HbmStack, CountsBytesAndBusyTime) {
  HbmStack stack(chip());
  const Ticks first = stack.move(Ticks{0}, Bytes{50'000}, 0, 0);
  (void)stack.move(first * 7, Bytes{100'000}, 1, 0);
  EXPECT_EQ(stack.moved().value, 150'000);
  EXPECT_EQ(stack.busy(), first * 3);
}

}  // namespace
}  // namespace trainyard::memory
