// Does the index find exactly the regions that overlap, whatever tells them apart?
#include "isa/core/region_index.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace trainyard::isa {
namespace {

// A box in a tensor of 64 rows of 64 bytes, or a range of bytes that is no box. On chip, of one of
// two tensors that share their bytes.
Region random_region(base::Random& random, bool boxes, bool on_chip) {
  const auto range = [&]<typename T>(std::uint64_t extent, T& low, T& high) {
    low = static_cast<T>(random.below(extent));
    high = low + 1 + static_cast<T>(random.below(extent / 4));
  };
  Region region{.space = Space::hbm, .tensor = 0};
  if (on_chip) region = {.space = Space::sbuf, .tensor = static_cast<TensorId>(random.below(2))};
  if (!boxes || random.below(8) == 0) {
    range(4096, region.first_byte, region.end_byte);
    return region;
  }
  region.rank = 2;
  range(64, region.low[0], region.high[0]);
  range(64, region.low[1], region.high[1]);
  region.first_byte = 64 * region.low[0] + region.low[1];
  region.end_byte = 64 * (region.high[0] - 1) + region.high[1];
  return region;
}

void expect_all(const std::vector<Region>& regions, const Region& wanted) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    if (regions[i].overlaps(wanted)) all.push_back(i);
  }
  EXPECT_EQ(RegionIndex(regions).overlapping(wanted), all);
}

TEST(RegionIndex, finds_what_a_look_at_all_finds) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    base::Random random(seed);
    std::vector<Region> regions(random.below(40));
    const bool boxes = seed % 2 == 0, on_chip = seed % 4 < 2;
    for (Region& region : regions) region = random_region(random, boxes, on_chip);
    for (int i = 0; i < 20; ++i) expect_all(regions, random_region(random, i % 2 == 0, on_chip));
  }
}

// Columns of a wide tensor, whose bytes lie between each other's.
TEST(RegionIndex, tells_columns_apart) {
  std::vector<Region> regions;
  for (std::int32_t column = 0; column < 1000; ++column) {
    Region region{.space = Space::hbm, .tensor = 0};
    region.rank = 2;
    region.high[0] = 2;
    region.low[1] = column;
    region.high[1] = column + 1;
    region.first_byte = column;
    region.end_byte = 1000 + column + 1;
    regions.push_back(region);
  }
  const RegionIndex index(regions);
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    EXPECT_EQ(index.overlapping(regions[i]), std::vector<std::uint32_t>{i});
}

// Row 1, columns 8 to 24 of two rows: a box of elements, unless they are too many to count in one.
Region columns_of(std::int64_t row_elements) {
  Program program;
  Tensor& tensor = program.tensors.emplace_back();
  tensor.shape = {2, row_elements};
  tensor.dtype = DType::uint8;
  tensor.space = Space::hbm;
  Tile tile;
  tile.space = Space::hbm;
  tile.dtype = DType::uint8;
  tile.tensor = 0;
  tile.rank = 1;
  tile.offset = row_elements + 8;
  tile.dims[0] = {1, 16};
  return region_of(program, tile);
}

TEST(Region, has_a_box_where_32_bits_count_a_dimension) {
  const std::int64_t row = std::int64_t{1} << 20;
  const Region region = columns_of(row);
  EXPECT_EQ(region.rank, 2);
  EXPECT_EQ(region.low[0], 1);
  EXPECT_EQ(region.high[0], 2);
  EXPECT_EQ(region.low[1], 8);
  EXPECT_EQ(region.high[1], 24);
}

TEST(Region, has_its_bytes_alone_where_they_do_not) {
  const std::int64_t row = std::int64_t{1} << 32;
  const Region region = columns_of(row);
  EXPECT_EQ(region.rank, 0);
  EXPECT_EQ(region.first_byte, row + 8);
  EXPECT_EQ(region.end_byte, row + 24);
  EXPECT_TRUE(region.solid);
}

}  // namespace
}  // namespace trainyard::isa
