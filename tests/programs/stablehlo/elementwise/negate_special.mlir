// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: nan -inf inf -0 0 -1 1 -0.5 2.5 -3.5 -7.88860905e-31 -100
// cost: 3 instructions, 520915 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
