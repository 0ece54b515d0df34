// Functions of one tensor, element by element, in the type of the tensor.
#include "graph/custom_calls/call.h"

namespace trainyard::graph::custom_calls {

namespace {

Expansion of_one_tensor(const Call& call, std::string_view lines) {
  const bool fits = call.has_counts(1, 1) && call.operands[0] == call.results[0] &&
                    is_float(call.operands[0].element);
  if (!fits) return misfit("operands other than one floating-point tensor of the result's type");
  const std::string text =
      "func.func @\"$NAME\"(%x: $T) -> $T {\n" + std::string(lines) + "  return %y : $T\n}\n";
  return meaning(text, {{"$T", to_string(call.operands[0])}});
}

}  // namespace

Expansion erf(const Call& call) { return of_one_tensor(call, "  %y = chlo.erf %x : $T -> $T\n"); }

Expansion one_of_xla(const Call& call) {
  const std::string name = call.target.substr(call.target.find('.') + 1);
  return of_one_tensor(call, "  %y = chlo." + name + " %x : $T -> $T\n");
}

// The only one of them that StableHLO has by now.
Expansion tangent_of_xla(const Call& call) {
  return of_one_tensor(call, "  %y = stablehlo.tan %x : $T\n");
}

Expansion gelu(const Call& call) {
  return of_one_tensor(call, R"(  %half = stablehlo.constant dense<0.5> : $T
  %one = stablehlo.constant dense<1.0> : $T
  %root_of_half = stablehlo.constant dense<0.70710678118654752> : $T
  %scaled = stablehlo.multiply %x, %root_of_half : $T
  %error = chlo.erf %scaled : $T -> $T
  %twice_share = stablehlo.add %error, %one : $T
  %half_x = stablehlo.multiply %x, %half : $T
  %y = stablehlo.multiply %half_x, %twice_share : $T
)");
}

// Source of the constants: Hendrycks and Gimpel, "Gaussian Error Linear Units".
Expansion gelu_tanh(const Call& call) {
  return of_one_tensor(call, R"(  %half = stablehlo.constant dense<0.5> : $T
  %one = stablehlo.constant dense<1.0> : $T
  %cubic = stablehlo.constant dense<0.044715> : $T
  %root_of_2_over_pi = stablehlo.constant dense<0.79788456080286536> : $T
  %square = stablehlo.multiply %x, %x : $T
  %cube = stablehlo.multiply %square, %x : $T
  %small = stablehlo.multiply %cube, %cubic : $T
  %sum = stablehlo.add %x, %small : $T
  %scaled = stablehlo.multiply %sum, %root_of_2_over_pi : $T
  %bent = stablehlo.tanh %scaled : $T
  %twice_share = stablehlo.add %bent, %one : $T
  %half_x = stablehlo.multiply %x, %half : $T
  %y = stablehlo.multiply %half_x, %twice_share : $T
)");
}

Expansion silu(const Call& call) {
  return of_one_tensor(call, R"(  %share = stablehlo.logistic %x : $T
  %y = stablehlo.multiply %x, %share : $T
)");
}

// The caller multiplies with the incoming gradient: torch_neuronx, class Gelu, `backward_impl`.
Expansion gelu_derivative(const Call& call) {
  return of_one_tensor(call, R"(  %half = stablehlo.constant dense<0.5> : $T
  %one = stablehlo.constant dense<1.0> : $T
  %minus_half = stablehlo.constant dense<-0.5> : $T
  %root_of_half = stablehlo.constant dense<0.70710678118654752> : $T
  %root_of_1_over_2_pi = stablehlo.constant dense<0.3989422804014327> : $T
  %scaled = stablehlo.multiply %x, %root_of_half : $T
  %error = chlo.erf %scaled : $T -> $T
  %twice_share = stablehlo.add %error, %one : $T
  %share = stablehlo.multiply %twice_share, %half : $T
  %square = stablehlo.multiply %x, %x : $T
  %exponent = stablehlo.multiply %square, %minus_half : $T
  %bell = stablehlo.exponential %exponent : $T
  %density = stablehlo.multiply %bell, %root_of_1_over_2_pi : $T
  %slope = stablehlo.multiply %x, %density : $T
  %y = stablehlo.add %share, %slope : $T
)");
}

Expansion silu_derivative(const Call& call) {
  return of_one_tensor(call, R"(  %one = stablehlo.constant dense<1.0> : $T
  %share = stablehlo.logistic %x : $T
  %rest = stablehlo.subtract %one, %share : $T
  %scaled = stablehlo.multiply %x, %rest : $T
  %slope = stablehlo.add %scaled, %one : $T
  %y = stablehlo.multiply %share, %slope : $T
)");
}

}  // namespace trainyard::graph::custom_calls
