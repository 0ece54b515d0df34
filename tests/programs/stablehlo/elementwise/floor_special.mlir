// tolerance: 1e-30
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: nan inf -inf 0 -0 1 -1 0 -3 3 0 100
// cost: 11 instructions, 670603 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>) {
    %0 = stablehlo.floor %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
