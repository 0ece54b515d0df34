// in: draw 1 -3 6.103515625e-05 98305
// out: hash 2e4c2e2dd0742920
// cost: 4 instructions, 573245 ticks
module {
  func.func public @main(%arg0: tensor<200xf32>) -> (tensor<200xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<200xf32>) -> tensor<200xf16>
    %1 = stablehlo.convert %0 : (tensor<200xf16>) -> tensor<200xf32>
    return %1 : tensor<200xf32>
  }
}
