// in: draw 1 -5 3.814697265625e-06 2621441
// out: hash a03fc0915963a2cf
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.abs %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
