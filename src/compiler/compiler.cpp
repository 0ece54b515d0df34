#include "compiler/compiler.h"

#include <utility>

#include "compiler/orders.h"

namespace trainyard::compiler {

std::string_view schedule_name(const Options& options) {
  for (const Schedule& each : schedules) {
    if (each.order == options.order && each.rewrite == options.rewrite) return each.name;
  }
  return "other";
}

Compiled compile_and_tell(isa::Program kernel, const machine::Core& core, const Options& options) {
  Orders orders(std::move(kernel), core);
  Orders::Made made = orders.compile(options);
  return {std::move(orders).take(), made.attempt, std::move(made.log)};
}

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  return compile_and_tell(std::move(kernel), core, options).program;
}

}  // namespace trainyard::compiler
