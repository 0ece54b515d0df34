#include "compiler/compiler.h"

#include "compiler/accumulate.h"
#include "compiler/allocate.h"
#include "compiler/balance.h"
#include "compiler/engines.h"
#include "compiler/merge_loads.h"
#include "compiler/merge_products.h"
#include "compiler/schedule.h"
#include "compiler/sequencers.h"
#include "compiler/streams.h"
#include "isa/validate.h"

namespace trainyard::compiler {

namespace {

// `percent`: of SBUF, which a new order may fill.
isa::Program compile_in(Order order, isa::Program kernel, const machine::Core& core,
                        const Options& options, std::int64_t percent) {
  const auto pulse = [&] {
    if (options.pulse) options.pulse();
  };
  if (options.rewrite) {
    merge_loads(kernel, core);
    merge_products(kernel);
  }
  resolve_accumulation(kernel, core);
  pulse();
  const std::vector<bool> open = open_engines(kernel);
  choose_engines(kernel, core);
  if (options.rewrite) balance_engines(kernel, core, open);
  split_register_instructions(kernel);
  schedule(kernel, core, order, percent);
  pulse();
  allocate(kernel, core, options.allow_overlap || order == Order::list);
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
  // A new order may need more memory at once than the author's, by fragmentation too.
  for (const std::int64_t percent : {90, 60}) {
    if (options.order == Order::author) break;
    try {
      return compile_in(options.order, kernel, core, options, percent);
    } catch (const base::InputError& error) {
      if (!is_capacity(error)) throw;
    }
  }
  return compile_in(Order::author, std::move(kernel), core, options, 100);
}

}  // namespace trainyard::compiler
