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
// Elements of a request of `context` tokens in all layers that one chip of tp keeps: of caches that
// share, and a tp-th of states, which lie with the channels of their layers.
[[nodiscard]] double kept_by_chip(const Model& model, const Plan& plan, double devices_of_chip,
                                  double context);

[[nodiscard]] MemoryNeed serving_memory(const Model& model, const Plan& plan, const Chip& chip,
                                        const Serving& serving);
// Parameters of the busiest chip of a training run, by how they are shared out: experts over ep
// chips besides.
struct Owned {
  double shared = 0, experts = 0;
};
[[nodiscard]] Owned owned_by_chip(const Model& model, const Parameters& parameters,
                                  const Plan& plan, const Training& training);
// Chips that share out one copy of the states by ZeRO, each with its tp; 1 without ZeRO.
[[nodiscard]] double sharing_chips(const Plan& plan, const Training& training);
// Layers of the busiest stage: its pieces have as many as the others, or one more.
[[nodiscard]] double layers_of_stage(const Model& model, const Plan& plan,
                                     const Training& training);

// What training_memory() says, in bytes alone: a search asks for millions of plans.
struct TrainingBytes {
  double weights = 0, gradients = 0, optimizer = 0, activations = 0, logits = 0;
  [[nodiscard]] double total() const {
    return weights + gradients + optimizer + activations + logits;
  }
};
[[nodiscard]] TrainingBytes training_bytes(const Model& model, const Parameters& parameters,
                                           const Plan& plan, const Training& training);
[[nodiscard]] MemoryNeed training_memory(const Model& model, const Plan& plan, const Chip& chip,
                                         const Training& training);

}  // namespace trainyard::planner
