// in: draw 1 0 1 4294967296
// out: hash ebdc3d9e2ce74a15
// cost: 2 instructions, 808281 ticks
module {
  func.func public @main(%arg0: tensor<33x70xui32>) -> (tensor<70x33xui32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<33x70xui32>) -> tensor<70x33xui32>
    return %0 : tensor<70x33xui32>
  }
}
