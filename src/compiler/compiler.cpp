#include "compiler/compiler.h"

#include "compiler/accumulate.h"
#include "compiler/allocate.h"
#include "compiler/engines.h"
#include "compiler/schedule.h"
#include "compiler/sequencers.h"
#include "compiler/streams.h"
#include "isa/validate.h"

namespace trainyard::compiler {

namespace {

isa::Program compile_in(Order order, isa::Program kernel, const machine::Core& core,
                        const Options& options) {
  const auto pulse = [&] {
    if (options.pulse) options.pulse();
  };
  resolve_accumulation(kernel, core);
  pulse();
  choose_engines(kernel, core);
  split_register_instructions(kernel);
  schedule(kernel, core, order);
  pulse();
  allocate(kernel, core, options.allow_overlap);
  pulse();
  build_streams(kernel, core);
  pulse();
  isa::validate(kernel, core);
  return kernel;
}

bool is_capacity(const base::InputError& error) {
  return error.violations().front().label.ends_with(".capacity");
}

}  // namespace

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  if (options.order == Order::author) {
    return compile_in(Order::author, std::move(kernel), core, options);
  }
  try {
    return compile_in(options.order, kernel, core, options);
  } catch (const base::InputError& error) {
    // A new order may need more memory at once than the author's, by fragmentation too.
    if (!is_capacity(error)) throw;
    return compile_in(Order::author, std::move(kernel), core, options);
  }
}

}  // namespace trainyard::compiler
