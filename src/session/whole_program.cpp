#include "session/whole_program.h"

#include "base/hash.h"
#include "base/units.h"
#include "graph/print.h"

namespace trainyard::session {

namespace {

constexpr std::int64_t ways_count = 3;

std::int64_t code_of(const WholeProgram::Found& found) {
  return found.resident_percent * ways_count + static_cast<std::int64_t>(found.ways);
}

}  // namespace

WholeProgram::WholeProgram(Scores& scores, const graph::Module& module, int cores,
                           const compiler::Options& options, std::string_view beside)
    : scores_(scores),
      key_(base::hash_combine(compiler::key(options), static_cast<std::uint64_t>(cores))) {
  const auto add = [&](std::string_view text) {
    for (const char letter : text)
      key_ = base::hash_combine(key_, static_cast<unsigned char>(letter));
  };
  add(graph::print(module, {.elements_max = 4}));
  add(beside);
}

std::optional<WholeProgram::Found> WholeProgram::fastest() const {
  const std::optional<base::Ticks> known = scores_.known(key_);
  if (!known) return std::nullopt;
  const std::int64_t code = -1 - known->value;
  if (code < 0) return std::nullopt;
  return Found{static_cast<Ways>(code % ways_count), code / ways_count};
}

void WholeProgram::keep(const Found& fastest) {
  scores_.keep(key_, base::Ticks{-1 - code_of(fastest)});  // less than 0: no time
}

std::uint64_t WholeProgram::key_of(const Found& found) const {
  return base::hash_combine(key_, static_cast<std::uint64_t>(code_of(found)));
}

std::optional<base::Ticks> WholeProgram::time(const Found& found) const {
  return scores_.known(key_of(found));
}

void WholeProgram::keep_time(const Found& found, base::Ticks time) {
  scores_.keep(key_of(found), time);
}

}  // namespace trainyard::session
