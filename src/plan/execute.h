// Runs a plan on several devices: with values, or for its time only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/evaluate.h"
#include "plan/collectives.h"
#include "plan/plan.h"
#include "plan/processes.h"
#include "plan/timeline.h"

namespace trainyard::plan {

// What a body computed, of each device that it was run for, and what it took.
struct Ran {
  std::vector<std::vector<Shared>> results;
  Work work{};
  bool is_of_values = false;  // the work depends on the inputs: of those devices, not of all
};

// Runs bodies, and knows what exchanges take.
class Devices {
 public:
  virtual ~Devices() = default;
  // `inputs`: of each device that is computed here; null, as the results are, in a run without
  // values.
  virtual Ran run(std::size_t body, std::span<const std::vector<Shared>> inputs) = 0;
  virtual Work meet(const Meet& meet) = 0;
  // Where what they take depends on when they begin.
  virtual WorkAt body_at(std::size_t) { return {}; }
  virtual WorkAt meet_at(const Meet&) { return {}; }
};

struct Execution {
  std::vector<std::vector<Shared>> results;  // of main, of each device; null where it is elsewhere
  Timeline timeline;                         // has run; its tasks' `what` count in these
  std::vector<const Meet*> meetings{};       // each once, in the order of their first
  std::int64_t counted_once = 0;             // loops and branches of unknown way, without values
  double joules = 0;
};

struct Limits {
  std::int64_t turns_max = std::int64_t{1} << 40;
  std::int64_t early_bytes = std::numeric_limits<std::int64_t>::max();  // Timeline
  base::Ticks begin{};
};

// `inputs`: of each device, in the order of their partitions; null for a run without values.
// There, a loop whose turns depend on values turns once, and a branch takes its first side that
// meets. With a mesh there are values, and all its processes that compute devices call this at
// once. Throws InputError "graph.devices" where devices take different ways, "processes. ..." where
// processes do.
[[nodiscard]] Execution execute(const Plan& plan, std::span<const std::vector<Shared>> inputs,
                                Devices& devices, const Limits& limits = {},
                                const Placement& placement = {});

// With the evaluator's values; no time passes.
[[nodiscard]] std::vector<std::vector<Shared>> evaluate(const Plan& plan,
                                                        std::span<const std::vector<Shared>> inputs,
                                                        const graph::EvaluateLimits& limits = {},
                                                        const Placement& placement = {});

// Whether two devices have the same values.
[[nodiscard]] bool alike(const std::vector<Shared>& a, const std::vector<Shared>& b);

}  // namespace trainyard::plan
