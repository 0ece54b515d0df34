// Does a device's memory come back when nobody uses it, and does it say that there is no room?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "machine/machine.h"
#include "runtime/memory.h"

namespace trainyard::runtime {
namespace {

std::span<const std::byte> bytes(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

class MemoryTest : public testing::Test {
 protected:
  std::shared_ptr<Memory> memory = Memory::of_device(machine::load("trn3"));

  BufferRef take(std::int64_t size) { return std::get<BufferRef>(memory->allocate(size)); }
  // What there is room for.
  [[nodiscard]] OutOfMemory room() {
    return std::get<OutOfMemory>(memory->allocate(std::int64_t{1} << 60));
  }
};

TEST_F(MemoryTest, HoldsWhatWasWritten) {
  const BufferRef buffer = take(12);
  buffer->write(bytes({1, 2, 3}));
  buffer->write(bytes({5}), 4);
  std::vector<float> back(3);
  buffer->read(std::as_writable_bytes(std::span(back)));
  EXPECT_EQ(back, (std::vector<float>{1, 5, 3}));
  buffer->read(std::as_writable_bytes(std::span(back).first(1)), 8);
  EXPECT_EQ(back[0], 3);
}

TEST_F(MemoryTest, RefusesATransferBeyondItsBuffer) {
  const BufferRef buffer = take(8);
  std::array<std::byte, 8> content{};
  EXPECT_THROW(buffer->write(content, 1), base::InputError);
  EXPECT_THROW(buffer->read(content, -1), base::InputError);
  EXPECT_NO_THROW(buffer->read(content));
}

TEST_F(MemoryTest, FreedBytesAreUnwrittenAndZeroWhenTheyAreUsedAgain) {
  BufferRef buffer = take(100'000);
  const std::int64_t address = buffer->address();
  buffer->write(bytes(std::vector<float>(25'000, 7)));
  buffer.reset();
  const BufferRef again = take(100'000);
  EXPECT_EQ(again->address(), address);
  std::vector<std::byte> content(100'000, std::byte{1});
  again->read(content);
  EXPECT_EQ(content, std::vector<std::byte>(100'000, std::byte{0}));
  EXPECT_EQ(memory->stack()->written().first_written(address, 100'000), address + 100'000);
}

TEST_F(MemoryTest, ThatThereIsNoRoomIsAnAnswer) {
  const std::int64_t all = room().limit;
  const BufferRef half = take(all / 2);
  const Allocated result = memory->allocate(all / 2 + 1);
  const auto* shortage = std::get_if<OutOfMemory>(&result);
  ASSERT_NE(shortage, nullptr);
  EXPECT_EQ(shortage->wanted, all / 2 + 1);
  EXPECT_EQ(shortage->free, all / 2);
  EXPECT_EQ(error_of(*shortage).violations().front().label, "hbm.capacity");
  EXPECT_NO_THROW((void)take(all / 2));
}

// Against a model that knows only which buffers live: they never overlap, and all of the memory
// comes back.
TEST_F(MemoryTest, BuffersNeverOverlapAndAllComesBack) {
  base::Random random(3);
  std::vector<BufferRef> live;
  for (int step = 0; step < 3000; ++step) {
    if (!live.empty() && random.below(5) < 2) {
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(random.below(live.size())));
    } else {
      live.push_back(take(static_cast<std::int64_t>(random.below(50'000)) + 1));
    }
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (const BufferRef& one : live) places.emplace_back(one->address(), one->bytes());
  std::ranges::sort(places);
  for (std::size_t k = 1; k < places.size(); ++k)
    ASSERT_LE(places[k - 1].first + places[k - 1].second, places[k].first);
  EXPECT_LT(room().free, room().limit);
  live.clear();
  EXPECT_EQ(room().free, room().limit);
  EXPECT_EQ(room().largest_free, room().limit);
}

}  // namespace
}  // namespace trainyard::runtime
