// Do ranks that meet in collectives give the same bits untimed and timed, the same time with and
// without values, with every tick explained; and is a rank that never comes one error?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "../engines/fixture.h"
#include "base/random.h"
#include "checkers/checkers.h"
#include "compiler/compiler.h"
#include "engines/grid.h"
#include "isa/instructions/all_gather.h"
#include "isa/instructions/all_reduce.h"
#include "isa/instructions/all_to_all.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/reduce_scatter.h"
#include "isa/instructions/tensor_tensor.h"
#include "rank_kernel.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using engines::trn3;

constexpr std::int32_t ranks = 4;
constexpr std::int32_t rows = 32, columns = 16;

// What rank `me` of four runs: random collectives between all of them or between pairs, on tiles in
// SBUF and blocks in HBM, with other work in between.
class Kernel : public RankKernel {
 public:
  Kernel(std::uint64_t seed, std::int32_t me) : RankKernel(seed, me, rows, columns, 4) {
    for (int i = 0; i < 12; ++i) step();
    store();
  }

 private:
  template <typename Record>
  void add(const Record& record) {
    program_.append(record);
  }

  // Everybody in an order of its own, or the pair this rank is in.
  isa::RankGroups groups() override {
    if (random_.below(2) == 0) return program_.groups_of({{2, 0, 3, 1}});
    return program_.groups_of({{0, 2}, {1, 3}});
  }

  void step() {
    const std::vector<isa::Tile>& list = random_.below(2) == 0 ? tiles_ : blocks_;
    switch (random_.below(5)) {
      case 0: return add(between<isa::AllReduce>(list));
      case 1: return add(between<isa::AllToAll>(blocks_));
      case 2: {
        isa::CollectivePermute permute = between<isa::CollectivePermute>(list);
        permute.channels = 2;
        permute.channel = static_cast<std::int32_t>(random_.below(2));
        return add(permute);
      }
      case 3: {  // the sum of a quarter or a half, and everybody's again
        auto scatter = between<isa::ReduceScatter>(blocks_);
        scatter.op = numerics::AluOp::maximum;
        scatter.dst.dims[0].count /=
            static_cast<std::int32_t>(program_.groups(scatter.groups)[0].size());
        add(scatter);
        return add(
            isa::AllGather{.src = scatter.dst, .dst = any(blocks_), .groups = scatter.groups});
      }
      default:
        return add(isa::TensorTensor{.dst = any(tiles_),
                                     .data1 = any(tiles_),
                                     .data2 = any(tiles_),
                                     .op = numerics::AluOp::subtract});
    }
  }
};

// Programs of one core a rank, each with memory of its own.
struct Chip {
  explicit Chip(const std::vector<isa::Program>& kernels,
                compiler::Order order = compiler::Order::author) {
    for (const isa::Program& kernel : kernels) {
      programs.push_back(
          std::make_unique<isa::Program>(compiler::compile(kernel, trn3().core, {.order = order})));
      benches.push_back(std::make_unique<engines::Bench>(*programs.back()));
      benches.back()->execution.rank = static_cast<std::int32_t>(benches.size()) - 1;
    }
  }
  static std::vector<isa::Program> random(std::uint64_t seed) {
    std::vector<isa::Program> kernels;
    for (std::int32_t me = 0; me < ranks; ++me) kernels.push_back(Kernel(seed, me).program());
    return kernels;
  }
  [[nodiscard]] std::vector<std::byte> result() const {
    std::vector<std::byte> all;
    for (const auto& bench : benches) {
      const isa::Program& program = bench->execution.program;
      for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
        if (program.tensors[t].space != isa::Space::hbm) continue;
        const auto content = engines::tensor_content(program, t, bench->execution.hbm_base,
                                                     *bench->execution.core.hbm);
        all.insert(all.end(), content.begin(), content.end());
      }
    }
    return all;
  }
  void run_untimed() {
    std::vector<std::unique_ptr<engines::Interpreter>> cores;
    std::vector<engines::Interpreter*> all;
    std::vector<std::int32_t> numbers;
    for (std::size_t k = 0; k < programs.size(); ++k) {
      cores.push_back(std::make_unique<engines::Interpreter>(*programs[k], benches[k]->execution));
      all.push_back(cores.back().get());
      numbers.push_back(static_cast<std::int32_t>(k));
    }
    engines::run_together(all, seats_of(numbers));
  }
  std::vector<RunResult> run_timed(bool values) {
    std::vector<std::unique_ptr<checkers::Checkers>> checkers;
    std::vector<CoreJob> jobs;
    for (std::size_t k = 0; k < programs.size(); ++k) {
      isa::Execution& execution = benches[k]->execution;
      checkers.push_back(std::make_unique<checkers::Checkers>(*programs[k], execution));
      jobs.push_back({*programs[k], execution, nullptr, values ? checkers.back().get() : nullptr});
    }
    return run_together(jobs, trn3(), {.values = values});
  }

  std::vector<std::unique_ptr<isa::Program>> programs;
  std::vector<std::unique_ptr<engines::Bench>> benches;
};

class RandomRanks : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomRanks, agree_untimed_and_timed) {
  const std::vector<isa::Program> kernels = Chip::random(GetParam());
  Chip untimed(kernels), timed(kernels), listed(kernels, compiler::Order::list), time_only(kernels);
  untimed.run_untimed();
  const std::vector<RunResult> with_values = timed.run_timed(true);
  EXPECT_EQ(untimed.result(), timed.result());
  (void)listed.run_timed(true);
  EXPECT_EQ(untimed.result(), listed.result());
  const std::vector<RunResult> without = time_only.run_timed(false);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(with_values[rank].time, without[rank].time);
    for (const EngineSummary& engine : with_values[rank].engines)
      EXPECT_EQ(engine.reasons.total(), with_values[rank].time);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRanks, testing::Range<std::uint64_t>(0, 20));

// One all-reduce of everybody's two rows; `change` may alter what one rank does.
template <typename Change>
std::vector<isa::Program> summing(Change change) {
  std::vector<isa::Program> kernels;
  for (std::int32_t me = 0; me < ranks; ++me) {
    engines::Author author;
    isa::AllReduce op{.src = author.all(author.hbm(2, 64, isa::TensorRole::input)),
                      .dst = author.all(author.hbm(2, 64, isa::TensorRole::output))};
    std::vector<std::int32_t> group{0, 1, 2, 3};
    change(me, op, group);
    op.groups = author.program.groups_of({group});
    if (!group.empty()) author.program.append(op);
    kernels.push_back(author.program);
  }
  return kernels;
}

template <typename Run>
std::string fault_of(Run run) {
  try {
    run();
  } catch (const base::Fault& fault) {
    return fault.what();
  }
  return {};
}

void expect_both(const std::vector<isa::Program>& kernels,
                 const testing::Matcher<const std::string&>& message) {
  Chip untimed(kernels), timed(kernels);
  EXPECT_THAT(fault_of([&] { untimed.run_untimed(); }), message);
  EXPECT_THAT(fault_of([&] { (void)timed.run_timed(false); }), message);
}

using testing::HasSubstr;

TEST(Ranks, one_that_never_comes_is_named) {
  expect_both(summing([](std::int32_t me, isa::AllReduce&, std::vector<std::int32_t>& group) {
                if (me == 3) group.clear();
              }),
              AllOf(HasSubstr("run.deadlock"), HasSubstr("rank 3 has ended"),
                    HasSubstr("rank 0 waits at all_reduce of ranks (0, 1, 2, 3)")));
}

TEST(Ranks, groups_that_differ_are_named) {
  expect_both(summing([](std::int32_t me, isa::AllReduce&, std::vector<std::int32_t>& group) {
                if (me == 0) std::swap(group[2], group[3]);
              }),
              AllOf(HasSubstr("meeting.match"), HasSubstr("in another order"),
                    HasSubstr("rank 0 stands at all_reduce of ranks (0, 1, 3, 2)")));
}

TEST(Ranks, operators_that_differ_do_not_match) {
  expect_both(summing([](std::int32_t me, isa::AllReduce& op, const std::vector<std::int32_t>&) {
                if (me == 2) op.op = numerics::AluOp::maximum;
              }),
              AllOf(HasSubstr("meeting.match"), HasSubstr("different operators"),
                    HasSubstr("rank 2 stands at")));
}

TEST(Ranks, a_rank_that_does_not_run_is_named) {
  expect_both(summing([](std::int32_t, isa::AllReduce&, std::vector<std::int32_t>& group) {
                group.push_back(7);
              }),
              AllOf(HasSubstr("meeting.ranks"), HasSubstr("with no rank 7")));
}

// A chip has eight cores.
TEST(Ranks, a_timed_run_has_one_chip) {
  std::vector<isa::Program> kernels = summing([](auto&&...) {});
  for (int i = 0; i < 5; ++i) kernels.push_back(kernels.front());
  Chip chip(kernels);
  EXPECT_THROW((void)chip.run_timed(false), base::InputError);
}

// A tile in SBUF whose address the compiler chooses.
isa::Tile tile_of(engines::Author& author) {
  isa::Tile tile = author.all(author.add(isa::Space::sbuf, rows, columns, isa::DType::float32,
                                         isa::TensorRole::internal, -1));
  tile.offset = 0;
  return tile;
}

// Permutes on four channels: each sums what came and what was sent, and sends that next. Every rank
// takes the channels in an order of its own, or all of them in one.
std::vector<isa::Program> rounds_on_channels(std::uint64_t seed, bool own_order) {
  constexpr std::int32_t channels = 4;
  std::vector<isa::Program> kernels;
  for (std::int32_t me = 0; me < ranks; ++me) {
    base::Random random(own_order ? seed * 10 + static_cast<std::uint64_t>(me) : seed);
    engines::Author author;
    std::vector<isa::Tile> sums, came;
    for (int c = 0; c < channels; ++c) {
      sums.push_back(tile_of(author));
      came.push_back(tile_of(author));
      author.program.append(isa::Memset{.dst = sums.back(), .value = 1.0 + c + 10 * me});
    }
    for (int round = 0; round < 3; ++round) {
      std::vector<std::int32_t> order{0, 1, 2, 3};
      for (std::size_t k = order.size() - 1; k > 0; --k)
        std::swap(order[k], order[random.below(k + 1)]);
      for (const std::int32_t c : order) {
        const auto at = static_cast<std::size_t>(c);
        isa::CollectivePermute permute{.src = sums[at], .dst = came[at]};
        permute.groups = author.program.groups_of({{0, 1, 2, 3}});
        permute.channels = channels;
        permute.channel = c;
        author.program.append(permute);
        author.program.append(isa::TensorTensor{
            .dst = sums[at], .data1 = sums[at], .data2 = came[at], .op = numerics::AluOp::add});
      }
    }
    for (const isa::Tile& sum : sums) {
      const isa::TensorId out = author.hbm(rows, columns, isa::TensorRole::output);
      author.program.append(isa::DmaCopy{.dst = author.all(out), .src = sum});
    }
    kernels.push_back(author.program);
  }
  return kernels;
}

TEST(Ranks, may_take_channels_in_any_order) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Chip one_order(rounds_on_channels(seed, false)), untimed(rounds_on_channels(seed, true)),
        timed(rounds_on_channels(seed, true));
    one_order.run_untimed();
    untimed.run_untimed();
    (void)timed.run_timed(true);
    EXPECT_EQ(untimed.result(), one_order.result()) << "seed " << seed;
    EXPECT_EQ(timed.result(), one_order.result()) << "seed " << seed;
  }
}

TEST(Ranks, that_wait_in_a_circle_are_named) {
  std::vector<isa::Program> kernels;
  for (std::int32_t me = 0; me < 2; ++me) {
    engines::Author author;
    const isa::Tile first = tile_of(author);
    const isa::Tile middle = tile_of(author);
    const isa::Tile last = tile_of(author);
    author.program.append(isa::Memset{.dst = first, .value = 1});
    for (const std::int32_t channel : {me, 1 - me}) {
      isa::CollectivePermute permute{.src = channel == me ? first : middle,
                                     .dst = channel == me ? middle : last};
      permute.groups = author.program.groups_of({{0, 1}});
      permute.channels = 2;
      permute.channel = channel;
      author.program.append(permute);
    }
    kernels.push_back(author.program);
  }
  expect_both(kernels,
              AllOf(HasSubstr("run.deadlock"),
                    HasSubstr("rank 0 waits at collective_permute on channel 0 of ranks (0, 1)"),
                    HasSubstr("rank 1 waits at collective_permute on channel 1 of ranks (0, 1)")));
}

// What ranks do beside a permute of `bytes` between those of `group`, which all of them load with
// transfers that do not depend on it.
struct Beside {
  std::vector<std::int32_t> group;
  std::int64_t bytes = 1 << 24;
  isa::Space space = isa::Space::hbm;
  std::int32_t channels = 1;
  std::vector<int> loads = {};  // of 1 MiB, by rank
};

std::vector<isa::Program> beside(const Beside& what) {
  std::vector<isa::Program> kernels;
  for (std::int32_t me = 0; me < ranks; ++me) {
    engines::Author author;
    const std::int64_t length = what.bytes / 4 / (what.space == isa::Space::hbm ? rows : 128);
    const auto made = [&] {
      if (what.space == isa::Space::hbm)
        return author.all(author.hbm(rows, length, isa::TensorRole::internal));
      isa::Tile tile = author.all(author.add(isa::Space::sbuf, 128, length, isa::DType::float32,
                                             isa::TensorRole::internal, -1));
      tile.offset = 0;
      return tile;
    };
    if (std::ranges::find(what.group, me) != what.group.end()) {
      for (std::int32_t channel = 0; channel < what.channels; ++channel) {
        isa::CollectivePermute permute{.src = made(), .dst = made()};
        permute.groups = author.program.groups_of({what.group});
        permute.channels = what.channels;
        permute.channel = channel;
        author.program.append(permute);
      }
    }
    const int loads = what.loads.empty() ? 0 : what.loads[static_cast<std::size_t>(me)];
    const isa::Tile from = author.all(author.hbm(128, 2048, isa::TensorRole::input));
    for (int i = 0; i < loads; ++i) {
      isa::Tile to = author.all(author.add(isa::Space::sbuf, 128, 2048, isa::DType::float32,
                                           isa::TensorRole::internal, -1));
      to.offset = 0;
      author.program.append(isa::DmaCopy{.dst = to, .src = from});
    }
    kernels.push_back(author.program);
  }
  return kernels;
}

// In nanoseconds, by rank.
std::vector<double> times_of(const Beside& what) {
  Chip chip(beside(what));
  std::vector<double> times;
  for (const RunResult& result : chip.run_timed(false))
    times.push_back(base::to_nanoseconds(result.time));
  return times;
}

double latency() { return base::to_nanoseconds(trn3().collective.start + trn3().collective.step); }
double stack_rate() {  // bytes a nanosecond
  const machine::Hbm& hbm = trn3().chip.hbm;
  return static_cast<double>(hbm.bandwidth.bytes_per_second) / 1e9 /
         static_cast<double>(hbm.stacks);
}

// Each byte is read and written; two cores share a stack.
TEST(Collectives, MoveAtTheRateOfHbm) {
  const Beside all{.group = {0, 1, 2, 3}};
  const double moving = 2 * 2 * static_cast<double>(all.bytes) / stack_rate();
  EXPECT_NEAR(times_of(all)[0], latency() + moving, moving / 50 + 200);
}

TEST(Collectives, BetweenSbufsMoveAtTheRateOfTheDmaEngines) {
  const Beside all{.group = {0, 1, 2, 3}, .bytes = 1 << 23, .space = isa::Space::sbuf};
  const machine::Dma& dma = trn3().core.dma;
  const double moving = static_cast<double>(all.bytes) * 1e9 /
                        static_cast<double>(dma.engines * dma.packet_rate.bytes_per_second);
  EXPECT_NEAR(times_of(all)[0], latency() + moving, moving / 50 + 200);
}

TEST(Collectives, OfSeveralChannelsShareTheRate) {
  const Beside one{.group = {0, 1, 2, 3}}, two{.group = {0, 1, 2, 3}, .channels = 2};
  const double moving = times_of(one)[0] - latency();
  EXPECT_NEAR(times_of(two)[0] - latency(), 2 * moving, moving / 25);
}

// Loads that run beside a collective take as long as both need of the engines or of HBM.
TEST(Collectives, TakeBandwidthFromTransfersOfTheirCores) {
  const std::vector<int> loads(ranks, 20);
  const double alone = times_of({.group = {}, .loads = loads})[0];
  const double none = times_of({.group = {0, 1, 2, 3}})[0];
  const double both = times_of({.group = {0, 1, 2, 3}, .loads = loads})[0];
  EXPECT_GT(both, alone + (none - latency()) * 0.9);
  EXPECT_LT(both, alone + none);
}

// Cores 0 and 1 have a stack, 2 and 3 another one.
TEST(Collectives, ShareTheirStackWithTheOtherCore) {
  const double alone = times_of({.group = {0}})[0];
  EXPECT_GT(times_of({.group = {0}, .loads = {0, 40, 0, 0}})[0], alone * 1.3);
  EXPECT_EQ(times_of({.group = {0}, .loads = {0, 0, 40, 40}})[0], alone);
}

// The queue of collectives takes one after the other: the second begins when the first has ended.
TEST(Ranks, collectives_of_a_channel_follow_each_other) {
  std::vector<isa::Program> one = summing([](auto&&...) {});
  std::vector<isa::Program> two = one;
  for (isa::Program& program : two) {
    isa::AllReduce again = program.as<isa::AllReduce>(0);
    again.src = again.dst;
    program.append(again);
  }
  Chip once(one), twice(two);
  const base::Ticks first = once.run_timed(false)[0].time;
  const base::Ticks both = twice.run_timed(false)[0].time;
  const machine::Collective& figures = trn3().collective;
  EXPECT_GE(both, first + figures.start + figures.step * 2);
}

}  // namespace
}  // namespace trainyard::system
