#include "base/growing_bytes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace trainyard::base {
namespace {

void add(GrowingBytes& bytes, std::uint32_t number) {
  std::memcpy(bytes.append(sizeof number), &number, sizeof number);
}
std::uint32_t at(const GrowingBytes& bytes, std::size_t i) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
  return number;
}

TEST(GrowingBytes, KeepsWhatItHoldsWhileItGrows) {
  constexpr std::uint32_t count = 1u << 20;  // 4 MiB, which the heap does not hold in place
  GrowingBytes bytes;
  for (std::uint32_t i = 0; i < count; ++i) add(bytes, i * i);
  ASSERT_EQ(bytes.size(), count * sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(at(bytes, i), i * i);
}

TEST(GrowingBytes, ACopyIsItsOwn) {
  GrowingBytes bytes;
  add(bytes, 1);
  GrowingBytes copy = bytes;
  add(copy, 2);
  add(bytes, 3);
  EXPECT_EQ(at(copy, 1), 2u);
  EXPECT_EQ(at(bytes, 1), 3u);
  copy = bytes;
  EXPECT_EQ(at(copy, 1), 3u);
}

TEST(GrowingBytes, IsEmptyOnceMovedFrom) {
  GrowingBytes bytes;
  add(bytes, 1);
  const GrowingBytes moved = std::move(bytes);
  EXPECT_EQ(moved.span().size(), sizeof(std::uint32_t));
  EXPECT_EQ(bytes.size(), 0u);
  add(bytes, 2);
  EXPECT_EQ(at(bytes, 0), 2u);
}

}  // namespace
}  // namespace trainyard::base
