// Does every kind of broken machine file name its line and key, and say what was expected?
#include <fmt/format.h>

#include <algorithm>

#include "example.h"
#include "machine/schema.h"

namespace trainyard::machine {
namespace {

constexpr std::string_view clock_line =
    R"(clock = { value = 2.4, unit = "GHz", kind = "published", source = "T3: engine table" })";

struct Broken {
  std::string_view what;         // the case's name
  std::string_view replacement;  // of the tensor engine's clock line
  std::string_view label;
  std::string_view key;   // the end of the violation's place
  std::string_view rule;  // part of the rule: what was expected
};

class BrokenClock : public testing::TestWithParam<Broken> {};

TEST_P(BrokenClock, NamesLineKeyAndRule) {
  const Broken& broken = GetParam();
  const std::string text = file_text("trn3");
  const auto violations = violations_of(replaced(text, clock_line, broken.replacement));
  ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  EXPECT_EQ(violations[0].label, broken.label);
  EXPECT_EQ(violations[0].place,
            fmt::format("my.toml:{}: {}", line_of(text, clock_line), broken.key));
  EXPECT_NE(violations[0].rule.find(broken.rule), std::string::npos) << violations[0].rule;
  EXPECT_FALSE(violations[0].found.empty());
  EXPECT_FALSE(violations[0].fix.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BrokenClock,
    testing::Values(
        Broken{"no_unit", R"(clock = { value = 2.4, kind = "published", source = "T3" })",
               "machine.unit", "tensor.clock", "has a unit"},
        Broken{"unit_of_another_dimension",
               R"(clock = { value = 2.4, unit = "ns", kind = "published", source = "T3" })",
               "machine.unit", "tensor.clock", "GHz, MHz"},
        Broken{"unit_that_does_not_exist",
               R"(clock = { value = 2.4, unit = "GHZ", kind = "published", source = "T3" })",
               "machine.unit", "tensor.clock", "GHz, MHz"},
        Broken{"unit_not_text",
               R"(clock = { value = 2.4, unit = 7, kind = "published", source = "T3" })",
               "machine.type", "tensor.clock.unit", "is a string"},
        Broken{"no_kind", R"(clock = { value = 2.4, unit = "GHz", source = "T3" })", "machine.kind",
               "tensor.clock", "published, derived, estimated or assumed"},
        Broken{"unknown_kind",
               R"(clock = { value = 2.4, unit = "GHz", kind = "guessed", source = "T3" })",
               "machine.kind", "tensor.clock", "published, derived, estimated or assumed"},
        Broken{"no_source", R"(clock = { value = 2.4, unit = "GHz", kind = "published" })",
               "machine.source", "tensor.clock", "has a source"},
        Broken{"empty_source",
               R"(clock = { value = 2.4, unit = "GHz", kind = "published", source = "" })",
               "machine.source", "tensor.clock", "has a source"},
        Broken{"bare_number", "clock = 2.4", "machine.figure", "tensor.clock",
               "a value alone replaces"},
        Broken{"text_value",
               R"(clock = { value = "fast", unit = "GHz", kind = "published", source = "T3" })",
               "machine.type", "tensor.clock", "a number"},
        Broken{"flag_value",
               R"(clock = { value = true, unit = "GHz", kind = "published", source = "T3" })",
               "machine.type", "tensor.clock", "a number"},
        Broken{"date_value",
               R"(clock = { value = 2026-01-01, unit = "GHz", kind = "published", source = "T3" })",
               "machine.type", "tensor.clock", "a number, true, false or a string"},
        Broken{"too_fast",
               R"(clock = { value = 24, unit = "GHz", kind = "published", source = "T3" })",
               "machine.range", "tensor.clock", "0.1 .. 10 GHz"},
        Broken{"not_a_number",
               R"(clock = { value = nan, unit = "GHz", kind = "published", source = "T3" })",
               "machine.range", "tensor.clock", "0.1 .. 10 GHz"},
        Broken{"infinite",
               R"(clock = { value = inf, unit = "GHz", kind = "published", source = "T3" })",
               "machine.range", "tensor.clock", "0.1 .. 10 GHz"},
        Broken{"zero", R"(clock = { value = 0, unit = "GHz", kind = "published", source = "T3" })",
               "machine.range", "tensor.clock", "0.1 .. 10 GHz"},
        Broken{"no_whole_ticks",
               R"(clock = { value = 2.5, unit = "GHz", kind = "published", source = "T3" })",
               "machine.clock", "tensor.clock", "1/168 ns"},
        Broken{
            "extra_attribute",
            R"(clock = { value = 2.4, unit = "GHz", kind = "published", source = "T3", note = "x" })",
            "machine.unknown_key", "tensor.clock.note", "low and high"},
        Broken{
            "low_without_high",
            R"(clock = { value = 2.4, unit = "GHz", kind = "estimated", low = 1.2, source = "T3" })",
            "machine.uncertainty", "tensor.clock", "enclose the value"},
        Broken{
            "range_beside_the_value",
            R"(clock = { value = 2.4, unit = "GHz", kind = "estimated", low = 1.2, high = 1.4, source = "T3" })",
            "machine.uncertainty", "tensor.clock", "enclose the value"}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(BrokenFile, MissingKeyNamesItsSectionAndHowToAddIt) {
  const std::string text = file_text("trn3");
  const auto violations = violations_of(replaced(text, clock_line, "# nothing"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].label, "machine.missing_key");
  EXPECT_EQ(violations[0].place,
            fmt::format("my.toml:{}: tensor.clock", line_of(text, clock_line) - 1));
  EXPECT_NE(violations[0].fix.find("unit = \"GHz\""), std::string::npos);
}

TEST(BrokenFile, UnknownKeySuggestsTheNearest) {
  const auto violations = violations_of(
      file_text("trn3") +
      "\n[vectr]\nclock = { value = 1, unit = \"GHz\", kind = \"assumed\", source = \"x\" }\n");
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].label, "machine.unknown_key");
  EXPECT_EQ(violations[0].found, "vectr.clock");
  EXPECT_NE(violations[0].fix.find("vector.clock"), std::string::npos);
}

TEST(BrokenFile, SyntaxErrorNamesTheLineAndNothingElse) {
  const std::string text = file_text("trn3");
  const auto violations = violations_of(replaced(text, clock_line, "clock = {{"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].label, "machine.syntax");
  EXPECT_EQ(violations[0].place, fmt::format("my.toml:{}", line_of(text, clock_line)));
}

TEST(BrokenFile, KeyWrittenTwiceIsASyntaxError) {
  const std::string twice = std::string(clock_line) + "\n" + std::string(clock_line);
  const auto violations = violations_of(replaced(file_text("trn3"), clock_line, twice));
  EXPECT_EQ(violations[0].label, "machine.syntax");
}

// The TOML library would follow them by recursion.
TEST(BrokenFile, AKeyOfManyPartsIsRefusedBeforeItIsRead) {
  std::string key = "a";
  for (int i = 0; i < 20'000; ++i) key += ".a";
  for (const std::string& line : {key + " = 1", "[" + key + "]"}) {
    const auto violations = violations_of(replaced(file_text("trn3"), clock_line, line));
    ASSERT_FALSE(violations.empty());
    EXPECT_EQ(violations[0].label, "machine.syntax");
  }
}

TEST(BrokenFile, EveryViolationIsCollected) {
  std::string text = file_text("trn3");
  text = replaced(text, clock_line, "clock = 2.4");
  text = replaced(text, R"(stacks = { value = 4, unit = "count")",
                  R"(stacks = { value = 4.5, unit = "count")");
  text = replaced(text, R"(generation = { value = "gen4")", R"(generation = { value = "gen9")");
  const auto violations = violations_of(text);
  std::vector<std::string> labels;
  for (const base::Violation& violation : violations) labels.push_back(violation.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"machine.figure", "machine.choice", "machine.type"}));
}

// What a typist meant is not missing as well.
TEST(BrokenFile, AMistypedKeyIsOneMistake) {
  const std::string typed = "clok" + std::string(clock_line).substr(5);
  const auto violations = violations_of(replaced(file_text("trn3"), clock_line, typed));
  ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  EXPECT_EQ(violations[0].found, "tensor.clok");
  EXPECT_EQ(violations[0].fix, "did you mean tensor.clock?");
}

TEST(BrokenFile, AMistypedSectionIsOneMistake) {
  const auto violations = violations_of(replaced(file_text("trn3"), "\n[psum]\n", "\n[pssum]\n"));
  ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  EXPECT_EQ(violations[0].label, "machine.unknown_key");
  EXPECT_NE(violations[0].fix.find("there is no [pssum]"), std::string::npos);
}

TEST(BrokenFile, ASectionThatIsNoTableIsOneMistake) {
  for (const std::string_view line : {"psum = 3\n", "[[psum]]\nbanks = 8\n"}) {
    const auto violations = violations_of(fmt::format("{}{}", line, file_text("trn3")));
    ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  }
}

std::string extended(std::string_view sections) {
  return fmt::format("[machine]\nname = \"a\"\nextends = \"trn3.toml\"\n{}", sections);
}

TEST(BrokenFile, AFigureThatBreaksTwoRulesIsOneMistakeAtItsOwnLine) {
  const auto violations =
      violations_of(extended("[sbuf]\npartitions = { value = 100, unit = \"count\", kind = "
                             "\"assumed\", source = \"x\" }\n"));
  ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  EXPECT_EQ(violations[0].place, "my.toml:5: sbuf.partitions");
  EXPECT_EQ(violations[0].rule,
            "SBUF partitions are whole quadrants; SBUF has a partition for each row of the array");
  EXPECT_EQ(violations[0].found, "sbuf.partitions = 100, sbuf.quadrant = 32, array.rows = 128");
}

TEST(BrokenFile, AContradictionIsTreatedAtTheFiguresOfTheFileThatWasNamed) {
  const auto violations = violations_of(extended(
      "[hbm]\nstacks = { value = 3, unit = \"count\", kind = \"assumed\", source = \"x\" }\n"));
  ASSERT_EQ(violations.size(), 1u) << base::InputError(violations).what();
  EXPECT_EQ(violations[0].place, "my.toml:5: hbm.stacks");
}

TEST(BrokenFile, ChoiceListsTheWords) {
  const auto violations = violations_of(replaced(
      file_text("trn3"), R"(generation = { value = "gen4")", R"(generation = { value = 4)"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_NE(violations[0].rule.find("gen2, gen3, gen4"), std::string::npos);
}

TEST(BrokenFile, ContradictionNamesBothFigures) {
  const auto violations =
      violations_of(replaced(file_text("trn3"), R"(bandwidth = { value = 4.7, unit)",
                             R"(bandwidth = { value = 5.7, unit)"));
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].label, "machine.consistent");
  EXPECT_EQ(violations[0].found, "hbm.bandwidth = 5700 GB/s, hbm.bandwidth_peak = 4915.2 GB/s");
}

TEST(BrokenFile, NameIsAsked) {
  const auto violations = violations_of("[machine]\ntitle = \"a machine\"\n");
  EXPECT_EQ(violations[0].label, "machine.name");
}

TEST(BrokenFile, ExtendsStaysInTheFolderAndEnds) {
  for (const std::string_view base : {"../secret.toml", "absent.toml", ".."}) {
    const auto violations =
        violations_of(fmt::format("[machine]\nname = \"a\"\nextends = \"{}\"\n", base));
    EXPECT_EQ(violations[0].label, "machine.extends") << base;
  }
}

TEST(ShortFile, SaysWhatDiffersOnly) {
  const Machine machine = load_text(
      "extends = \"trn3\"\nhbm.bandwidth = \"4.5 TB/s\"\n"
      "tensor.clock = 2.8\nfeature.structured_sparsity = false\n",
      "my.toml", "");
  const Machine whole = load("trn3");
  EXPECT_EQ(machine.name, "my");
  EXPECT_EQ(machine.title, whole.title + ", changed");
  EXPECT_EQ(machine.figure("hbm.bandwidth")->unit, "TB/s");
  EXPECT_EQ(machine.figure("hbm.bandwidth")->place, "my.toml:2");
  const Figure& clock = *machine.figure("tensor.clock");
  EXPECT_EQ(clock.unit, "GHz");
  EXPECT_EQ(clock.kind, Kind::assumed);
  EXPECT_NE(clock.source.find("trn3.toml:"), std::string::npos);
  EXPECT_EQ(machine.figure("vector.startup")->value, whole.figure("vector.startup")->value);
}

TEST(ShortFile, AValueAloneReplacesSomething) {
  const auto typo = violations_of("extends = \"trn3\"\nhbm.bandwith = 4\n");
  ASSERT_FALSE(typo.empty());
  EXPECT_EQ(typo[0].label, "machine.figure");
  EXPECT_EQ(typo[0].place, "my.toml:2: hbm.bandwith");
  const auto word = violations_of("extends = \"trn3\"\nhbm.bandwidth = \"fast\"\n");
  ASSERT_EQ(word.size(), 1u);
  EXPECT_EQ(word[0].place, "my.toml:2: hbm.bandwidth");
  const auto unit = violations_of("extends = \"trn3\"\nhbm.bandwidth = \"4 apples\"\n");
  ASSERT_EQ(unit.size(), 1u);
  EXPECT_EQ(unit[0].label, "machine.unit");
}

TEST(BrokenFile, ViolationInTheExtendedFileNamesThatFile) {
  const std::string text =
      "[machine]\nname = \"a\"\nextends = \"trn3.toml\"\n[tensor]\nclock = \"fast\"\n";
  const auto violations = violations_of(text);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].place, "my.toml:5: tensor.clock");
}

TEST(BrokenFile, AnEmptyFileMissesEverything) {
  EXPECT_EQ(violations_of("").size(), 1 + schema().size());
}

TEST(Load, AnUnknownNameListsTheKnownOnes) {
  try {
    static_cast<void>(load("trn9"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations()[0].label, "machine.not_found");
    EXPECT_EQ(error.violations()[0].fix, "known: trn1, trn2, trn3");
  }
}

}  // namespace
}  // namespace trainyard::machine
