#include "checkers/finding.h"

#include <algorithm>

namespace trainyard::checkers {

void Findings::report(const checks::Check& check, std::uint32_t at, std::uint32_t other,
                      const std::function<Details()>& details, std::uint32_t last) {
  const Key key{&check, program_.locations[at].frame, program_.locations[other].frame};
  const auto [entry, is_new] = known_.try_emplace(key, dropped);
  if (!is_new) {
    if (entry->second != dropped) ++list_[entry->second].count;
    return;
  }
  if (list_.size() >= kept_max || suppressed(check, {at, other, last})) return;
  Details made = details();
  if (made.place.empty()) made.place = program_.describe_location(at);
  base::Violation violation{std::string(check.id), std::string(check.rule), std::move(made.place),
                            std::move(made.found), std::string(check.fix),  std::move(made.sides)};
  if (policy_.stop_at && check.severity >= *policy_.stop_at)
    throw base::Fault(made.category, std::move(violation));
  entry->second = list_.size();
  list_.push_back({&check, made.category, std::move(violation)});
}

bool Findings::suppressed(const checks::Check& check,
                          std::initializer_list<std::uint32_t> sides) const {
  return std::ranges::any_of(policy_.suppressions, [&](const Suppression& suppression) {
    const bool meant =
        suppression.id.empty() || suppression.id == check.id || suppression.id == check.family();
    return meant && (suppression.file.empty() ||
                     std::ranges::any_of(
                         sides, [&](std::uint32_t side) { return in_stack(side, suppression); }));
  });
}

bool Findings::in_stack(std::uint32_t location, const Suppression& suppression) const {
  for (std::uint32_t f = program_.locations[location].frame; f != 0;
       f = program_.frames[f].caller) {
    const isa::Frame& frame = program_.frames[f];
    if (frame.line == suppression.line && program_.strings[frame.file] == suppression.file)
      return true;
  }
  return false;
}

}  // namespace trainyard::checkers
