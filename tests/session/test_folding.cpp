// Does the report of a run that folds the turns of a hardware loop equal that of one that runs
// every turn, and does a run that is checked find in all of them what it finds without folding?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../checkers/findings_in_words.h"
#include "checkers/checkers.h"
#include "engines/core_state.h"
#include "isa/builder/builder.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "machine/machine.h"
#include "report/json.h"
#include "session/describe.h"
#include "system/run.h"

namespace trainyard::session {
namespace {

// Turns of a product beside sines of what lies outside their range. They are alike two by two, as
// in tests/system/test_loop_periods.cpp.
isa::Program products_beside_sines(const machine::Machine& machine, int turns) {
  isa::Builder b("products_beside_sines", machine.core);
  const auto on_chip = [&](isa::Space space, std::int64_t columns) {
    return isa::tile_of(b.tensor({.shape = {128, columns}, .space = space}));
  };
  const isa::Tile weights = on_chip(isa::Space::sbuf, 128), angles = on_chip(isa::Space::sbuf, 512);
  const isa::Tile product = on_chip(isa::Space::psum, 128), sines = on_chip(isa::Space::sbuf, 512);
  b.emit(isa::Memset{.dst = weights});
  b.emit(isa::Memset{.dst = angles, .value = 4});
  b.loop({}, {turns}, 1, [&](isa::Register) {
    b.emit(isa::NcMatmul{.dst = product, .stationary = weights, .moving = weights});
    b.emit(isa::Activation{.dst = sines,
                           .op = numerics::ActivationFunction::sin,
                           .data = angles,
                           .bias = {},
                           .reduce_res = {}});
  });
  return b.take();
}

// What is told of a run.
struct Told {
  std::int64_t turns_folded = 0;
  std::string report;
  std::vector<std::string> findings;
};

class Folding : public testing::TestWithParam<int> {  // turns of the loop
 protected:
  [[nodiscard]] Told run(bool folds, bool checked) const {
    const isa::Program& program = instance_->program();
    state::Core core(engines::sizes_of(machine_.core), engines::make_stack(machine_));
    isa::Execution execution{.core = core,
                             .program = program,
                             .hbm_base = instance_->hbm_base(),
                             .machine = machine_.core};
    const auto recorder = std::make_shared<trace::Recorder>(
        system::tracks(program, machine_), program.instructions.size(), trace::Detail::summary);
    checkers::Checkers checkers(program, execution, {.stop_at = {}});
    system::RunResult timed = system::run(program, machine_, execution,
                                          {.values = checked,
                                           .recorder = recorder.get(),
                                           .observer = checked ? &checkers : nullptr,
                                           .folds_loops = folds});
    Told told;
    told.turns_folded = timed.turns_folded;
    std::vector<runtime::Result> results(1);
    results[0].findings = checkers.findings().list();
    results[0].timing = runtime::TimedRun{std::move(timed), recorder};
    std::vector<session::Run> runs = described({&instance_, 1}, std::move(results), machine_,
                                               nullptr, {.timed = true, .values = checked});
    told.report = report::to_json(whole_report(runs.front()));
    told.findings = checkers::in_words(runs.front().findings);
    return told;
  }

  machine::Machine machine_ = machine::load("trn3");
  Session session_{machine_};
  std::shared_ptr<Instance> instance_ = session_.load(products_beside_sines(machine_, GetParam()));
};

TEST_P(Folding, ChangesNeitherReportNorFindings) {
  const Told folded = run(true, false), whole = run(false, false);
  EXPECT_GT(folded.turns_folded, GetParam() / 2);
  EXPECT_EQ(folded.turns_folded % 2, 0);
  EXPECT_EQ(whole.turns_folded, 0);
  EXPECT_EQ(folded.report, whole.report);
  EXPECT_EQ(folded.findings, whole.findings);
}

TEST_P(Folding, IsLeftOutWhereValuesAreChecked) {
  const Told checked = run(true, true), whole = run(false, true);
  EXPECT_EQ(checked.turns_folded, 0);
  EXPECT_EQ(checked.report, whole.report);
  EXPECT_EQ(checked.findings, whole.findings);
  EXPECT_THAT(checked.findings, testing::ElementsAre(testing::AllOf(
                                    testing::HasSubstr("numerics.range"),
                                    testing::HasSubstr(fmt::format("{} times", GetParam())))));
}

INSTANTIATE_TEST_SUITE_P(EvenAndOddTurns, Folding, testing::Values(100, 101));

}  // namespace
}  // namespace trainyard::session
