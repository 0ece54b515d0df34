// tolerance: 2e-05
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// in: nan inf inf -0 0 1 nan 0.5 -2 3.5 0 -inf
// out: 0 0 1 0 0 0 0 0 1 0 0 0
// out: 0 1 0 1 1 1 0 1 0 1 0 0
// out: 1 0 1 0 0 0 1 0 1 0 1 1
// out: 0 1 0 1 1 1 0 1 0 1 1 1
// cost: 16 instructions, 712469 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> (tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>) {
    %0 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %2 = stablehlo.compare NE, %arg0, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %3 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    return %0, %1, %2, %3 : tensor<12xi1>, tensor<12xi1>, tensor<12xi1>, tensor<12xi1>
  }
}
