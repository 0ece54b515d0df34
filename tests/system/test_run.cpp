// Does a whole program run in time: same bits as untimed, same cycles with and without values or a
// recorder, every tick explained?
#include "system/run.h"

#include "../engines/programs.h"
#include "checkers/checkers.h"
#include "engines/interpreter.h"
#include "isa/instructions/drain.h"

namespace trainyard::system {
namespace {

using engines::Bench;
using engines::Sum;
using engines::trn3;

TEST(Run, gives_the_bits_of_the_untimed_run) {
  const Sum sum;
  Bench bench(sum.author.program);
  sum.fill(bench);
  checkers::Checkers checkers(sum.author.program, bench.execution);
  (void)run(sum.author.program, trn3(), bench.execution, {.observer = &checkers});
  sum.expect_result(bench);
}

TEST(Run, takes_the_same_time_with_and_without_values_and_recorder) {
  const Sum sum;
  Bench bench(sum.author.program);
  sum.fill(bench);
  checkers::Checkers checkers(sum.author.program, bench.execution);
  const RunResult values =
      run(sum.author.program, trn3(), bench.execution, {.observer = &checkers});
  const RunResult time_only = time(sum.author.program, trn3());
  trace::Recorder recorder(tracks(sum.author.program, trn3()),
                           sum.author.program.instructions.size(), trace::Detail::full);
  const RunResult recorded = time(sum.author.program, trn3(), &recorder);
  EXPECT_EQ(values.time, time_only.time);
  EXPECT_EQ(values.time, recorded.time);
  EXPECT_GT(values.time.value, 0);
}

TEST(Run, explains_every_tick_of_every_engine) {
  const Sum sum;
  trace::Recorder recorder(tracks(sum.author.program, trn3()),
                           sum.author.program.instructions.size(), trace::Detail::full);
  const RunResult result = time(sum.author.program, trn3(), &recorder);
  for (std::size_t e = 0; e < result.engines.size(); ++e) {
    EXPECT_EQ(result.engines[e].reasons.total(), result.time);
    EXPECT_EQ(recorder.summary().totals(trace::TrackId{static_cast<std::uint32_t>(e)}),
              result.engines[e].reasons);
  }
  // Vector waits for both loads, Scalar for Vector.
  EXPECT_GT(result.engines[1].reasons.of(trace::Reason::waiting_dma).value, 0);
  EXPECT_GT(result.engines[2].reasons.of(trace::Reason::waiting_semaphore).value, 0);
}

TEST(Run, records_what_the_dma_engines_and_the_stack_did) {
  const Sum sum;
  const std::vector<trace::Track> list = tracks(sum.author.program, trn3());
  trace::Recorder recorder(list, sum.author.program.instructions.size(), trace::Detail::summary);
  const RunResult result = time(sum.author.program, trn3(), &recorder);
  base::Ticks engines, stack;
  for (std::uint32_t t = 0; t < list.size(); ++t) {
    const base::Ticks working =
        recorder.summary().totals(trace::TrackId{t}).of(trace::Reason::working);
    if (list[t].kind == trace::TrackKind::dma_engine) engines += working;
    if (list[t].kind == trace::TrackKind::memory) stack += working;
  }
  EXPECT_EQ(engines, result.dma_engine_busy);
  EXPECT_EQ(stack, result.hbm_busy);
  EXPECT_GT(stack.value, 0);
}

TEST(Run, counts_what_the_instructions_did) {
  const Sum sum;
  const RunResult result = time(sum.author.program, trn3());
  const std::int64_t tile = engines::Sum::rows * engines::Sum::columns * 4;
  EXPECT_EQ(result.activity.instructions, 5);
  EXPECT_EQ(result.activity.transfers, 3);
  EXPECT_EQ(result.activity.hbm_read_bytes, 2 * tile);
  EXPECT_EQ(result.activity.hbm_written_bytes, tile);
  EXPECT_EQ(result.activity.dma_bytes, 3 * tile);
}

TEST(Run, a_control_instruction_holds_each_engine_for_as_long_as_its_own_sequencer_takes) {
  machine::Machine machine = trn3();
  machine.core.scalar.sequencer.drain = machine.core.vector.sequencer.drain * 3;
  engines::Author author;
  const std::uint32_t drain = author.program.append(isa::Drain{});
  author.schedule(isa::Engine::vector, drain);
  author.schedule(isa::Engine::scalar, drain);
  author.program.compiled = true;
  const RunResult result = time(author.program, machine);
  const auto held = [&](isa::Engine engine) {
    return result.engines[static_cast<std::size_t>(engine)].reasons.of(trace::Reason::overhead);
  };
  EXPECT_GE(held(isa::Engine::vector), machine.core.vector.sequencer.drain);
  EXPECT_GE(held(isa::Engine::scalar), machine.core.scalar.sequencer.drain);
  EXPECT_LT(held(isa::Engine::vector), machine.core.scalar.sequencer.drain);
}

TEST(Run, reports_a_deadlock_with_its_time) {
  Sum sum;
  sum.author.program.waits.front().value = 48;
  EXPECT_THROW((void)time(sum.author.program, trn3()), base::Fault);
}

}  // namespace
}  // namespace trainyard::system
