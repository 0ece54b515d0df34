// How a model is spread over chips, and what it is asked to do.
#pragma once

#include <cstdint>

#include "planner/chip.h"

namespace trainyard::planner {

// How the chips that serve a model share its experts: as if each had the mean of what they do
// (which is what searches price); each expert divided between the cores of a tensor-parallel group,
// which has all or, of dp groups, its part of them; or whole experts on each core.
enum class ExpertLayout : std::uint8_t { even, divided, whole };
[[nodiscard]] std::string_view name(ExpertLayout layout);

// Chips of one replica: tp x dp x pp. In serving, dp replicates attention while experts are spread
// over all tp x dp chips; in training it replicates the model, each of whose sequences cp chips
// share out.
struct Plan {
  std::int64_t tp = 1, pp = 1, dp = 1, cp = 1;
  ExpertLayout experts = ExpertLayout::even;
  [[nodiscard]] double chips() const { return static_cast<double>(tp * pp * dp * cp); }
  friend bool operator==(const Plan&, const Plan&) = default;
};

// What the backward pass computes again: nothing, attention, attention and the first matrices of
// the feed-forward block, all.
enum class Recompute : std::uint8_t { none, selective, mlp, full };
[[nodiscard]] std::string_view name(Recompute recompute);

// The order in which the stages of a pipeline work. With one forward and one backward in turn a
// stage may have several pieces (Training::interleave). The others split the backward pass in two
// and fill the wait with the half that nobody waits for (Qi et al., Zero Bubble Pipeline
// Parallelism): zb_h1 in the same memory, zb_h2 in that of twice as many microbatches.
enum class Schedule : std::uint8_t { one_forward_one_backward, zb_h1, zb_h2 };
[[nodiscard]] std::string_view name(Schedule schedule);

// Which chips are neighbours. Those of tp always are, then those of cp; behind them come either the
// stages or the replicas.
enum class Placement : std::uint8_t { stages_inside, replicas_inside };
[[nodiscard]] std::string_view name(Placement placement);

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
  // Copies of what ZeRO shares out, each over dp / copies replicas beside each other (hybrid
  // sharding).
  std::int64_t copies = 1;
  // Bytes of an element that tensor parallelism sums over chips: 4 where a library does so in fp32.
  double summed_bytes = 2;
  std::int64_t ep = 1;  // of the dp x cp chips beside each other, those that share out experts
  Schedule schedule = Schedule::one_forward_one_backward;
  Placement placement = Placement::stages_inside;
  bool sequence_parallel = true;  // tp shares out what lies between the products, too
  // Bytes of a parameter: the gradient that microbatches add to, and the optimiser's states.
  double gradient_bytes = 4, state_bytes = 12;
};

}  // namespace trainyard::planner
