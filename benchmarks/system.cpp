// How many instructions a second does one core run in time only, and what does a recorder cost? The
// program streams tiles through the engines: load, add on Vector, activation on Scalar, copy on
// GpSimd, store, with semaphores between them. And how much faster are chips that do different
// things on two threads of the host than on one?
#include "system/run.h"

#include <memory>
#include <string>

#include "compiler/compiler.h"
#include "engines/core_state.h"
#include "events/queue.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/all_reduce.h"
#include "isa/instructions/collective_permute.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "machine/topology.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

using isa::Engine;

isa::Tile on_chip(std::int64_t offset, std::int32_t columns) {
  isa::Tile tile{.space = isa::Space::sbuf,
                 .dtype = isa::DType::bfloat16,
                 .rank = 1,
                 .partitions = 128,
                 .tensor = 1};
  tile.offset = offset;
  tile.dims[0] = {1, columns};
  return tile;
}

isa::Tile in_hbm(std::int32_t columns) {
  isa::Tile tile{.space = isa::Space::hbm, .dtype = isa::DType::bfloat16, .rank = 2, .tensor = 0};
  tile.dims[0] = {columns, 128};
  tile.dims[1] = {1, columns};
  return tile;
}

struct Builder {
  isa::Program program;

  void add(Engine engine, std::uint32_t i, std::vector<isa::Wait> waits,
           std::vector<isa::Signal> signals) {
    isa::StreamItem item;
    item.instruction = i;
    item.first_wait = static_cast<std::uint32_t>(program.waits.size());
    item.first_signal = static_cast<std::uint32_t>(program.signals.size());
    item.wait_count = static_cast<std::uint16_t>(waits.size());
    item.signal_count = static_cast<std::uint16_t>(signals.size());
    program.waits.insert(program.waits.end(), waits.begin(), waits.end());
    program.signals.insert(program.signals.end(), signals.begin(), signals.end());
    program.instructions[i].engine = engine;
    program.streams[static_cast<std::size_t>(engine)].push_back(item);
  }
};

// `rounds` times: one load, eight instructions on three engines, one store.
isa::Program streaming(int rounds) {
  Builder b;
  isa::Program& p = b.program;
  p.tensors.resize(2);
  const std::int32_t n = 512;
  for (int r = 0; r < rounds; ++r) {
    const std::uint32_t load = p.append(isa::DmaCopy{.dst = on_chip(0, n), .src = in_hbm(n)});
    b.add(Engine::sync, load, {{4, 1}}, {{0, 16}});
    p.instructions[load].queue = 8;
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t add = p.append(isa::TensorTensor{.dst = on_chip(2048, n),
                                                           .data1 = on_chip(0, n),
                                                           .data2 = on_chip(1024, n),
                                                           .op = numerics::AluOp::add});
      b.add(Engine::vector, add,
            i == 0 ? std::vector<isa::Wait>{{0, 16}} : std::vector<isa::Wait>{}, {{1, 1}});
      isa::Activation exponential;
      exponential.dst = on_chip(4096, n);
      exponential.data = on_chip(2048, n);
      exponential.op = numerics::ActivationFunction::exp;
      const std::uint32_t act = p.append(exponential);
      b.add(Engine::scalar, act, {{1, 1}},
            i == 0 ? std::vector<isa::Signal>{{4, 1}, {2, 1}} : std::vector<isa::Signal>{{2, 1}});
      const std::uint32_t copy =
          p.append(isa::TensorCopy{.dst = on_chip(8192, n), .src = on_chip(4096, n)});
      b.add(Engine::gpsimd, copy, {{2, 1}}, {});
    }
    const std::uint32_t store = p.append(isa::DmaCopy{.dst = in_hbm(n), .src = on_chip(8192, n)});
    b.add(Engine::gpsimd, store, {}, {});
    p.instructions[store].queue = 7;
  }
  // The first load waits for nothing.
  p.streams[4].front().wait_count = 0;
  p.semaphore_count = 5;
  p.compiled = true;
  return p;
}

void time_only(benchmark::State& state, bool recorded) {
  const machine::Machine machine = machine::load("trn3");
  const isa::Program program = streaming(20000);
  for (auto _ : state) {
    if (recorded) {
      trace::Recorder recorder(system::tracks(program, machine), program.instructions.size(),
                               trace::Detail::full);
      benchmark::DoNotOptimize(system::time(program, machine, &recorder));
    } else {
      benchmark::DoNotOptimize(system::time(program, machine));
    }
  }
  report_rate(state, static_cast<double>(program.instructions.size()), 1e6, "M instructions/s");
}

// A hardware loop of `turns`: an add and a copy on two engines, one after the other.
isa::Program looped(std::int64_t turns) {
  Builder b;
  isa::Program& p = b.program;
  p.tensors.resize(2);
  const std::uint32_t begin =
      p.append(isa::LoopBegin{.counter = {3}, .stop = {.constant = turns, .reg = {}}});
  const std::uint32_t add = p.append(isa::TensorTensor{
      .dst = on_chip(2048, 512), .data1 = on_chip(0, 512), .data2 = on_chip(1024, 512)});
  const std::uint32_t copy =
      p.append(isa::TensorCopy{.dst = on_chip(8192, 512), .src = on_chip(2048, 512)});
  const std::uint32_t end = p.append(isa::LoopEnd{.begin = static_cast<std::int32_t>(begin)});
  b.add(Engine::vector, begin, {}, {});
  b.add(Engine::vector, add, {{1, 1}}, {{0, 1}});
  b.add(Engine::vector, end, {}, {});
  b.add(Engine::gpsimd, begin, {}, {{1, 1}});  // the first add waits for no copy
  b.add(Engine::gpsimd, copy, {{0, 1}}, {{1, 1}});
  b.add(Engine::gpsimd, end, {}, {});
  p.semaphore_count = 2;
  p.compiled = true;
  return p;
}

void steady_loop(benchmark::State& state) {
  const machine::Machine machine = machine::load("trn3");
  const isa::Program program = looped(1'000'000);
  std::int64_t instructions = 0;
  for (auto _ : state) instructions = system::time(program, machine).activity.instructions;
  report_rate(state, static_cast<double>(instructions), 1e6, "M instructions/s");
}

// What chips do between two parts of their work: all sum up a block, or each sends one to the next.
enum class Between : std::uint8_t { sum, pipeline };

// One core of a chip: `turns` times some work, less or more by chip, and what comes between.
isa::Program of_chip(std::int32_t chip, std::int32_t chips, Between between, int turns) {
  isa::Program p;
  const std::int32_t n = 512, each = 8;  // ranks of a chip
  const auto tensor = [&](isa::Space space, std::int64_t columns) {
    isa::Tensor& made = p.tensors.emplace_back();
    made.name = "t" + std::to_string(p.tensors.size());
    made.shape = {128, columns};
    made.dtype = isa::DType::bfloat16;
    made.space = space;
    isa::Tile tile = space == isa::Space::hbm ? in_hbm(static_cast<std::int32_t>(columns))
                                              : on_chip(0, static_cast<std::int32_t>(columns));
    tile.tensor = static_cast<isa::TensorId>(p.tensors.size() - 1);
    return tile;
  };
  const isa::Tile a = tensor(isa::Space::sbuf, n), b = tensor(isa::Space::sbuf, n),
                  c = tensor(isa::Space::sbuf, n), x = tensor(isa::Space::hbm, n),
                  sent = tensor(isa::Space::hbm, n), got = tensor(isa::Space::hbm, n);
  std::vector<std::int32_t> all;
  for (std::int32_t k = 0; k < chips; ++k) all.push_back(k * each);
  const auto send = [&](std::int32_t from) {
    if (from < 0 || from + 1 >= chips || (chip != from && chip != from + 1)) return;
    isa::CollectivePermute op{.src = sent, .dst = got};
    const std::vector<std::int32_t> pair{from * each, (from + 1) * each};
    op.groups = op.pairs = p.groups_of({pair});
    op.sends = chip == from;
    op.receives = chip != from;
    p.append(op);
  };
  for (int turn = 0; turn < turns; ++turn) {
    if (between == Between::pipeline) send(chip - 1);
    p.append(isa::DmaCopy{.dst = a, .src = got});
    for (int i = 0; i < 40 + (chip * 7 + turn * 3) % 20; ++i) {
      p.append(isa::TensorTensor{.dst = b, .data1 = a, .data2 = c, .op = numerics::AluOp::add});
      p.append(isa::TensorCopy{.dst = c, .src = b});
      p.append(isa::DmaCopy{.dst = x, .src = c});
      p.append(isa::DmaCopy{.dst = a, .src = x});
    }
    p.append(isa::DmaCopy{.dst = sent, .src = c});
    if (between == Between::pipeline) send(chip);
    if (between == Between::sum) {
      isa::AllReduce op{.src = sent, .dst = got};
      op.groups = p.groups_of({all});
      p.append(op);
    }
  }
  return compiler::compile(p, machine::load("trn3").core, {.order = compiler::Order::author});
}

void chips_apart(benchmark::State& state, Between between, std::size_t threads_max) {
  constexpr std::int32_t chips = 8;
  const machine::System system = machine::load_system("trn3-gen2");
  struct Chip {
    Chip(isa::Program p, const machine::Machine& m)
        : program(std::move(p)),
          core(engines::sizes_of(m.core), engines::make_stack(m)),
          nowhere(program.tensors.size(), 0),
          execution{.core = core, .program = program, .hbm_base = nowhere, .machine = m.core} {}
    isa::Program program;
    state::Core core;
    std::vector<std::int64_t> nowhere;
    isa::Execution execution;
  };
  std::vector<std::unique_ptr<Chip>> cores;
  std::vector<system::CoreJob> jobs;
  double instructions = 0;
  for (std::int32_t chip = 0; chip < chips; ++chip) {
    cores.push_back(std::make_unique<Chip>(of_chip(chip, chips, between, 100), system.chip));
    cores.back()->execution.rank = chip * 8;
    jobs.push_back({cores.back()->program, cores.back()->execution});
    instructions += static_cast<double>(cores.back()->program.instructions.size());
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(system::run_together(
        jobs, system.chip,
        {.values = false, .system = &system, .folds_chips = false, .threads_max = threads_max}));
  }
  report_rate(state, instructions, 1e6, "M instructions/s");
}

struct Relay final : events::Handler {
  explicit Relay(events::Queue& q) : queue(q) {}
  void handle(events::Message message) override {
    if (message.index > 0)
      queue.after({message.what % 7 + 1}, *this, {message.what * 5 + 1, message.index - 1});
  }
  events::Queue& queue;
};

void events_alone(benchmark::State& state) {
  constexpr std::uint32_t each = 1 << 14;
  for (auto _ : state) {
    events::Queue queue;
    Relay relay(queue);
    for (std::uint32_t i = 0; i < 32; ++i) queue.at({i}, relay, {i, each});
    queue.run();
    benchmark::DoNotOptimize(queue.handled());
  }
  report_rate(state, 32 * each, 1e6, "M events/s");
}

BENCHMARK_CAPTURE(time_only, plain, false)->Name("one core, time only");
BENCHMARK_CAPTURE(time_only, recorded, true)->Name("one core, time only, full trace");
BENCHMARK(steady_loop)->Name("one core, time only, a loop whose turns are alike");
BENCHMARK_CAPTURE(chips_apart, sum_1, Between::sum, 1)
    ->Name("eight chips that sum up, one thread")
    ->UseRealTime();
BENCHMARK_CAPTURE(chips_apart, sum_2, Between::sum, 2)
    ->Name("eight chips that sum up, two threads")
    ->UseRealTime();
BENCHMARK_CAPTURE(chips_apart, pipeline_1, Between::pipeline, 1)
    ->Name("a pipeline of eight chips, one thread")
    ->UseRealTime();
BENCHMARK_CAPTURE(chips_apart, pipeline_2, Between::pipeline, 2)
    ->Name("a pipeline of eight chips, two threads")
    ->UseRealTime();
BENCHMARK(events_alone)->Name("event queue, 32 pending");

}  // namespace
}  // namespace trainyard::benchmarks
