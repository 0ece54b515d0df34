#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "compiler/lowering/emit/strided.h"

namespace trainyard::compiler {
namespace {

// The places of all elements of a walk, in order.
std::vector<std::int64_t> places(std::span<const Extent> dims, std::int64_t offset = 0) {
  if (dims.empty()) return {offset};
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < dims[0].size; ++i) {
    const auto inner = places(dims.subspan(1), offset + i * dims[0].step);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

Strided whole(std::vector<std::int64_t> shape) {
  return dense(isa::TensorId{0}, isa::DType::float32, shape);
}

TEST(Strided, MergingKeepsTheWalk) {
  const std::vector<Extent> dims{{2, 60}, {3, 20}, {1, 7}, {4, 0}, {5, 1}};
  const std::vector<Extent> walk = merged(dims);
  EXPECT_EQ(walk, (std::vector<Extent>{{6, 20}, {4, 0}, {5, 1}}));
  EXPECT_EQ(places(walk), places(dims));
}

TEST(Strided, AReshapeIsAViewWhereTheWalkStaysTheSame) {
  const std::array<std::int64_t, 3> order{2, 0, 1};
  const Strided value = permuted(whole({4, 6, 5}), order);  // [5, 4, 6]
  const std::array<std::int64_t, 3> shape{5, 8, 3};
  const auto view = reshaped(value, shape);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(places(view->dims), places(value.dims));
  const std::array<std::int64_t, 2> joined{20, 6};  // joins dimensions that lie apart
  EXPECT_EQ(reshaped(value, joined), std::nullopt);
}

TEST(Strided, PiecesCoverARangeInOrder) {
  const std::vector<Extent> dims{{3, 100}, {4, 10}, {5, 1}};
  const std::vector<std::int64_t> all = places(dims);
  for (const std::size_t rank : {1u, 2u, 3u}) {
    for (std::int64_t begin = 0; begin < 60; ++begin) {
      for (std::int64_t end = begin; end <= 60; ++end) {
        std::vector<std::int64_t> covered;
        for (const Piece& piece : pieces(dims, begin, end, rank)) {
          EXPECT_EQ(piece.begin, begin + static_cast<std::int64_t>(covered.size()));
          EXPECT_LE(piece.dims.size(), rank);
          const auto part = places(piece.dims, piece.offset);
          covered.insert(covered.end(), part.begin(), part.end());
        }
        EXPECT_EQ(covered, std::vector<std::int64_t>(all.begin() + begin, all.begin() + end))
            << begin << " " << end << " " << rank;
      }
    }
  }
}

TEST(Strided, ABroadcastRepeatsAndASliceSkips) {
  const std::array<std::int64_t, 1> place{1};
  const std::array<std::int64_t, 2> shape{2, 6};
  const Strided repeated = broadcast(whole({6}), place, shape);
  EXPECT_EQ(places(repeated.dims), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  const std::array<std::int64_t, 2> starts{0, 1}, limits{2, 6}, strides{1, 2};
  const Strided part = sliced(repeated, starts, limits, strides);
  EXPECT_EQ(places(part.dims, part.offset), (std::vector<std::int64_t>{1, 3, 5, 1, 3, 5}));
}

}  // namespace
}  // namespace trainyard::compiler
