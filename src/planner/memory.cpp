#include "planner/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::planner {

namespace {

// Of what all layers store, what those of a stage need: weights that layers pass `again` are held
// by each stage that has such layers.
double held_by_stage(double stored, double again, double of_stage) {
  return std::min(stored, (stored + again) * of_stage);
}

// Parameters of the busiest chip. Experts are spread over all chips of a stage that `experts_over`
// counts, everything else over tp.
double parameters_of_chip(const Model& m, const Plan& plan, double experts_over) {
  const Parameters p = parameters(m);
  if (m.family == Family::convolution) return p.total;
  const double stages = real(plan.pp);
  const double embeddings = p.embedding + (m.tied ? 0 : p.output);
  const double layers =
      held_by_stage(p.total - p.all_experts - embeddings, p.again, 1 / stages) / real(plan.tp);
  // The first or the last stage holds an embedding besides.
  const double ends = (plan.pp > 1 ? p.embedding : embeddings) / real(plan.tp);
  return layers + held_by_stage(p.all_experts, p.experts_again, 1 / stages) / experts_over + ends;
}

// What the backward pass of one token needs of a layer's forward pass on one of tp chips. Inputs of
// norms and products stay whole on each chip unless tp shares out the sequence, too (Korthikanti et
// al. 2022).
double kept_bytes(const Model& m, const Plan& plan, const Training& training) {
  const double h = real(m.hidden);
  const double tp = real(plan.tp);
  const double whole = training.sequence_parallel ? tp : 1;
  const Recompute recompute = training.recompute;
  if (recompute == Recompute::full) return 2 * h / whole;
  const double inner =
      m.experts > 0 ? real(m.expert_ffn * m.experts_per_token + m.shared_ffn) : real(m.ffn);
  const double attention = 4 * h + 4 * real(m.kv_heads * m.head_dim);
  const double feed_forward = recompute == Recompute::mlp ? 0 : (m.gated ? 6 : 4) * inner;
  // Without recomputing, the scores stay: three times two bytes, less what a fused kernel saves.
  const double scores = recompute == Recompute::none ? 5 * real(m.heads) * training.sequence : 0;
  return (attention + feed_forward + scores) / tp + 8 * h / whole;
}

// Microbatches whose activations the first stage keeps at once.
double microbatches_kept(const Plan& plan, const Training& training) {
  const double stages = real(plan.pp);
  const double all = training.global_batch / (training.microbatch * real(plan.dp));
  double kept = stages;
  if (training.schedule == Schedule::zb_h2) kept = 2 * stages - 1;
  if (training.interleave > 1 && plan.pp > 1) kept += (stages - 1) / training.interleave;
  return std::min(all, kept);
}

std::string share(const Plan& plan) {
  return fmt::format("tp {}, pp {}, dp {}{}", plan.tp, plan.pp, plan.dp,
                     plan.cp > 1 ? fmt::format(", cp {}", plan.cp) : std::string());
}

}  // namespace

double cache_share(const Model& m, const Plan& plan, double devices_of_chip) {
  if (m.latent.kv_rank > 0) return 1;
  const double heads = std::max(1.0, real(m.kv_heads));
  const double of_device = std::max(1.0, heads / (real(plan.tp) * devices_of_chip));
  return std::min(1.0, of_device * devices_of_chip / heads);
}

double kept_by_chip(const Model& m, const Plan& plan, double devices_of_chip, double context) {
  const double states = request_elements(m, 0);
  return (request_elements(m, context) - states) * cache_share(m, plan, devices_of_chip) +
         states / real(plan.tp);
}

std::string_view name(Recompute recompute) {
  switch (recompute) {
    case Recompute::none: return "none";
    case Recompute::selective: return "selective";
    case Recompute::mlp: return "mlp";
    case Recompute::full: return "full";
  }
  base::fail("unknown recompute");
}

std::string_view name(Schedule schedule) {
  switch (schedule) {
    case Schedule::one_forward_one_backward: return "1f1b";
    case Schedule::zb_h1: return "zb-h1";
    case Schedule::zb_h2: return "zb-h2";
  }
  base::fail("unknown schedule");
}

std::string_view name(Placement placement) {
  switch (placement) {
    case Placement::stages_inside: return "tp-cp-pp-dp";
    case Placement::replicas_inside: return "tp-cp-dp-pp";
  }
  base::fail("unknown placement");
}

double MemoryNeed::total() const {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.bytes;
  return sum;
}

const MemoryPart& MemoryNeed::largest() const {
  return *std::ranges::max_element(parts, {}, &MemoryPart::bytes);
}

MemoryNeed serving_memory(const Model& m, const Plan& plan, const Chip& chip,
                          const Serving& serving) {
  const double context = serving.input + serving.output;
  const double parameters = parameters_of_chip(m, plan, real(plan.tp * plan.dp));
  const double requests = serving.batch / real(plan.dp);
  const double elements = kept_by_chip(m, plan, chip.logical_cores, context) / real(plan.pp);
  MemoryNeed memory{.capacity = chip.memory};
  const double weight = serving.stored_bytes > 0 ? serving.stored_bytes : bytes_of(serving.weights);
  memory.parts.push_back(
      {"weights", parameters * weight,
       fmt::format("{:.4g} G parameters of a chip ({}) in {}", parameters / 1e9, share(plan),
                   serving.stored_bytes > 0 ? fmt::format("{:.3g} bits as stored", 8 * weight)
                                            : std::string(name(serving.weights)))});
  if (elements > 0) {
    memory.parts.push_back(
        {"KV cache", requests * elements * bytes_of(serving.cache),
         fmt::format("{:.4g} request{} of {:.4g} tokens, {:.4g} KiB a token of a chip in {}",
                     requests, requests == 1 ? "" : "s", context,
                     elements / context * bytes_of(serving.cache) / 1024, name(serving.cache))});
  }
  const double rows = std::max(serving.input, real(m.tokens_per_sample));
  const double width = 8 * real(m.hidden) + 3 * real(std::max(m.ffn, m.expert_ffn));
  const double convolution = 2 * m.convolutions.activations;
  memory.parts.push_back({"activations",
                          2 * (rows * width / real(plan.tp) + serving.batch * convolution / 20),
                          fmt::format("a prefill of {:.4g} tokens", rows)});
  return memory;
}

double layers_of_stage(const Model& m, const Plan& plan, const Training& training) {
  const double turns = plan.pp > 1 ? training.interleave : 1;
  return std::ceil(real(m.layers) / (real(plan.pp) * turns)) * turns;
}

Owned owned_by_chip(const Model& m, const Parameters& p, const Plan& plan,
                    const Training& training) {
  if (m.family == Family::convolution) return {.shared = p.total, .experts = 0};
  const double tp = real(plan.tp);
  const double embeddings = p.embedding + (m.tied ? 0 : p.output);
  const double of_stage = layers_of_stage(m, plan, training) / real(m.layers);
  // The first or the last stage holds an embedding besides.
  const double ends = plan.pp > 1 ? std::max(p.embedding, p.output) : embeddings;
  const double shared = p.total - p.all_experts - embeddings;
  const double experts = held_by_stage(p.all_experts, p.experts_again, of_stage);
  return {.shared = (held_by_stage(shared, p.again, of_stage) + ends) / tp,
          .experts = experts / (tp * real(training.ep))};
}

double sharing_chips(const Plan& plan, const Training& training) {
  if (training.zero == 0) return 1;
  return real(plan.cp) * real(plan.dp) / real(training.copies);
}

TrainingBytes training_bytes(const Model& m, const Parameters& p, const Plan& plan,
                             const Training& training) {
  const Owned owned = owned_by_chip(m, p, plan, training);
  const double sharing = sharing_chips(plan, training);
  const auto shared_out = [&](int level) {
    if (training.zero < level) return owned.shared + owned.experts;
    return owned.shared / sharing + owned.experts / (sharing / real(training.ep));
  };
  TrainingBytes bytes{.weights = 2 * shared_out(3),
                      .gradients = training.gradient_bytes * shared_out(2),
                      .optimizer = training.state_bytes * shared_out(1)};
  const double layers = layers_of_stage(m, plan, training);
  // The gradients of a piece, while microbatches add to them.
  if (training.zero >= 2 && training.interleave > 1 && plan.pp > 1)
    bytes.gradients +=
        training.gradient_bytes * (owned.shared + owned.experts) / training.interleave;
  // A layer whose weights are gathered, and the next one.
  if (training.zero >= 3 && layers > 0)
    bytes.weights += 2 * 2 * (owned.shared + owned.experts) / std::max(2.0, layers);
  const double tokens =
      training.microbatch *
      (m.family == Family::decoder ? training.sequence / real(plan.cp) : real(m.tokens_per_sample));
  if (m.family == Family::convolution) {
    bytes.activations = training.microbatch * m.convolutions.activations * 4;
  } else {
    bytes.activations =
        tokens * kept_bytes(m, plan, training) * layers * microbatches_kept(plan, training);
    if (training.recompute == Recompute::full) {  // of one layer all is there in its turn
      Training again = training;
      again.recompute = Recompute::selective;
      bytes.activations += tokens * kept_bytes(m, plan, again);
    }
  }
  bytes.logits = tokens * real(m.vocab) * 6 / real(plan.tp);
  return bytes;
}

MemoryNeed training_memory(const Model& m, const Plan& plan, const Chip& chip,
                           const Training& training) {
  const Parameters p = parameters(m);
  const Owned owned = owned_by_chip(m, p, plan, training);
  const TrainingBytes bytes = training_bytes(m, p, plan, training);
  const double tokens =
      training.microbatch *
      (m.family == Family::decoder ? training.sequence / real(plan.cp) : real(m.tokens_per_sample));
  MemoryNeed memory{.capacity = chip.memory};
  memory.parts = {
      {"weights", bytes.weights,
       fmt::format("{:.4g} G parameters of a chip ({}) in bf16{}",
                   (owned.shared + owned.experts) / 1e9, share(plan),
                   training.zero >= 3 ? ", shared out, two layers gathered" : "")},
      {"gradients", bytes.gradients,
       fmt::format("summed in {}", training.gradient_bytes == 2 ? "bf16" : "fp32")},
      {"optimizer", bytes.optimizer,
       fmt::format("AdamW: fp32 weights and two moments{}{}",
                   training.state_bytes == 8 ? " in bf16" : "",
                   training.zero > 0 ? fmt::format(", shared out over {:.0f} replicas (ZeRO-{})",
                                                   sharing_chips(plan, training), training.zero)
                                     : std::string())},
      {"activations", bytes.activations,
       fmt::format("{:.4g} tokens of a microbatch, {:.4g} KiB a token and layer, {} recomputed",
                   tokens, kept_bytes(m, plan, training) / 1024, name(training.recompute))},
      {"logits", bytes.logits, "fp32 with their gradient in bf16"}};
  return memory;
}

}  // namespace trainyard::planner
