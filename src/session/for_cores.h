// A tensor program compiled for one core or for both of a logical core, which share each of its
// operations or have each a half of its batch, as is faster.
#pragma once

#include "compiler/compiler.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/pass_log.h"
#include "graph/module.h"
#include "session/compiled_code.h"
#include "session/model_compiler.h"
#include "session/session.h"

namespace trainyard::session {

struct ForCores {
  graph::Module module{};  // behind all passes; of a core where each has a half
  compiler::PassLog passes{};
  CompiledModel model{};
  bool in_halves = false;
};

// `module`: behind the passes that are not the machine's. `options`: of its programs. `kept`: what
// another process found, or null. Throws as ModelCompiler does.
[[nodiscard]] ForCores compile_for_cores(const graph::Module& module, int cores,
                                         const compiler::ModuleContext& context,
                                         const compiler::Options& options, Session& session,
                                         const CompiledCode* kept);

}  // namespace trainyard::session
