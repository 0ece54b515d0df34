// Do chips that do different things and meet in collectives take the same time to the tick, with
// the same trace, however many threads of the host simulate them, with and without values?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../engines/fixture.h"
#include "base/error.h"
#include "compiler/compiler.h"
#include "isa/instructions/all_reduce.h"
#include "machine/topology.h"
#include "rank_kernel.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using engines::trn3;

constexpr std::int32_t chips = 3, per_chip = 8, ranks = chips * per_chip;
constexpr std::int32_t rows = 64, columns = 32;

const machine::System& system_of_chips() {
  static const machine::System system =
      machine::load_system(std::string(TRAINYARD_SOURCE_DIR) + "/machines/systems/trn3-gen2.toml");
  return system;
}

// What rank `me` runs: collectives drawn by `seed`, the same for all, on groups within a chip and
// across chips, with work in between whose amount differs from rank to rank.
class Kernel : public RankKernel {
 public:
  Kernel(std::uint64_t seed, std::int32_t me) : RankKernel(seed, me, rows, columns, 3) {
    for (int i = 0; i < 10; ++i) step(i);
    store();
  }

 private:
  // Everybody; those of one place; of one chip; of every other place of a chip; of every fourth.
  isa::RankGroups groups() override {
    std::map<std::int32_t, std::vector<std::int32_t>> found;
    const auto sort = random_.below(5);
    for (std::int32_t r = 0; r < ranks; ++r) {
      const std::int32_t chip = r / per_chip;
      const std::array group{0, r % per_chip, chip, 2 * chip + r % 2, r % 4};
      found[group.at(sort)].push_back(r);
    }
    isa::RankLists lists;
    for (auto& [number, list] : found) lists.push_back(std::move(list));
    return program_.groups_of(std::move(lists));
  }

  void step(int i) {
    const std::vector<isa::Tile>& list = random_.below(2) == 0 ? tiles_ : blocks_;
    switch (random_.below(3)) {
      case 0: program_.append(between<isa::AllReduce>(list)); break;
      case 1: program_.append(between<isa::CollectivePermute>(blocks_)); break;
      default: break;
    }
    // Of some steps the same for all, so that chips do things at the same moment.
    const std::int32_t own = (i * 7 + me_ * 5 + me_ / per_chip * 12) % 17;
    const auto work = static_cast<std::size_t>(random_.below(2) == 0 ? 2 : own);
    for (std::size_t k = 0; k < work; ++k) {
      program_.append(isa::TensorTensor{
          .dst = tiles_[k % 3], .data1 = tiles_[(k + 1) % 3], .data2 = tiles_[(k + 2) % 3]});
      if (k % 4 == 3) program_.append(isa::DmaCopy{.dst = blocks_[k % 3], .src = tiles_[0]});
    }
  }
};

// Programs of one core a rank, on chips of a system.
struct Chips {
  explicit Chips(const std::vector<isa::Program>& kernels) {
    for (const isa::Program& kernel : kernels) {
      programs.push_back(std::make_unique<isa::Program>(
          compiler::compile(kernel, trn3().core, {.order = compiler::Order::list})));
      benches.push_back(std::make_unique<engines::Bench>(*programs.back()));
      benches.back()->execution.rank = static_cast<std::int32_t>(benches.size()) - 1;
    }
  }
  static Chips random(std::uint64_t seed) {
    std::vector<isa::Program> kernels;
    for (std::int32_t me = 0; me < ranks; ++me) kernels.push_back(Kernel(seed, me).program());
    return Chips(kernels);
  }
  // Times, traces and links in words.
  std::string result(RunOptions options) {
    std::vector<std::unique_ptr<trace::Recorder>> recorders;
    std::vector<CoreJob> jobs;
    for (std::size_t k = 0; k < programs.size(); ++k) {
      recorders.push_back(std::make_unique<trace::Recorder>(
          tracks(*programs[k], trn3()), programs[k]->instructions.size(), trace::Detail::full));
      jobs.push_back({*programs[k], benches[k]->execution, recorders.back().get()});
    }
    LinkRecord links;
    options.system = &system_of_chips();
    options.links = &links;
    const std::vector<RunResult> results = run_together(jobs, trn3(), options);
    std::string told = fmt::format("{} transfers in {}", links.transfers, links.end.value);
    for (std::size_t k = 0; k < results.size(); ++k)
      told +=
          fmt::format("\n{}: {} {:016x}", k, results[k].time.value, recorders[k]->content_hash());
    return told;
  }

  std::vector<std::unique_ptr<isa::Program>> programs;
  std::vector<std::unique_ptr<engines::Bench>> benches;
};

class RandomChips : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomChips, take_the_same_time) {
  const auto told = [](const RunOptions& options) {
    return Chips::random(GetParam()).result(options);
  };
  const std::string alone = told({.values = false, .folds_chips = false, .threads_max = 1});
  for (int again = 0; again < 3; ++again)
    EXPECT_EQ(told({.values = false, .folds_chips = false, .threads_max = 3}), alone);
  EXPECT_EQ(told({.values = true}), alone);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomChips, testing::Range<std::uint64_t>(0, 10));

// Chip 0 has ranks 0 to 7. Rank 0 stands at a collective that stays on its chip, rank 1 at one that
// does not: neither ever takes place.
TEST(Chips, groups_that_differ_are_named_where_one_crosses_chips) {
  std::vector<isa::Program> kernels;
  for (std::int32_t me = 0; me < 9; ++me) {
    engines::Author author;
    isa::AllReduce op{.src = author.all(author.hbm(2, 64, isa::TensorRole::input)),
                      .dst = author.all(author.hbm(2, 64, isa::TensorRole::output))};
    const std::vector<std::int32_t> group = me == 0 ? std::vector{0, 1} : std::vector{0, 1, 8};
    op.groups = author.program.groups_of({group});
    if (me < 2 || me == 8) author.program.append(op);
    kernels.push_back(author.program);
  }
  try {
    (void)Chips(kernels).result({.values = false});
    FAIL();
  } catch (const base::Fault& fault) {
    EXPECT_THAT(fault.what(), AllOf(testing::HasSubstr("meeting.match"),
                                    testing::HasSubstr("ranks (0, 1, 8) and (0, 1)")));
  }
}

}  // namespace
}  // namespace trainyard::system
