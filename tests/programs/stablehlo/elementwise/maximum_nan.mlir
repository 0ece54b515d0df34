// tolerance: 2e-05
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// in: 1 nan 2 -0 0 1 -3 inf -inf 3 -7.888609052210118e-31 nan
// out: nan nan 2 0 0 1 -1 inf -2.5 3.5 7.88860905e-31 nan
// out: nan nan -inf -0 -0 1 -3 0.5 -inf 3 -7.88860905e-31 nan
// cost: 8 instructions, 620724 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<12xf32>
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<12xf32>
    return %0, %1 : tensor<12xf32>, tensor<12xf32>
  }
}
