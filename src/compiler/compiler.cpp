#include "compiler/compiler.h"

#include "compiler/accumulate.h"
#include "compiler/allocate.h"
#include "compiler/engines.h"
#include "compiler/schedule.h"
#include "compiler/sequencers.h"
#include "compiler/streams.h"

namespace trainyard::compiler {

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  resolve_accumulation(kernel);
  choose_engines(kernel, core);
  split_register_instructions(kernel);
  schedule(kernel, core, options.order);
  allocate(kernel, core, options.allow_overlap);
  build_streams(kernel, core);
  return kernel;
}

}  // namespace trainyard::compiler
