// in: draw 1 0 1 65536
// in: draw 4 1 1 9
// out: hash c09fad3aed3e0bdb
// out: hash 1808071267f75534
// cost: 100 instructions, 1656957 ticks
module {
  func.func public @main(%arg0: tensor<5x30xui16>, %arg1: tensor<5x30xui16>) -> (tensor<5x30xui16>, tensor<5x30xui16>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xui16>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xui16>
    return %0, %1 : tensor<5x30xui16>, tensor<5x30xui16>
  }
}
