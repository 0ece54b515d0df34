// How a model is spread over chips, and what it is asked to do.
#pragma once

#include <cstdint>

#include "planner/chip.h"

namespace trainyard::planner {

// Chips of one replica: tp x dp x pp. In serving, dp replicates attention while experts are spread
// over all tp x dp chips; in training it replicates the model.
struct Plan {
  std::int64_t tp = 1, pp = 1, dp = 1;
  [[nodiscard]] double chips() const { return static_cast<double>(tp * pp * dp); }
  friend bool operator==(const Plan&, const Plan&) = default;
};

// What the backward pass computes again: nothing, attention, attention and the first matrices of
// the feed-forward block, all.
enum class Recompute : std::uint8_t { none, selective, mlp, full };
[[nodiscard]] std::string_view name(Recompute recompute);

struct Serving {
  double input = 1024, output = 1024;  // tokens of a request
  double batch = 1;                    // requests at once in a replica
  double prefills = 1;                 // requests whose prompts each of dp groups reads together
  Format weights = Format::bf16;
  Format cache = Format::bf16;
  double stored_bytes = 0;  // of a weight in memory, where a checkpoint is quantised; 0: by format
};

struct Training {
  double sequence = 8192;
  double global_batch = 1024;  // sequences of a step
  double microbatch = 1;
  Format format = Format::bf16;
  Recompute recompute = Recompute::selective;
  double interleave = 1;  // pieces of a stage's layers that take turns, against waiting
  // ZeRO: what replicas share out: nothing, 1 the optimiser's states, 2 gradients too, 3 weights
  // too.
  int zero = 1;
  // Bytes of an element that tensor parallelism sums over chips: 4 where a library does so in fp32.
  double summed_bytes = 2;
};

}  // namespace trainyard::planner
