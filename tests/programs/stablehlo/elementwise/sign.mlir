// in: draw 1 -5 3.814697265625e-06 2621441
// out: hash 6a46e7b7092b8915
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.sign %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
