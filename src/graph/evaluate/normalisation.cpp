// The three batch normalisations. Source: StableHLO specification. Computed in float64.
#include <cmath>

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

namespace {

double epsilon(const Evaluation& e) { return std::get<double>(e.op.find("epsilon")->value); }

// Calls action(element, feature) for each element of the first operand.
template <typename Action>
void for_each_element(const Evaluation& e, Action action) {
  const auto feature = static_cast<std::size_t>(e.op.integer("feature_index"));
  e.require(feature < e.operand(0).shape().size(), "feature_index is a dimension of the operand");
  std::size_t at = 0;
  for_each_index(e.operand(0).shape(),
                 [&](Index index) { action(at++, static_cast<std::size_t>(index[feature])); });
}

struct Moments {
  std::vector<double> mean, variance;
  double count = 0;  // of elements a feature
};

Moments moments(const Evaluation& e, const std::vector<double>& all, std::size_t features) {
  Moments m{std::vector<double>(features), std::vector<double>(features)};
  m.count = static_cast<double>(all.size()) / static_cast<double>(features);
  for_each_element(e, [&](std::size_t at, std::size_t f) { m.mean[f] += all[at] / m.count; });
  for_each_element(e, [&](std::size_t at, std::size_t f) {
    m.variance[f] += (all[at] - m.mean[f]) * (all[at] - m.mean[f]) / m.count;
  });
  return m;
}

Value normalised(const Evaluation& e, const Moments& m) {
  std::vector<double> all = numbers<double>(e.operand(0));
  const std::vector<double> scale = numbers<double>(e.operand(1)),
                            offset = numbers<double>(e.operand(2));
  const double least = epsilon(e);
  for_each_element(e, [&](std::size_t at, std::size_t f) {
    all[at] = (all[at] - m.mean[f]) / std::sqrt(m.variance[f] + least) * scale[f] + offset[f];
  });
  return tensor_of(e.results[0], all);
}

std::vector<Value> training(const Evaluation& e) {
  const Moments m =
      moments(e, numbers<double>(e.operand(0)), static_cast<std::size_t>(e.operand(1).elements()));
  return {normalised(e, m), tensor_of(e.results.at(1), m.mean),
          tensor_of(e.results.at(2), m.variance)};
}

std::vector<Value> inference(const Evaluation& e) {
  return {normalised(e, {numbers<double>(e.operand(3)), numbers<double>(e.operand(4))})};
}

std::vector<Value> gradient(const Evaluation& e) {
  std::vector<double> all = numbers<double>(e.operand(0));
  const std::vector<double> scale = numbers<double>(e.operand(1)),
                            mean = numbers<double>(e.operand(2)),
                            variance = numbers<double>(e.operand(3)),
                            out = numbers<double>(e.operand(4));
  const double least = epsilon(e);
  const double count = static_cast<double>(all.size()) / static_cast<double>(scale.size());
  std::vector<double> offset_sum(scale.size()), product_sum(scale.size()), scale_sum(scale.size());
  for_each_element(e, [&](std::size_t at, std::size_t f) {
    offset_sum[f] += out[at];
    product_sum[f] += out[at] * (all[at] - mean[f]);
  });
  for (std::size_t f = 0; f < scale.size(); ++f) {
    scale_sum[f] = product_sum[f] / std::sqrt(variance[f] + least);
  }
  for_each_element(e, [&](std::size_t at, std::size_t f) {
    const double centred = (all[at] - mean[f]) * product_sum[f] / (variance[f] + least);
    all[at] = scale[f] / std::sqrt(variance[f] + least) / count *
              (count * out[at] - offset_sum[f] - centred);
  });
  return {tensor_of(e.results[0], all), tensor_of(e.results.at(1), scale_sum),
          tensor_of(e.results.at(2), offset_sum)};
}

}  // namespace

Results evaluate_normalisation(const Evaluation& e) {
  switch (e.op.kind) {
    case OpKind::batch_norm_training: return training(e);
    case OpKind::batch_norm_inference: return inference(e);
    case OpKind::batch_norm_grad: return gradient(e);
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
