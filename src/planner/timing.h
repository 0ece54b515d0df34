// How long the layers of a plan's phases take where somebody above simulates them: seconds that
// answers take instead of rooflines.
#pragma once

#include <optional>
#include <string>

#include "planner/plan.h"

namespace trainyard::planner {

// Seconds of all layers in one pass of a replica, one stage after the other: computing, and
// collectives alone on the links. Embedding, output matrix and transfers between stages are none.
struct LayerSeconds {
  double computing = 0, collective = 0;
};

struct Timed {
  std::optional<LayerSeconds> seconds = {};
  std::string why = {};  // there are none
};

// The phases of a plan: of serving a prefill and a decoding step, of training a microbatch, forward
// and backward.
struct PhaseTimes {
  Timed prefill, decode, microbatch;
  [[nodiscard]] bool any() const { return prefill.seconds || decode.seconds || microbatch.seconds; }
};

class LayerTimer {
 public:
  virtual ~LayerTimer() = default;
  [[nodiscard]] virtual Timed prefill(const Plan& plan, const Serving& serving) const = 0;
  [[nodiscard]] virtual Timed decode(const Plan& plan, const Serving& serving) const = 0;
  [[nodiscard]] virtual Timed microbatch(const Plan& plan, const Training& training) const = 0;
};

}  // namespace trainyard::planner
