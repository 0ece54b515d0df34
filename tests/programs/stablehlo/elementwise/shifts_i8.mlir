// in: draw 1 -128 1 256
// in: draw 3 0 1 8
// out: hash f187efa3b6a08423
// out: hash 624d25e931bf4bb7
// out: hash 447afbcf87aaf821
// cost: 18 instructions, 789410 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi8>, %arg1: tensor<5x30xi8>) -> (tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xi8>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xi8>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xi8>
    return %0, %1, %2 : tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>
  }
}
