// A replica that serves: prefill, decode, tokens per second, dollars and joules.
#pragma once

#include "planner/answer.h"
#include "planner/forward.h"
#include "planner/rates.h"

namespace trainyard::planner {

// The answers for one plan. Decoders serve requests of `serving`; encoders, diffusion transformers
// and convolutional networks make samples, `serving.batch` at once. A
// replica is full: a request enters as another leaves, at random times, so that mean_ttft has the
// wait for other prompts and for the step in progress; idle_ttft has none. Prefills and decoding
// take turns on the same chips, each dp group with prompts of its own. `times`: of phases that were
// simulated.
[[nodiscard]] Answer serve(const Model& model, const Plan& plan, const Sheet& sheet,
                           const Serving& serving, const Purchase& purchase,
                           const PhaseTimes& times = {});

// What the two phases compute: prompts that are read together, and the mean step, in which half of
// the answers is written. With stages, a batch is cut into as many microbatches, so that each stage
// has one.
[[nodiscard]] Pass prefill_pass(const Model& model, const Plan& plan, const Serving& serving);
[[nodiscard]] Pass decode_pass(const Plan& plan, const Serving& serving);

// The parts of the two phases, for reports: a prefill of `prefills` requests, a decode step of all.
struct Phases {
  Work prefill = {}, decode = {};
};
[[nodiscard]] Phases phases(const Model& model, const Plan& plan, const Chip& chip,
                            const Serving& serving, const PhaseTimes& times = {});

// Seconds of a phase on a chip, and the least that its peaks allow.
[[nodiscard]] double seconds(const Work& work, const Chip& chip);
// Joules of the chips of a replica that do `work` in `time`; each stage does its part of it.
[[nodiscard]] double joules(const Plan& plan, const Chip& chip, const Work& work, Format format,
                            double time);

}  // namespace trainyard::planner
