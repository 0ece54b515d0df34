// in: draw 1 -1 0.0078125 257
// out: hash 83d3e5453c27f573
// cost: 6 instructions, 663232 ticks
module {
  func.func public @main(%arg0: tensor<130x70xbf16>) -> (tensor<70x130xbf16>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<130x70xbf16>) -> tensor<70x130xbf16>
    return %0 : tensor<70x130xbf16>
  }
}
