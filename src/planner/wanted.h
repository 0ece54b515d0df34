// What somebody fixes of a plan, the plans that keep to it, and what stands in the way where there
// is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "planner/model.h"
#include "planner/plan.h"

namespace trainyard::planner {

// Nothing means that Trainyard chooses.
struct Wanted {
  std::optional<std::int64_t> chips = {}, tp = {}, pp = {}, dp = {};
  std::optional<double> batch = {};  // requests at once in a replica
  // Of training.
  std::optional<double> microbatch = {};
  std::optional<Recompute> recompute = {};
  bool pads_heads = false;  // heads that tp does not divide are padded to a multiple of it

  // Whether nothing of a serving plan is left to choose.
  [[nodiscard]] bool is_whole() const { return tp && pp && dp && batch; }
};

// 1, 2, 4, ... up to `most`, and `most` itself.
[[nodiscard]] std::vector<std::int64_t> sizes_to(double most);
// The divisors of `count` up to `most`, in order.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t count, std::int64_t most);

// Whether tp chips share out whole heads: each has as many as the others, or a head is repeated on
// as many chips as every other.
[[nodiscard]] bool deals_heads(const Model& model, std::int64_t tp);

// What of `wanted` no plan of `model` can have; `training`: of a global batch, else 0.
[[nodiscard]] std::vector<base::Violation> find_violations(const Model& model, const Wanted& wanted,
                                                           const Training* training);

// Replicas of up to one sold system, or of several where the model does not fit into one. Of fixed
// chips each replica takes a whole fraction.
[[nodiscard]] std::vector<Plan> serving_plans(const Model& model, const Chip& chip,
                                              const Wanted& wanted);
// Plans of exactly wanted.chips chips, or of tp, pp and dp where all are fixed, whose replicas
// share out a step's sequences.
[[nodiscard]] std::vector<Plan> training_plans(const Model& model, const Chip& chip,
                                               const Wanted& wanted, double global_batch);
// The most chips up to wanted.chips that training_plans() has plans for; 0: none.
[[nodiscard]] std::int64_t nearest_chips(const Model& model, const Chip& chip, const Wanted& wanted,
                                         double global_batch);

}  // namespace trainyard::planner
