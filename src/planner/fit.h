// Whether a model fits a number of chips, what takes the memory, and what else would fit.
#pragma once

#include <string>
#include <vector>

#include "planner/memory.h"
#include "planner/wanted.h"

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

// On wanted.chips chips, as far as it is given by tp, pp and dp as they are given; nothing: the
// fewest that hold it in the formats asked for.
[[nodiscard]] Fit fit_serving(const Model& model, const Chip& chip, const Serving& serving,
                              const Wanted& wanted);
[[nodiscard]] Fit fit_training(const Model& model, const Chip& chip, const Training& training,
                               const Wanted& wanted);

}  // namespace trainyard::planner
