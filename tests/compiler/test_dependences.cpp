// Does an instruction depend on the earlier ones it shares bytes with, and on no more?
#include "compiler/dependences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>

#include "base/random.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/views/view.h"

namespace trainyard::compiler {
namespace {

// Copies between SBUF tensors at chosen addresses, dependences found as after allocation.
class Copies {
 public:
  isa::TensorId tensor(std::int64_t address, std::int64_t columns, std::int64_t partitions = 128) {
    return tensor(address, {partitions, columns});
  }
  isa::TensorId tensor(std::int64_t address, std::vector<std::int64_t> shape) {
    isa::Tensor tensor;
    tensor.space = isa::Space::sbuf;
    tensor.dtype = numerics::DType::float32;
    tensor.shape = std::move(shape);
    tensor.address = address;
    program_.tensors.push_back(tensor);
    return static_cast<isa::TensorId>(program_.tensors.size() - 1);
  }
  std::uint32_t copy(isa::TensorId dst, isa::TensorId src) { return copy(tile(dst), tile(src)); }
  std::uint32_t copy(const isa::Tile& dst, const isa::Tile& src,
                     isa::Engine engine = isa::Engine::vector) {
    return program_.append(isa::TensorCopy{.dst = dst, .src = src}, engine);
  }
  [[nodiscard]] isa::Engine engine(std::uint32_t i) const {
    return program_.instructions[i].engine;
  }
  // The producers of each instruction.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> producers(bool actors_in_order = true) {
    program_.compiled = true;
    DependenceTracker tracker(program_, actors_in_order);
    std::vector<std::vector<std::uint32_t>> found(program_.instructions.size());
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      for (const Dependence& d : tracker.next(i)) found[i].push_back(d.producer);
    }
    return found;
  }

  // All of a tensor.
  [[nodiscard]] isa::Tile tile(isa::TensorId id) const {
    isa::Tile tile = isa::tile_of(isa::view_of(program_, id));
    tile.offset += program_.tensors[id].address;
    return tile;
  }
  // Whether f holds for a tile of each of two instructions of which one is written.
  template <typename F>
  [[nodiscard]] bool any_hazard(std::uint32_t a, std::uint32_t b, F&& f) const {
    const auto& x = program_.as<isa::TensorCopy>(a);
    const auto& y = program_.as<isa::TensorCopy>(b);
    return f(x.dst, y.dst) || f(x.dst, y.src) || f(x.src, y.dst);
  }
  [[nodiscard]] bool overlap(const isa::Tile& one, const isa::Tile& other) const {
    return isa::region_of(program_, one).overlaps(isa::region_of(program_, other));
  }

 private:
  isa::Program program_;
};

using Producers = std::vector<std::uint32_t>;

TEST(Dependences, AnUpdateInPlaceComesAfterEarlierReadsByTheSameActor) {
  Copies copies;
  const isa::TensorId x = copies.tensor(0, 64), y = copies.tensor(1024, 64);
  copies.copy(y, x);
  copies.copy(x, x);
  EXPECT_EQ(copies.producers()[1], std::vector<std::uint32_t>{0});
}

TEST(Dependences, TensorsThatShareBytesSeeEachOther) {
  Copies k;
  const isa::TensorId source = k.tensor(65536, 256), sink = k.tensor(131072, 256);
  const isa::TensorId whole = k.tensor(0, 256), front = k.tensor(0, 256, 64);
  const std::uint32_t first = k.copy(whole, source);
  const std::uint32_t second = k.copy(front, source);
  const std::uint32_t read = k.copy(sink, whole);
  const std::uint32_t third = k.copy(whole, source);
  const auto found = k.producers();
  EXPECT_EQ(found[second], Producers{first});
  EXPECT_EQ(found[read], (Producers{first, second}));
  EXPECT_EQ(found[third], (Producers{first, second, read}));
}

TEST(Dependences, TensorsThatShareBytesSeeEachOtherWhereverTheFirstAccessWas) {
  Copies k;
  const isa::TensorId source = k.tensor(65536, 256), sink = k.tensor(131072, 256);
  const isa::TensorId whole = k.tensor(0, 256), back = k.tensor(512, 128);
  isa::Tile front = k.tile(whole);
  front.dims[0].count = 128;
  k.copy(front, k.tile(source));
  const std::uint32_t write = k.copy(back, source);
  isa::Tile shared = k.tile(whole);
  shared.dims[0].count = 128;
  shared.offset += 512;
  isa::Tile out = k.tile(sink);
  out.dims[0].count = 128;
  const std::uint32_t read = k.copy(out, shared);
  EXPECT_EQ(k.producers()[read], Producers{write});
}

TEST(Dependences, APlaceRemembersItsLastWriterOnly) {
  Copies k;
  const isa::TensorId source = k.tensor(131072, 8192);
  std::int64_t at = 0;
  // Round and round in 64 KiB with tensors of changing size, so that hardly two lie alike.
  for (std::int64_t i = 0; i < 2000; ++i) {
    const std::int64_t columns = 16 + i * 37 % 977;
    if (at + columns * 4 > 65536) at = 0;
    const isa::TensorId next = k.tensor(at, columns, i % 3 == 0 ? 64 : 128);
    k.copy(next, source);
    at += columns * 4;
  }
  std::size_t most = 0;
  for (const Producers& producers : k.producers()) most = std::max(most, producers.size());
  EXPECT_LT(most, 16u) << "an older writer was overwritten since";
}

// Frames of rows of 64 elements, written with a stride, and their middles, row by row; then read at
// every column by one engine. Tensor after tensor lies at the same place.
TEST(Dependences, APlaceThatIsWrittenWithAStrideRemembersItsLastReadersOnly) {
  constexpr std::int32_t rows = 4, width = 64, edge = 8;
  Copies k;
  const isa::TensorId source = k.tensor(131072, rows * width), sink = k.tensor(65536, 4096);
  const auto part = [&](isa::TensorId id, std::int32_t first, isa::Dim outer, std::int32_t count) {
    isa::Tile tile = k.tile(id);
    tile.offset += 4 * first;
    tile.rank = 2;
    tile.dims = {outer, isa::Dim{1, count}};
    return tile;
  };
  for (int turn = 0; turn < 40; ++turn) {
    const isa::TensorId next = k.tensor(0, rows * width);
    const isa::Dim all{width, rows}, one{width, 1};
    for (const std::int32_t at : {0, width - edge})
      k.copy(part(next, at, all, edge), part(source, at, all, edge));
    for (std::int32_t row = 0; row < rows; ++row) {
      const std::int32_t at = row * width + edge;
      k.copy(part(next, at, one, width - 2 * edge), part(source, at, one, width - 2 * edge));
    }
    for (std::int32_t column = 0; column < 32; ++column)
      k.copy(part(sink, 32 * turn + column, one, 1), part(next, column, all, 1),
             isa::Engine::gpsimd);
  }
  std::size_t most = 0;
  for (const Producers& producers : k.producers()) most = std::max(most, producers.size());
  EXPECT_LE(most, 64u) << "an older access was overwritten since";
}

// The elements of a block, by their place in a partition.
std::bitset<512> elements_of(const isa::Tile& tile) {
  std::bitset<512> all;
  for (std::int32_t row = 0; row < tile.dims[0].count; ++row) {
    for (std::int32_t column = 0; column < tile.dims[1].count; ++column)
      all.set(static_cast<std::size_t>(tile.offset / 4 + row * tile.dims[0].step +
                                       column * tile.dims[1].step));
  }
  return all;
}
bool share_elements(const isa::Tile& one, const isa::Tile& other) {
  return (elements_of(one) & elements_of(other)).any();
}

// Blocks of two tensors of 16 x 16 elements, of which the second lies over half of the first: many
// accesses of both by two engines, told apart by columns or by rows, some with every second column.
void check_order(std::uint64_t seed, bool actors_in_order) {
  constexpr std::uint32_t count = 400;
  base::Random random(seed);
  Copies k;
  const std::array ids{k.tensor(0, {1, 16, 16}), k.tensor(512, {1, 16, 16})};
  const auto below = [&](std::int32_t n) {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n)));
  };
  const auto block = [&] {
    isa::Tile tile = k.tile(ids.at(random.below(8) == 0 ? 1 : 0));
    const std::int32_t most = 1 + below(below(9) == 0 ? 16 : 3);
    const std::int32_t rows = seed % 2 == 0 ? 1 + below(2) : most;
    const std::int32_t columns = seed % 2 == 0 ? most : 1;
    const std::int32_t step = columns <= 8 ? 1 + below(2) : 1;
    tile.offset += 4 * (16 * below(17 - rows) + below(17 - step * columns));
    tile.rank = 2;
    tile.dims = {isa::Dim{16, rows}, isa::Dim{step, columns}};
    return tile;
  };
  for (std::uint32_t i = 0; i < count; ++i)
    k.copy(block(), block(), below(2) == 0 ? isa::Engine::vector : isa::Engine::gpsimd);
  const auto found = k.producers(actors_in_order);
  std::vector<std::bitset<count>> before(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t producer : found[i]) {
      EXPECT_TRUE(
          k.any_hazard(producer, i, [&](const auto& a, const auto& b) { return k.overlap(a, b); }))
          << producer << " and " << i << ", seed " << seed;
      before[i] |= before[producer];
      before[i].set(producer);
    }
    for (std::uint32_t earlier = 0; earlier < i; ++earlier) {
      if (!actors_in_order || k.engine(earlier) != k.engine(i)) continue;
      before[i] |= before[earlier];
      before[i].set(earlier);
    }
    for (std::uint32_t earlier = 0; earlier < i; ++earlier) {
      EXPECT_TRUE(before[i][earlier] || !k.any_hazard(earlier, i, share_elements))
          << earlier << " and " << i << ", seed " << seed;
    }
  }
}

TEST(Dependences, ManyAccessesAreOrderedAsIfEachWereLookedAt) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    check_order(seed, false);
    check_order(seed, true);
  }
}

}  // namespace
}  // namespace trainyard::compiler
