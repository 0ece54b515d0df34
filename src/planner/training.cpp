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

// Whether the forward pass of a layer is done once more.
double all_again(Recompute recompute) { return recompute == Recompute::full ? 1 : 0; }

// Shares of forward products that are computed once more.
double products_again(const Model& m, Recompute recompute) {
  return recompute == Recompute::mlp ? first_matrices(m) : all_again(recompute);
}

// Forward and backward. The backward pass has twice the products of the forward one; what is
// recomputed is done once more. Going back, tokens go to their experts and return once more; keys
// and values are gathered again, and their gradients scattered.
Work both_ways(const Work& forward, const Model& m, const Training& training) {
  const double again = products_again(m, training.recompute);
  const double attention_again = training.recompute == Recompute::none ? 0 : 1;
  Work work = forward;
  const double of_tensors = forward.collective - forward.to_experts - forward.of_context;
  const double sums = sums_of_layer(training);
  work.to_experts *= 2 + all_again(training.recompute);
  work.of_context *= 3 + all_again(training.recompute);
  work.collective = of_tensors * sums + work.to_experts + work.of_context;
  work.link_bytes *= forward.collective > 0 ? work.collective / forward.collective : 1;
  work.linear *= 3 + again;
  work.attention *= 3 + attention_again;
  work.fixed *= 3 + again;
  work.flops *= 3 + again;
  work.memory_bytes *= 3 + again;
  return work;
}

}  // namespace

double sums_of_layer(const Training& training) {
  const Recompute recompute = training.recompute;
  const double inputs = training.sequence_parallel ? 2 : 0;
  const double gathers = 2 + 2 + inputs +
                         (recompute == Recompute::full  ? 2
                          : recompute == Recompute::mlp ? inputs / 2
                                                        : 0);
  const double scatters = 2 + 2 + 2 * all_again(recompute);
  return (gathers + scatters * training.summed_bytes / 2) / 4;
}

double model_flops(const Model& m, double sequence) {
  if (m.family == Family::convolution) return 6 * m.convolutions.macs;
  const double causal = m.family == Family::decoder ? 0.5 : 1;
  return 6 * (parameters(m).active + m.convolutions.macs + attention_macs(m, sequence * causal));
}

Microbatch microbatch_of(const Model& m, const Plan& plan, const Chip& chip,
                         const Training& training, const Timed& simulated) {
  // Replicas of training share nothing within a microbatch but experts: ep groups with a microbatch
  // each are a replica of serving.
  const Plan one{.tp = plan.tp, .dp = training.ep};
  const double all = tokens_of_sample(m, training);
  const double behind = m.family == Family::decoder ? all / 2 : all;
  const double cp = real(plan.cp);
  const bool is_apart = training.placement == Placement::stages_inside && training.ep > plan.cp;
  const Pass pass{.samples = training.microbatch * real(training.ep),
                  .tokens = all / cp,
                  .context = behind * (1 - 1 / cp),
                  .sharing = cp,
                  .experts_stride = is_apart ? real(plan.tp * plan.cp * plan.pp) : 0,
                  .training = true,
                  .format = training.format,
                  .cache = Format::bf16};
  const Work forward = layers(m, one, chip, pass);
  Microbatch result{.of_layers = both_ways(forward, m, training).in_time(simulated.seconds),
                    .of_output = output_matrix(m, one, chip, pass) * 3,
                    .tokens = training.microbatch * all / cp};
  result.weight_gradients =
      simulated.seconds ? result.of_layers.linear / (3 + products_again(m, training.recompute))
                        : forward.linear;
  return result;
}

Exchange exchange_of(const Model& m, const Owned& owned, const Plan& plan, const Chip& chip,
                     const Training& training) {
  Exchange result;
  const double tp = real(plan.tp);
  const double cp = real(plan.cp);
  // Replicas that share out states; without any, all sum whole gradients.
  const double copies = training.zero > 0 ? real(training.copies) : 1;
  const double sharing = real(plan.dp) / copies;
  const bool are_stages_inside = training.placement == Placement::stages_inside;
  const double apart = are_stages_inside ? tp * cp * real(plan.pp) : tp * cp;
  const auto sum_over = [&](double parameters, double group) {
    const double inside = std::min(group, cp);
    double seconds = all_reduce_replicas(chip, 2 * parameters, inside, tp).seconds;
    seconds += all_reduce_replicas(chip, 2 * parameters / inside, group / inside, apart).seconds;
    return seconds;
  };
  const auto sum_of_copies = [&](double parameters, double stride) {
    return all_reduce_replicas(chip, 2 * parameters, copies, stride).seconds;
  };
  result.sum = sum_over(owned.shared, cp * sharing);
  result.copies = sum_of_copies(owned.shared / (cp * sharing), apart * sharing);
  if (owned.experts > 0) {
    const double groups = cp * sharing / real(training.ep);
    result.sum += all_reduce_replicas(chip, 2 * owned.experts, groups,
                                      apart * std::max(1.0, real(training.ep) / cp))
                      .seconds;
    result.copies += sum_of_copies(owned.experts / groups, apart * sharing);
  }
  if (plan.pp > 1) {
    const double moved =
        training.microbatch * tokens_of_sample(m, training) / cp * real(m.hidden) * 2 / tp;
    const double stride = are_stages_inside ? tp * cp : tp * cp * real(plan.dp);
    result.handed = 2 * send(chip, moved, stride).seconds;
  }
  return result;
}

Step step_of(const Model& m, const Microbatch& microbatch, const Exchange& exchange,
             const Owned& owned, const Plan& plan, const Chip& chip, const Training& training) {
  Step step{.microbatch = microbatch.of_layers};
  step.microbatch += microbatch.of_output;
  const double stages = real(plan.pp);
  const double busiest = m.layers > 0 ? layers_of_stage(m, plan, training) / real(m.layers) : 1;
  const double exposed = 1 - chip.overlap;
  double stage = microbatch.of_layers.seconds(chip.overlap) * busiest;
  stage += exchange.handed * training.interleave * exposed;
  // The last stage has the output matrix besides, and all others wait for it.
  step.stage = stage + microbatch.of_output.seconds(chip.overlap);
  step.computing = (microbatch.of_layers.computing() + microbatch.of_layers.fixed) * busiest +
                   microbatch.of_output.computing() + microbatch.of_output.fixed;
  step.microbatches = training.global_batch / (training.microbatch * real(plan.dp));
  // Of shared gradients a chip keeps no more than its part, and of shared weights: each microbatch
  // scatters the former and gathers the latter twice, else a step does so once. Where the pieces of
  // a stage take turns, a piece has as many microbatches at once as there are stages, and scatters
  // what they add up to.
  const double at_once = training.interleave > 1 ? stages : 1;
  const double scattered = training.zero >= 2 ? 0.5 * exchange.sum / at_once : 0;
  const double gathered = training.zero >= 3 ? exchange.sum : 0;
  const double of_microbatch = scattered + gathered;
  // Copies sum their shares once a step, as FSDP does where it accumulates gradients.
  const double of_step = exchange.sum * (training.zero >= 3   ? 0.0
                                         : training.zero == 2 ? 0.5
                                                              : 1.0) +
                         exchange.copies;
  step.stage = std::max(of_microbatch, step.stage + exposed * of_microbatch);
  stage = std::max(of_microbatch, stage + exposed * of_microbatch);
  const double filled = training.schedule == Schedule::one_forward_one_backward ? 0
                        : training.schedule == Schedule::zb_h1                  ? 2
                                                                                : 3;
  const double waiting =
      chip.is_ideal && filled > 0 ? 0 : stage - filled * microbatch.weight_gradients * busiest;
  step.bubble = (stages - 1) * std::max(0.0, waiting) / training.interleave;
  step.gradients = of_step * exposed;
  // Reads and writes of the states, gradients in, weights out.
  const double sharing = sharing_chips(plan, training);
  const double states =
      (owned.shared + owned.experts * (training.zero > 0 ? real(training.ep) : 1)) / sharing *
      (2 * training.state_bytes + training.gradient_bytes + 2);
  step.optimizer = states / (chip.bandwidth * chip.reach_memory);
  step.fixed = chip.fixed_step;
  return step;
}

Step training_step(const Model& m, const Plan& plan, const Chip& chip, const Training& training,
                   const Timed& simulated) {
  const Owned owned = owned_by_chip(m, parameters(m), plan, training);
  return step_of(m, microbatch_of(m, plan, chip, training, simulated),
                 exchange_of(m, owned, plan, chip, training), owned, plan, chip, training);
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
