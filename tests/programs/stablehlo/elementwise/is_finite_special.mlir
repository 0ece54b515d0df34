// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: 0 0 0 1 1 1 1 1 1 1 1 1
// cost: 4 instructions, 577923 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xi1>) {
    %0 = stablehlo.is_finite %arg0 : (tensor<12xf32>) -> tensor<12xi1>
    return %0 : tensor<12xi1>
  }
}
