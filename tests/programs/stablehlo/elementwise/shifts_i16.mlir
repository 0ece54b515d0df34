// in: draw 1 -32768 1 65536
// in: draw 3 0 1 16
// out: hash f44d6ca3270ff694
// out: hash a0557ebcb5430bfe
// out: hash 19f57fa1ae548568
// cost: 18 instructions, 789730 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi16>, %arg1: tensor<5x30xi16>) -> (tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xi16>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xi16>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xi16>
    return %0, %1, %2 : tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>
  }
}
