// Do the searches, gathers and lists find what the documents say they find?
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "isa/instructions/local_gather.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/nc_find_index8.h"
#include "isa/instructions/nc_match_replace8.h"
#include "isa/instructions/nc_n_gather.h"
#include "isa/instructions/nonzero_with_count.h"
#include "isa/instructions/sequence_bounds.h"
#include "isa/instructions/topk.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> words(Lab& lab, const Tile& tile, int p) {
  std::vector<std::uint32_t> result;
  for (std::int64_t i = 0; i < tile.free_elements(); ++i) result.push_back(lab.bits(tile, p, i));
  return result;
}

TEST(Max8, SortsTheLargestDescending) {
  Lab lab;
  const Max8 op{lab.sbuf(DType::float32, 128, {8}),
                lab.strided(Space::sbuf, DType::bfloat16, 128, {{50, 3}, {2, 20}})};
  lab.fill(op.src, -9, 9);
  lab.run(op);
  for (int p = 0; p < 128; ++p) {
    std::vector<float> sorted = lab.row(op.src, p);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    sorted.resize(8);
    ASSERT_EQ(lab.row(op.dst, p), sorted);
  }
}

TEST(Max8, KeepsDuplicatesAndMinusInfinity) {
  Lab lab;
  const Max8 op{lab.sbuf(DType::float32, 1, {8}), lab.sbuf(DType::float32, 1, {9})};
  const float inf = std::numeric_limits<float>::infinity();
  lab.set_row(op.src, 0, {-inf, 2, 2, -inf, 5, 5, 5, -inf, 1});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 0), ElementsAre(5, 5, 5, 2, 2, 1, -inf, -inf));
}

TEST(NcFindIndex8, DuplicatesTakeSuccessiveOccurrences) {
  Lab lab;
  NcFindIndex8 op{lab.sbuf(DType::uint32, 1, {8}), lab.sbuf(DType::float32, 1, {11}),
                  lab.sbuf(DType::float32, 1, {8})};
  lab.set_row(op.data, 0, {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8});
  lab.set_row(op.vals, 0, {3, 8, 8, 7, 8, 1, 1, 8});
  lab.run(op);
  EXPECT_THAT(words(lab, op.dst, 0), ElementsAre(2, 4, 5, 0xFFFFFFFFu, 6, 0, 0xFFFFFFFFu, 7));
  op.dst = lab.sbuf(DType::uint16, 1, {8});
  lab.run(op);
  EXPECT_THAT(words(lab, op.dst, 0), ElementsAre(2, 4, 5, 0xFFFFu, 6, 0, 0xFFFFu, 7));
}

TEST(NcMatchReplace8, GivesTheEarliestMatchToTheHighestSlot) {
  Lab lab;
  NcMatchReplace8 op{lab.sbuf(DType::float32, 1, {11}), lab.sbuf(DType::float32, 1, {11}),
                     lab.sbuf(DType::float32, 1, {8}), -1, lab.sbuf(DType::uint32, 1, {8})};
  lab.set_row(op.data, 0, {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8});
  lab.set_row(op.vals, 0, {3, 8, 8, 8, 8, 8, 8, 8});
  lab.run(op);  // the example of the documentation
  EXPECT_THAT(words(lab, op.dst_idx, 0), ElementsAre(2, 10, 9, 8, 7, 6, 5, 4));
  EXPECT_THAT(lab.row(op.dst, 0), ElementsAre(1, 2, -1, 4, -1, -1, -1, -1, -1, -1, -1));
}

TEST(NcMatchReplace8, ReplacesOneOccurrenceOfEachInPlace) {
  Lab lab;
  NcMatchReplace8 op;
  op.dst = op.data = lab.sbuf(DType::float32, 2, {8});
  op.vals = lab.sbuf(DType::float32, 2, {8});
  op.imm = -std::numeric_limits<double>::infinity();
  const float inf = std::numeric_limits<float>::infinity();
  lab.set_row(op.data, 1, {5, 4, 5, 3, 2, 1, 5, 0});
  lab.set_row(op.vals, 1, {5, 5, 9, 9, 9, 9, 9, 0});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 1), ElementsAre(-inf, 4, -inf, 3, 2, 1, 5, -inf));
}

TEST(LocalGather, ReadsIndexListsPartitionFirst) {
  Lab lab;
  LocalGather op;
  op.src_buffer = lab.sbuf(DType::int16, 32, {8, 4});
  op.index = lab.sbuf(DType::uint16, 32, {2});
  op.num_elem_per_idx = 4;
  op.num_valid_indices = 20;
  op.dst = lab.sbuf(DType::int16, 32, {20, 4});
  lab.fill_bits(op.src_buffer);
  for (int p = 0; p < 32; ++p) {
    for (int c = 0; c < 2; ++c)
      lab.set_bits(op.index, p, c, static_cast<std::uint32_t>(lab.random().below(8) * 4));
  }
  lab.run(op);
  for (int p = 0; p < 32; ++p) {
    for (int k = 0; k < 20; ++k) {
      const std::uint32_t from = lab.bits(op.index, p / 16 * 16 + k % 16, k / 16);
      for (int j = 0; j < 4; ++j)
        ASSERT_EQ(lab.bits(op.dst, p, 4 * k + j),
                  lab.bits(op.src_buffer, p, from + static_cast<unsigned>(j)));
    }
  }
}

TEST(NcNGather, PicksFromTheFlattenedRow) {
  Lab lab;
  NcNGather op;
  op.data = lab.strided(Space::sbuf, DType::float32, 50, {{20, 3}, {2, 7}});
  op.indices = lab.sbuf(DType::uint32, 50, {2, 5});
  op.dst = lab.sbuf(DType::float32, 50, {10});
  lab.fill_bits(op.data);
  for (int p = 0; p < 50; ++p) {
    for (int i = 0; i < 10; ++i)
      lab.set_bits(op.indices, p, i, static_cast<std::uint32_t>(lab.random().below(21)));
  }
  lab.run(op);
  for (int p = 0; p < 50; ++p) {
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(lab.bits(op.dst, p, i), lab.bits(op.data, p, lab.bits(op.indices, p, i)));
  }
  lab.set_bits(op.indices, 49, 9, 21);
  EXPECT_THROW(lab.run(op), base::Fault);
}

TEST(NonzeroWithCount, WritesEverySixteenthPartitionOnly) {
  Lab lab;
  NonzeroWithCount op;
  op.src = lab.sbuf(DType::float32, 40, {8});
  op.dst = lab.sbuf(DType::int32, 40, {9});
  op.index_offset = 16;
  for (int p = 0; p < 40; ++p) {
    lab.set_row(op.src, p, {0, 1, -1, 0, -0.0F, 2, 0, 0});
    lab.set_bits(op.dst, p, 0, 99);
  }
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 0), ElementsAre(17, 18, 21, -1, -1, -1, -1, -1, 3));
  EXPECT_THAT(lab.row(op.dst, 32), ElementsAre(17, 18, 21, -1, -1, -1, -1, -1, 3));
  EXPECT_EQ(lab.bits(op.dst, 1, 0), 99u);
}

TEST(SequenceBounds, MarksRunsAndPadding) {
  Lab lab;
  SequenceBounds op;
  op.segment_ids = lab.sbuf(DType::int32, 1, {9});
  op.dst = lab.sbuf(DType::int32, 1, {2, 9});
  const std::uint32_t ids[] = {0, 1, 1, 2, 2, 2, 0, 3, 3};
  for (int i = 0; i < 9; ++i) lab.set_bits(op.segment_ids, 0, i, ids[i]);
  lab.run(op);  // the example of the documentation
  EXPECT_THAT(lab.row(op.dst, 0),
              ElementsAre(9, 1, 1, 3, 3, 3, 9, 7, 7, -1, 3, 3, 6, 6, 6, -1, 9, 9));
}

TEST(Topk, SortsEachGroupAscendingDownThePartitions) {
  Lab lab;
  Topk op;
  op.src = lab.sbuf(DType::bfloat16, 32, {3});
  op.val_dst = lab.sbuf(DType::bfloat16, 32, {19});
  op.idx_dst = lab.sbuf(DType::uint32, 32, {19});
  op.n = 42;
  lab.fill(op.src, -2, 2);
  lab.fill(op.val_dst, 7, 8);
  const float kept = lab.get(op.val_dst, 3, 1);  // the second column has three results
  lab.run(op);
  for (int group = 0; group < 2; ++group) {
    std::vector<std::pair<float, int>> list;
    for (int e = 0; e < 42; ++e) list.push_back({lab.get(op.src, 16 * group + e % 16, e / 16), -e});
    std::sort(list.begin(), list.end());
    list.erase(list.begin(), list.end() - 19);
    for (int j = 0; j < 19; ++j) {
      const int p = 16 * group + j % 16, column = j / 16;
      const float value = list[static_cast<std::size_t>(j)].first;
      EXPECT_EQ(lab.get(op.val_dst, p, column), value);
      const auto at = static_cast<int>(lab.bits(op.idx_dst, p, column));
      EXPECT_EQ(lab.get(op.src, 16 * group + at % 16, at / 16), value);
      EXPECT_LT(at, 42);
    }
  }
  EXPECT_EQ(lab.get(op.val_dst, 3, 1), kept);
}

TEST(Topk, TakesTheLowerOfEqualPositions) {
  Lab lab;
  Topk op;
  op.src = lab.sbuf(DType::bfloat16, 16, {1});
  op.val_dst = lab.sbuf(DType::bfloat16, 16, {3});
  op.idx_dst = lab.sbuf(DType::uint32, 16, {3});
  op.n = 16;
  for (int p = 0; p < 16; ++p) lab.set(op.src, p, 0, p % 4 == 2 ? 1.0F : 0.0F);
  lab.run(op);
  for (int j = 0; j < 3; ++j) EXPECT_EQ(lab.bits(op.idx_dst, j, 0), 2u + 4u * unsigned(j));
}

}  // namespace
}  // namespace trainyard::isa
