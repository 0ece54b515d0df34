// in: draw 1 0 1 256
// in: draw 4 1 1 9
// out: hash 1029a494c6f501a0
// out: hash 72712ca774d5e6a0
// cost: 100 instructions, 1656665 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui8>, %arg1: tensor<5x30xui8>) -> (tensor<5x30xui8>, tensor<5x30xui8>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xui8>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xui8>
    return %0, %1 : tensor<5x30xui8>, tensor<5x30xui8>
  }
}
