#include "planner/model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::planner {

namespace {

double attention_parameters(const Model& m) {
  const double h = real(m.hidden);
  const double norms = 2 * h;
  if (m.latent.kv_rank > 0) {
    const Latent& l = m.latent;
    const double query = real(m.heads * (l.nope_dim + l.rope_dim));
    const double queries = l.q_rank > 0 ? h * real(l.q_rank) + real(l.q_rank) * query : h * query;
    const double down = h * real(l.kv_rank + l.rope_dim);
    const double up = real(l.kv_rank) * real(m.heads * (l.nope_dim + l.v_dim));
    return queries + down + up + real(m.heads * l.v_dim) * h + norms;
  }
  const double own = 2 * h * real(m.heads * m.head_dim) + 2 * h * real(m.kv_heads * m.head_dim);
  const double cross = m.text_tokens > 0 ? 4 * h * h : 0;
  return own + cross + norms;
}

}  // namespace

std::string_view name(Family family) {
  switch (family) {
    case Family::decoder: return "decoder";
    case Family::encoder: return "encoder";
    case Family::diffusion: return "diffusion";
    case Family::convolution: return "convolution";
  }
  base::fail("unknown family");
}

std::int64_t expert_layers(const Model& model) {
  return model.experts == 0 ? 0 : model.layers - model.dense_layers;
}

Parameters parameters(const Model& m) {
  Parameters p;
  if (m.family == Family::convolution) {
    p.total = p.active = m.convolutions.parameters;
    return p;
  }
  const double matrices = m.gated ? 3 : 2;
  const double h = real(m.hidden);
  p.attention = attention_parameters(m);
  p.dense = matrices * h * real(m.ffn);
  p.expert = matrices * h * real(m.expert_ffn);
  p.router = h * real(m.experts);
  p.embedding = h * real(m.vocab);
  p.output = p.embedding;
  const double sparse = real(expert_layers(m));
  const double dense = real(m.layers) - sparse;
  const double common = real(m.layers) * p.attention + dense * p.dense +
                        sparse * (p.router + real(m.shared_experts) * p.expert);
  p.total = common + sparse * real(m.experts) * p.expert + p.embedding + (m.tied ? 0 : p.output);
  p.active = common + sparse * real(m.experts_per_token) * p.expert + p.output;
  return p;
}

double kv_elements(const Model& m) {
  if (m.family != Family::decoder) return 0;
  if (m.latent.kv_rank > 0) return real(m.latent.kv_rank + m.latent.rope_dim);
  return 2 * real(m.kv_heads * m.head_dim);
}

double seen_context(const Model& m, double context) {
  if (m.window == 0 || m.window_layers == 0) return context;
  const double share = real(m.window_layers) / real(m.layers);
  return share * std::min(context, real(m.window)) + (1 - share) * context;
}

double attention_macs(const Model& m) {
  if (m.latent.kv_rank > 0) {
    const Latent& l = m.latent;
    return real(m.heads) * real(l.nope_dim + l.rope_dim + l.v_dim);
  }
  return 2 * real(m.heads * m.head_dim);
}

double experts_touched(const Model& m, double tokens) {
  if (m.experts == 0) return 0;
  const double missed = 1 - real(m.experts_per_token) / real(m.experts);
  return real(m.experts) * (1 - std::pow(missed, tokens));
}

}  // namespace trainyard::planner
