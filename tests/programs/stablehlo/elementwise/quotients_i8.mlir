// in: draw 1 -128 1 256
// in: draw 4 1 1 9
// out: hash 8d4e2b73c0b821ef
// out: hash a288390f92c6bf75
// cost: 100 instructions, 1656665 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi8>, %arg1: tensor<5x30xi8>) -> (tensor<5x30xi8>, tensor<5x30xi8>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xi8>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xi8>
    return %0, %1 : tensor<5x30xi8>, tensor<5x30xi8>
  }
}
