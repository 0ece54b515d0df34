// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash d88c98d37be614f7
// cost: 1 instructions, 175049 ticks
module {
  func.func public @main(%arg0: tensor<9x10xf32>) -> (tensor<18x30xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<9x10xf32>) -> tensor<1x9x1x10xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x9x1x10xf32>) -> tensor<2x9x3x10xf32>
    %2 = stablehlo.reshape %1 : (tensor<2x9x3x10xf32>) -> tensor<18x30xf32>
    return %2 : tensor<18x30xf32>
  }
}
