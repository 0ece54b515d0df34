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

struct LayerPass;

class LayerTimer {
 public:
  virtual ~LayerTimer() = default;
  // Of a chip, one of which is simulated.
  [[nodiscard]] virtual std::int64_t cores() const = 0;
  // `pass` has steps.
  [[nodiscard]] virtual Timed time(const LayerPass& pass) const = 0;
};

}  // namespace trainyard::planner
