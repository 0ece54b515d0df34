// Which tiles of few partitions may lie beside others, on partitions of their own?
#include <gtest/gtest.h>

#include "compiler/partition_groups.h"
#include "isa/instructions/bn_aggr.h"
#include "isa/instructions/bn_stats.h"
#include "isa/instructions/max8.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

// The groups of dst and source after one instruction.
template <typename Make>
std::vector<std::uint32_t> groups(std::vector<std::int64_t> dst, std::vector<std::int64_t> source,
                                  Make make) {
  Kernel k;
  const Tile to = k.tensor(Space::sbuf, std::move(dst)),
             from = k.tensor(Space::sbuf, std::move(source));
  k.program.append(make(to, from), isa::Engine::vector);
  return partition_groups(k.program, trn3().core).group;
}

void expect_free(const std::vector<std::uint32_t>& found) {
  ASSERT_EQ(found.size(), 2u);
  EXPECT_GT(found[0], 0u);
  EXPECT_GT(found[1], 0u);
  EXPECT_NE(found[0], found[1]);  // a result lies on any partitions
}

TEST(PartitionGroups, MoreThanHalfOfThePartitionsStayInPlace) {
  const auto copy = [](const Tile& to, const Tile& from) { return isa::TensorCopy{to, from}; };
  expect_free(groups({64, 16}, {64, 16}, copy));
  EXPECT_EQ(groups({65, 16}, {65, 16}, copy), (std::vector<std::uint32_t>{0, 0}));
}

TEST(PartitionGroups, StatisticsWorkOnAnyPartitions) {
  expect_free(groups({32, 6}, {32, 512}, [](const Tile& to, const Tile& from) {
    return isa::BnStats{to, from};
  }));
}

TEST(PartitionGroups, TheLargestOfRowsAreFoundOnAnyPartitions) {
  expect_free(groups({32, 8}, {32, 512}, [](const Tile& to, const Tile& from) {
    return isa::Max8{to, from};
  }));
}

}  // namespace
}  // namespace trainyard::compiler
