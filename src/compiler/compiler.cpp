#include "compiler/compiler.h"

#include <utility>
#include <variant>
#include <vector>

#include "compiler/accumulate.h"
#include "compiler/allocate.h"
#include "compiler/balance.h"
#include "compiler/engines.h"
#include "compiler/join_transfers.h"
#include "compiler/merge_loads.h"
#include "compiler/merge_products.h"
#include "compiler/schedule.h"
#include "compiler/sequencers.h"
#include "compiler/streams.h"
#include "compiler/zero_unwritten.h"
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
  if (!options.rewrite) std::erase_if(all, [](const Attempt& attempt) { return attempt.joins; });
  return all;
}

std::variant<isa::Program, Shortage> compile_in(const Attempt& attempt, isa::Program kernel,
                                                const machine::Core& core, const Options& options) {
  const auto pulse = [&] {
    if (options.pulse) options.pulse();
  };
  if (options.rewrite) {
    merge_loads(kernel, core);
    merge_products(kernel);
    if (attempt.joins) join_transfers(kernel, core);
  }
  if (core.policy.unwritten == machine::Unwritten::zero) zero_unwritten(kernel, core);
  resolve_accumulation(kernel, core);
  pulse();
  const std::vector<bool> open = open_engines(kernel);
  choose_engines(kernel, core);
  if (options.rewrite) balance_engines(kernel, core, open);
  split_register_instructions(kernel);
  schedule(kernel, core, attempt.order, attempt.percent, options.written_in_parts);
  pulse();
  const bool allow_overlap = options.allow_overlap || attempt.order == Order::list;
  if (auto missing = allocate(kernel, core, allow_overlap)) return std::move(*missing);
  pulse();
  if (auto missing = build_streams(kernel, core)) return std::move(*missing);
  pulse();
  isa::validate(kernel, core);
  return kernel;
}

}  // namespace

std::string_view schedule_name(const Options& options) {
  for (const Schedule& each : schedules) {
    if (each.order == options.order && each.rewrite == options.rewrite) return each.name;
  }
  return "other";
}

Compiled compile_and_tell(isa::Program kernel, const machine::Core& core, const Options& options) {
  if (kernel.compiled) {
    throw base::InputError({"program.compiled", "a program is compiled once", kernel.name,
                            "a compiled program", "compile the kernel that it was made from"});
  }
  isa::validate(kernel, core);
  const std::vector<Attempt> attempts = attempts_of(options);
  for (std::size_t a = 0;; ++a) {
    const bool is_last = a + 1 == attempts.size();
    auto result = compile_in(attempts[a], is_last ? std::move(kernel) : kernel, core, options);
    if (auto* program = std::get_if<isa::Program>(&result))
      return {std::move(*program), attempts[a]};
    if (is_last) throw base::InputError(std::get<Shortage>(std::move(result)).violation);
  }
}

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  return compile_and_tell(std::move(kernel), core, options).program;
}

}  // namespace trainyard::compiler
