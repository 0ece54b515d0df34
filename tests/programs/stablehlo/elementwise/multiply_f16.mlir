// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: hash d6a2e17add4dd90d
// cost: 4 instructions, 556745 ticks
module {
  func.func public @main(%arg0: tensor<200xf16>, %arg1: tensor<200xf16>) -> (tensor<200xf16>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<200xf16>
    return %0 : tensor<200xf16>
  }
}
