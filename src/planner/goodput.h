// What failures leave of a training run's time: checkpoints, work done twice, restarts, spares and
// stragglers, by the operation.* figures.
#pragma once

#include "planner/sheet.h"

namespace trainyard::planner {

struct Interruptions {
  double between_hours = 0;       // from one failure of the run to the next
  double checkpoint_seconds = 0;  // that a run stands still to save its states
  double interval_seconds = 0;    // between checkpoints, such that least is lost
  double restart_seconds = 0;
  double availability = 1;  // of the hours, those in which enough boxes work
  double spares = 0;        // chips in boxes that stand by
  double straggling = 0;    // of a step, what it takes longer for its slowest chip
  double effective = 1;     // of the time between failures, what makes progress (Daly 2006)
  [[nodiscard]] double goodput() const { return availability * effective * (1 - straggling); }
};

// Of a run of `chips` whose checkpoint is `bytes` a chip. `spares`: chips beside them; negative: as
// few whole boxes as give an availability of 0.99. Throws InputError for figures without a value.
[[nodiscard]] Interruptions interruptions(const Sheet& sheet, double chips, double bytes,
                                          double spares);

}  // namespace trainyard::planner
