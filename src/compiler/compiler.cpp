#include "compiler/compiler.h"

#include <utility>
#include <variant>

#include "base/hash.h"
#include "compiler/orders.h"

namespace trainyard::compiler {

std::string_view schedule_name(const Options& options) {
  for (const Schedule& each : schedules) {
    if (each.order == options.order && each.rewrite == options.rewrite) return each.name;
  }
  return "other";
}

std::uint64_t key(const Options& options) {
  std::uint64_t key = base::hash_seed;
  for (const auto part :
       {static_cast<std::uint64_t>(options.order), static_cast<std::uint64_t>(options.rewrite),
        static_cast<std::uint64_t>(options.allow_overlap),
        static_cast<std::uint64_t>(options.written_in_parts),
        static_cast<std::uint64_t>(options.turns_overlap),
        static_cast<std::uint64_t>(options.issuers_open),
        static_cast<std::uint64_t>(options.percent_max)})
    key = base::hash_combine(key, part);
  return key;
}

Compiled compile_and_tell(isa::Program kernel, const machine::Core& core, const Options& options) {
  Orders orders(std::move(kernel), core);
  std::variant<Orders::Made, Shortage> compiled = orders.compile(options);
  if (auto* const missing = std::get_if<Shortage>(&compiled)) throw error_of(std::move(*missing));
  auto& made = std::get<Orders::Made>(compiled);
  return {std::move(orders).take(), made.attempt, std::move(made.log)};
}

isa::Program compile(isa::Program kernel, const machine::Core& core, const Options& options) {
  return compile_and_tell(std::move(kernel), core, options).program;
}

}  // namespace trainyard::compiler
