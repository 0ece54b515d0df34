// Functions along one dimension, which the configuration names. They compute in float32 and round
// once. Sources of operands and meaning: torch_neuronx.xla_impl.ops, classes Softmax and RmsNorm;
// transformers-neuronx, hlo.softmax_new.
#include "graph/custom_calls/call.h"

namespace trainyard::graph::custom_calls {

namespace {

constexpr ElementType wide = ElementType::f32;

Words words_of(const Type& type, std::size_t dimension) {
  return {{"$DIMENSION", std::to_string(dimension)},
          {"$OTHERS", dimensions_but(type, dimension)},
          {"$SIZE", std::to_string(type.shape[dimension])},
          {"$TENSOR", to_string(type)},
          {"$WIDE", tensor(type.shape, wide)},
          {"$ROWS", without(type, dimension, wide)}};
}

}  // namespace

Expansion softmax(const Call& call) {
  const auto dimension = call.dimension();
  if (!call.has_counts(1, 1) || call.operands[0] != call.results[0] || !dimension ||
      !is_float(call.operands[0].element))
    return misfit("not one floating-point tensor, its type as the result, and a dimension of it");
  return meaning(R"(func.func @"$NAME"(%x: $TENSOR) -> $TENSOR {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide = stablehlo.convert %x : ($TENSOR) -> $WIDE
  %largest = stablehlo.reduce(%wide init: %lowest) applies stablehlo.maximum across dimensions = [$DIMENSION] : ($WIDE, tensor<f32>) -> $ROWS
  %shift = stablehlo.broadcast_in_dim %largest, dims = [$OTHERS] : ($ROWS) -> $WIDE
  %shifted = stablehlo.subtract %wide, %shift : $WIDE
  %powers = stablehlo.exponential %shifted : $WIDE
  %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [$DIMENSION] : ($WIDE, tensor<f32>) -> $ROWS
  %divisor = stablehlo.broadcast_in_dim %sum, dims = [$OTHERS] : ($ROWS) -> $WIDE
  %shares = stablehlo.divide %powers, %divisor : $WIDE
  %y = stablehlo.convert %shares : ($WIDE) -> $TENSOR
  return %y : $TENSOR
}
)",
                 words_of(call.operands[0], *dimension));
}

Expansion softmax_gradient(const Call& call) {
  const auto dimension = call.dimension();
  if (!call.has_counts(2, 1) || call.operands[0] != call.operands[1] ||
      call.operands[0] != call.results[0] || !dimension || !is_float(call.operands[0].element))
    return misfit("not two floating-point tensors of the result's type and a dimension of them");
  return meaning(R"(func.func @"$NAME"(%gradient: $TENSOR, %shares: $TENSOR) -> $TENSOR {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %wide_gradient = stablehlo.convert %gradient : ($TENSOR) -> $WIDE
  %wide_shares = stablehlo.convert %shares : ($TENSOR) -> $WIDE
  %products = stablehlo.multiply %wide_gradient, %wide_shares : $WIDE
  %sum = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [$DIMENSION] : ($WIDE, tensor<f32>) -> $ROWS
  %shift = stablehlo.broadcast_in_dim %sum, dims = [$OTHERS] : ($ROWS) -> $WIDE
  %shifted = stablehlo.subtract %wide_gradient, %shift : $WIDE
  %scaled = stablehlo.multiply %wide_shares, %shifted : $WIDE
  %y = stablehlo.convert %scaled : ($WIDE) -> $TENSOR
  return %y : $TENSOR
}
)",
                 words_of(call.operands[0], *dimension));
}

Expansion rms_norm(const Call& call) {
  const auto dimension = call.dimension();
  const bool fits =
      call.has_counts(3, 1) && dimension && call.operands[0] == call.results[0] &&
      is_float(call.operands[0].element) && is_float(call.operands[1].element) &&
      call.operands[1].shape == std::vector<std::int64_t>{call.operands[0].shape[*dimension]} &&
      to_string(call.operands[2]) == "tensor<f32>";
  if (!fits)
    return misfit(
        "not a floating-point tensor of the result's type, a weight for each element along a "
        "dimension of it, and epsilon of tensor<f32>");
  Words words = words_of(call.operands[0], *dimension);
  words.emplace_back("$WEIGHTS", to_string(call.operands[1]));
  words.emplace_back("$BROAD_WEIGHTS", tensor(call.operands[1].shape, wide));
  return meaning(
      R"(func.func @"$NAME"(%x: $TENSOR, %weights: $WEIGHTS, %epsilon: tensor<f32>) -> $TENSOR {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<$SIZE.0> : $ROWS
  %wide = stablehlo.convert %x : ($TENSOR) -> $WIDE
  %squares = stablehlo.multiply %wide, %wide : $WIDE
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [$DIMENSION] : ($WIDE, tensor<f32>) -> $ROWS
  %mean = stablehlo.divide %sum, %size : $ROWS
  %margin = stablehlo.broadcast_in_dim %epsilon, dims = [] : (tensor<f32>) -> $ROWS
  %positive = stablehlo.add %mean, %margin : $ROWS
  %scale = stablehlo.rsqrt %positive : $ROWS
  %scales = stablehlo.broadcast_in_dim %scale, dims = [$OTHERS] : ($ROWS) -> $WIDE
  %scaled = stablehlo.multiply %wide, %scales : $WIDE
  %wide_weights = stablehlo.convert %weights : ($WEIGHTS) -> $BROAD_WEIGHTS
  %broad_weights = stablehlo.broadcast_in_dim %wide_weights, dims = [$DIMENSION] : ($BROAD_WEIGHTS) -> $WIDE
  %weighted = stablehlo.multiply %scaled, %broad_weights : $WIDE
  %y = stablehlo.convert %weighted : ($WIDE) -> $TENSOR
  return %y : $TENSOR
}
)",
      std::move(words));
}

}  // namespace trainyard::graph::custom_calls
