// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -0.155211359 1.05300112 -1.07415381 -7.13535337 -6.32444353 -4.39463617 -8.32471221 -1.07984123 -2.7866395 -0.011103073 -4.35569905 0.432624895 -8.71045072 -6.43264269 -5.40563501 -7.46554387
// cost: 165 instructions, 2399119 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.cosine %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
