// Do turns of a loop that overlap, and transfers whose issuer the scheduler chooses, take less
// time?
#include <gtest/gtest.h>

#include "../compiler/kernel.h"
#include "compiler/compiler.h"
#include "runtime/time_only.h"

namespace trainyard::compiler {
namespace {

Tile input(Kernel& k) {
  return k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input);
}
Tile output(Kernel& k) {
  return k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::output);
}
Tile tile(Kernel& k) { return k.tensor(Space::sbuf, {128, 512}); }

// Turns that load, add on Vector, and store.
Kernel turns_of_adds() {
  Kernel k;
  const Tile in = input(k);
  const Tile out = output(k);
  const std::uint32_t loop = k.begin_loop(0, 16);
  const Tile a = tile(k), b = tile(k);
  k.load(a, in);
  k.add(b, a, a);
  k.load(out, b);
  k.end_loop(loop);
  return k;
}

base::Ticks time_of(const isa::Program& program) {
  const runtime::Unloaded one{&program};
  const std::vector<runtime::TimedRun> runs = runtime::time_only({&one, 1}, trn3());
  return runtime::grid_time(runs, trn3()).total;
}

TEST(Streams, ATurnBeginsBeforeTheOneBeforeHasEnded) {
  const isa::Program apart = compile(turns_of_adds().program, trn3().core);
  const isa::Program together =
      compile(turns_of_adds().program, trn3().core, {.turns_overlap = true});
  // A load of the next turn, 2.2 us, while this one adds and stores.
  EXPECT_LT(time_of(together).value * 3, time_of(apart).value * 2);
}

TEST(Streams, TurnsThatNeedTooManySemaphoresDoNotOverlap) {
  machine::Machine few = trn3();
  few.core.semaphores.count = compile(turns_of_adds().program, few.core).semaphore_count;
  const auto made = [&](const machine::Machine& machine) {
    return compile(turns_of_adds().program, machine.core, {.turns_overlap = true});
  };
  EXPECT_GT(made(trn3()).semaphore_count, few.core.semaphores.count);
  EXPECT_EQ(made(few).semaphore_count, few.core.semaphores.count);
  EXPECT_GT(time_of(made(few)), time_of(made(trn3())));
}

TEST(Issuers, ShortProgramsWaitLessWhereTheSchedulerChooses) {
  Kernel k;
  for (int i = 0; i < 4; ++i) {
    const Tile in = input(k), a = tile(k);
    k.load(a, in);
    k.load(output(k), a);
  }
  const auto made = [&](bool open) {
    return compile(isa::Program(k.program), trn3().core,
                   {.order = Order::list, .issuers_open = open});
  };
  EXPECT_LT(time_of(made(true)), time_of(made(false)));
  for (const isa::Instruction& one : made(true).instructions) {
    if (isa::info(one.opcode).kind != isa::Kind::dma) continue;
    EXPECT_TRUE(one.queue == isa::queue_of(one.engine, true) ||
                one.queue == isa::queue_of(one.engine, false));
  }
}

}  // namespace
}  // namespace trainyard::compiler
