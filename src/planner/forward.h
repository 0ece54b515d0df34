// One forward pass of a replica: operations, bytes and time, by roofline per layer and link rate
// per collective.
#pragma once

#include "planner/model.h"
#include "planner/plan.h"
#include "planner/timing.h"

namespace trainyard::planner {

struct Pass {
  double samples = 1;  // sequences or images of the replica
  double tokens = 1;   // new tokens of each
  double context = 0;  // tokens before them, in the cache
  double sharing = 1;  // chips that share out each sequence, of which `tokens` are one's part
  double experts_stride = 0;  // of training: between chips that share out experts; 0: neighbours
  bool training = false;
  Format format = Format::bf16;
  Format cache = Format::bf16;
};

// Seconds of a replica, and what one of its chips does meanwhile. Computing is what the matrix
// units or the memory need, whichever is longer.
struct Work {
  double linear = 0, attention = 0, collective = 0, fixed = 0;
  double flops = 0, memory_bytes = 0, link_bytes = 0;
  // What of `collective` tokens take to their experts and back, and keys and values to those who
  // share a sequence; the rest is of tensor parallelism.
  double to_experts = 0, of_context = 0;

  [[nodiscard]] double computing() const { return linear + attention; }
  // With a share `overlap` of the collectives hidden; never less than they take by themselves.
  [[nodiscard]] double seconds(double overlap) const;
  // Of layers that were simulated, if they were: the same operations and bytes in other seconds.
  [[nodiscard]] Work in_time(const std::optional<LayerSeconds>& simulated) const;
  Work& operator+=(const Work& other);
  friend Work operator*(Work work, double times) { return work *= times; }
  Work& operator*=(double times);
};

// One pass through all layers. With pp stages the time is that of all of them, one after the other.
[[nodiscard]] Work layers(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass);
// The output matrix, for the last token of a sample, or for all when training.
[[nodiscard]] Work output_matrix(const Model& model, const Plan& plan, const Chip& chip,
                                 const Pass& pass);
// Both, the layers in their simulated time where there is one.
[[nodiscard]] Work forward(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass,
                           const Timed& simulated = {});

}  // namespace trainyard::planner
