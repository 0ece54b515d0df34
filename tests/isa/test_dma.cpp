// Do the DMA instructions move, gather, scatter and add the elements that their regions name?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/instructions/dma_compute.h"
#include "isa/instructions/dma_copy.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAreArray;

TEST(DmaCopy, MovesBetweenAnyTwoMemories) {
  constexpr int P = 16, F = 8;
  Bench b;
  const Tile a = b.hbm(DType::bfloat16, {P, F}), c = b.sbuf(DType::bfloat16, P, {F});
  const Tile d = b.sbuf(DType::bfloat16, P, {F}), e = b.hbm(DType::bfloat16, {P, F});
  const Tile f = b.hbm(DType::bfloat16, {P, F});
  Runner run(b);
  const std::vector<float> values = small_integers(P * F, 1, 100);
  run.write(a, values);
  run.run(DmaCopy{.dst = c, .src = a});
  run.run(DmaCopy{.dst = d, .src = c});
  run.run(DmaCopy{.dst = e, .src = d});
  run.run(DmaCopy{.dst = f, .src = e});
  EXPECT_THAT(run.read(f), ElementsAreArray(values));
}

// A tile may start at any partition, and rows need not have the same length on both sides.
TEST(DmaCopy, KeepsElementOrderWhenShapesDiffer) {
  Bench b;
  const Tile flat = b.hbm(DType::float32, {96});
  Tile tile = b.sbuf(DType::bfloat16, 20, {2, 4});
  tile.partition_start = 5;
  tile.partitions = 12;
  Runner run(b);
  const std::vector<float> values = small_integers(96, 2, 50);
  run.write(flat, values);
  run.run(DmaCopy{.dst = tile, .src = flat});
  EXPECT_THAT(run.read(tile), ElementsAreArray(values));
}

TEST(DmaCopy, CastsThroughFloat32) {
  Bench b;
  const Tile wide = b.hbm(DType::float32, {4}), narrow = b.sbuf(DType::int8, 4, {1});
  Runner run(b);
  run.write(wide, {1.5F, 2.5F, -300, 77.4F});
  run.run(DmaCopy{.dst = narrow, .src = wide});
  EXPECT_THAT(run.read(narrow), testing::ElementsAre(2, 2, -128, 77));
}

TEST(DmaCopy, AddsScalarOffsets) {
  constexpr int P = 4, F = 8;
  Bench b;
  const Tile table = b.hbm(DType::int32, {10, F});
  Tile window = table;
  window.dims[0].count = P;
  const Tile dst = b.sbuf(DType::int32, P, {F}), second = b.sbuf(DType::int32, P, {F});
  const Tile place = b.sbuf(DType::int32, 1, {1});
  DmaCopy by_register{.dst = dst, .src = b.by_register(window, 7, F)};
  DmaCopy by_tile{.dst = second, .src = b.by_tile(window, place, F, 7)};
  Runner run(b);
  const std::vector<float> values = small_integers(10 * F, 3, 1000);
  run.write(table, values);
  run.state().registers[static_cast<std::size_t>(Engine::sync)][7] = 3;
  run.run(by_register, Engine::sync);
  const std::vector<float> expected(values.begin() + 3 * F, values.begin() + (3 + P) * F);
  EXPECT_THAT(run.read(dst), ElementsAreArray(expected));
  run.write(place, {3});
  run.run(by_tile, Engine::sync);
  EXPECT_THAT(run.read(second), ElementsAreArray(expected));
  run.write(place, {7});
  EXPECT_THROW(run.run(by_tile, Engine::sync), base::Fault);
}

struct Gather {
  static constexpr int P = 8, F = 6, rows = 20;
  Bench b;
  Tile table = b.hbm(DType::float32, {rows, F}), index = b.sbuf(DType::int32, P, {1});
  Tile side = b.sbuf(DType::float32, P, {F});
  Tile chosen;
  std::vector<float> values = small_integers(rows * F, 4, 1000), data = small_integers(P * F, 5);
  std::vector<float> list{19, 0, 7, 7, 3, 12, 1, 5};

  Gather() {
    Tile pattern = table;
    pattern.dims[0].count = P;
    chosen = b.by_rows(pattern, index, F, rows);
  }
  void fill(Runner& run) {
    run.write(table, values);
    run.write(side, data);
    run.write(index, list);
  }
  [[nodiscard]] float& at(std::vector<float>& matrix, float row, std::size_t f) const {
    return matrix[static_cast<std::size_t>(row) * F + f];
  }
};

TEST(DmaCopy, GathersRows) {
  Gather g;
  Runner run(g.b);
  g.fill(run);
  run.run(DmaCopy{.dst = g.side, .src = g.chosen});
  std::vector<float> expected;
  for (const float row : g.list) {
    for (std::size_t f = 0; f < Gather::F; ++f) expected.push_back(g.at(g.values, row, f));
  }
  EXPECT_THAT(run.read(g.side), ElementsAreArray(expected));
}

TEST(DmaCopy, ScattersRows) {
  Gather g;
  g.list[3] = 8;
  Runner run(g.b);
  g.fill(run);
  run.run(DmaCopy{.dst = g.chosen, .src = g.side});
  std::vector<float> expected = g.values;
  for (std::size_t p = 0; p < Gather::P; ++p) {
    for (std::size_t f = 0; f < Gather::F; ++f)
      g.at(expected, g.list[p], f) = g.data[p * Gather::F + f];
  }
  EXPECT_THAT(run.read(g.table), ElementsAreArray(expected));
}

TEST(DmaCopy, RowsOutOfBoundsFaultOrAreSkipped) {
  Gather g;
  g.list[2] = -1;
  g.list[5] = 20;
  Runner run(g.b);
  g.fill(run);
  DmaCopy op{.dst = g.side, .src = g.chosen};
  try {
    run.run(op);
    FAIL() << "no fault";
  } catch (const base::Fault& fault) {
    EXPECT_EQ(fault.category(), base::FaultCategory::out_of_bounds);
  }
  g.fill(run);
  op.oob_mode = OobMode::skip;
  run.run(op);
  const std::vector<float> out = run.read(g.side);
  for (std::size_t p = 0; p < Gather::P; ++p) {
    for (std::size_t f = 0; f < Gather::F; ++f) {
      const float expected =
          p == 2 || p == 5 ? g.data[p * Gather::F + f] : g.at(g.values, g.list[p], f);
      EXPECT_EQ(out[p * Gather::F + f], expected);
    }
  }
}

TEST(DmaCompute, AddsInOrderAndCasts) {
  Bench b;
  DmaCompute op;
  op.dst = b.sbuf(DType::bfloat16, 1, {3});
  for (int i = 0; i < 3; ++i) op.srcs.push_back(b.hbm(DType::float32, {3}));
  Runner run(b);
  run.write(op.srcs.items[0], {1, 1e30F, 3});
  run.write(op.srcs.items[1], {2, -1e30F, 4});
  run.write(op.srcs.items[2], {4, 1, 5});
  run.run(op);
  EXPECT_THAT(run.read(op.dst), testing::ElementsAre(7, 1, 12));
}

TEST(DmaCompute, AddsToScatteredRows) {
  Gather g;
  g.list[3] = 8;
  DmaCompute op;
  op.dst = g.chosen;
  op.srcs.push_back(g.chosen);
  op.srcs.push_back(g.side);
  Runner run(g.b);
  g.fill(run);
  run.run(op);
  std::vector<float> expected = g.values;
  for (std::size_t p = 0; p < Gather::P; ++p) {
    for (std::size_t f = 0; f < Gather::F; ++f)
      g.at(expected, g.list[p], f) += g.data[p * Gather::F + f];
  }
  EXPECT_THAT(run.read(g.table), ElementsAreArray(expected));
}

TEST(DmaCompute, AddsGatheredRowsAndSkipsThoseOutOfBounds) {
  Gather g;
  g.list[1] = 99;
  DmaCompute op;
  op.dst = g.side;
  op.srcs.push_back(g.side);
  op.srcs.push_back(g.chosen);
  op.oob_mode = OobMode::skip;
  Runner run(g.b);
  g.fill(run);
  run.run(op);
  const std::vector<float> out = run.read(g.side);
  for (std::size_t p = 0; p < Gather::P; ++p) {
    for (std::size_t f = 0; f < Gather::F; ++f) {
      const float old = g.data[p * Gather::F + f];
      EXPECT_EQ(out[p * Gather::F + f], p == 1 ? old : old + g.at(g.values, g.list[p], f));
    }
  }
}

TEST(DmaCompute, RefusesToScatterTwiceToOneRow) {
  Gather g;
  DmaCompute op;
  op.dst = g.chosen;
  op.srcs.push_back(g.chosen);
  op.srcs.push_back(g.side);
  Runner run(g.b);
  g.fill(run);
  EXPECT_THROW(run.run(op), base::Fault);
}

}  // namespace
}  // namespace trainyard::isa
