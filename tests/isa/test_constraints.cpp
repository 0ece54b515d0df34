// Is every rule of the instruction set broken by exactly one test, and for the reason it names?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cases.h"
#include "isa/forms/record_defaults.h"

namespace trainyard::isa {
namespace {

using testing::IsEmpty;
using testing::Not;

template <typename... Parts>
concept MakesARule = requires(Parts... parts) {
  Constraint<Memset>{parts...};
};
static_assert(MakesARule<std::string_view, std::string_view, Predicate<Memset>, Fix>);
static_assert(!MakesARule<std::string_view, std::string_view, Predicate<Memset>>);

std::vector<std::string> all_labels() {
  std::vector<std::string> labels;
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    for (const ConstraintInfo& rule : info(opcode).constraints) labels.emplace_back(rule.label);
  }
  for (const GeneralRule& rule : general_rules()) labels.emplace_back(rule.label);
  for (const GeneralRule& rule : program_rules()) labels.emplace_back(rule.label);
  return labels;
}

TEST(Constraints, EveryLabelIsUnique) {
  std::set<std::string> seen;
  for (const std::string& label : all_labels())
    EXPECT_TRUE(seen.insert(label).second) << label << " is used twice";
}

TEST(Constraints, LabelsCarryTheirMnemonic) {
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    for (const ConstraintInfo& rule : info(opcode).constraints) {
      const std::string prefix = std::string(info(opcode).mnemonic) + ".";
      EXPECT_TRUE(rule.label.starts_with(prefix)) << rule.label;
      EXPECT_FALSE(rule.rule.empty()) << rule.label;
    }
    if (info(opcode).nameable != nullptr) {
      EXPECT_EQ(info(opcode).naming.label, std::string(info(opcode).mnemonic) + ".engine");
    }
  }
}

TEST(Constraints, EveryLabelHasACase) {
  std::map<std::string, int> cases;
  for (const BrokenCase& broken : all_cases().broken) ++cases[broken.label];
  for (const std::string& label : all_labels()) {
    EXPECT_GE(cases[label], 1) << label << ": add a line to a tests/isa/cases_*.cpp";
    cases.erase(label);
  }
  for (const auto& [label, count] : cases) ADD_FAILURE() << label << " is no rule";
}

TEST(Constraints, EveryInstructionHasALegalCase) {
  std::set<Opcode> seen;
  for (const LegalCase& legal : all_cases().legal) seen.insert(legal.opcode);
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode)
    EXPECT_TRUE(seen.contains(opcode)) << info(opcode).mnemonic;
}

TEST(Constraints, LegalRecordsAreAccepted) {
  for (const LegalCase& legal : all_cases().legal) {
    Bench bench;
    EXPECT_THAT(legal.broken(bench), IsEmpty()) << info(legal.opcode).mnemonic;
  }
}

TEST(Constraints, EveryBrokenRuleIsReported) {
  for (const BrokenCase& broken : all_cases().broken) {
    Bench bench;
    const std::vector<std::string> reported = broken.broken(bench);
    EXPECT_THAT(reported, testing::Contains(broken.label));
    for (const std::string& label : reported) {
      if (label == broken.label) continue;
      EXPECT_THAT(broken.others, testing::Contains(label)) << "while breaking " << broken.label;
    }
  }
}

// What stands for "not given" is no number for people to read.
TEST(Constraints, OperandsThatWereNotGivenAreNotDescribed) {
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    RecordBuffer record(info(opcode));
    const std::string text = describe_operands(Program{}, info(opcode), record.data());
    EXPECT_THAT(text, Not(testing::HasSubstr(std::to_string(no_integer)))) << info(opcode).mnemonic;
    for (const OperandInfo& operand : info(opcode).operands) {
      if (operand.default_value.empty()) continue;
      EXPECT_THAT(text, Not(testing::HasSubstr(fmt::format("{}: ", operand.name))))
          << info(opcode).mnemonic;
    }
  }
}

}  // namespace
}  // namespace trainyard::isa
