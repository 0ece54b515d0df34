#include "session/whole_program.h"

#include "base/hash.h"
#include "base/units.h"
#include "graph/print.h"

namespace trainyard::session {

namespace {

constexpr std::int64_t ways_count = 3;

}  // namespace

std::uint64_t WholeProgram::key() const {
  std::uint64_t key = base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(cores_));
  for (const char letter : graph::print(module_, {.elements_max = 4}))
    key = base::hash_combine(key, static_cast<unsigned char>(letter));
  return key;
}

std::optional<WholeProgram::Found> WholeProgram::fastest() const {
  const std::optional<base::Ticks> known = scores_.known(key());
  if (!known) return std::nullopt;
  const std::int64_t code = -1 - known->value;
  if (code < 0) return std::nullopt;
  return Found{static_cast<Ways>(code % ways_count), code / ways_count};
}

void WholeProgram::keep(const Found& fastest) {
  const std::int64_t code =
      fastest.resident_percent * ways_count + static_cast<std::int64_t>(fastest.ways);
  scores_.keep(key(), base::Ticks{-1 - code});  // less than 0: no time
}

}  // namespace trainyard::session
