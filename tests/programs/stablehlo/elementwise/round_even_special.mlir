// tolerance: 1e-30
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: nan inf -inf 0 -0 1 -1 0 -2 4 0 100
// cost: 9 instructions, 623003 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>) {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
