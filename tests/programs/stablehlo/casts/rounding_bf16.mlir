// in: draw 1 -3 0.000244140625 24577
// out: hash 14a6005129532e6d
// cost: 4 instructions, 573245 ticks
module {
  func.func public @main(%arg0: tensor<200xf32>) -> (tensor<200xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<200xf32>) -> tensor<200xbf16>
    %1 = stablehlo.convert %0 : (tensor<200xbf16>) -> tensor<200xf32>
    return %1 : tensor<200xf32>
  }
}
