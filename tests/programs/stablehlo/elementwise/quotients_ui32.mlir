// in: draw 1 0 1 4294967296
// in: draw 4 1 1 9
// out: hash e0cc1d99f63f6544
// out: hash 29e01679a24b4cc7
// cost: 52 instructions, 1218191 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui32>, %arg1: tensor<5x30xui32>) -> (tensor<5x30xui32>, tensor<5x30xui32>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xui32>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xui32>
    return %0, %1 : tensor<5x30xui32>, tensor<5x30xui32>
  }
}
