// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -1.48306977 1.66411352 0.0161487586 1.61191199 -5.71647579 -6.19300318 7.69421197 -0.474954242 -7.9576823 0.227172 -0.468875066 -4.82929045 0.857346061 1.71923732 0.277570597 -6.15374572
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
