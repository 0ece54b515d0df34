// in: draw 1 0 1 4294967296
// in: draw 3 0 1 32
// out: hash aef73f7fab047d27
// out: hash 132895116951dd0b
// out: hash e770171986f4b7c4
// cost: 16 instructions, 769473 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui32>, %arg1: tensor<5x30xui32>) -> (tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xui32>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xui32>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xui32>
    return %0, %1, %2 : tensor<5x30xui32>, tensor<5x30xui32>, tensor<5x30xui32>
  }
}
