// in: draw 1 0 1 256
// in: draw 3 0 1 8
// out: hash 3ee3c44c4557fcf2
// out: hash 07b14009ddeeb61e
// out: hash b97d62312d23479d
// cost: 18 instructions, 789410 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui8>, %arg1: tensor<5x30xui8>) -> (tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x30xui8>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x30xui8>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x30xui8>
    return %0, %1, %2 : tensor<5x30xui8>, tensor<5x30xui8>, tensor<5x30xui8>
  }
}
