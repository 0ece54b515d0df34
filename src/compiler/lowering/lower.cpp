#include "compiler/lowering/lower.h"

#include "base/error.h"
#include "compiler/lowering/operations.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

Lowered lower(const graph::Module& module, const machine::Core& core, std::int64_t resident_percent,
              int cores, Scorer* scorer, const Variation& variation) {
  for (Lowerer::OpSet on_host;;) {
    Lowerer lowerer(operation_table, module, core, resident_percent, cores, on_host, scorer,
                    variation);
    try {
      return lowerer.run();
    } catch (const NotInHardware&) {
      base::check(!lowerer.loops().empty(), "only loops ask for what a program cannot do");
      on_host.insert(lowerer.loops().begin(), lowerer.loops().end());
    }
  }
}

}  // namespace trainyard::compiler
