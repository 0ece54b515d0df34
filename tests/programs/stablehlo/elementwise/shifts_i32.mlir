// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 3 0 1 32
// out: hash f175b1d4c8c0d00e
// out: hash 349f11d0f09e1b24
// out: hash 0c056c9c5883cb7c
// cost: 16 instructions, 769473 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi32>, %arg1: tensor<5x30xi32>) -> (tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xi32>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xi32>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xi32>
    return %0, %1, %2 : tensor<5x30xi32>, tensor<5x30xi32>, tensor<5x30xi32>
  }
}
