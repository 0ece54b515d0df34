#include "session/whole_program.h"

#include "base/hash.h"
#include "base/units.h"
#include "graph/print.h"

namespace trainyard::session {

namespace {

// That some program was searched: without this the others need no key.
constexpr std::uint64_t some_searched = 1;

}  // namespace

std::uint64_t WholeProgram::key() const {
  std::uint64_t key = base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(cores_));
  for (const char letter : graph::print(module_, {.elements_max = 4}))
    key = base::hash_combine(key, static_cast<unsigned char>(letter));
  return key;
}

std::optional<WholeProgram::Ways> WholeProgram::fastest() const {
  if (!scores_.known(some_searched)) return std::nullopt;
  const std::optional<base::Ticks> known = scores_.known(key());
  return known ? std::optional(static_cast<Ways>(known->value)) : std::nullopt;
}

void WholeProgram::keep(Ways fastest) {
  scores_.keep(some_searched, base::Ticks{1});
  scores_.keep(key(), base::Ticks{static_cast<int>(fastest)});
}

}  // namespace trainyard::session
