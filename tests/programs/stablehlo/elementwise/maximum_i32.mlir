// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 2 -3 1 7
// out: hash aa458b2e6aadb881
// cost: 4 instructions, 566594 ticks
module {
  func.func public @main(%arg0: tensor<11x13xi32>, %arg1: tensor<11x13xi32>) -> (tensor<11x13xi32>) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<11x13xi32>
    return %0 : tensor<11x13xi32>
  }
}
