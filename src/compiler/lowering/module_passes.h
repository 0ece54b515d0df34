// The passes that take a tensor program, as a framework hands it over, to what lower() takes: in
// this order. ARCHITECTURE.md says how to add one.
#pragma once

#include <span>
#include <string_view>

#include "compiler/compiler.h"
#include "compiler/pass_log.h"
#include "graph/module.h"
#include "graph/precision.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct ModuleContext {
  graph::Precision precision{};
  const machine::Core* core = nullptr;  // what the machine's passes are for
  Layers layers = Layers::by_time;
  Variation variation{};
};

struct ModulePass {
  std::string_view name;     // "remove-repeats"
  std::string_view summary;  // what it does, in a sentence
  void (*run)(graph::Module& module, const ModuleContext& context);
};

// What the program means, to the evaluator as well as to the machine.
[[nodiscard]] std::span<const ModulePass> meaning_passes();
// What suits the machine.
[[nodiscard]] std::span<const ModulePass> machine_passes();

// Between the two lists of passes: one program of instructions, or several, from the module.
inline constexpr std::string_view lower_pass = "lower";
inline constexpr std::string_view lower_summary =
    "operations become programs of instructions, and routines and control between them";

void run_module_passes(std::span<const ModulePass> passes, graph::Module& module,
                       const ModuleContext& context, const PassOptions& options, PassLog& log);

}  // namespace trainyard::compiler
