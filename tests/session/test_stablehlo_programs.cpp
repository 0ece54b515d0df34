// Does compiled code give what an independent oracle computed of each program in
// tests/programs/stablehlo, as graph::evaluate does element by element, and does it still take the
// time that the file tells? TRAINYARD_WRITE_COSTS=1 writes that time anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "../graph/program_file.h"
#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/text.h"
#include "session/compiler_flags.h"
#include "session/model.h"

namespace trainyard::session {
namespace {

using graph::Cost;
using graph::Literal;
using graph::ProgramFile;

std::string routines_in_words(const Model& model) {
  std::set<std::string> names;
  for (const RoutineUse& use : model.routines()) names.emplace(graph::name(use.kind));
  std::string words;
  for (const std::string& name : names) words += (words.empty() ? "" : " ") + name;
  return words;
}

void expect_cost(const ProgramFile& file, const Cost& cost) {
  if (std::getenv("TRAINYARD_WRITE_COSTS") != nullptr) {
    if (file.cost != cost) write_cost(file, cost);
    return;
  }
  ASSERT_TRUE(file.cost.has_value()) << "run it once with TRAINYARD_WRITE_COSTS=1";
  EXPECT_EQ(cost.instructions, file.cost->instructions);
  EXPECT_EQ(cost.ticks, file.cost->ticks);
}

void expect_outputs(const ModelRun& run, const std::vector<Literal>& evaluated,
                    const ProgramFile& file) {
  ASSERT_EQ(run.outputs.size(), file.outputs.size());
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const Literal found = *run.outputs[i]->content();
    EXPECT_EQ(differs_from_line(found, file.outputs[i], file.tolerance), "") << "output " << i;
    EXPECT_EQ(differs(found, evaluated.at(i), file.tolerance), "")
        << "output " << i << " beside the evaluator's";
  }
}

Model compile(const graph::Module& module, const ProgramFile& file) {
  return {machine::load("trn3"),
          module,
          [](const graph::Module& routine, std::span<const Literal> operands) {
            return graph::evaluate(routine, operands);
          },
          {.order = compiler::Order::list},
          read_compiler_flags(file.flags).precision,
          file.cores};
}

class StableHlo : public testing::TestWithParam<std::string> {};

TEST_P(StableHlo, IsCompiledToWhatItsFileSays) {
  const ProgramFile file = graph::read_program_file(GetParam());
  try {
    const graph::Module module = graph::read_text(file.text, file.path.filename().string());
    const std::vector<Literal> inputs = inputs_of(module, file);
    Model model = compile(module, file);
    EXPECT_EQ(routines_in_words(model), file.routines) << "operations that no instruction computes";
    Arguments arguments;
    for (const Literal& input : inputs)
      arguments.arrays.push_back(std::make_shared<const Array>(input));
    const ModelRun run = model.run(std::move(arguments), {.timed = true});
    expect_outputs(run, graph::evaluate(module, inputs), file);
    expect_cost(file, {model.instructions(), run.time.value});
  } catch (const std::exception& error) {
    FAIL() << file.path << ": " << error.what();
  }
}

std::vector<std::string> compiled_programs() {
  std::vector<std::string> names = graph::program_names();
  std::erase_if(
      names, [](const std::string& name) { return !graph::read_program_file(name).is_compiled; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, StableHlo, testing::ValuesIn(compiled_programs()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace trainyard::session
