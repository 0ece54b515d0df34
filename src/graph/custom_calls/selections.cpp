// Places of the largest and smallest elements. Sources of operands and meaning:
// torch_neuronx.xla_impl.ops, classes Argmax, Argmin and TopK; transformers-neuronx, hlo.argmax.
#include "graph/custom_calls/call.h"

namespace trainyard::graph::custom_calls {

namespace {

// The first of equal elements; NaN before all others, as stablehlo.reduce of JAX's argmax has it.
Expansion place_of(const Call& call, std::string_view before, std::string_view start) {
  const auto dimension = call.dimension();
  const bool fits =
      call.has_counts(1, 1) && dimension && is_float(call.operands[0].element) &&
      is_integer(call.results[0].element) &&
      to_string(call.results[0]) == without(call.operands[0], *dimension, call.results[0].element);
  if (!fits) return misfit("not one floating-point tensor and indices without its dimension");
  const Type& type = call.operands[0];
  const ElementType index = call.results[0].element;
  return meaning(R"(func.func @"$NAME"(%x: $TENSOR) -> $PLACES {
  %start = stablehlo.constant dense<$START> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<$INDEX>
  %wide = stablehlo.convert %x : ($TENSOR) -> $WIDE
  %places = stablehlo.iota dim = $DIMENSION : $INDICES
  %found:2 = stablehlo.reduce(%wide init: %start), (%places init: %first) across dimensions = [$DIMENSION] : ($WIDE, $INDICES, tensor<f32>, tensor<$INDEX>) -> ($ROWS, $PLACES)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<$INDEX>, %j: tensor<$INDEX>) {
    %wins = stablehlo.compare $BEFORE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %is_nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %leads = stablehlo.or %wins, %is_nan : tensor<i1>
    %ties = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %comes_first = stablehlo.compare LT, %i, %j, $SIGN : (tensor<$INDEX>, tensor<$INDEX>) -> tensor<i1>
    %tie_leads = stablehlo.and %ties, %comes_first : tensor<i1>
    %place_leads = stablehlo.or %leads, %tie_leads : tensor<i1>
    %value = stablehlo.select %leads, %a, %b : tensor<i1>, tensor<f32>
    %place = stablehlo.select %place_leads, %i, %j : tensor<i1>, tensor<$INDEX>
    stablehlo.return %value, %place : tensor<f32>, tensor<$INDEX>
  }
  return %found#1 : $PLACES
}
)",
                 {{"$BEFORE", std::string(before)},
                  {"$START", std::string(start)},
                  {"$DIMENSION", std::to_string(*dimension)},
                  {"$INDICES", tensor(type.shape, index)},
                  {"$INDEX", std::string(name(index))},
                  {"$SIGN", is_signed(index) ? "SIGNED" : "UNSIGNED"},
                  {"$TENSOR", to_string(type)},
                  {"$WIDE", tensor(type.shape, ElementType::f32)},
                  {"$ROWS", without(type, *dimension, ElementType::f32)},
                  {"$PLACES", to_string(call.results[0])}});
}

}  // namespace

Expansion argmax(const Call& call) { return place_of(call, "GT", "0xFF800000"); }
Expansion argmin(const Call& call) { return place_of(call, "LT", "0x7F800000"); }

// The configuration is k; the k largest along the last dimension, largest first.
Expansion top_k(const Call& call) {
  const bool counts = call.has_counts(1, 2) && is_float(call.operands[0].element) &&
                      is_integer(call.results[1].element) && !call.operands[0].shape.empty();
  if (!counts) return misfit("not one floating-point tensor, its largest values and their places");
  std::vector<std::int64_t> shape = call.operands[0].shape;
  shape.back() = call.results[0].shape.empty() ? 0 : call.results[0].shape.back();
  const bool fits = call.config == std::to_string(shape.back()) &&
                    to_string(call.results[0]) == tensor(shape, call.operands[0].element) &&
                    call.results[1].shape == shape && shape.back() <= call.operands[0].shape.back();
  if (!fits) return misfit("results that are not the k elements a row that the configuration asks");
  return meaning(R"(func.func @"$NAME"(%x: $TENSOR) -> ($VALUES, $PLACES) {
  %values, %found = chlo.top_k(%x, k = $K) : $TENSOR -> ($VALUES, $FOUND)
  %places = stablehlo.convert %found : ($FOUND) -> $PLACES
  return %values, %places : $VALUES, $PLACES
}
)",
                 {{"$K", call.config},
                  {"$TENSOR", to_string(call.operands[0])},
                  {"$VALUES", to_string(call.results[0])},
                  {"$FOUND", tensor(shape, ElementType::s32)},
                  {"$PLACES", to_string(call.results[1])}});
}

// Source: MHLO's `topk`: k, and whether the largest are meant, which is the default.
Expansion top_k_of_xla(const Call& call) {
  Call same = call;
  for (const NamedAttribute& attribute : call.attributes) {
    if (attribute.name == "k") {
      if (const auto* const k = std::get_if<std::int64_t>(&attribute.value.value))
        same.config = std::to_string(*k);
    } else if (attribute.name == "largest") {
      const auto* const largest = std::get_if<bool>(&attribute.value.value);
      if (largest == nullptr || !*largest) return misfit("the smallest values");
    }
  }
  return top_k(same);
}

}  // namespace trainyard::graph::custom_calls
