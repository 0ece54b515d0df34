// Does graph::evaluate give what an independent oracle computed of each program in
// tests/programs/stablehlo, read as text, and again as it is printed?
#include <gtest/gtest.h>

#include "graph/evaluate.h"
#include "graph/print.h"
#include "graph/text.h"
#include "program_file.h"

namespace trainyard::graph {
namespace {

class StableHlo : public testing::TestWithParam<std::string> {};

TEST_P(StableHlo, IsEvaluatedAsItsFileSays) {
  const ProgramFile file = read_program_file(GetParam());
  try {
    const Module module = read_text(file.text, file.path.filename().string());
    const std::vector<Literal> found = evaluate(module, inputs_of(module, file));
    ASSERT_EQ(found.size(), file.outputs.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(differs_from_line(found[i], file.outputs[i], file.tolerance), "") << "output " << i;
    EXPECT_EQ(print(read_text(print(module), "printed")), print(module));
  } catch (const std::exception& error) {
    FAIL() << file.path << ": " << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, StableHlo, testing::ValuesIn(program_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace trainyard::graph
