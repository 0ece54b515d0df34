// Runs a folded problem in time: transfers start when what they wait for has arrived, share the
// resources of their paths max-min fair, and end; all changes of one instant are taken together.
// Every run asserts that bytes are conserved and that nothing beats its bound.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fold.h"

namespace trainyard::fabric {

struct Load {
  std::uint32_t resource = 0;  // class
  double bytes = 0;            // through one resource of the class
  double share = 0;            // of what it could carry in the time
};

struct Timing {
  base::Ticks time;
  base::Ticks bound;            // the busiest resource at full rate, waits left out
  std::vector<Load> loads;      // by resource class
  std::uint64_t events = 0;     // of classes
  std::uint64_t transfers = 0;  // of members
  double bytes = 0;             // moved, of members

  [[nodiscard]] const Load& busiest() const;
};

// When a transfer class began and ended, for traces.
struct Span {
  std::uint32_t flow = 0;
  std::int32_t times = 0;  // repetition of its phase
  base::Ticks begin, end;
};

// Why nothing moves any more.
struct Stuck {
  std::uint32_t flow = 0;      // a transfer class that cannot go on
  std::uint32_t resource = 0;  // the resource class without capacity; resources: none, it waits
  bool is_cut = false;
};

struct Run {
  Timing timing;
  std::vector<Stuck> stuck;  // nothing: it ended
};

[[nodiscard]] Run simulate(const Folded& folded, const Problem& problem,
                           std::vector<Span>* spans = nullptr);

}  // namespace trainyard::fabric
