#include "compiler/lowering/module_passes.h"

#include <array>

#include "compiler/lowering/recognize.h"
#include "compiler/lowering/repeats.h"
#include "graph/custom_calls.h"

namespace trainyard::compiler {

namespace {

template <void (*pass)(graph::Module&)>
void alone(graph::Module& module, const graph::Precision&) {
  pass(module);
}

constexpr auto meaning = std::to_array<ModulePass>({
    {"cast", "float32 arithmetic gets the formats that --auto-cast and --matmul-format allow",
     graph::apply},
    {"expand-custom-calls", "custom calls whose meaning AWS publishes become operations",
     alone<graph::expand_custom_calls>},
});
constexpr auto machine = std::to_array<ModulePass>({
    {"remove-repeats", "what an earlier operation has computed is not computed again",
     alone<remove_repeats>},
    {"recognize-functions",
     "gelu, silu and the logistic function, written out, become one operation",
     alone<recognize_functions>},
    {"drop-unread", "arithmetic that nothing reads is left out", alone<drop_unread>},
});

}  // namespace

std::span<const ModulePass> meaning_passes() { return meaning; }
std::span<const ModulePass> machine_passes() { return machine; }

void run_module_passes(std::span<const ModulePass> passes, graph::Module& module,
                       const graph::Precision& precision, const PassOptions& options,
                       PassLog& log) {
  for (const ModulePass& pass : passes) {
    timed(pass.name, log, [&] { pass.run(module, precision); });
    look(module, pass.name, options, log);
  }
}

}  // namespace trainyard::compiler
