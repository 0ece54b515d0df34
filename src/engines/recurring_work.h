// Work that recurs with a period: how much of it lies in a stretch of time. The array's clock limit
// asks it of its windows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"

namespace trainyard::engines {

struct WorkSpan {
  base::Ticks begin, end;
};

class RecurringWork {
 public:
  // `spans` recur each `period`, before and after. They follow each other without overlap, the
  // first one's next turn behind the last one's end; see are_apart.
  RecurringWork(std::span<const WorkSpan> spans, base::Ticks period);
  [[nodiscard]] static bool are_apart(std::span<const WorkSpan> spans, base::Ticks period);

  // The time worked from `begin` to `end`.
  [[nodiscard]] base::Ticks within(base::Ticks begin, base::Ticks end) const {
    return before(end) - before(begin);
  }
  // The least and the most time worked in any stretch of this length.
  struct Range {
    base::Ticks least, most;
  };
  [[nodiscard]] Range in_any(base::Ticks length) const;

 private:
  // Worked since the first span began; negative before.
  [[nodiscard]] base::Ticks before(base::Ticks time) const;

  std::span<const WorkSpan> spans_;
  base::Ticks period_;
  std::vector<base::Ticks> worked_;  // before each span, and at last in all of them
};

}  // namespace trainyard::engines
