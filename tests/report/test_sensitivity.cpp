// Is the interval of a time the one that the ranges of its figures allow, and are what-ifs ranked?
#include "report/sensitivity.h"

#include <gtest/gtest.h>

#include "machine/schema.h"

namespace trainyard::report {
namespace {

// A run that takes what a few figures say: a completion, and less the faster packets are.
base::Ticks example_time(const machine::Machine& machine) {
  const machine::Dma& dma = machine.core.dma;
  return dma.completion + dma.packet_rate(base::Bytes{1 << 20});
}

class SensitivityTest : public testing::Test {
 protected:
  [[nodiscard]] base::Ticks at(std::string_view key, machine::End end) const {
    return example_time(*machine::at_end(machine, key, end));
  }
  machine::Machine machine = machine::load("trn3");
  base::Ticks duration = example_time(machine);
};

TEST_F(SensitivityTest, IntervalHasEveryFigureAtItsFavourableEndAndAtTheOtherOne) {
  const std::string keys[] = {"dma.completion", "dma.packet_rate", "dma.hardware.spread",
                              "policy.canonical_nan"};
  const TimeBracket interval = bracket_of(machine, keys, duration, example_time);
  EXPECT_EQ(interval.tried, 3u);  // a pattern of bits has no range
  ASSERT_EQ(interval.figures.size(), 2u);
  EXPECT_EQ(interval.figures[0].key, "dma.packet_rate");
  EXPECT_EQ(interval.figures[1].at_low, at("dma.completion", machine::End::low));
  const auto together = [&](machine::End completion, machine::End rate) {
    return at("dma.completion", completion) + at("dma.packet_rate", rate) - duration;
  };
  EXPECT_EQ(interval.low, together(machine::End::low, machine::End::high));
  EXPECT_EQ(interval.high, together(machine::End::high, machine::End::low));
  EXPECT_LT(interval.low, duration);
  EXPECT_LT(duration, interval.high);
}

TEST_F(SensitivityTest, NothingMovesWhatDependsOnNoFigure) {
  const std::string keys[] = {"dma.completion"};
  const TimeBracket interval =
      bracket_of(machine, keys, duration, [&](const auto&) { return duration; });
  EXPECT_TRUE(interval.figures.empty());
  EXPECT_EQ(interval.low, duration);
  EXPECT_EQ(interval.high, duration);
}

TEST_F(SensitivityTest, WhatIfsAreRankedAndOneThatChangesNothingIsAnsweredToo) {
  const Change changes[] = {{"slower", {"dma.packet_rate=x0.5"}},
                            {"the same", {"dma.packet_rate=x1"}},
                            {"both", {"dma.packet_rate=x2", "dma.completion=0ns"}},
                            {"faster", {"dma.packet_rate=x2"}}};
  const std::vector<WhatIf> answers = what_ifs(machine, changes, example_time);
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0].change.name, "both");
  EXPECT_EQ(answers[1].change.name, "faster");
  EXPECT_EQ(answers[2].change.name, "the same");
  EXPECT_EQ(answers[3].change.name, "slower");
  EXPECT_EQ(answers[0].time, base::Ticks{answers[1].time - machine.core.dma.completion});
}

// Every machine takes them, and they are about figures that time depends on.
TEST(StandardChanges, AreSettingsOfFiguresThatTimeDependsOn) {
  for (const char* name : {"trn1", "trn2", "trn3"}) {
    const machine::Machine machine = machine::load(name);
    for (const Change& change : standard_changes())
      EXPECT_NO_THROW((void)machine::apply_overrides(machine, change.settings)) << change.name;
  }
  for (const Change& change : standard_changes()) {
    for (const std::string& setting : change.settings) {
      const machine::Field* field = machine::find_field(setting.substr(0, setting.find('=')));
      ASSERT_NE(field, nullptr) << setting;
      EXPECT_EQ(field->effect, machine::Effect::timing) << setting;
    }
  }
}

}  // namespace
}  // namespace trainyard::report
