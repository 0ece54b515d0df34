// When does the array load and move: loads behind moves, reuse, the clock limit, tiles side by
// side, transposes beside other passes?
#include "engines/tensor_pipe.h"

#include <gtest/gtest.h>

#include "machine/machine.h"

namespace trainyard::engines {
namespace {

using base::Cycles;
using base::Ticks;

// A machine with round figures: a load takes 100 cycles, a move 400, a result 10 more.
machine::Core round_core(const char* name) {
  machine::Core core = machine::load(name).core;
  core.throttle.enabled = false;
  core.tensor.min_interval = {64};
  core.array.fill = {7};
  core.array.drain = {3};
  core.array.load_in_background = true;
  return core;
}
constexpr isa::Passes plain{.count = 1, .load = {100}, .move = {400}, .overhead = {}};

class Pipe : public testing::Test {
 protected:
  [[nodiscard]] Ticks cycles(std::int64_t n) const { return core_.tensor.clock(Cycles{n}); }
  machine::Core core_ = round_core("trn3");
};

TEST_F(Pipe, AResultIsThereBehindLoadMoveAndTheWayThroughTheArray) {
  TensorPipe pipe(core_);
  const TensorPipe::Plan plan = pipe.run(cycles(1000), plain, false);
  EXPECT_EQ(plan.begin, cycles(1000));
  EXPECT_EQ(plan.moved, cycles(1100));
  EXPECT_EQ(plan.end, cycles(1500));
  EXPECT_EQ(plan.worked, plan.end);
  EXPECT_EQ(plan.commit, cycles(1510));
  EXPECT_EQ(plan.next, plan.moved);
}

TEST_F(Pipe, ALoadHidesBehindTheMoveBeforeIt) {
  TensorPipe pipe(core_);
  const TensorPipe::Plan first = pipe.run(Ticks{0}, plain, false);
  const TensorPipe::Plan second = pipe.run(first.next, plain, false);
  EXPECT_EQ(second.moved, first.end);
}

TEST_F(Pipe, WithoutBackgroundLoadsTheArrayWaits) {
  core_.array.load_in_background = false;
  TensorPipe pipe(core_);
  const TensorPipe::Plan first = pipe.run(Ticks{0}, plain, false);
  const TensorPipe::Plan second = pipe.run(first.next, plain, false);
  EXPECT_EQ(second.moved, first.end + cycles(100));
}

TEST_F(Pipe, ALoadedOperandIsNotLoadedAgain) {
  TensorPipe pipe(core_);
  (void)pipe.run(Ticks{0}, plain, false);
  const TensorPipe::Plan late = pipe.run(cycles(5000), plain, true);
  EXPECT_EQ(late.moved, cycles(5000));
}

TEST_F(Pipe, TwoPassesLoadTwiceEvenWhenReused) {
  TensorPipe pipe(core_);
  const isa::Passes twice{.count = 2, .load = {100}, .move = {400}, .overhead = {}};
  const TensorPipe::Plan plan = pipe.run(Ticks{0}, twice, true);
  EXPECT_EQ(plan.moved, cycles(500));  // the second load hides behind the first move
  EXPECT_EQ(plan.end, cycles(900));
}

TEST_F(Pipe, AShortMoveKeepsTheArrayForTheLeastInterval) {
  TensorPipe pipe(core_);
  const isa::Passes column{.count = 1, .load = {8}, .move = {1}, .overhead = {}};
  const TensorPipe::Plan first = pipe.run(Ticks{0}, column, false);
  const TensorPipe::Plan second = pipe.run(first.next, column, false);
  EXPECT_EQ(second.moved - first.moved, cycles(64));
  EXPECT_EQ(first.commit - first.moved, cycles(11));
}

TEST_F(Pipe, DisjointTilesWorkSideBySideOnceLoaded) {
  TensorPipe pipe(core_);
  for (std::int64_t i = 0; i < 4; ++i) {
    isa::Passes tile = plain;
    tile.part = {.rows = 32, .columns = 128, .start_row = 32 * i, .start_column = 0};
    const TensorPipe::Plan plan = pipe.run(Ticks{0}, tile, false);
    EXPECT_EQ(plan.moved, cycles(100 * (i + 1)));  // loads take turns
    EXPECT_EQ(plan.end, cycles(100 * (i + 1) + 400));
  }
}

TEST_F(Pipe, OverlappingTilesTakeTurns) {
  TensorPipe pipe(core_);
  isa::Passes half = plain, whole_columns = plain;
  half.part = {.rows = 64, .columns = 64, .start_row = 64, .start_column = 64};
  whole_columns.part = {.rows = 128, .columns = 64, .start_row = 0, .start_column = 64};
  const TensorPipe::Plan first = pipe.run(Ticks{0}, half, false);
  EXPECT_EQ(pipe.run(first.next, whole_columns, false).moved, first.end);
}

TEST_F(Pipe, AChainOfTransposesRunsAtTwiceTheSpeedWhereTheyMayRunBesideOthers) {
  const auto length = [](const machine::Core& core) {
    TensorPipe pipe(core);
    isa::Passes transpose{
        .count = 1, .load = {32}, .move = {128}, .overhead = {}, .transposes = true};
    Ticks now{0};
    Ticks end{0};
    for (int i = 0; i < 100; ++i) {
      const TensorPipe::Plan plan = pipe.run(now, transpose, false);
      now = plan.next;
      end = std::max(end, plan.end);
    }
    return end;
  };
  const machine::Core before = round_core("trn2");
  EXPECT_EQ(length(before), before.tensor.clock(Cycles{32 + 100 * 128}));
  EXPECT_LE(length(core_), cycles(32 + 51 * 128));
}

TEST_F(Pipe, ATransposeDoesNotDelayTheMatmulItRunsBeside) {
  TensorPipe pipe(core_);
  const isa::Passes transpose{
      .count = 1, .load = {32}, .move = {128}, .overhead = {}, .transposes = true};
  const TensorPipe::Plan first = pipe.run(Ticks{0}, plain, false);
  const TensorPipe::Plan beside = pipe.run(first.next, transpose, false);
  const TensorPipe::Plan second = pipe.run(beside.next, plain, false);
  EXPECT_LT(beside.end, first.end);
  EXPECT_EQ(second.moved, first.end);
}

TEST_F(Pipe, TheClockLimitSlowsWhatItShould) {
  core_.throttle = machine::load("trn3").core.throttle;
  core_.throttle.starts_low = true;
  TensorPipe pipe(core_);
  const TensorPipe::Plan plan = pipe.run(Ticks{0}, plain, false);
  EXPECT_EQ(plan.moved, cycles(200));
  EXPECT_EQ(plan.end, cycles(1000));
  EXPECT_EQ(plan.worked, cycles(600));
  EXPECT_EQ(plan.commit, cycles(1000 + 7 + 6));
}

}  // namespace
}  // namespace trainyard::engines
