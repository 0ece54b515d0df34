// Is every wait and every signal of a compiled kernel needed, and its loss found? These are the
// mistakes that no author can make, since the compiler orders what a kernel does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "../engines/fixture.h"
#include "checkers/checkers.h"
#include "compiler/compiler.h"
#include "random_kernel.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using engines::Bench;
using engines::trn3;

// The ids of what a timed run of the program finds; a deadlock ends it.
std::vector<std::string> found_in(const RandomKernel& kernel, const isa::Program& program) {
  Bench bench(program);
  const std::vector<std::byte> zeros(
      static_cast<std::size_t>(program.tensors[kernel.input()].bytes()));
  engines::write_tensor(program, kernel.input(), bench.hbm_base, *bench.core.hbm, zeros);
  std::vector<std::string> ids;
  try {
    checkers::Checkers checkers(program, bench.execution, {.stop_at = std::nullopt});
    (void)run(program, trn3(), bench.execution, {.observer = &checkers});
    for (const checkers::Finding& finding : checkers.findings().list())
      ids.emplace_back(finding.violation.label);
  } catch (const base::Fault& fault) {
    ids.push_back(fault.violation().label);
  }
  return ids;
}

bool has(const std::vector<std::string>& ids, const char* id) {
  return std::ranges::find(ids, id) != ids.end();
}

// Calls f(mutated program, item, what) for the program without each one of its waits, or signals.
template <typename F>
void for_each_loss(const isa::Program& program, bool waits, F&& f) {
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    for (std::size_t at = 0; at < program.streams[e].size(); ++at) {
      const isa::StreamItem& item = program.streams[e][at];
      const int count = waits ? item.wait_count : item.signal_count;
      for (int k = 0; k < count; ++k) {
        isa::Program lost = program;
        isa::StreamItem& mutated = lost.streams[e][at];
        if (waits) {
          std::swap(lost.waits[item.first_wait + static_cast<std::size_t>(k)],
                    lost.waits[item.first_wait + item.wait_count - 1u]);
          --mutated.wait_count;
        } else {
          std::swap(lost.signals[item.first_signal + static_cast<std::size_t>(k)],
                    lost.signals[item.first_signal + item.signal_count - 1u]);
          --mutated.signal_count;
        }
        f(lost, item,
          fmt::format("item {} of the {} engine", at, name(static_cast<isa::Engine>(e))));
      }
    }
  }
}

class SeededPrograms : public testing::TestWithParam<int> {
 protected:
  RandomKernel kernel_{static_cast<std::uint64_t>(GetParam())};
  isa::Program program_ = compiler::compile(kernel_.program(), trn3().core, {});
};

TEST_P(SeededPrograms, without_a_mistake_give_no_finding) {
  EXPECT_EQ(found_in(kernel_, program_), std::vector<std::string>{});
}

TEST_P(SeededPrograms, a_lost_wait_is_a_race_and_leaves_its_semaphore_raised) {
  int lost = 0;
  const auto lose = [&](const isa::Program& program, const isa::StreamItem& item,
                        const std::string& what) {
    const std::vector<std::string> ids = found_in(kernel_, program);
    EXPECT_TRUE(has(ids, "order.semaphore")) << what;
    // At a loop all engines wait for each other, whether or not they touch the same bytes.
    const bool barrier = program.info_at(item.instruction).kind == isa::Kind::control;
    if (!barrier) {
      EXPECT_TRUE(has(ids, "memory.race")) << what;
      ++lost;
    }
  };
  for_each_loss(program_, true, lose);
  EXPECT_GT(lost, 0);
}

TEST_P(SeededPrograms, a_lost_signal_is_a_deadlock) {
  int lost = 0;
  const auto lose = [&](const isa::Program& program, const isa::StreamItem&,
                        const std::string& what) {
    EXPECT_TRUE(has(found_in(kernel_, program), "run.deadlock")) << what;
    ++lost;
  };
  for_each_loss(program_, false, lose);
  EXPECT_GT(lost, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeededPrograms, testing::Range(0, 8));

}  // namespace
}  // namespace trainyard::system
