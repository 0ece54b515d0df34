// tolerance: 2e-05
// in: nan inf -inf 0 -0 1 -1 0.5 -2.5 3.5 7.888609052210118e-31 100
// out: nan inf 0 1 1 2.71828175 0.36787945 1.64872122 0.0820849985 33.1154518 1 inf
// cost: 3 instructions, 544547 ticks
module {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32>) {
    %0 = stablehlo.exponential %arg0 : tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}
