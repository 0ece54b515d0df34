// Do the selects, sequences and shuffles pick the documented elements?
#include <limits>

#include "base/random.h"
#include "isa/instructions/affine_select.h"
#include "isa/instructions/iota.h"
#include "isa/instructions/nc_stream_shuffle.h"
#include "isa/instructions/range_select.h"
#include "isa/instructions/select_reduce.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

using numerics::AluOp;
constexpr float lowest = std::numeric_limits<float>::lowest();

Pattern pattern(std::initializer_list<Dim> dims) {
  Pattern result;
  for (const Dim& dim : dims) result.push_back(dim);
  return result;
}

TEST(Iota, CountsFourNestedDimensions) {
  Lab lab;
  const Tile dst = lab.sbuf(DType::int32, 128, {24});
  lab.run(Iota{dst, pattern({{1000, 2}, {-100, 2}, {10, 2}, {1, 3}}), {5}, 7});
  for (const int p : {0, 1, 127}) {
    int i = 0;
    for (int w = 0; w < 2; ++w) {
      for (int z = 0; z < 2; ++z) {
        for (int y = 0; y < 2; ++y) {
          for (int x = 0; x < 3; ++x, ++i) {
            const int value = 5 + 7 * p + 1000 * w - 100 * z + 10 * y + x;
            EXPECT_EQ(lab.bits(dst, p, i), static_cast<std::uint32_t>(value));
          }
        }
      }
    }
  }
}

TEST(Iota, IsExactInWordsAndCastElsewhere) {
  Lab lab;
  const Tile words = lab.sbuf(DType::uint32, 1, {2}), bytes = lab.sbuf(DType::int8, 1, {2});
  const Tile halves = lab.sbuf(DType::float16, 1, {2});
  lab.run(Iota{words, pattern({{1, 2}}), {2147483646}, 0});
  EXPECT_EQ(lab.bits(words, 0, 1), 2147483647u);
  lab.run(Iota{bytes, pattern({{500, 2}}), {-300}, 0});
  EXPECT_THAT(lab.row(bytes, 0), testing::ElementsAre(-128, 127));
  lab.run(Iota{halves, pattern({{1, 2}}), {2048}, 0});
  EXPECT_THAT(lab.row(halves, 0), testing::ElementsAre(2048, 2048));
}

TEST(AffineSelect, MakesACausalMask) {
  Lab lab;
  AffineSelect op;
  op.dst = lab.sbuf(DType::bfloat16, 100, {10, 10});
  op.pattern = pattern({{-1, 100}});
  op.channel_multiplier = 1;
  op.on_true_tile = lab.sbuf(DType::float32, 100, {100});
  op.on_false_value = lowest;
  op.cmp_op = AluOp::greater_equal;
  lab.fill(op.on_true_tile, -1, 1);
  lab.run(op);
  lab.expect(op.dst, [&](int p, std::int64_t i) {
    return p - i >= 0 ? lab.get(op.on_true_tile, p, i) : lowest;
  });
  EXPECT_EQ(lab.get(op.dst, 0, 1), -std::numeric_limits<float>::infinity());
}

TEST(AffineSelect, CopiesWordsExactlyInPlace) {
  Lab lab;
  AffineSelect op;
  op.dst = op.on_true_tile = lab.sbuf(DType::int32, 1, {3});
  op.pattern = pattern({{1, 3}});
  op.offset.constant = -1;
  op.on_false_value = 7;
  for (int i = 0; i < 3; ++i) lab.set_bits(op.dst, 0, i, 16777217u + static_cast<unsigned>(i));
  lab.run(op);  // equal to 0 at i = 1
  EXPECT_EQ(lab.bits(op.dst, 0, 0), 7u);
  EXPECT_EQ(lab.bits(op.dst, 0, 1), 16777218u);
  EXPECT_EQ(lab.bits(op.dst, 0, 2), 7u);
}

TEST(AffineSelect, EveryComparisonOfRisingFallingAndWrappingPatterns) {
  const std::vector<std::vector<Dim>> patterns = {
      {{1, 40}},          {{-3, 40}},      {{0, 40}},         {{7, 4}, {-1, 10}},
      {{-5, 2}, {0, 20}}, {{1 << 30, 40}}, {{2, 40}, {9, 1}}, {{-1, 5}, {1 << 30, 2}, {3, 4}},
  };
  base::Random random(5);
  for (const auto& dims : patterns) {
    for (const AluOp op : {AluOp::equal, AluOp::not_equal, AluOp::less, AluOp::less_equal,
                           AluOp::greater, AluOp::greater_equal}) {
      Lab lab;
      AffineSelect select;
      select.dst = lab.sbuf(DType::float32, 64, {40});
      select.channel_multiplier = 1 + static_cast<int>(random.below(3));
      select.on_true_tile = lab.sbuf(DType::float32, 64, {40});
      select.on_false_value = -7;
      select.cmp_op = op;
      for (const Dim& dim : dims) select.pattern.push_back(dim);
      select.offset.constant = -40 + static_cast<int>(random.below(50));
      lab.fill(select.on_true_tile, -1, 1);
      lab.run(select);
      std::vector<std::int32_t> values;
      affine::fill(select.pattern, 0, values);
      lab.expect(select.dst, [&](int p, std::int64_t i) {
        const auto value = static_cast<std::int32_t>(
            static_cast<std::uint32_t>(values[static_cast<std::size_t>(i)]) +
            static_cast<std::uint32_t>(select.offset.constant + p * select.channel_multiplier));
        const bool kept = numerics::apply_int32(op, value, 0) != 0;
        return kept ? lab.get(select.on_true_tile, p, i) : -7.0F;
      });
    }
  }
}

RangeSelect range(Lab& lab, DType dtype, int n) {
  RangeSelect op;
  op.dst = lab.sbuf(dtype, 64, {n});
  op.on_true_tile = lab.psum(DType::float32, 64, {n});
  op.bound0 = lab.sbuf(DType::float32, 64, {1});
  op.bound1 = lab.sbuf(DType::float32, 64, {1});
  op.reduce_res = lab.sbuf(DType::float32, 64, {1});
  lab.fill(op.on_true_tile, -5, 5);
  lab.fill(op.bound0, 25, 80);
  lab.fill(op.bound1, 25, 80);
  return op;
}

bool compare(AluOp op, float a, float b) {
  switch (op) {
    case AluOp::equal: return a == b;
    case AluOp::less: return a < b;
    case AluOp::less_equal: return a <= b;
    case AluOp::greater: return a > b;
    default: return a >= b;
  }
}

TEST(RangeSelect, ComparesThePositionWithBothBounds) {
  Lab lab;
  RangeSelect op = range(lab, DType::float32, 70);
  op.range_start = 20;
  lab.set(op.bound0, 3, 0, 50);
  lab.set(op.bound1, 3, 0, 50);
  lab.set(op.bound0, 4, 0, std::nanf(""));
  const AluOp comparisons[] = {AluOp::equal, AluOp::less, AluOp::less_equal, AluOp::greater,
                               AluOp::greater_equal};
  for (const AluOp first : comparisons) {
    for (const AluOp second : comparisons) {
      op.comp_op0 = first;
      op.comp_op1 = second;
      lab.run(op);
      const auto wanted = [&](int p, std::int64_t i) {
        const auto at = static_cast<float>(20 + i);
        return compare(first, at, lab.get(op.bound0, p, 0)) &&
                       compare(second, at, lab.get(op.bound1, p, 0))
                   ? lab.get(op.on_true_tile, p, i)
                   : lowest;
      };
      lab.expect(op.dst, wanted);
      lab.expect(op.reduce_res, [&](int p, std::int64_t) {
        float most = -std::numeric_limits<float>::infinity();
        for (int i = 0; i < 70; ++i) most = std::max(most, wanted(p, i));
        return most;
      });
    }
  }
}

TEST(RangeSelect, MaskedElementsBecomeMinusInfinityBelow32Bits) {
  Lab lab;
  for (const DType dtype :
       {DType::bfloat16, DType::float16, DType::float8_e5m2, DType::float8_e4m3}) {
    RangeSelect op = range(lab, dtype, 4);
    for (int p = 0; p < 64; ++p) lab.set(op.bound1, p, 0, -1);  // nothing passes
    lab.run(op);
    EXPECT_EQ(lab.get(op.dst, 5, 2), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(lab.get(op.reduce_res, 5, 0), lowest);  // the reduction is not narrowed
  }
}

TEST(RangeSelect, CarriesTheMaximumOn) {
  Lab lab;
  RangeSelect op = range(lab, DType::float32, 8);
  for (int p = 0; p < 64; ++p) {
    lab.set(op.bound0, p, 0, 0);
    lab.set(op.bound1, p, 0, 100);
  }
  lab.set(op.on_true_tile, 9, 3, 50);
  lab.run(op);
  lab.fill(op.on_true_tile, -5, 5);
  op.reduce_cmd = ReduceCmd::reduce;
  lab.run(op);
  EXPECT_EQ(lab.get(op.reduce_res, 9, 0), 50);
  op.reduce_cmd = ReduceCmd::reset_reduce;
  lab.run(op);
  EXPECT_LT(lab.get(op.reduce_res, 9, 0), 5);
}

TEST(SelectReduce, SelectsAndReducesFromMinusInfinity) {
  Lab lab;
  SelectReduce op;
  op.dst = lab.sbuf(DType::float32, 64, {30});
  op.predicate = lab.sbuf(DType::int8, 64, {30});
  op.on_true = lab.psum(DType::bfloat16, 64, {5, 6});
  op.on_false.tile = lab.sbuf(DType::float32, 64, {1});
  op.reduce_res = lab.sbuf(DType::float32, 64, {1});
  op.reduce_cmd = ReduceCmd::reset_reduce;
  lab.fill(op.predicate, -1, 1);
  lab.fill(op.on_true, -5, -1);
  lab.fill(op.on_false.tile, -5, -1);
  for (const bool reverse : {false, true}) {
    op.reverse_pred = reverse;
    lab.run(op);
    const auto wanted = [&](int p, std::int64_t i) {
      return (lab.bits(op.predicate, p, i) != 0) != reverse ? lab.get(op.on_true, p, i)
                                                            : lab.get(op.on_false.tile, p, 0);
    };
    lab.expect(op.dst, wanted);
    lab.expect(op.reduce_res, [&](int p, std::int64_t) {
      float most = wanted(p, 0);
      for (int i = 1; i < 30; ++i) most = std::max(most, wanted(p, i));
      return most;
    });
  }
}

TEST(NcStreamShuffle, MovesRowsInEachQuadrantInPlace) {
  Lab lab;
  NcStreamShuffle op;
  op.dst = op.src = lab.strided(Space::sbuf, DType::bfloat16, 128, {{3, 5}});
  for (int i = 0; i < 32; ++i) op.shuffle_mask.push_back(i == 9 ? 255 : (5 * i + 3) % 32);
  lab.fill_bits(op.src);
  std::vector<std::uint32_t> old;
  for (int p = 0; p < 128; ++p) old.push_back(lab.bits(op.src, p, 4));
  lab.run(op);
  for (int p = 0; p < 128; ++p) {
    const int from = p % 32 == 9 ? p : p / 32 * 32 + (5 * (p % 32) + 3) % 32;
    EXPECT_EQ(lab.bits(op.dst, p, 4), old[static_cast<std::size_t>(from)]);
  }
}

TEST(NcStreamShuffle, BroadcastsOneRowToAnotherQuadrant) {
  Lab lab;
  NcStreamShuffle op;
  op.src = lab.sbuf(DType::float32, 1, {3});
  op.dst = lab.psum(DType::float32, 32, {3}, 96);
  for (int i = 0; i < 32; ++i) op.shuffle_mask.push_back(0);
  lab.set_row(op.src, 0, {1, 2, 3});
  lab.run(op);
  EXPECT_THAT(lab.row(op.dst, 31), testing::ElementsAre(1, 2, 3));
  const NcStreamShuffle& record = op;
  EXPECT_EQ(info_of<NcStreamShuffle>().access(&record, 0), Access::write);
  op.shuffle_mask.items[3] = 255;
  EXPECT_EQ(info_of<NcStreamShuffle>().access(&record, 0), Access::write_some);
}

}  // namespace
}  // namespace trainyard::isa
