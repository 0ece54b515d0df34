// in: draw 1 0 1 65536
// in: draw 3 0 1 16
// out: hash bf92e5505e7dbec2
// out: hash 9e9e7f90451cd3fc
// out: hash 732142133754de6c
// cost: 18 instructions, 789730 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui16>, %arg1: tensor<5x30xui16>) -> (tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xui16>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xui16>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xui16>
    return %0, %1, %2 : tensor<5x30xui16>, tensor<5x30xui16>, tensor<5x30xui16>
  }
}
