// Whether a model fits a number of chips, what takes the memory, and what else would fit.
#pragma once

#include <string>
#include <vector>

#include "planner/memory.h"

namespace trainyard::planner {

// One way to lay a model out.
struct Layout {
  std::string what = {};  // "fp8 weights, tp 8"
  Plan plan = {};
  MemoryNeed memory = {};
  int changes = 0;       // of what was asked
  double batch_max = 0;  // of serving: most requests at once that fit
};

struct Fit {
  Layout asked;
  std::vector<Layout>
      alternatives;  // those that fit: fewest chips first, then nearest to the question
};

// On `chips` chips; 0: the fewest that hold it in the formats asked for.
[[nodiscard]] Fit fit_serving(const Model& model, const Chip& chip, const Serving& serving,
                              std::int64_t chips);
[[nodiscard]] Fit fit_training(const Model& model, const Chip& chip, const Training& training,
                               std::int64_t chips);

}  // namespace trainyard::planner
