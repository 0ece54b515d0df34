#include "planner/forward.h"

#include <algorithm>
#include <cmath>

#include "planner/collectives.h"
#include "planner/expert_layout.h"
#include "planner/memory.h"

namespace trainyard::planner {

namespace {

constexpr double activation_bytes = 2;

// Everything a layer's formulas share.
struct Setting {
  const Model& model;
  const Plan& plan;
  const Chip& chip;
  const Pass& pass;
  Parameters size;
  double tokens;  // of the replica
  double spread;  // chips that share the work of a layer

  [[nodiscard]] double rate(Format format) const {
    const double reach = pass.training ? chip.reach_training : chip.reach_prefill;
    return chip.peak[static_cast<std::size_t>(format)] * reach;
  }
  // The longer of computing `flops` and moving `bytes` on one chip.
  [[nodiscard]] double roofline(double flops, double bytes, Format format) const {
    return std::max(flops / rate(format), bytes / (chip.bandwidth * chip.reach_memory));
  }
};

Setting setting(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass) {
  return {model,
          plan,
          chip,
          pass,
          parameters(model),
          pass.samples * pass.tokens,
          real(plan.tp * plan.dp)};
}

Work linear(const Setting& s, double dense_weights, double expert_weights, double flops,
            double width) {
  const double weights =
      (dense_weights / real(s.plan.tp) + expert_weights / s.spread) * bytes_of(s.pass.format);
  const double moved = s.tokens / s.spread * width * activation_bytes;
  Work work{.flops = flops / s.spread, .memory_bytes = weights + moved};
  work.linear = s.roofline(work.flops, work.memory_bytes, s.pass.format);
  return work;
}

// Logical cores of a chip compute whole heads: where heads cannot be dealt out evenly, some cores
// wait for those with one more, and cores beyond the number of heads compute what others do.
double share_of_heads(const Setting& s) {
  const double cores = s.chip.logical_cores;
  const double heads = real(s.model.heads);
  if (heads == 0) return 1;
  return std::ceil(heads / (real(s.plan.tp) * cores)) * cores / heads;
}

// Parameters of keys and values that are computed more than once in a layer, because more logical
// cores than there are such heads share the queries.
double repeated_keys(const Setting& s) {
  const Model& m = s.model;
  if (m.latent.kv_rank > 0 || m.kv_heads == 0) return 0;
  const double cores = std::min(real(m.heads), real(s.plan.tp) * s.chip.logical_cores);
  const double copies = std::max(1.0, cores / real(m.kv_heads));
  return (copies - 1) * 2 * real(m.hidden) * real(m.kv_heads * m.head_dim);
}

// Layers without attention read their state instead of a cache, and write it again as a whole;
// their products are `mixing`.
Work attention(const Setting& s, const LayerKind& kind) {
  const Model& m = s.model;
  const bool causal = m.family == Family::decoder;
  const double behind = s.pass.context + (causal ? s.pass.tokens / 2 : s.pass.tokens);
  const double of_text = is_attention(kind.mixer) ? pair_macs(kind.heads) * real(m.text_tokens) : 0;
  const double macs = s.tokens * (kind.attention_macs(behind) + of_text);
  Work work{.flops = 2 * macs * share_of_heads(s) / real(s.plan.dp)};
  const double cached = kind.read(s.pass.context + s.pass.tokens, s.pass.tokens) - kind.state;
  const double read =
      cached * cache_share(m, s.plan, s.chip.logical_cores) + 2 * kind.state / real(s.plan.tp);
  const double cache_bytes = s.pass.samples * read * bytes_of(s.pass.cache) / real(s.plan.dp);
  const double moved = s.tokens / s.spread * 4 * real(m.hidden) * activation_bytes;
  work.memory_bytes = cache_bytes + moved;
  // One new token makes no square of scores: its products are like any others.
  const double reach = s.pass.training      ? s.chip.reach_attention_training
                       : s.pass.tokens == 1 ? s.chip.reach_prefill
                                            : s.chip.reach_attention;
  const double computing = work.flops / (s.chip.peak[0] * reach);
  const double reading = cache_bytes / (s.chip.bandwidth * s.chip.reach_cache) +
                         moved / (s.chip.bandwidth * s.chip.reach_memory);
  work.attention = std::max(computing, reading);
  return work;
}

// Chips that share a sequence gather its keys and values, as many as a token looks back at; a layer
// without attention hands its state on. A gather is half of a sum.
Transfer gather_context(const Setting& s, const LayerKind& kind) {
  const double samples = s.pass.samples / real(s.plan.dp);
  const double share = cache_share(s.model, s.plan, s.chip.logical_cores) * activation_bytes;
  const double length = s.pass.tokens * s.pass.sharing;
  const double kept =
      kind.window > 0 ? std::min(length, s.pass.tokens + real(kind.window)) : length;
  const double elements =
      kept * kind.cached + length * (kind.selection.cached + kind.selection.searched);
  Transfer result;
  if (elements > 0)
    result =
        all_reduce_replicas(s.chip, samples * elements * share, s.pass.sharing, real(s.plan.tp)) *
        0.5;
  if (kind.state > 0) {
    const double bytes = samples * kind.state * activation_bytes / real(s.plan.tp);
    const Transfer handed = send(s.chip, bytes, real(s.plan.tp));
    result.seconds += handed.seconds;
    result.bytes += handed.bytes;
  }
  return result;
}

Work collectives(const Setting& s, const LayerKind& kind) {
  const Transfer sum = price(s.chip, sum_over_tensors(s.model, s.plan, s.pass));
  Work work{.collective = sum.seconds, .link_bytes = sum.bytes};
  const auto add = [&](const Transfer& transfer, double Work::*part) {
    work.collective += transfer.seconds;
    work.*part += transfer.seconds;
    work.link_bytes += transfer.bytes;
  };
  if (kind.feed_forward == FeedForward::experts && s.plan.dp > 1)
    add(price(s.chip, exchange_tokens(s.model, s.plan, s.pass)), &Work::to_experts);
  if (s.pass.sharing > 1) add(gather_context(s, kind), &Work::of_context);
  return work;
}

// Of a layer's experts: what tokens pass through, what is read, and seconds besides.
struct Routed {
  double computed = 0, loaded = 0, fixed = 0;
};

// Each token passes through its own experts, and what any token chose is read once; or as a stack
// of software does it. A prefill then takes its time for as many blocks as the worst case needs. A
// step gathers the strips of experts anew for each token until they choose as many as there are,
// and then computes all of them; rows of the first matrices are as short as the strip is narrow.
Routed routed_experts(const Setting& s) {
  const Model& m = s.model;
  const double experts = real(m.experts);
  const double chosen = s.tokens * real(m.experts_per_token);
  Routed result{.computed = chosen, .loaded = experts_touched(m, s.tokens)};
  if (s.pass.training) return result;
  const Crowd crowd = busiest_holder(m, s.tokens, expert_holders(m, s.plan, s.chip.logical_cores));
  result.computed *= crowd.rows;
  result.loaded *= crowd.experts;
  if (s.pass.tokens > 1 && s.chip.software_block > 0) {
    const double blocks = std::ceil(chosen / s.chip.software_block) + experts - 1;
    result.fixed = blocks * s.chip.software_block_seconds;
  } else if (s.pass.tokens <= 1 && s.chip.software_row > 0) {
    const double strip = real(m.expert_ffn) / (real(s.plan.tp) * s.chip.logical_cores);
    const double longer = std::max(1.0, s.chip.software_row / (strip * bytes_of(s.pass.format)));
    const double first = m.gated ? 2.0 / 3 : 0.5;
    if (chosen >= experts) result.computed = s.tokens * experts;
    result.loaded = std::min(chosen, experts) * (first * longer + 1 - first);
  }
  return result;
}

Work layer(const Setting& s, const LayerKind& kind) {
  const Model& m = s.model;
  const bool with_experts = kind.feed_forward == FeedForward::experts;
  const double repeated = is_attention(kind.mixer) ? repeated_keys(s) : 0;
  const double dense = kind.mixing + repeated + kind.passed;
  const Routed routed = with_experts ? routed_experts(s) : Routed{};
  const double loaded = routed.loaded * m.expert_parameters;
  const double inner =
      real(kind.ffn) + (with_experts ? real(m.expert_ffn * m.experts_per_token) : 0);
  Work work =
      linear(s, dense, loaded, 2 * (s.tokens * dense + routed.computed * m.expert_parameters),
             6 * real(m.hidden) + 2 * inner);
  work += attention(s, kind);
  work += collectives(s, kind);
  work.fixed += s.chip.fixed_layer + (with_experts ? s.chip.fixed_experts : 0) + routed.fixed;
  return work;
}

// A convolutional network, or stages before the layers: one long linear layer without attention.
Work convolution(const Setting& s) {
  const Convolutions& c = s.model.convolutions;
  Work work{.flops = 2 * c.macs * s.tokens / s.spread,
            .memory_bytes = c.parameters * bytes_of(s.pass.format) +
                            2 * c.activations * activation_bytes * s.tokens / s.spread};
  work.linear = s.roofline(work.flops, work.memory_bytes, s.pass.format);
  if (s.model.family == Family::convolution) work.fixed = real(s.model.layers) * s.chip.fixed_layer;
  return work;
}

}  // namespace

double Work::seconds(double overlap) const {
  const double busy = computing() + fixed;
  return std::max(collective, busy + (1 - overlap) * collective);
}

Work Work::in_time(const std::optional<LayerSeconds>& simulated) const {
  Work work = *this;
  if (!simulated) return work;
  work.linear = simulated->computing;
  work.attention = work.fixed = 0;
  work.collective = simulated->collective;
  work.to_experts = work.of_context = 0;
  return work;
}

Work& Work::operator+=(const Work& other) {
  linear += other.linear;
  attention += other.attention;
  collective += other.collective;
  fixed += other.fixed;
  flops += other.flops;
  memory_bytes += other.memory_bytes;
  link_bytes += other.link_bytes;
  to_experts += other.to_experts;
  of_context += other.of_context;
  return *this;
}

Work& Work::operator*=(double times) {
  for (double* part : {&linear, &attention, &collective, &fixed, &flops, &memory_bytes, &link_bytes,
                       &to_experts, &of_context})
    *part *= times;
  return *this;
}

Work layers(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass) {
  const Setting s = setting(model, plan, chip, pass);
  if (model.family == Family::convolution) return convolution(s);
  // An encoder reads the prompt for the decoder behind it.
  const bool is_prompt = pass.context == 0 && !pass.training && !model.encoder.empty();
  Work work;
  if (model.convolutions.macs > 0) work += convolution(s);
  for (const LayerKind& kind : is_prompt ? model.encoder : model.kinds)
    work += layer(s, kind) * real(kind.count);
  if (pass.training)
    for (const LayerKind& kind : model.encoder) work += layer(s, kind) * real(kind.count);
  return work;
}

Work output_matrix(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass) {
  if (model.family != Family::decoder) return {};
  const Setting s = setting(model, plan, chip, pass);
  const double rows = pass.training ? s.tokens : pass.samples;
  return linear(s, s.size.output, 0, 2 * rows * s.size.output, 0);
}

Work forward(const Model& model, const Plan& plan, const Chip& chip, const Pass& pass,
             const Timed& simulated) {
  Work work = layers(model, plan, chip, pass).in_time(simulated.seconds);
  work += output_matrix(model, plan, chip, pass);
  return work;
}

}  // namespace trainyard::planner
