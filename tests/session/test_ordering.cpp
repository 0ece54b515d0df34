// Is an order chosen as the policy says, and does a large kernel that compiling has simulated tell
// what running it would?
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
  const runtime::TimedRun& known = *instance->ordered().simulated;

  const Options options{.timed = true, .values = false};
  const runtime::ProgramRef& launch = instance->loaded();
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

std::vector<Ordered> ordered(std::size_t instructions, const machine::Machine& machine,
                             const OrderPolicy& policy) {
  std::vector<isa::Program> kernels;
  kernels.push_back(busy_kernel(instructions, machine));
  return std::get<std::vector<Ordered>>(
      ordered_grid(std::move(kernels), machine, {.order = compiler::Order::list}, policy));
}

TEST(OrderPolicy, SaysFromWhichSizeOnAListedOrderIsTakenUntried) {
  const machine::Machine machine = machine::load("trn3");
  EXPECT_TRUE(ordered(50, machine, {}).front().as_written_time.has_value());
  const OrderPolicy untried{.tried_instructions_max = 49, .percent_held_up_max = 100};
  EXPECT_FALSE(ordered(50, machine, untried).front().as_written_time.has_value());
  const OrderPolicy larger{.tried_instructions_max = 50, .percent_held_up_max = 100};
  EXPECT_TRUE(ordered(50, machine, larger).front().as_written_time.has_value());
}

TEST(OrderPolicy, AnEngineThatIsHeldUpLongerCallsForATry) {
  const OrderPolicy policy{.percent_held_up_max = 5};
  EXPECT_TRUE(policy.takes_untried({.total = {1000}, .busiest = {950}}));
  EXPECT_FALSE(policy.takes_untried({.total = {1000}, .busiest = {949}}));
}

TEST(OrderedGrid, AShortageOfRoomIsAnAnswer) {
  const machine::Machine machine = machine::load("trn3");
  isa::Builder builder("large", machine.core);
  const auto tensor = [&](isa::Space space, isa::TensorRole role) {
    return builder.tensor({.shape = {128, 100'000},
                           .dtype = numerics::DType::float32,
                           .space = space,
                           .role = role,
                           .shared = space == isa::Space::hbm});
  };
  const isa::View tile = tensor(isa::Space::sbuf, isa::TensorRole::internal);
  builder.emit(isa::DmaCopy{.dst = isa::tile_of(tile),
                            .src = isa::tile_of(tensor(isa::Space::hbm, isa::TensorRole::input))});
  std::vector<isa::Program> kernels;
  kernels.push_back(builder.take());
  const auto made = ordered_grid(kernels, machine, {.order = compiler::Order::list});
  ASSERT_TRUE(std::holds_alternative<compiler::Shortage>(made));
  Session session(machine);
  EXPECT_THROW(static_cast<void>(session.load(std::move(kernels.front()))), base::NoRoom);
}

}  // namespace
}  // namespace trainyard::session
