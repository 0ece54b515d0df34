// What lies in the HBM of one chip, part by part, with the reason of each.
#pragma once

#include <string>
#include <vector>

#include "planner/model.h"
#include "planner/plan.h"

namespace trainyard::planner {

struct MemoryPart {
  std::string name;  // "weights", "KV cache"
  double bytes;
  std::string why;  // the product it comes from
};

struct MemoryNeed {
  std::vector<MemoryPart> parts = {};
  double capacity = 0;  // that is left for a model
  [[nodiscard]] double total() const;
  [[nodiscard]] bool fits() const { return total() <= capacity; }
  // The part that takes most.
  [[nodiscard]] const MemoryPart& largest() const;
};

// The share of a layer's KV cache that one chip of tp holds. Each of its devices has whole heads,
// one at least; a latent cache stands in every chip.
[[nodiscard]] double cache_share(const Model& model, const Plan& plan, double devices_of_chip);

[[nodiscard]] MemoryNeed serving_memory(const Model& model, const Plan& plan, const Chip& chip,
                                        const Serving& serving);
[[nodiscard]] MemoryNeed training_memory(const Model& model, const Plan& plan, const Chip& chip,
                                         const Training& training);

}  // namespace trainyard::planner
