// Do registers, loops and branches behave as the sequencers need them to?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/core/control_flow.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"
#include "isa/instructions/register_store.h"
#include "isa/semantics/control.h"
#include "runner.h"

namespace trainyard::isa {
namespace {

constexpr Register r0{0}, r1{1}, r2{2};

std::int64_t value(Runner& run, Engine engine, Register reg) {
  return run.state().registers[static_cast<std::size_t>(engine)][reg.index];
}

TEST(Registers, BelongToTheEngineThatRuns) {
  Bench b;
  Runner run(b);
  run.run(RegisterMove{r1, {.constant = 5}}, Engine::vector);
  EXPECT_EQ(value(run, Engine::vector, r1), 5);
  EXPECT_EQ(value(run, Engine::scalar, r1), 0);
  run.run(RegisterMove{r2, {.reg = r1}}, Engine::vector);
  EXPECT_EQ(value(run, Engine::vector, r2), 5);
}

TEST(Registers, AreThoseOfEveryEngineInProgramOrder) {
  Bench b;
  Runner run(b);
  run.run(RegisterMove{r1, {.constant = -7}});
  for (int e = 0; e < engine_count; ++e) EXPECT_EQ(value(run, static_cast<Engine>(e), r1), -7);
}

TEST(Registers, LoadKeepsTheSignOfSignedIntegersOnly) {
  Bench b;
  const Tile s8 = b.sbuf(DType::int8, 1, {1}), u8 = b.sbuf(DType::uint8, 1, {1});
  const Tile i32 = b.hbm(DType::int32, {1}), f32 = b.sbuf(DType::float32, 1, {1});
  Runner run(b);
  run.write(s8, {-3});
  run.write(u8, {253});
  run.write(i32, {-100000});
  run.write(f32, {1});
  const auto loaded = [&](const Tile& tile) {
    run.run(RegisterLoad{r0, tile}, Engine::sync);
    return value(run, Engine::sync, r0);
  };
  EXPECT_EQ(loaded(s8), -3);
  EXPECT_EQ(loaded(u8), 253);
  EXPECT_EQ(loaded(i32), -100000);
  EXPECT_EQ(loaded(f32), 0x3F800000);
}

TEST(Registers, StoreWritesTheLowBits) {
  Bench b;
  const Tile wide = b.sbuf(DType::int32, 1, {1}), narrow = b.sbuf(DType::uint8, 1, {1});
  Runner run(b);
  run.run(RegisterMove{r0, {.constant = 0x1234}});
  run.run(RegisterStore{wide, r0});
  run.run(RegisterStore{narrow, r0});
  EXPECT_EQ(run.read(wide)[0], 0x1234);
  EXPECT_EQ(run.read(narrow)[0], 0x34);
}

TEST(Registers, AluWrapsAround) {
  Bench b;
  Runner run(b);
  run.run(RegisterMove{r0, {.constant = 2147483647}});
  run.run(RegisterAlu{r1, {.reg = r0}, numerics::AluOp::add, {.constant = 2}});
  EXPECT_EQ(value(run, Engine::tensor, r1), -2147483647);
}

std::vector<std::int64_t> counts(const LoopBegin& loop, Runner& run) {
  Execution& e = run.execution();
  e.engine = Engine::gpsimd;
  std::vector<std::int64_t> seen;
  const LoopBounds bounds = info_of<LoopBegin>().loop(&loop);
  LoopState state = enter_loop(bounds, e);
  while (next_iteration(bounds, state, e)) {
    seen.push_back(read_register(loop.counter, e));
    write_register(loop.counter, 99, e);  // the loop's count is its own
  }
  return seen;
}

TEST(Loops, CountFromStartToStop) {
  Bench b;
  Runner run(b);
  run.run(RegisterMove{r1, {.constant = 10}});
  EXPECT_THAT(counts({r0, {.constant = 1}, {.reg = r1}, 4, LoopKind::counted}, run),
              testing::ElementsAre(1, 5, 9));
  EXPECT_THAT(counts({r0, {.constant = 10}, {.reg = r1}, 1, LoopKind::counted}, run),
              testing::IsEmpty());
}

TEST(Loops, WhileRunsUntilTheRegisterIsZero) {
  Bench b;
  Runner run(b);
  Execution& e = run.execution();
  const LoopBegin loop{.counter = r0, .kind = LoopKind::while_nonzero};
  run.run(RegisterMove{r0, {.constant = 3}});
  const LoopBounds bounds = info_of<LoopBegin>().loop(&loop);
  LoopState state = enter_loop(bounds, e);
  int iterations = 0;
  for (; next_iteration(bounds, state, e); ++iterations)
    run.run(RegisterAlu{r0, {.reg = r0}, numerics::AluOp::subtract, {.constant = 1}});
  EXPECT_EQ(iterations, 3);
}

// What a loop is told to turn by: a register that was loaded, before or behind that.
struct Told {
  LoopKind kind;
  bool is_set_behind, is_loaded_inside;
};

std::vector<std::uint32_t> flows_of(const Told& told) {
  Bench b;
  const Tile number = b.hbm(DType::int32, {1});
  b.program.append(RegisterLoad{r1, number});
  if (told.is_set_behind) b.program.append(RegisterMove{r1, {.constant = 3}});
  const auto begin =
      static_cast<std::int32_t>(told.kind == LoopKind::counted
                                    ? b.program.append(LoopBegin{r0, {}, {.reg = r1}, 1, told.kind})
                                    : b.program.append(LoopBegin{r1, {}, {}, 1, told.kind}));
  if (told.is_loaded_inside) b.program.append(RegisterLoad{r1, number});
  b.program.append(LoopEnd{begin});
  return flows_by_memory(b.program);
}

TEST(Loops, AreOfMemoryWhereTheRegisterTheyTurnByIsLoadedThen) {
  using testing::IsEmpty, testing::Not;
  for (const LoopKind kind : {LoopKind::counted, LoopKind::while_nonzero}) {
    EXPECT_THAT(flows_of({kind, false, false}), Not(IsEmpty()));
    EXPECT_THAT(flows_of({kind, true, false}), IsEmpty());
    EXPECT_THAT(flows_of({kind, true, true}), Not(IsEmpty()));
  }
}

TEST(Loops, CountInARegisterThatWasLoadedBefore) {
  Bench b;
  b.program.append(RegisterLoad{r0, b.hbm(DType::int32, {1})});
  const auto begin = static_cast<std::int32_t>(
      b.program.append(LoopBegin{.counter = r0, .stop = {.constant = 4}}));
  b.program.append(LoopEnd{begin});
  EXPECT_THAT(flows_by_memory(b.program), testing::IsEmpty());
}

TEST(Branches, CompareSignedIntegers) {
  Bench b;
  Runner run(b);
  run.run(RegisterMove{r0, {.constant = -1}});
  const Execution& e = run.execution();
  EXPECT_TRUE(is_taken({{.reg = r0}, numerics::AluOp::less, {.constant = 0}}, e));
  EXPECT_FALSE(is_taken({{.reg = r0}, numerics::AluOp::greater_equal, {.constant = 0}}, e));
}

}  // namespace
}  // namespace trainyard::isa
