// A training step: forward, backward, recomputing, pipeline, gradients, optimiser; then time,
// energy and dollars for a number of tokens.
#pragma once

#include "planner/answer.h"
#include "planner/forward.h"
#include "planner/memory.h"
#include "planner/rates.h"

namespace trainyard::planner {

// One microbatch through all layers, forward and backward, whatever the stages and replicas.
struct Microbatch {
  Work of_layers, of_output;
  double tokens = 0;            // of a chip
  double weight_gradients = 0;  // seconds that a zero-bubble schedule moves into the wait
};
[[nodiscard]] Microbatch microbatch_of(const Model& model, const Plan& plan, const Chip& chip,
                                       const Training& training, const Timed& simulated = {});

// What one sum of all gradients over replicas takes: a scatter and a gather, each half of it; of
// hybrid sharding, over those that share out states, with what the sum of their shares over
// copies takes besides. And seconds of what every stage hands on to the next.
struct Exchange {
  double sum = 0, copies = 0, handed = 0;
};
[[nodiscard]] Exchange exchange_of(const Model& model, const Owned& owned, const Plan& plan,
                                   const Chip& chip, const Training& training);

struct Step {
  Work microbatch;       // forward and backward of one microbatch, all stages
  double stage = 0;      // seconds of one microbatch in the busiest stage
  double computing = 0;  // of `stage`, what no collective takes
  double bubble = 0;     // seconds in which stages wait for the pipeline to fill and drain
  double gradients = 0;  // seconds of replicas' sums and gathers, once a step, that nothing hides
  double optimizer = 0;  // seconds of reading and writing the states
  double fixed = 0;
  double microbatches = 0;
  [[nodiscard]] double seconds() const {
    return microbatches * stage + bubble + gradients + optimizer + fixed;
  }
  // Seconds in which a chip waits for collectives.
  [[nodiscard]] double exposed() const { return microbatches * (stage - computing) + gradients; }
};
// Of a microbatch and an exchange that were timed before: a search times many steps of each.
[[nodiscard]] Step step_of(const Model& model, const Microbatch& microbatch,
                           const Exchange& exchange, const Owned& owned, const Plan& plan,
                           const Chip& chip, const Training& training);

// Times that a layer's collectives of tensor parallelism are done. With sequence parallelism, as
// Megatron and NeuronX Distributed have it, a layer gathers its input and scatters its sums twice;
// going back, it gathers the gradients and scatters their sums twice, and gathers both inputs once
// more. A gather and a scatter are an all-reduce, each half of it. Without, inputs are there.
[[nodiscard]] double sums_of_layer(const Training& training);

// `simulated`: the layers of a microbatch, forward and backward.
[[nodiscard]] Step training_step(const Model& model, const Plan& plan, const Chip& chip,
                                 const Training& training, const Timed& simulated = {});

// Operations that a model needs for a token of training, none of them repeated: 6 for each active
// parameter, and the attention of a causal sequence.
[[nodiscard]] double model_flops(const Model& model, double sequence);

// The answers for training on `tokens` tokens (samples of an encoder or a convolutional network are
// counted in their tokens; an image of a ResNet is one).
[[nodiscard]] Answer train(const Model& model, const Plan& plan, const Sheet& sheet,
                           const Training& training, const Purchase& purchase, double tokens,
                           const PhaseTimes& times = {});

}  // namespace trainyard::planner
