#include "planner/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::planner {

namespace {

// Parameters of the busiest chip. Experts are spread over all chips of a stage that `experts_over`
// counts, everything else over tp.
double parameters_of_chip(const Model& m, const Plan& plan, double experts_over) {
  const Parameters p = parameters(m);
  if (m.family == Family::convolution) return p.total;
  const double stages = real(plan.pp);
  const double embeddings = p.embedding + (m.tied ? 0 : p.output);
  const double layers = (p.total - p.all_experts - embeddings) / (real(plan.tp) * stages);
  // The first or the last stage holds an embedding besides.
  const double ends = (plan.pp > 1 ? p.embedding : embeddings) / real(plan.tp);
  return layers + p.all_experts / (experts_over * stages) + ends;
}

// What the backward pass of one token needs of a layer's forward pass.
double kept_bytes(const Model& m, Recompute recompute, double sequence) {
  const double h = real(m.hidden);
  if (recompute == Recompute::full) return 2 * h;
  const double inner =
      m.experts > 0 ? real(m.expert_ffn * m.experts_per_token + m.shared_ffn) : real(m.ffn);
  const double attention = 8 * h + 4 * real(m.kv_heads * m.head_dim);
  const double feed_forward = 4 * h + (recompute == Recompute::mlp ? 0 : (m.gated ? 6 : 4) * inner);
  // Without recomputing, the scores stay: three times two bytes, less what a fused kernel saves.
  const double scores = recompute == Recompute::none ? 5 * real(m.heads) * sequence : 0;
  return attention + feed_forward + scores;
}

std::string share(const Plan& plan) {
  return fmt::format("tp {}, pp {}, dp {}", plan.tp, plan.pp, plan.dp);
}

}  // namespace

double cache_share(const Model& m, const Plan& plan, double devices_of_chip) {
  if (m.latent.kv_rank > 0) return 1;
  const double heads = std::max(1.0, real(m.kv_heads));
  const double of_device = std::max(1.0, heads / (real(plan.tp) * devices_of_chip));
  return std::min(1.0, of_device * devices_of_chip / heads);
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
  const double elements =
      request_elements(m, context) / real(plan.pp) * cache_share(m, plan, chip.logical_cores);
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

MemoryNeed training_memory(const Model& m, const Plan& plan, const Chip& chip,
                           const Training& training) {
  const double parameters = parameters_of_chip(m, plan, real(plan.tp));
  const auto of_replica = [&](int level) { return training.zero >= level ? real(plan.dp) : 1; };
  const double states = 12 * parameters / of_replica(1);
  const double tokens =
      training.microbatch *
      (m.family == Family::decoder ? training.sequence : real(m.tokens_per_sample));
  const double per_token = kept_bytes(m, training.recompute, training.sequence);
  // The first stage keeps as many microbatches as there are stages: together all layers once.
  const double kept = m.family == Family::convolution
                          ? training.microbatch * m.convolutions.activations * 4
                          : tokens * per_token * real(m.layers) / real(plan.tp);
  const double logits = tokens * real(m.vocab) * 6 / real(plan.tp);
  MemoryNeed memory{.capacity = chip.memory};
  memory.parts = {
      {"weights", 2 * parameters / of_replica(3),
       fmt::format("{:.4g} G parameters of a chip ({}) in bf16", parameters / 1e9, share(plan))},
      {"gradients", 4 * parameters / of_replica(2), "summed in fp32"},
      {"optimizer", states,
       fmt::format("AdamW: fp32 weights and two moments{}",
                   training.zero > 0 ? fmt::format(", shared out over {} replicas (ZeRO-{})",
                                                   plan.dp, training.zero)
                                     : std::string())},
      {"activations", kept,
       fmt::format("{:.4g} tokens of a microbatch, {:.4g} KiB a token and layer, {} recomputed",
                   tokens, per_token / 1024, name(training.recompute))},
      {"logits", logits, "fp32 with their gradient in bf16"}};
  return memory;
}

}  // namespace trainyard::planner
