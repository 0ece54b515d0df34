// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 2 -3 1 7
// out: hash 9fb8306debb53b98
// cost: 4 instructions, 566594 ticks
module {
  func.func public @main(%arg0: tensor<11x13xi32>, %arg1: tensor<11x13xi32>) -> (tensor<11x13xi32>) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<11x13xi32>
    return %0 : tensor<11x13xi32>
  }
}
