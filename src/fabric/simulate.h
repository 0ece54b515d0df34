// Runs a folded problem in time, all its collectives from the first moment on. Every run asserts
// that nothing beats its bound.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fabric/traffic.h"

namespace trainyard::fabric {

struct Load {
  std::uint32_t resource = 0;  // class
  double bytes = 0;            // through one resource of the class
  double share = 0;            // of what it could carry in the time
};

struct SimulatedTime {
  base::Ticks time;
  base::Ticks bound;            // the busiest resource at full rate, waits left out
  std::vector<Load> loads;      // by resource class
  std::uint64_t events = 0;     // of classes
  std::uint64_t transfers = 0;  // of members
  double bytes = 0;             // moved, of members

  [[nodiscard]] const Load& busiest() const;
};

struct Run {
  SimulatedTime timing;
  std::vector<Stuck> stuck;  // nothing: it ended
  bool is_late = false;      // it was left at Limits::latest, which is all that is known of it
};

// How far a simulation goes, and who looks on.
struct Limits {
  base::Ticks latest = Traffic::never;   // no further: it takes longer than that
  std::function<void()> look = nullptr;  // called now and then; may throw
};

[[nodiscard]] Run simulate(const Folded& folded, const Problem& problem,
                           std::vector<Span>* spans = nullptr, const Limits& limits = {});

}  // namespace trainyard::fabric
