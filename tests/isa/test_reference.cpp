// Is docs/reference/isa.md what the schema says?
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "isa/core/instruction_set.h"
#include "isa/rules/reference_page.h"

namespace trainyard::isa {
namespace {

TEST(Reference, IsFresh) {
  const std::string path = TRAINYARD_SOURCE_DIR "/docs/reference/isa.md";
  if (std::getenv("TRAINYARD_WRITE_DOCS") != nullptr) base::write_file(path, reference_markdown());
  EXPECT_TRUE(base::read_file(path) == reference_markdown())
      << "write it again: trainyard isa docs > docs/reference/isa.md, or this test with the "
         "environment variable TRAINYARD_WRITE_DOCS=1";
}

TEST(Reference, NamesEveryInstructionOperandAndRule) {
  const std::string page = reference_markdown();
  const auto holds = [&](std::string_view text) { return page.find(text) != std::string::npos; };
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode) {
    EXPECT_TRUE(holds("### " + std::string(info(opcode).mnemonic) + "\n"));
    for (const OperandInfo& operand : info(opcode).operands) {
      EXPECT_FALSE(operand.doc.empty()) << info(opcode).mnemonic << " " << operand.name;
    }
    for (const ConstraintInfo& rule : info(opcode).constraints)
      EXPECT_TRUE(holds("| " + std::string(rule.label) + " |")) << rule.label;
  }
}

}  // namespace
}  // namespace trainyard::isa
