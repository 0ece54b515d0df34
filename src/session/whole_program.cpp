#include "session/whole_program.h"

#include "base/hash.h"
#include "base/units.h"
#include "graph/print.h"

namespace trainyard::session {

namespace {

// That some program was searched: without this the others need no key.
constexpr std::uint64_t some_searched = 1;

constexpr std::int64_t ways_count = 3;

}  // namespace

std::uint64_t WholeProgram::key() const {
  std::uint64_t key = base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(cores_));
  for (const char letter : graph::print(module_, {.elements_max = 4}))
    key = base::hash_combine(key, static_cast<unsigned char>(letter));
  return key;
}

std::optional<WholeProgram::Found> WholeProgram::fastest() const {
  if (!scores_.known(some_searched)) return std::nullopt;
  const std::optional<base::Ticks> known = scores_.known(key());
  if (!known) return std::nullopt;
  return Found{static_cast<Ways>(known->value % ways_count), known->value / ways_count};
}

void WholeProgram::keep(const Found& fastest) {
  scores_.keep(some_searched, base::Ticks{1});
  scores_.keep(key(), base::Ticks{fastest.resident_percent * ways_count +
                                  static_cast<std::int64_t>(fastest.ways)});
}

}  // namespace trainyard::session
