// How far an index may go is said once (isa/core/run_time_index.h); here by what it places.
#include "isa/core/run_time_index.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "bench.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_copy.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

// The tile's first dimension made `count` elements, from element `first` of the tensor on.
Tile part(Tile tile, int count, std::int64_t first = 0) {
  tile.dims[0].count = count;
  tile.offset += first * tile.element_bytes();
  return tile;
}

TEST(IndexEnd, IsWhereThePatternLeavesItsTensor) {
  Bench b;
  const Tile table = b.hbm(DType::float32, {16, 8});
  const Tile tile = b.sbuf(DType::float32, 32, {64});
  const Tile list = b.sbuf(DType::int32, 32, {4});
  const auto end = [&](const Tile& t) { return index_end(t, b.program); };
  EXPECT_EQ(end(b.by_register(part(tile, 8), 0)), 57);
  EXPECT_EQ(end(b.by_register(part(tile, 8), 0, 8)), 8);
  EXPECT_EQ(end(b.by_register(part(tile, 8, 56), 0, -8)), 8) << "downwards";
  EXPECT_EQ(end(b.by_tile(part(table, 10), list, 8)), 7);
  EXPECT_EQ(end(b.by_rows(table, list, 8)), 16) << "a row at a time";
  EXPECT_EQ(end(b.by_rows(part(table, 16, 24), list, 8)), 13);
  EXPECT_EQ(end(b.indirect(part(tile, 64, 0), list, 64, 32)), 64) << "an element at a time";
  EXPECT_EQ(end(b.indirect(part(tile, 8, 56), list, 8, 32)), 8);
}

TEST(IndexEnd, IsTheLimitWhereThatComesFirst) {
  Bench b;
  const Tile tile = b.sbuf(DType::float32, 32, {64});
  EXPECT_EQ(index_end(b.by_register(part(tile, 8), 0, 1, 20), b.program), 20);
  EXPECT_EQ(index_end(b.by_register(part(tile, 8), 0, 1, 100), b.program), 57);
  EXPECT_EQ(index_end(b.by_register(part(tile, 8), 0, 0, 5), b.program), 5) << "goes nowhere";
}

TEST(IndexEnd, CannotOverflow) {
  Bench b;
  const Tile tile = b.sbuf(DType::float32, 32, {64});
  EXPECT_EQ(index_end(b.by_register(tile, 0, std::int64_t{1} << 48), b.program), 1);
}

// Without checks as well: an index beyond is never followed.
TEST(RunTimeIndex, BeyondItsTensorIsAFault) {
  for (const std::int32_t index : {-1, 56, 57}) {
    Bench b;
    const Tile source = b.sbuf(DType::float32, 32, {64});
    const Tile target = b.sbuf(DType::float32, 32, {8});
    const Tile moving = b.by_register(part(source, 8), 0);
    Runner run(b);
    for (auto& registers : run.state().registers) registers[0] = index;
    const TensorCopy op{.dst = target, .src = moving};
    if (index == 56) {
      EXPECT_NO_THROW(run.run(op, Engine::vector));
      continue;
    }
    try {
      run.run(op, Engine::vector);
      FAIL() << "no fault";
    } catch (const base::Fault& fault) {
      EXPECT_EQ(fault.category(), base::FaultCategory::out_of_bounds);
      EXPECT_EQ(fault.violation().label, "dynamic.bounds");
    }
  }
}

}  // namespace
}  // namespace trainyard::isa
