// in: draw 1 -5 3.814697265625e-06 2621441
// out: hash e23f51d8f2217bb6
// cost: 4 instructions, 596018 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xi1>) {
    %0 = stablehlo.is_finite %arg0 : (tensor<3x50xf32>) -> tensor<3x50xi1>
    return %0 : tensor<3x50xi1>
  }
}
