// in: draw 1 -32768 1 65536
// out: hash 9a7d503055eee4dc
// out: hash eea39cdaf0878b2f
// out: hash f985e887313c0071
// cost: 12 instructions, 701530 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi16>) -> (tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>) {
    %0 = stablehlo.sign %arg0 : tensor<5x30xi16>
    %c = stablehlo.constant dense<2> : tensor<i16>
    %c_0 = stablehlo.constant dense<9> : tensor<i16>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i16>) -> tensor<5x30xi16>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i16>) -> tensor<5x30xi16>
    %3 = stablehlo.clamp %1, %arg0, %2 : tensor<5x30xi16>
    %4 = stablehlo.multiply %arg0, %arg0 : tensor<5x30xi16>
    return %0, %3, %4 : tensor<5x30xi16>, tensor<5x30xi16>, tensor<5x30xi16>
  }
}
