#include "planner/training.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "planner/links.h"

namespace trainyard::planner {

namespace {

double tokens_of_sample(const Model& m, const Training& training) {
  return m.family == Family::decoder ? training.sequence : real(m.tokens_per_sample);
}

// The share of a layer's products that the first matrices of its feed-forward block make.
double first_matrices(const Model& m) {
  const Parameters p = parameters(m);
  const double share = m.gated ? 2.0 / 3 : 0.5;
  const double feed_forward = p.passed + real(expert_layers(m) * m.experts_per_token) * p.expert;
  return m.family == Family::convolution ? 0 : share * feed_forward / (p.mixing + feed_forward);
}

// Forward and backward. The backward pass has twice the products of the forward one; what is
// recomputed is done once more.
//
// Collectives are those of tensor parallelism with sequence parallelism, as Megatron and NeuronX
// Distributed have it. A layer gathers its input and scatters its sums twice; going back, it
// gathers the gradients and scatters their sums twice, and gathers both inputs once more. A
// gather and a scatter are an all-reduce, each half of it.
Work both_ways(const Work& forward, const Model& m, const Training& training) {
  const Recompute recompute = training.recompute;
  const double again = recompute == Recompute::full  ? 1
                       : recompute == Recompute::mlp ? first_matrices(m)
                                                     : 0;
  const double attention_again = recompute == Recompute::none ? 0 : 1;
  const double gathers = 2 + 4 +
                         (recompute == Recompute::full  ? 2
                          : recompute == Recompute::mlp ? 1
                                                        : 0);
  const double scatters = 2 + 2 + (recompute == Recompute::full ? 2 : 0);
  const double moved = (gathers + scatters * training.summed_bytes / 2) / 4;
  Work work = forward;
  work.linear *= 3 + again;
  work.attention *= 3 + attention_again;
  work.collective *= moved;
  work.link_bytes *= moved;
  work.fixed *= 3 + again;
  work.flops *= 3 + again;
  work.memory_bytes *= 3 + again;
  return work;
}

double parameters_of_chip(const Model& m, const Plan& plan) {
  return parameters(m).total / real(plan.tp * plan.pp);
}

}  // namespace

double model_flops(const Model& m, double sequence) {
  if (m.family == Family::convolution) return 6 * m.convolutions.macs;
  const double causal = m.family == Family::decoder ? 0.5 : 1;
  return 6 * parameters(m).active +
         6 * real(m.layers) * attention_macs(m) * seen_context(m, sequence * causal);
}

Step training_step(const Model& m, const Plan& plan, const Chip& chip, const Training& training,
                   const Timed& simulated) {
  const Plan one{.tp = plan.tp};  // replicas of training share nothing within a microbatch
  const Pass pass{.samples = training.microbatch,
                  .tokens = tokens_of_sample(m, training),
                  .training = true,
                  .format = training.format,
                  .cache = Format::bf16};
  const Work of_layers =
      both_ways(layers(m, one, chip, pass), m, training).in_time(simulated.seconds);
  const Work of_output = output_matrix(m, one, chip, pass) * 3;
  Step step{.microbatch = of_layers};
  step.microbatch += of_output;
  const double stages = real(plan.pp);
  const double busiest = m.layers > 0 ? std::ceil(real(m.layers) / stages) / real(m.layers) : 1;
  double stage = of_layers.seconds(chip.overlap) * busiest;
  if (plan.pp > 1) {
    const double moved =
        training.microbatch * tokens_of_sample(m, training) * real(m.hidden) * 2 / real(plan.tp);
    stage += 2 * send(chip, moved, real(plan.tp)).seconds * (1 - chip.overlap);
  }
  // The last stage has the output matrix besides, and all others wait for it.
  step.stage = stage + of_output.seconds(chip.overlap);
  step.microbatches = training.global_batch / (training.microbatch * real(plan.dp));
  step.bubble = (stages - 1) * stage / training.interleave;
  const double owned = parameters_of_chip(m, plan);
  const Transfer sum = all_reduce_replicas(chip, 2 * owned, real(plan.dp), real(plan.tp * plan.pp));
  step.gradients = sum.seconds * (1 - chip.overlap);
  // Reads and writes of 12 bytes of state, gradients in, weights out.
  const double states = 30 * owned / (training.zero > 0 ? real(plan.dp) : 1);
  step.optimizer = states / (chip.bandwidth * chip.reach_memory);
  step.fixed = chip.fixed_step;
  return step;
}

Answer train(const Model& m, const Plan& plan, const Sheet& sheet, const Training& training,
             const Purchase& purchase, double tokens, const PhaseTimes& times) {
  const Chip chip = chip_of(sheet);
  const Step step = training_step(m, plan, chip, training, times.microbatch);
  const double time = step.seconds();
  const double bound = training_step(m, plan, ideal_of(sheet), training).seconds();
  base::check(times.microbatch.seconds || time >= bound * (1 - 1e-9),
              "a training step beats its bound");

  const double chips = plan.chips();
  const double sample = tokens_of_sample(m, training);
  const double rate = training.global_batch * sample / time;
  const double peak = chip.peak[static_cast<std::size_t>(training.format)];
  Answer answer;
  answer.values = {{"step_seconds", time},
                   {"tokens_per_second", rate},
                   {"tokens_per_second_per_gpu", rate / chips},
                   {"sequences_per_second", rate / sample},
                   {"mfu", model_flops(m, sample) * rate / (chips * peak)},
                   {"days", tokens / rate / 86400}};
  const double hours = tokens / rate / 3600;
  if (const auto watts = sheet.find("power.all_in"))
    answer.values["mwh"] = *watts * chips * hours / 1e6;
  else
    answer.unknown.emplace_back("power.all_in");
  if (const auto dollars = hourly_rate(sheet, purchase, answer.unknown)) {
    answer.values["usd_per_gpu_hour"] = *dollars;
    answer.values["usd"] = *dollars * chips * hours;
    answer.values["usd_per_million_tokens"] = *dollars * chips / 3600 * 1e6 / rate;
  }
  return answer;
}

}  // namespace trainyard::planner
