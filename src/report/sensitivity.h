// How a run's time moves when figures of the machine move: over the documented ranges of those that
// nobody has published, and under changes that somebody asks about. Every number comes from running
// the same compiled program again, time only; nothing is extrapolated.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace trainyard::report {

// The time of the run on another machine.
using Simulate = std::function<base::Ticks(const machine::Machine&)>;

// The time with one figure at the ends of its range and all others as they are.
struct Influence {
  std::string key;
  base::Ticks at_low, at_high;
  // The largest difference to the run's own time.
  [[nodiscard]] base::Ticks largest(base::Ticks duration) const;
};

// The times that the documented ranges allow. `low` has every figure at the end that makes the run
// shorter by itself, `high` at the other one, all at once: a bracket, not a confidence interval.
struct TimeBracket {
  base::Ticks low, high;
  std::vector<Influence> figures;  // those that move the time, most first
  std::size_t tried = 0;           // figures with a range
};

// `keys` are the figures to vary; those without a range are left out.
[[nodiscard]] TimeBracket bracket_of(const machine::Machine& machine,
                                     std::span<const std::string> keys, base::Ticks duration,
                                     const Simulate& simulate);

// A change to ask about: settings as machine::apply_overrides takes them.
struct Change {
  std::string name;  // for people: "twice the HBM bandwidth"
  std::vector<std::string> settings;
  bool asked = true;  // by itself, not as one of a list
};

struct WhatIf {
  Change change;
  base::Ticks time;
};

// The changes that `--what-if all` asks about. They are data: each is settings of machine keys.
[[nodiscard]] std::vector<Change> standard_changes();

// The times under each change, shortest first. Changes of a list that leave `machine` as it is are
// left out.
// Throws InputError like machine::apply_overrides.
[[nodiscard]] std::vector<WhatIf> what_ifs(const machine::Machine& machine,
                                           std::span<const Change> changes,
                                           const Simulate& simulate);

}  // namespace trainyard::report
