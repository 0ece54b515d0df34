// The three batch normalisations. Source: StableHLO specification. Computed in float64.
#include <cmath>

#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

// Each of those operands and results is one number a feature.
void verify_batch_norm(OpCheck& c, std::size_t first_operand, std::size_t last_operand,
                       std::size_t first_result, std::size_t last_result) {
  const Type& operand = c.operand(0);
  const std::size_t feature = c.dimension("feature_index", operand.shape.size());
  if (c.has_failed()) return;
  const std::array<std::int64_t, 1> shape{operand.shape[feature]};
  for (std::size_t i = first_operand; i <= last_operand; ++i)
    c.require(shape_is(c.operand(i), shape), "there is a number for each feature");
  for (std::size_t i = first_result; i <= last_result; ++i)
    c.require(shape_is(c.result(i), shape), "there is a number for each feature");
  c.require(same_type(operand, c.result(0)), "the first result has the type of the operand");
}

void verify_batch_norm_training(OpCheck& c) { verify_batch_norm(c, 1, 2, 1, 2); }

void verify_batch_norm_inference(OpCheck& c) { verify_batch_norm(c, 1, 4, 1, 0); }

void verify_batch_norm_grad(OpCheck& c) { verify_batch_norm(c, 1, 3, 1, 2); }

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

std::vector<Value> evaluate_training(const Evaluation& e) {
  const Moments m =
      moments(e, numbers<double>(e.operand(0)), static_cast<std::size_t>(e.operand(1).elements()));
  return {normalised(e, m), tensor_of(e.results.at(1), m.mean),
          tensor_of(e.results.at(2), m.variance)};
}

std::vector<Value> evaluate_inference(const Evaluation& e) {
  return {normalised(e, {numbers<double>(e.operand(3)), numbers<double>(e.operand(4))})};
}

std::vector<Value> evaluate_gradient(const Evaluation& e) {
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

constexpr auto batch_norms_records = std::to_array<OpRecord>({
    {.kind = OpKind::batch_norm_grad,
     .name = "batch_norm_grad",
     .operands = {5, 5},
     .results = {3, 3},
     .vhlo = {"epsilon feature_index"},
     .verify = verify_batch_norm_grad,
     .evaluate = evaluate_gradient},
    {.kind = OpKind::batch_norm_inference,
     .name = "batch_norm_inference",
     .operands = {5, 5},
     .vhlo = {"epsilon feature_index"},
     .verify = verify_batch_norm_inference,
     .evaluate = evaluate_inference},
    {.kind = OpKind::batch_norm_training,
     .name = "batch_norm_training",
     .operands = {3, 3},
     .results = {3, 3},
     .vhlo = {"epsilon feature_index"},
     .verify = verify_batch_norm_training,
     .evaluate = evaluate_training},
});

}  // namespace

std::span<const OpRecord> batch_norms_ops() { return batch_norms_records; }

}  // namespace trainyard::graph
