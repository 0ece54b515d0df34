// in: draw 1 -32768 1 65536
// in: draw 4 1 1 9
// out: hash 5215d748cc3f2b74
// out: hash f3d2dc0dbe6879ca
// cost: 100 instructions, 1656957 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi16>, %arg1: tensor<5x30xi16>) -> (tensor<5x30xi16>, tensor<5x30xi16>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5x30xi16>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5x30xi16>
    return %0, %1 : tensor<5x30xi16>, tensor<5x30xi16>
  }
}
