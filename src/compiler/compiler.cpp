#include "compiler/compiler.h"

#include <utility>
#include <vector>

#include "compiler/program_passes.h"
#include "isa/rules/validate.h"

namespace trainyard::compiler {

namespace {

std::vector<Attempt> attempts_of(const Options& options) {
  std::vector<Attempt> all{{Order::author, 100, true}, {Order::author, 100, false}};
  if (options.order == Order::list) {
    all = {{Order::list, 90, true},
           {Order::list, 60, true},
           {Order::list, 90, false},
           {Order::list, 60, false},
           {Order::author, 100, false}};
  }
  std::erase_if(all, [&](const Attempt& attempt) {
    return attempt.order == Order::list && attempt.percent > options.percent_max;
  });
  if (!options.rewrite) std::erase_if(all, [](const Attempt& attempt) { return attempt.joins; });
  return all;
}

// `take(is_last)`: a copy of the kernel for one more attempt.
template <typename F>
Compiled compiled(const isa::Program& kernel, const machine::Core& core, const Options& options,
                  F&& take) {
  if (kernel.compiled) {
    throw base::InputError({"program.compiled", "a program is compiled once", kernel.name,
                            "a compiled program", "compile the kernel that it was made from"});
  }
  isa::validate(kernel, core);
  const std::vector<Attempt> attempts = attempts_of(options);
  PassLog given_up;
  for (std::size_t a = 0;; ++a) {
    const bool is_last = a + 1 == attempts.size();
    isa::Program program = take(is_last);
    ProgramContext context{.core = core, .options = options, .attempt = attempts[a]};
    PassLog log;
    std::optional<Shortage> missing = run_program_passes(program, context, log);
    if (!missing) {
      log.add_times(given_up);
      return {std::move(program), attempts[a], std::move(log)};
    }
    if (is_last) throw base::InputError(std::move(missing->violation));
    given_up.add_times(log);
  }
}

}  // namespace

std::string_view schedule_name(const Options& options) {
  for (const Schedule& each : schedules) {
    if (each.order == options.order && each.rewrite == options.rewrite) return each.name;
  }
  return "other";
}

Compiled compile_and_tell(isa::Program&& kernel, const machine::Core& core,
                          const Options& options) {
  return compiled(kernel, core, options,
                  [&](bool is_last) { return is_last ? std::move(kernel) : isa::Program(kernel); });
}

Compiled compile_and_tell(const isa::Program& kernel, const machine::Core& core,
                          const Options& options) {
  return compiled(kernel, core, options, [&](bool) { return kernel; });
}

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  return compile_and_tell(std::move(kernel), core, options).program;
}

}  // namespace trainyard::compiler
