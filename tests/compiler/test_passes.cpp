// Are the lists of passes what runs, in order, and is what they do logged?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "compiler/compiler.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/program_passes.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

isa::Program doubled() {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 64}, DType::float32, isa::TensorRole::input);
  const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64});
  k.load(a, in);
  k.copy(b, a);
  return std::move(k.program);
}

std::vector<std::string_view> passes_of(const PassLog& log) {
  std::vector<std::string_view> names;
  for (const PassTime& each : log.times) names.push_back(each.pass);
  return names;
}

TEST(Passes, HaveNamesOfTheirOwnAndASentence) {
  std::set<std::string_view> names{lower_pass};
  const auto check = [&](std::string_view name, std::string_view summary) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
    EXPECT_FALSE(summary.empty()) << name;
    EXPECT_NE(summary.back(), '.') << name;
  };
  for (const auto list : {meaning_passes(), machine_passes()})
    for (const ModulePass& pass : list) check(pass.name, pass.summary);
  for (const ProgramPass& pass : program_passes()) check(pass.name, pass.summary);
  EXPECT_GE(names.size(), 17U);
}

TEST(Passes, ThoseThatApplyRunInOrder) {
  EXPECT_THAT(passes_of(compile_and_tell(doubled(), trn3().core).log),
              ElementsAre("resolve-accumulation", "choose-engines", "split-registers", "schedule",
                          "allocate", "build-streams"));
  EXPECT_THAT(passes_of(compile_and_tell(doubled(), trn3().core, {.rewrite = true}).log),
              ElementsAre("merge-loads", "merge-products", "join-transfers", "resolve-accumulation",
                          "choose-engines", "balance-engines", "split-registers", "schedule",
                          "allocate", "build-streams"));
}

TEST(Passes, OnesAskedForLeaveTheirText) {
  const Compiled compiled = compile_and_tell(
      doubled(), trn3().core, {.passes = {.dump_after = {"schedule", "allocate"}, .verify = true}});
  ASSERT_EQ(compiled.log.dumps.size(), 2U);
  EXPECT_EQ(compiled.log.dumps[0].pass, "schedule");
  EXPECT_THAT(compiled.log.dumps[0].text, Not(HasSubstr(" at 256")));
  EXPECT_EQ(compiled.log.dumps[1].pass, "allocate");
  EXPECT_THAT(compiled.log.dumps[1].text, HasSubstr(" at 256"));
  EXPECT_EQ(compile_and_tell(doubled(), trn3().core, {.passes = {.dump_after = {"all"}}})
                .log.dumps.size(),
            6U);
}

TEST(Passes, AFailedAttemptIsCountedButNotShown) {
  PassLog log, failed;
  log.ran("schedule", std::chrono::nanoseconds(5));
  failed.ran("schedule", std::chrono::nanoseconds(7));
  failed.dumps.push_back({"schedule", "p", "text"});
  log.add_times(failed);
  ASSERT_EQ(log.times.size(), 1U);
  EXPECT_EQ(log.times[0].runs, 2);
  EXPECT_EQ(log.times[0].time.count(), 12);
  EXPECT_TRUE(log.dumps.empty());
}

}  // namespace
}  // namespace trainyard::compiler
