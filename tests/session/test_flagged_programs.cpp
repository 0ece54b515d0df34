// Does compiled code follow the flags of its user, and does it mean the same whichever way the
// compiler chooses: is it what the evaluator makes of the program as the flags rewrite it, and does
// it still take the time that flagged_programs.txt tells? TRAINYARD_WRITE_COSTS=1 writes that time
// anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>

#include "../graph/program_file.h"
#include "base/error.h"
#include "base/file.h"
#include "compiler/lowering/module_passes.h"
#include "graph/evaluate.h"
#include "graph/text.h"
#include "session/compiler_flags.h"
#include "session/model.h"

namespace trainyard::session {
namespace {

using graph::Literal;
using graph::Module;
using graph::ProgramFile;

struct Flagged {
  std::string flags{};
  double tolerance = 0;  // of what is rounded differently on the way
  std::vector<std::string_view> programs{};
  compiler::Options options{.order = compiler::Order::list};
  std::string how{};  // the options in words

  [[nodiscard]] std::string label() const { return flags + how + " "; }
};

const std::vector<std::string_view>& products() {
  static const std::vector<std::string_view> names{"products_128x128x128", "products_200x64x40",
                                                   "products_1x256x300",   "products_relu",
                                                   "products_bf16",        "products_gated",
                                                   "products_left_turned", "products_swiglu_layer"};
  return names;
}

// Programs whose regions can be computed in several ways.
const std::vector<std::string_view>& varied() {
  static const std::vector<std::string_view> names{
      "products_200x64x40",  "products_swiglu_layer",     "attention_layer",
      "rows_softmax_130x33", "rows_layer_norm_6x16",      "elementwise_gelu",
      "images_pool_global",  "attention_projected_heads", "rows_product_then_norm"};
  return names;
}

std::vector<Flagged> by_flags() {
  return {
      {"--auto-cast=matmult --auto-cast-type=fp16", 2e-3, products()},
      {"--auto-cast=matmult --auto-cast-type=tf32", 2e-3, products()},
      {"--auto-cast=matmult --auto-cast-type=fp8_e4m3", 1e-2, products()},
      {"--auto-cast=all",
       4e-2,
       {"products_swiglu_layer", "rows_softmax_130x33", "elementwise_gelu", "attention_layer",
        "rows_layer_norm_6x16", "loops_mask", "control_scan"}},
      {"--matmul-format=mxfp8", 1e-2, products()},
      {"--precision=weights=mxfp8,activations=mxfp8", 1e-2, products()},
      {"--precision=weights=mxfp8_stored", 1e-2, products()},
      {"--precision=weights=mxfp4_stored", 1e-2, products()},
      {"--precision=weights=sparse_2_4", 1e-2, products()},
      {"--precision=weights=sparse_4_16,activations=bf16", 1e-2, products()},
      {"--precision=weights=fp8_e4m3_scaled,activations=fp8_e5m2_scaled", 1e-2, products()},
      {"--division=exact", 1e-5, {"rows_softmax_130x33", "elementwise_logistic", "rows_mean_012"}},
      {"--division=fast", 1e-4, {"rows_softmax_130x33", "elementwise_logistic", "rows_mean_012"}},
      {"--precision=weights=fp8_e4m3,activations=bf16,gradients=fp8_e5m2",
       3e-2,
       {"momentum", "adam"}},
      {"--precision=optimizer_state=bf16", 1e-2, {"momentum", "adam"}},
      {"--precision=optimizer_state=fp8_e4m3", 1e-1, {"momentum"}},
  };
}

const std::vector<Flagged>& all_flagged() {
  static const std::vector<Flagged> all = [] {
    std::vector<Flagged> made = by_flags();
    for (const compiler::Alternative& alternative : compiler::alternatives()) {
      Flagged& each = made.emplace_back(Flagged{.tolerance = 1e-3, .programs = varied()});
      each.options.variation = compiler::with({}, alternative);
      each.how = fmt::format("({}{}{})", alternative.of, alternative.of.empty() ? "" : " by ",
                             alternative.words);
    }
    for (const auto& [how, layers] : {std::pair{"(layers apart)", compiler::Layers::apart},
                                      std::pair{"(layers together)", compiler::Layers::together}}) {
      Flagged& each = made.emplace_back(Flagged{
          .tolerance = 1e-3,
          .programs = {"control_equal_layers", "control_layers_in_scan", "attention_layer"}});
      each.options.layers = layers;
      each.how = how;
    }
    return made;
  }();
  return all;
}

// Of tests/session/programs, which keep the places in their author's source, or of all.
ProgramFile find_program(std::string_view name) {
  const std::filesystem::path own = std::filesystem::path(TRAINYARD_SOURCE_DIR) /
                                    "tests/session/programs" / (std::string(name) + ".mlir");
  return std::filesystem::exists(own) ? graph::read_program_file(own)
                                      : graph::read_program_file(std::string(name));
}

std::vector<Literal> evaluate_meant(Module module, const graph::Precision& precision,
                                    const std::vector<Literal>& inputs) {
  compiler::PassLog log;
  compiler::run_module_passes(compiler::meaning_passes(), module, {precision}, {}, log);
  return graph::evaluate(module, inputs);
}

const std::filesystem::path recorded_path =
    std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests/session/flagged_programs.txt";

std::map<std::string, std::string> read_recorded() {
  std::map<std::string, std::string> all;
  if (!std::filesystem::exists(recorded_path)) return all;
  std::istringstream stream(base::read_file(recorded_path));
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    all[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return all;
}

// What it takes.
std::string run(const ProgramFile& file, const Flagged& flagged) {
  const graph::Precision precision = read_compiler_flags(flagged.flags).precision;
  const Module module = graph::read_text(file.text, file.path.filename().string());
  const std::vector<Literal> inputs = graph::inputs_of(module, file);
  Model model(
      machine::load("trn3"), module,
      [](const Module& routine, std::span<const Literal> operands) {
        return graph::evaluate(routine, operands);
      },
      flagged.options, precision, file.cores);
  Arguments arguments;
  for (const Literal& input : inputs)
    arguments.arrays.push_back(std::make_shared<const Array>(input));
  const ModelRun run = model.run(std::move(arguments), {.timed = true});
  const std::vector<Literal> wanted = evaluate_meant(module, precision, inputs);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_EQ(graph::differs(*run.outputs.at(i)->content(), wanted[i], flagged.tolerance), "")
        << "output " << i;
  return fmt::format("{} instructions, {} ticks", model.instructions(), run.time.value);
}

class FlaggedPrograms : public testing::TestWithParam<std::size_t> {};

TEST_P(FlaggedPrograms, ComputeAndTakeWhatTheyDid) {
  const Flagged& flagged = all_flagged().at(GetParam());
  const std::string label = flagged.label();
  std::map<std::string, std::string> all = read_recorded(), found, wanted;
  for (const auto& [name, text] : all)
    if (name.starts_with(label)) wanted[name] = text;
  for (const std::string_view name : flagged.programs) {
    SCOPED_TRACE(label + std::string(name));
    try {
      found[label + std::string(name)] = run(find_program(name), flagged);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  if (std::getenv("TRAINYARD_WRITE_COSTS") == nullptr) {
    EXPECT_EQ(found, wanted);
    return;
  }
  for (const auto& [name, text] : wanted) all.erase(name);
  all.merge(found);
  std::string lines;
  for (const auto& [name, text] : all) lines += fmt::format("{}: {}\n", name, text);
  base::write_file(recorded_path, lines);
}

INSTANTIATE_TEST_SUITE_P(Programs, FlaggedPrograms,
                         testing::Range(std::size_t{0}, all_flagged().size()));

}  // namespace
}  // namespace trainyard::session
