// Does a host run loaded programs on buffers of its own, at the time and with the values that the
// runners below give?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "checks/check.h"
#include "compiler/compiler.h"
#include "isa/builder/builder.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "machine/machine.h"
#include "runtime/run.h"
#include "runtime/time_only.h"
#include "system/run.h"

namespace trainyard::runtime {
namespace {

using isa::Space;
using isa::TensorRole;

const machine::Machine& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine;
}

constexpr std::int64_t rows = 128, columns = 64;
constexpr std::int64_t tensor_bytes = rows * columns * 4;

// out = a op b.
Body binary(numerics::AluOp op) {
  isa::Builder b("binary", trn3().core);
  const auto in_hbm = [&](const char* name, TensorRole role) {
    return tile_of(
        b.tensor({.name = name, .shape = {rows, columns}, .space = Space::hbm, .role = role}));
  };
  const isa::Tile left = in_hbm("a", TensorRole::input), right = in_hbm("b", TensorRole::input);
  const isa::Tile out = in_hbm("out", TensorRole::output);
  const isa::Tile x = tile_of(b.tensor({.shape = {rows, columns}}));
  const isa::Tile y = tile_of(b.tensor({.shape = {rows, columns}}));
  b.emit(isa::DmaCopy{.dst = x, .src = left});
  b.emit(isa::DmaCopy{.dst = y, .src = right});
  b.emit(isa::TensorTensor{.dst = x, .data1 = x, .data2 = y, .op = op});
  b.emit(isa::DmaCopy{.dst = out, .src = x});
  return std::make_shared<const isa::Program>(compiler::compile(b.take(), trn3().core));
}

bool has_error(const Result& result) {
  return std::ranges::any_of(result.findings, [](const checkers::Finding& finding) {
    return finding.check->severity == checks::Severity::error;
  });
}

class RunTest : public testing::Test {
 protected:
  Devices devices{trn3()};
  const DeviceRef device = devices.device(0);

  BufferRef empty() { return on(*device, tensor_bytes); }
  static BufferRef on(const Device& device, std::int64_t bytes) {
    return std::get<BufferRef>(device.memory()->allocate(bytes));
  }
  BufferRef filled(float value) {
    const std::vector<float> content(rows * columns, value);
    const BufferRef buffer = empty();
    buffer->write(std::as_bytes(std::span(content)));
    return buffer;
  }
  static std::vector<float> content(const BufferRef& buffer) {
    std::vector<float> values(rows * columns);
    buffer->read(std::as_writable_bytes(std::span(values)));
    return values;
  }
  // A load of the program on these buffers.
  [[nodiscard]] ProgramRef load(const Body& program, const BufferRef& a, const BufferRef& b,
                                const BufferRef& out) const {
    return loaded(
        LoadedProgram::load(device, program, std::array<Binding, 3>{{{0, a}, {1, b}, {2, out}}}));
  }
  static Result run_one(const ProgramRef& one, const RunOptions& options = {}) {
    return std::move(run({&one, 1}, options).front());
  }
  const Body add = binary(numerics::AluOp::add);
  std::int64_t free_bytes() {
    return std::get<OutOfMemory>(device->memory()->allocate(std::int64_t{1} << 60)).free;
  }
};

TEST_F(RunTest, ManyProgramsShareBuffersThatTheHostOwns) {
  const BufferRef two = filled(2), three = filled(3), sum = empty(), product = empty();
  EXPECT_FALSE(has_error(run_one(load(add, two, three, sum))));
  // What one wrote, the next one reads.
  (void)run_one(load(binary(numerics::AluOp::multiply), sum, three, product));
  EXPECT_EQ(content(sum), std::vector<float>(rows * columns, 5));
  EXPECT_EQ(content(product), std::vector<float>(rows * columns, 15));
  const BufferRef other = empty();
  (void)run_one(load(add, product, product, other));  // inputs may be the same bytes
  EXPECT_EQ(content(other), std::vector<float>(rows * columns, 30));
}

TEST_F(RunTest, EveryKindOfRunAgrees) {
  const BufferRef two = filled(2), three = filled(3), out = empty();
  const ProgramRef one = load(add, two, three, out);
  const Result timed = run_one(one, {.timed = true});
  EXPECT_EQ(content(out), std::vector<float>(rows * columns, 5));
  const base::Ticks direct = system::time(*add, trn3()).time;
  ASSERT_TRUE(timed.timing.has_value());
  EXPECT_EQ(timed.timing->result.time, direct);
  const Result untimed = run_one(one);
  EXPECT_EQ(untimed.instructions, timed.instructions);
  EXPECT_FALSE(untimed.timing.has_value());
  const Result bare = run_one(one, {.timed = true, .values = false});
  EXPECT_EQ(bare.timing->result.time, direct);
}

TEST_F(RunTest, TimeOnlyNeedsNoDevice) {
  const std::array<ProgramRef, 2> grid{loaded(LoadedProgram::load(device, add)),
                                       loaded(LoadedProgram::load(device, add))};
  const std::vector<Result> on_device = run(grid, {.timed = true, .values = false});
  const std::array<Unloaded, 2> bare{{{add.get()}, {add.get()}}};
  const std::vector<TimedRun> timings = time_only(bare, trn3());
  ASSERT_EQ(timings.size(), 2u);
  EXPECT_EQ(timings[1].result.time, on_device[1].timing->result.time);
  EXPECT_EQ(timings[1].recorder, nullptr);
  const std::vector<TimedRun> one = time_only(std::span(bare).first(1), trn3(), {.record = true});
  EXPECT_EQ(grid_time(one, trn3()).total, system::time(*add, trn3()).time);
  EXPECT_LT(grid_time(one, trn3()).busiest, one[0].result.time);
  EXPECT_NE(one[0].recorder, nullptr);
}

TEST_F(RunTest, RefusesWhatIsNotBoundAsItShould) {
  const BufferRef two = filled(2), three = filled(3);
  const auto rule = [&](const BufferRef& out) {
    try {
      (void)run_one(load(add, two, three, out));
    } catch (const base::InputError& error) {
      return error.violations().front().rule;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(rule(empty()), "nothing");
  EXPECT_EQ(rule(two), "tensors that are written have bytes of their own");
  EXPECT_EQ(rule(on(*device, 16)), "a buffer holds its tensor");
  EXPECT_EQ(rule(on(*devices.device(1), tensor_bytes)),
            "a tensor is bound to a buffer of its device");
}

TEST_F(RunTest, ACheckedRunReportsAnInputThatNobodyWrote) {
  RunOptions options;
  options.findings.stop_at.reset();
  const Result result = run_one(load(add, filled(2), empty(), empty()), options);
  ASSERT_TRUE(has_error(result));
  EXPECT_EQ(result.findings.front().violation.label, "memory.unwritten");
}

TEST_F(RunTest, UnloadingAProgramFreesItsMemory) {
  const std::int64_t before = free_bytes();
  {
    const ProgramRef with_all = loaded(LoadedProgram::load(device, add));
    EXPECT_EQ(free_bytes(), before - 3 * tensor_bytes);
  }
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(RunTest, AProgramOutlivesTheListOfDevicesItWasLoadedOn) {
  ProgramRef far;
  {
    Devices others{trn3()};
    far = loaded(LoadedProgram::load(others.device(3), add));
  }
  EXPECT_EQ(far->device().id(), 3);
  EXPECT_TRUE(run_one(far, {.timed = true, .values = false}).timing.has_value());
}

}  // namespace
}  // namespace trainyard::runtime
