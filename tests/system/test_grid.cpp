// Do two cores that exchange tiles and meet at barriers give the same bits untimed and timed, the
// same time with and without values, with every tick explained and no race found?
#include <gtest/gtest.h>

#include "../engines/fixture.h"
#include "base/random.h"
#include "checkers/checkers.h"
#include "compiler/compiler.h"
#include "engines/grid.h"
#include "isa/instructions/core_barrier.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/sendrecv.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using engines::trn3;

constexpr std::int64_t rows = 64, columns = 32;

// What core `me` of two runs: random steps on a few tiles, the same ones on both cores. Some steps
// swap a tile, some write a row block of a shared tensor and read the other core's behind a
// barrier.
class Kernel {
 public:
  Kernel(std::uint64_t seed, std::int32_t me) : random_(seed), me_(me) {
    shared_ = tensor(isa::Space::hbm, {2 * rows, columns}, 0);
    out_ = tensor(isa::Space::hbm, {8 * rows, columns}, shared_stride);
    for (int i = 0; i < 4; ++i) tiles_.push_back(make_tile(i));
    for (int i = 0; i < 12; ++i) step();
    for (std::int32_t i = 0; i < 4; ++i)
      add(isa::DmaCopy{.dst = in_hbm(out_, 4 * me_ + i),
                       .src = tiles_[static_cast<std::size_t>(i)]});
  }
  [[nodiscard]] const isa::Program& program() const { return program_; }
  [[nodiscard]] isa::TensorId out() const { return out_; }

  static constexpr std::int64_t shared_stride = 1 << 20;

 private:
  isa::TensorId tensor(isa::Space space, std::vector<std::int64_t> shape, std::int64_t address) {
    isa::Tensor t;
    t.name = "t" + std::to_string(program_.tensors.size());
    t.shape = std::move(shape);
    t.space = space;
    t.shared = space == isa::Space::hbm;
    t.address = address;
    program_.tensors.push_back(t);
    return static_cast<isa::TensorId>(program_.tensors.size() - 1);
  }
  isa::Tile make_tile(int number) {
    isa::Tile tile{.space = isa::Space::sbuf, .rank = 1, .partitions = rows};
    tile.tensor = tensor(isa::Space::sbuf, {rows, columns}, -1);
    tile.dims[0] = {1, columns};
    add(isa::Memset{.dst = tile, .value = 1.0 + number + 10 * me_});
    return tile;
  }
  [[nodiscard]] static isa::Tile in_hbm(isa::TensorId id, std::int32_t block) {
    isa::Tile tile{.space = isa::Space::hbm, .rank = 2, .tensor = id};
    tile.dims[0] = {columns, rows};
    tile.dims[1] = {1, columns};
    tile.offset = block * rows * columns * 4;
    return tile;
  }
  template <typename Record>
  void add(const Record& record) {
    program_.append(record);
  }
  const isa::Tile& any() { return tiles_[random_.below(tiles_.size())]; }

  void step() {
    const isa::Tile a = any(), b = any(), c = any();
    const auto pipe = static_cast<std::int32_t>(random_.below(3));
    const auto path = random_.below(2) == 0 ? isa::DmaPath::dma : isa::DmaPath::gpsimd_dma;
    switch (random_.below(4)) {
      case 0:
        return add(isa::Sendrecv{.src = a,
                                 .dst = b,
                                 .send_to_rank = 1 - me_,
                                 .recv_from_rank = 1 - me_,
                                 .pipe_id = pipe,
                                 .dma_engine = path});
      case 1: {
        isa::CoreBarrier barrier{.data = in_hbm(shared_, 0)};
        barrier.data.dims[0].count = 2 * rows;
        barrier.cores.push_back(0);
        barrier.cores.push_back(1);
        add(isa::DmaCopy{.dst = in_hbm(shared_, me_), .src = a});
        add(barrier);
        add(isa::DmaCopy{.dst = b, .src = in_hbm(shared_, 1 - me_)});
        return add(barrier);
      }
      default:
        return add(isa::TensorTensor{.dst = a, .data1 = b, .data2 = c, .op = numerics::AluOp::add});
    }
  }

  base::Random random_;
  std::int32_t me_;
  isa::Program program_;
  isa::TensorId shared_, out_;
  std::vector<isa::Tile> tiles_;
};

// Two compiled cores with one stack.
struct Pair {
  explicit Pair(std::uint64_t seed, compiler::Order order = compiler::Order::author)
      : stack(engines::make_stack(trn3())) {
    (void)stack->allocate(2 * Kernel::shared_stride);
    for (std::int32_t me = 0; me < 2; ++me) {
      const Kernel kernel(seed, me);
      out = kernel.out();
      programs.push_back(compiler::compile(kernel.program(), trn3().core, {.order = order}));
    }
    for (const isa::Program& program : programs) {
      cores.push_back(std::make_unique<state::Core>(engines::sizes_of(trn3().core), stack));
      bases.push_back(engines::place_tensors(program, *stack));
    }
    for (std::size_t c = 0; c < 2; ++c) {
      executions.push_back({.core = *cores[c],
                            .program = programs[c],
                            .hbm_base = bases[c],
                            .machine = trn3().core});
    }
  }
  [[nodiscard]] std::vector<std::byte> result() const {
    const auto content = engines::tensor_content(programs[0], out, bases[0], *stack);
    return {content.begin(), content.end()};
  }
  void run_untimed() {
    engines::Interpreter one(programs[0], executions[0]), other(programs[1], executions[1]);
    const std::vector<engines::Interpreter*> grid{&one, &other};
    engines::run_grid(grid);
  }
  std::vector<RunResult> run_timed(bool values) {
    checkers::Checkers one(programs[0], executions[0]), other(programs[1], executions[1]);
    std::vector<CoreJob> jobs{{programs[0], executions[0]}, {programs[1], executions[1]}};
    if (values) {
      jobs[0].observer = &one;
      jobs[1].observer = &other;
    }
    return run_together(jobs, trn3(), {.values = values});
  }

  std::shared_ptr<state::Hbm> stack;
  isa::TensorId out = 0;
  std::vector<isa::Program> programs;
  std::vector<std::unique_ptr<state::Core>> cores;
  std::vector<std::vector<std::int64_t>> bases;
  std::vector<isa::Execution> executions;
};

class RandomGrids : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGrids, agree_untimed_and_timed) {
  Pair untimed(GetParam()), timed(GetParam()), listed(GetParam(), compiler::Order::list);
  Pair time_only(GetParam());
  untimed.run_untimed();
  const std::vector<RunResult> with_values = timed.run_timed(true);
  EXPECT_EQ(untimed.result(), timed.result());
  (void)listed.run_timed(true);
  EXPECT_EQ(untimed.result(), listed.result());
  const std::vector<RunResult> without = time_only.run_timed(false);
  for (std::size_t core = 0; core < 2; ++core) {
    EXPECT_EQ(with_values[core].time, without[core].time);
    for (const EngineSummary& engine : with_values[core].engines)
      EXPECT_EQ(engine.reasons.total(), with_values[core].time);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGrids, testing::Range<std::uint64_t>(0, 25));

TEST(Grid, a_barrier_waits_for_the_later_core) {
  // Core 1 has more to do before the barrier; core 0's engine is told to wait for its peer.
  std::vector<isa::Program> programs(2);
  for (std::int32_t me = 0; me < 2; ++me) {
    engines::Author author;
    const isa::TensorId shared = author.hbm(rows, columns, isa::TensorRole::output);
    author.program.tensors[shared].shared = true;
    author.program.tensors[shared].address = 0;
    const isa::TensorId tile = author.sbuf(rows, 1024);
    for (int i = 0; i < 20 * me; ++i)
      author.program.append(isa::Memset{.dst = author.all(tile)}, isa::Engine::gpsimd);
    isa::CoreBarrier barrier{.data = author.all(shared)};
    barrier.cores.push_back(0);
    barrier.cores.push_back(1);
    author.program.append(barrier);
    programs[static_cast<std::size_t>(me)] = compiler::compile(author.program, trn3().core);
  }
  engines::Bench a(programs[0]), b(programs[1]);
  const std::vector<CoreJob> jobs{{programs[0], a.execution}, {programs[1], b.execution}};
  const std::vector<RunResult> results = run_together(jobs, trn3(), {.values = false});
  const auto waited = [&](std::size_t core) {
    return results[core].engines[3].reasons.of(trace::Reason::waiting_peer);
  };
  EXPECT_EQ(waited(1), trn3().collective.core_barrier);
  EXPECT_GT(waited(0).value, 10 * waited(1).value);
  EXPECT_EQ(results[0].time, results[1].time);
}

}  // namespace
}  // namespace trainyard::system
