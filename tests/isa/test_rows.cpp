// Are the elements of any pattern read and written in pattern order, at the right places?
#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"

namespace trainyard::isa {
namespace {

// Byte offsets of a pattern's elements by nested counting, slowest dimension first.
std::vector<std::int64_t> offsets(const Tile& tile) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < tile.free_elements(); ++i) {
    std::int64_t rest = i, offset = 0;
    for (std::size_t d = tile.rank; d-- > 0;) {
      offset += rest % tile.dims[d].count * tile.dims[d].step;
      rest /= tile.dims[d].count;
    }
    found.push_back(offset * tile.element_bytes());
  }
  return found;
}

Tile random_tile(base::Random& random, DType dtype) {
  Tile tile;
  tile.space = Space::sbuf;
  tile.dtype = dtype;
  tile.partitions = 1;
  tile.partition_start = static_cast<std::uint16_t>(random.below(128));
  tile.offset = 1024;
  tile.rank = static_cast<std::uint8_t>(1 + random.below(4));
  // Strides that do not fold onto themselves, in any order of size, some descending and some of
  // single elements.
  std::int32_t stride = 1 + static_cast<std::int32_t>(random.below(2));
  std::vector<Dim> dims;
  for (int d = 0; d < tile.rank; ++d) {
    const auto count = static_cast<std::int32_t>(1 + random.below(4));
    dims.push_back({stride, count});
    stride *= count + static_cast<std::int32_t>(random.below(2));
  }
  for (std::size_t d = dims.size(); d > 1; --d) std::swap(dims[d - 1], dims[random.below(d)]);
  for (std::size_t d = 0; d < dims.size(); ++d) tile.dims[d] = dims[d];
  return tile;
}

TEST(Rows, GatherAndScatterFollowThePattern) {
  const machine::Machine machine = machine::load("trn3");
  state::Core core({128, 8192, 16384, 64}, nullptr);
  const Program program;
  Execution e{.core = core, .program = program, .hbm_base = {}, .machine = machine.core};
  base::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const DType dtype = std::array{DType::uint8, DType::bfloat16, DType::float32}[random.below(3)];
    const Tile tile = random_tile(random, dtype);
    std::byte* row = core.sbuf.row(tile.partition_start);
    for (int i = 0; i < 8192; ++i) row[i] = static_cast<std::byte>(random.next());
    const auto width = static_cast<std::size_t>(tile.element_bytes());
    const std::vector<std::int64_t> expected = offsets(tile);

    std::vector<std::byte> dense(expected.size() * width);
    load_bits(tile, e, 0, dense.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(dense.data() + i * width, row + tile.offset + expected[i], width), 0)
          << "round " << round << ", element " << i;
    }
    for (std::byte& b : dense) b = static_cast<std::byte>(random.next());
    store_bits(tile, e, 0, dense.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(dense.data() + i * width, row + tile.offset + expected[i], width), 0)
          << "round " << round << ", element " << i;
    }
  }
}

}  // namespace
}  // namespace trainyard::isa
