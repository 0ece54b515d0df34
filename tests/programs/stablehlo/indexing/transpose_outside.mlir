// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 09e7c01e306ea8da
// cost: 1 instructions, 189267 ticks
module {
  func.func public @main(%arg0: tensor<9x14x20xf32>) -> (tensor<14x9x20xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<9x14x20xf32>) -> tensor<14x9x20xf32>
    return %0 : tensor<14x9x20xf32>
  }
}
