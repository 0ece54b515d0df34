// in: draw 1 -5 3.814697265625e-06 2621441
// out: hash 55014531d6dff75d
// cost: 3 instructions, 533690 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
