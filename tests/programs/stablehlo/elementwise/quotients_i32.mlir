// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 4 1 1 9
// out: hash e01471e8ca588bf0
// out: hash 4ca2b923ac61b60a
// cost: 94 instructions, 1586178 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi32>, %arg1: tensor<5x30xi32>) -> (tensor<5x30xi32>, tensor<5x30xi32>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xi32>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xi32>
    return %0, %1 : tensor<5x30xi32>, tensor<5x30xi32>
  }
}
