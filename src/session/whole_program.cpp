#include "session/whole_program.h"

#include "base/hash.h"
#include "graph/print.h"

namespace trainyard::session {

namespace {

// That some program is faster by rule: without this the others need no key.
constexpr std::uint64_t some_by_rule = 1;

}  // namespace

std::uint64_t WholeProgram::key() const {
  std::uint64_t key = base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(cores_));
  for (const char letter : graph::print(module_, {.elements_max = 4}))
    key = base::hash_combine(key, static_cast<unsigned char>(letter));
  return key;
}

std::optional<bool> WholeProgram::is_by_rule() const {
  if (!scores_.known(some_by_rule)) return std::nullopt;
  const std::optional<base::Ticks> known = scores_.known(key());
  return known ? std::optional(known->value != 0) : std::nullopt;
}

void WholeProgram::keep(bool is_by_rule) {
  if (is_by_rule) scores_.keep(some_by_rule, base::Ticks{1});
  scores_.keep(key(), base::Ticks{is_by_rule ? 1 : 0});
}

}  // namespace trainyard::session
