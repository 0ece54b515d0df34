// tolerance: 2e-05
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: nan 1 -1 0 -0 0.761594176 -0.761594176 0.462117165 -0.986614347 0.998177946 7.88860905e-31 1
// cost: 3 instructions, 544547 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
