// Does each pass on tensor programs still leave what its files in tests/compiler/passes show, and
// does what it leaves still mean the same to the evaluator? A file holds the program before the
// pass, a line "// -----", and the program behind it. TRAINYARD_WRITE_PASSES=1 writes the second
// part of each file anew; TRAINYARD_CHOOSE_PASSES=1 chooses the programs anew, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "../graph/program_file.h"
#include "base/file.h"
#include "compiler/lowering/module_passes.h"
#include "graph/evaluate.h"
#include "graph/print.h"
#include "graph/text.h"
#include "machine/machine.h"

namespace trainyard::compiler {
namespace {

using graph::Literal;
using graph::Module;
using graph::ProgramFile;

const std::filesystem::path folder =
    std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests/compiler/passes";
constexpr std::string_view line_between = "// -----\n";
constexpr std::size_t files_max = 2, bytes_max = 40000;  // of a pass, of a file

const machine::Core& core() {
  static const machine::Machine trn3 = machine::load("trn3");
  return trn3.core;
}

void run(const ModulePass& pass, Module& module) {
  PassLog log;
  run_module_passes({&pass, 1}, module, {.core = &core(), .layers = Layers::apart}, {}, log);
}

const ModulePass* find_pass(std::string_view name) {
  for (const auto list : {meaning_passes(), machine_passes()})
    for (const ModulePass& pass : list)
      if (pass.name == name) return &pass;
  return nullptr;
}

struct PassFile {
  ProgramFile file;
  std::string before, after;
};

// From "fuse-attention__attention_plain".
PassFile read_pass_file(const std::string& name) {
  PassFile read{graph::read_program_file(folder / (name + ".mlir")), {}, {}};
  const std::string& text = read.file.text;
  const std::size_t cut = text.find(line_between);
  read.before = text.substr(0, cut);
  if (cut != std::string::npos) read.after = text.substr(cut + line_between.size());
  return read;
}

std::vector<std::string> file_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

bool is_evaluated(const graph::Region& region) {
  return std::ranges::all_of(region.ops, [](const graph::Op& op) {
    const bool is_the_compilers =
        op.kind == graph::OpKind::composite && op.find("decomposition") == nullptr;
    return !is_the_compilers && std::ranges::all_of(op.regions, [](const graph::Region& inner) {
      return is_evaluated(inner);
    });
  });
}
// Operations of the compiler's own have no meaning to the evaluator; tests/session runs them.
bool is_evaluated(const Module& module) {
  return std::ranges::all_of(module.functions, [](const graph::Function& function) {
    return is_evaluated(function.body);
  });
}

// The evaluator knows no custom calls: what comes out of those stands in the file.
void expect_outputs(const Module& after, const ProgramFile& file) {
  const std::vector<Literal> found = graph::evaluate(after, inputs_of(after, file));
  ASSERT_EQ(found.size(), file.outputs.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(differs_from_line(found[i], file.outputs[i], file.tolerance), "") << "output " << i;
}

void expect_same_meaning(const Module& before, const Module& after, const ProgramFile& file) {
  if (!file.outputs.empty()) return expect_outputs(after, file);
  if (!is_evaluated(after)) return;
  const std::vector<Literal> inputs = inputs_of(before, file);
  const std::vector<Literal> wanted = graph::evaluate(before, inputs);
  const std::vector<Literal> found = graph::evaluate(after, inputs);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(differs(found[i], wanted[i], std::max(file.tolerance, 1e-6)), "") << "output " << i;
}

class PassText : public testing::TestWithParam<std::string> {};

TEST_P(PassText, IsWhatItsFileShows) {
  const PassFile read = read_pass_file(GetParam());
  const ModulePass* const pass = find_pass(GetParam().substr(0, GetParam().find("__")));
  ASSERT_NE(pass, nullptr);
  const Module before = graph::read_text(read.before, "before");
  Module after = before;
  run(*pass, after);
  const std::string text = graph::print(after);
  if (std::getenv("TRAINYARD_WRITE_PASSES") != nullptr && text != read.after)
    base::write_file(read.file.path, read.before + std::string(line_between) + text);
  else
    EXPECT_EQ(text, read.after);
  expect_same_meaning(before, after, read.file);
}

std::string test_name(const testing::TestParamInfo<std::string>& each) {
  std::string name = each.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Passes, PassText, testing::ValuesIn(file_names()), test_name);

// Of each pass, the programs that it changes, the shortest first, as files.
using Files = std::multimap<std::size_t, std::pair<std::string, std::string>>;

std::string head_of(const ProgramFile& file) {
  std::string head = fmt::format("// tolerance: {}\n", file.tolerance);
  for (const std::string& input : file.inputs) head += "// in: " + input + "\n";
  return head;
}

void collect(const std::string& name, std::map<std::string_view, Files>& files) {
  const ProgramFile file = graph::read_program_file(name);
  Module module = graph::read_text(file.text, name);
  for (const auto list : {meaning_passes(), machine_passes()}) {
    for (const ModulePass& pass : list) {
      const std::string before = graph::print(module);
      run(pass, module);
      const std::string after = graph::print(module);
      if (before == after) continue;
      const std::string text = head_of(file) + before + std::string(line_between) + after;
      files[pass.name].emplace(text.size(), std::pair(name, text));
    }
  }
}

// The programs are those of tests/programs/stablehlo.
TEST(PassTexts, AreThereForEachPassThatChangesAProgram) {
  const char* const again = std::getenv("TRAINYARD_CHOOSE_PASSES");
  if (again != nullptr) {
    std::map<std::string_view, Files> files;
    for (const std::string& name : graph::program_names())
      if (graph::read_program_file(name).is_compiled) collect(name, files);
    for (const auto& [pass, of_pass] : files) {
      std::size_t count = 0;
      for (const auto& [size, named] : of_pass)
        if (count++ < files_max && size < bytes_max)
          base::write_file(folder / fmt::format("{}__{}.mlir", pass, named.first), named.second);
    }
  }
  std::set<std::string> found;
  for (const std::string& name : file_names()) found.insert(name.substr(0, name.find("__")));
  std::set<std::string> wanted;
  for (const auto list : {meaning_passes(), machine_passes()})
    for (const ModulePass& pass : list) wanted.emplace(pass.name);
  wanted.erase("cast");             // changes nothing without --auto-cast
  wanted.erase("prepare-weights");  // nothing without formats of weights
  // Nothing in programs this small; tests/model has larger ones.
  for (const char* const pass : {"channels-first", "choose-matrices", "route-rows",
                                 "slice-before-arithmetic", "sum-by-image", "take-turns"})
    wanted.erase(pass);
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace trainyard::compiler
