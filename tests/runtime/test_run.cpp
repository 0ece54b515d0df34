// Does a host run many loaded programs on buffers of its own, at the time and with the values that
// the runners below give?
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "checks/check.h"
#include "compiler/compiler.h"
#include "isa/builder/builder.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "machine/machine.h"
#include "runtime/queue.h"
#include "runtime/run.h"
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

  ProgramRef load(numerics::AluOp op) {
    return loaded(LoadedProgram::load(device, binary(op), Placement::internal));
  }
  BufferRef empty() { return allocated(device->memory()->allocate(tensor_bytes)); }
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
  static Launch launch(const ProgramRef& program, const BufferRef& a, const BufferRef& b,
                       const BufferRef& out) {
    return {program,
            {{program->inputs()[0], a}, {program->inputs()[1], b}, {program->outputs()[0], out}}};
  }
  static Result run_one(const Launch& one, const RunOptions& options = {}) {
    return std::move(run({&one, 1}, options).front());
  }
};

TEST_F(RunTest, ManyProgramsShareBuffersThatTheHostOwns) {
  const ProgramRef add = load(numerics::AluOp::add), multiply = load(numerics::AluOp::multiply);
  const BufferRef two = filled(2), three = filled(3), sum = empty(), product = empty();
  EXPECT_FALSE(has_error(run_one(launch(add, two, three, sum))));
  (void)run_one(launch(multiply, sum, three, product));  // what one wrote, the next one reads
  EXPECT_EQ(content(sum), std::vector<float>(rows * columns, 5));
  EXPECT_EQ(content(product), std::vector<float>(rows * columns, 15));
  const BufferRef other = empty();
  (void)run_one(launch(add, product, product, other));  // inputs may be the same bytes
  EXPECT_EQ(content(other), std::vector<float>(rows * columns, 30));
}

TEST_F(RunTest, EveryKindOfRunAgrees) {
  const ProgramRef add = load(numerics::AluOp::add);
  const BufferRef two = filled(2), three = filled(3), out = empty();
  const Launch one = launch(add, two, three, out);
  const Result timed = run_one(one, {.timed = true});
  EXPECT_EQ(content(out), std::vector<float>(rows * columns, 5));
  const base::Ticks direct = system::time(*add->body(), trn3()).time;
  ASSERT_TRUE(timed.timing.has_value());
  EXPECT_EQ(timed.timing->result.time, direct);
  const Result untimed = run_one(one);
  EXPECT_EQ(untimed.instructions, timed.instructions);
  EXPECT_FALSE(untimed.timing.has_value());
  // Time only asks for no buffers.
  const Result bare = run_one({add, {}}, {.timed = true, .values = false});
  EXPECT_EQ(bare.timing->result.time, direct);
}

TEST_F(RunTest, RefusesWhatIsNotBoundAsItShould) {
  const ProgramRef add = load(numerics::AluOp::add);
  const BufferRef two = filled(2), three = filled(3), out = empty();
  const auto label = [&](const Launch& one) {
    try {
      (void)run_one(one);
    } catch (const base::InputError& error) {
      return error.violations().front().rule;
    }
    return std::string("nothing");
  };
  Launch open = launch(add, two, three, out);
  open.bindings.pop_back();
  EXPECT_EQ(label(open), "every tensor has a place");
  EXPECT_EQ(label(launch(add, two, three, two)),
            "tensors that are written have bytes of their own");
  const BufferRef small = allocated(device->memory()->allocate(16));
  EXPECT_EQ(label(launch(add, two, three, small)), "a buffer holds its tensor");
  const BufferRef far = allocated(devices.device(1)->memory()->allocate(tensor_bytes));
  EXPECT_EQ(label(launch(add, two, three, far)), "a tensor is bound to a buffer of its device");
}

TEST_F(RunTest, ACheckedRunReportsAnInputThatNobodyWrote) {
  const ProgramRef add = load(numerics::AluOp::add);
  const BufferRef two = filled(2), nothing = empty(), out = empty();
  RunOptions options;
  options.findings.stop_at.reset();
  const Result result = run_one(launch(add, two, nothing, out), options);
  ASSERT_TRUE(has_error(result));
  EXPECT_EQ(result.findings.front().violation.label, "memory.unwritten");
}

TEST_F(RunTest, UnloadingAProgramFreesItsMemory) {
  const std::int64_t before = device->memory()->statistics().bytes_in_use;
  {
    const ProgramRef with_all = loaded(LoadedProgram::load(device, binary(numerics::AluOp::add)));
    EXPECT_EQ(device->memory()->statistics().bytes_in_use, before + 3 * tensor_bytes);
  }
  EXPECT_EQ(device->memory()->statistics().bytes_in_use, before);
}

TEST_F(RunTest, AProgramOutlivesTheListOfDevicesItWasLoadedOn) {
  ProgramRef add;
  {
    Devices others{trn3()};
    add = loaded(LoadedProgram::load(others.device(3), binary(numerics::AluOp::add)));
  }
  EXPECT_EQ(add->device().id(), 3);
  EXPECT_TRUE(run_one({add, {}}, {.timed = true, .values = false}).timing.has_value());
}

TEST_F(RunTest, AQueueRunsInOrderAndItsEventsTellHowItEnded) {
  const ProgramRef add = load(numerics::AluOp::add);
  const BufferRef one = filled(1), sum = empty(), more = empty();
  Queue queue;
  const PendingRun first = queue.run({launch(add, one, one, sum)}, {});
  const PendingRun second = queue.run({launch(add, sum, one, more)}, {.timed = true});
  const PendingRun wrong = queue.run({launch(add, sum, one, one)}, {});
  bool told = false;
  second.done.then([&](const std::exception_ptr& error) { told = error == nullptr; });
  second.done.wait();
  EXPECT_TRUE(first.done.is_complete());
  EXPECT_EQ(content(more), std::vector<float>(rows * columns, 3));
  EXPECT_TRUE(second.results->front().timing.has_value());
  EXPECT_THROW(wrong.done.wait(), base::InputError);
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace trainyard::runtime
