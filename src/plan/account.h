// Where the time of an execution went: each body and each collective of a plan with its runs, what
// devices waited for and what their end hangs on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/execute.h"
#include "plan/links.h"

namespace trainyard::plan {

// Equal runs of one body, or of equal collectives of one line.
struct Entry {
  Task::Kind kind = Task::Kind::body;
  std::string what{};   // "dot_general and 11 more", "all_gather"
  std::string place{};  // in the author's source
  std::int64_t count = 0;
  std::int64_t bytes = 0;    // of a collective: the larger of what a device gives and gets
  std::int64_t devices = 0;  // of its largest group
  std::int64_t stride = 0;   // between the first two of it
  Route route{};
  base::Ticks alone{};    // of all runs, if each were alone
  base::Ticks waited{};   // of it, devices waited (Timeline::waited_for)
  base::Ticks on_path{};  // on the critical path
};

struct TimeAccount {
  std::vector<Entry> entries{};         // longest wait of devices or of work first
  std::vector<std::size_t> entry_of{};  // each task
};

// `route`: how a collective was priced.
[[nodiscard]] TimeAccount account_of(const Plan& plan, const Execution& execution,
                                     const std::function<Route(const Meet&)>& route);

}  // namespace trainyard::plan
