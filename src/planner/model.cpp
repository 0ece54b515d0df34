#include "planner/model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::planner {

std::string_view name(Family family) {
  switch (family) {
    case Family::decoder: return "decoder";
    case Family::encoder: return "encoder";
    case Family::diffusion: return "diffusion";
    case Family::convolution: return "convolution";
  }
  base::fail("unknown family");
}

std::string_view name(Mixer mixer) {
  switch (mixer) {
    case Mixer::full: return "full";
    case Mixer::sliding: return "sliding";
    case Mixer::chunked: return "chunked";
    case Mixer::linear: return "linear";
    case Mixer::state_space: return "state_space";
    case Mixer::convolution: return "convolution";
    case Mixer::none: return "none";
  }
  base::fail("unknown mixer");
}

bool is_attention(Mixer mixer) {
  return mixer == Mixer::full || mixer == Mixer::sliding || mixer == Mixer::chunked;
}

double LayerKind::seen(double context) const {
  if (!is_attention(mixer)) return 0;
  const double most = selection.picked > 0 ? real(selection.picked) : context;
  if (window == 0) return std::min(context, most);
  // A token stands in the middle of its chunk on average.
  const double near = mixer == Mixer::chunked ? real(window) / 2 : real(window);
  const double entries = selection.stride > 0 ? context / real(selection.stride) : 0;
  return std::min(context, near) + std::min(entries, most);
}

double LayerKind::kept(double context) const {
  const double whole = window > 0 ? std::min(context, real(window)) : context;
  return whole * cached + context * (selection.cached + selection.searched) + state;
}

double LayerKind::read(double context, double tokens) const {
  if (selection.picked == 0) return kept(context);
  // Each token of a pass picks for itself.
  const double picked = real(selection.picked) * tokens;
  const double far = context * selection.searched + state;
  if (window == 0) return std::min(context, picked) * cached + far;
  const double stride = real(std::max<std::int64_t>(1, selection.stride));
  return std::min(context, real(window)) * cached +
         std::min(context, picked * stride) * selection.cached + far;
}

double LayerKind::attention_macs(double context) const {
  return is_attention(mixer) ? pair_macs(heads) * seen(context) + selection.scoring * context : 0;
}

std::int64_t expert_layers(const Model& m) {
  std::int64_t found = 0;
  for (const auto* stack : {&m.kinds, &m.encoder})
    for (const LayerKind& kind : *stack)
      if (kind.feed_forward == FeedForward::experts) found += kind.count;
  return found;
}

Parameters parameters(const Model& m) {
  Parameters p;
  if (m.family == Family::convolution) {
    p.active = m.convolutions.parameters;
    p.total = p.active + m.towers;
    return p;
  }
  std::int64_t again = 0;  // layers
  for (const auto* stack : {&m.kinds, &m.encoder}) {
    for (const LayerKind& kind : *stack) {
      p.mixing += real(kind.count) * kind.mixing;
      p.passed += real(kind.count) * kind.passed;
      p.again += real(kind.count) * kind.again;
      if (kind.feed_forward == FeedForward::experts && kind.experts_again) again += kind.count;
    }
  }
  const double sparse = real(expert_layers(m));
  p.expert = m.expert_parameters;
  p.experts_again = real(again * m.experts) * p.expert;
  p.all_experts = sparse * real(m.experts) * p.expert - p.experts_again;
  p.embedding = m.embedding;
  p.output = m.output;
  p.total = p.mixing + p.passed - p.again + p.all_experts + p.embedding + (m.tied ? 0 : p.output) +
            m.others + m.towers;
  p.active = p.mixing + p.passed + sparse * real(m.experts_per_token) * p.expert + p.output;
  return p;
}

double kv_elements(const Model& m, bool is_beyond) {
  double sum = 0;
  for (const LayerKind& kind : m.kinds)
    sum += real(kind.count) * (kind.selection.cached + kind.selection.searched +
                               (!is_beyond || kind.window == 0 ? kind.cached : 0));
  return sum;
}

double request_elements(const Model& m, double context) {
  double sum = 0;
  for (const LayerKind& kind : m.kinds) sum += real(kind.count) * kind.kept(context);
  return sum;
}

double attention_macs(const Model& m, double context) {
  double sum = 0;
  for (const LayerKind& kind : m.kinds) sum += real(kind.count) * kind.attention_macs(context);
  return sum;
}

double experts_touched(const Model& m, double tokens) {
  if (m.experts == 0) return 0;
  const double missed = 1 - real(m.experts_per_token) / real(m.experts);
  return real(m.experts) * (1 - std::pow(missed, tokens));
}

}  // namespace trainyard::planner
