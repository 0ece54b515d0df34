// Does a large kernel that compiling has simulated tell what running it would?
#include "session/ordering.h"

#include <gtest/gtest.h>

#include "isa/builder/builder.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "session/session.h"

namespace trainyard::session {
namespace {

// Instructions of one engine, and a store of what they leave.
isa::Program busy_kernel(std::size_t instructions, const machine::Machine& machine) {
  isa::Builder builder("busy", machine.core);
  const isa::View tile = builder.tensor(
      {.shape = {128, 8}, .dtype = numerics::DType::float32, .space = isa::Space::sbuf});
  const isa::View out = builder.tensor({.shape = {128, 8},
                                        .dtype = numerics::DType::float32,
                                        .space = isa::Space::hbm,
                                        .role = isa::TensorRole::output,
                                        .shared = true});
  for (std::size_t i = 1; i < instructions; ++i)
    builder.emit(isa::Memset{.dst = isa::tile_of(tile)}, isa::Engine::vector);
  builder.emit(isa::DmaCopy{.dst = isa::tile_of(out), .src = isa::tile_of(tile)});
  return builder.take();
}

TEST(LargeKernels, AreSimulatedOnce) {
  const machine::Machine machine = machine::load("trn3");
  Session session(machine);
  const auto instance =
      session.load(busy_kernel(500'001, machine), {.order = compiler::Order::list});
  ASSERT_TRUE(instance->ordered().simulated.has_value()) << instance->ordered().order;
  const runtime::Timing& known = *instance->ordered().simulated;

  const Options options{.timed = true, .values = false};
  const runtime::Launch launch{instance->loaded()};
  const runtime::Result ran = runtime::run({&launch, 1}, options).front();
  EXPECT_EQ(ran.timing->result.time, known.result.time);
  EXPECT_EQ(ran.timing->result.activity, known.result.activity);
  EXPECT_EQ(ran.timing->result.events, known.result.events);
  EXPECT_EQ(ran.timing->recorder->summary(), known.recorder->summary());

  const auto told = session.run({&instance, 1}, options);
  EXPECT_EQ(told.front().instructions, ran.instructions);
  EXPECT_EQ(told.front().report->duration, ran.timing->result.time);
}

TEST(LargeKernels, SmallerOnesAreSimulatedWhenTheyRun) {
  const machine::Machine machine = machine::load("trn3");
  Session session(machine);
  const auto instance = session.load(busy_kernel(50, machine), {.order = compiler::Order::list});
  EXPECT_FALSE(instance->ordered().simulated.has_value());
}

}  // namespace
}  // namespace trainyard::session
