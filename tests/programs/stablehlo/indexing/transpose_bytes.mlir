// in: draw 1 -20 1 41
// out: hash 99d22f72c11ba915
// cost: 2 instructions, 806387 ticks
module {
  func.func public @main(%arg0: tensor<33x70xi8>) -> (tensor<70x33xi8>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<33x70xi8>) -> tensor<70x33xi8>
    return %0 : tensor<70x33xi8>
  }
}
